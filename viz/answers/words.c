#include "viz/answers/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 60 };

/* The length of a text up to so many bytes, and not within a character of UTF-8. */
static size_t cut(const char *text, size_t most) {
    size_t length = strnlen(text, most + 1);
    if (length <= most) {
        return length;
    }
    length = most;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--;
    }
    return length;
}

void grt_words_say(struct grt_words *words, const char *format, ...) {
    size_t left = words->size - words->length;
    va_list arguments;
    va_start(arguments, format);
    int wanted = left > 1 ? vsnprintf(words->text + words->length, left, format, arguments) : 0;
    va_end(arguments);
    if (wanted > 0) {
        words->length += (size_t)wanted < left ? (size_t)wanted : left - 1;
    }
}

/* `prefix`: what goes before the name; `kind`: and before a number, where there is no name. */
static char *name_words(const char *name, const char *prefix, const char *kind, uint32_t number,
                        char text[GRT_NAME_WORDS]) {
    if (name == NULL || name[0] == '\0') {
        snprintf(text, GRT_NAME_WORDS, "%s %" PRIu32, kind, number);
        return text;
    }
    size_t length = cut(name, NAME_BYTES);
    snprintf(text, GRT_NAME_WORDS, "%s%.*s%s", prefix, (int)length, name, name[length] != '\0' ? "..." : "");
    return text;
}

char *grt_task_words(const struct grt_timeline *timeline, uint32_t task, char text[GRT_NAME_WORDS]) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    return name_words(row != NULL ? row->name : NULL, "", "task", task, text);
}

char *grt_row_words(const struct grt_row *row, char text[GRT_NAME_WORDS]) {
    static const struct {
        const char *prefix, *kind;
    } forms[GRT_ROW_KINDS] = {
        [GRT_ROW_TASK] = {"", "task"},
        [GRT_ROW_POLICY] = {"", "row"},
        [GRT_ROW_CORE] = {"", "core"},
        [GRT_ROW_STREAM] = {"stream ", "stream"},
        [GRT_ROW_ENGINE] = {"engine ", "engine"},
        [GRT_ROW_SM] = {"", "SM"},
        [GRT_ROW_PROCESS] = {"process ", "process"},
    };
    const char *prefix = forms[row->kind].prefix;
    bool said = strncmp(row->name, prefix, strlen(prefix)) == 0;
    return name_words(row->name, said ? "" : prefix, forms[row->kind].kind, row->index, text);
}

char *grt_command_words(const struct grt_timeline *timeline, uint16_t task, uint32_t place,
                        char text[GRT_NAME_WORDS]) {
    const char *name = grt_timeline_command(timeline, task, place);
    if (name == NULL || name[0] == '\0') {
        snprintf(text, GRT_NAME_WORDS, "%u.%u", (unsigned)grt_trace_segment(place),
                 (unsigned)grt_trace_command(place));
        return text;
    }
    return name_words(name, "", "", 0, text);
}

char *grt_thread_words(const struct grt_timeline *timeline, uint32_t thread, char text[GRT_NAME_WORDS]) {
    const char *name = thread < timeline->thread_count ? timeline->threads[thread] : NULL;
    return name_words(name, "thread ", "thread", thread, text);
}

char *grt_label_words(const struct grt_timeline *timeline, uint32_t label, char text[GRT_NAME_WORDS]) {
    return name_words(label < timeline->label_count ? timeline->labels[label] : NULL, "", "label", label,
                      text);
}
