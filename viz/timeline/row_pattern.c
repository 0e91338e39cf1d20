#include "viz/timeline/row_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

static const char *const kind_names[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = "task",      [GRT_ROW_POLICY] = "policy", [GRT_ROW_CORE] = "core",
    [GRT_ROW_STREAM] = "stream",  [GRT_ROW_ENGINE] = "copy",   [GRT_ROW_SM] = "sm",
    [GRT_ROW_PROCESS] = "process"};

const char *grt_row_kind_name(enum grt_row_kind kind) {
    return kind_names[kind];
}

/* ---- Reading ---- */

/* The length of the text up to a character that is not escaped, or to the end. */
static size_t length_before(const char *text, size_t length, char end) {
    size_t i = 0;
    while (i < length && text[i] != end) {
        i += text[i] == '\\' && i + 1 < length ? 2 : 1;
    }
    return i;
}

static int find_kind(const char *text, size_t length) {
    for (int kind = 0; kind < GRT_ROW_KINDS; kind++) {
        if (strlen(kind_names[kind]) == length && strncmp(kind_names[kind], text, length) == 0) {
            return kind;
        }
    }
    return -1;
}

static bool read_pattern(const char *text, size_t length, struct grt_row_pattern *pattern,
                         struct grt_errors *errors) {
    *pattern = (struct grt_row_pattern){.kind = -1, .without = length > 0 && text[0] == '!'};
    text += pattern->without;
    length -= pattern->without;
    size_t kind_length = length_before(text, length, ':');
    if (kind_length < length) {
        pattern->kind = find_kind(text, kind_length);
        if (pattern->kind < 0) {
            grt_error_add(
                errors, NULL,
                "\"%.*s\" is no kind of row: it is one of task, policy, core, stream, copy, sm, process; "
                "a colon in a name is written \"\\:\"",
                (int)(kind_length < 60 ? kind_length : 60), text);
            return false;
        }
        text += kind_length + 1;
        length -= kind_length + 1;
    }
    if (length == 0) {
        grt_error_add(errors, NULL, "a pattern is empty");
        return false;
    }
    pattern->text = grt_allocate(length + 1);
    memcpy(pattern->text, text, length);
    pattern->text[length] = '\0';
    return true;
}

bool grt_row_patterns_add(struct grt_row_patterns *patterns, const char *list, struct grt_errors *errors) {
    bool good = true;
    for (bool more = true; more;) {
        size_t length = length_before(list, strlen(list), ',');
        struct grt_row_pattern pattern;
        if (read_pattern(list, length, &pattern, errors)) {
            patterns->items = grt_array_grow(patterns->items, &patterns->capacity, patterns->count + 1,
                                             sizeof *patterns->items);
            patterns->items[patterns->count++] = pattern;
        } else {
            good = false;
        }
        more = list[length] == ',';
        list += length + 1;
    }
    return good;
}

void grt_row_patterns_free(struct grt_row_patterns *patterns) {
    for (uint32_t i = 0; i < patterns->count; i++) {
        free(patterns->items[i].text);
    }
    free(patterns->items);
    *patterns = (struct grt_row_patterns){0};
}

/* ---- Matching ---- */

static int lower(char character) {
    return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character;
}

/* The next character of UTF-8, which has further bytes of the form 10xxxxxx. */
static const char *next_character(const char *text) {
    text++;
    while (((unsigned char)*text & 0xc0) == 0x80) {
        text++;
    }
    return text;
}

/* Takes the next element of a pattern, which is no star, if it matches; else returns NULL. */
static const char *match_one(const char *pattern, const char **name) {
    if (*pattern == '?') {
        *name = next_character(*name);
        return pattern + 1;
    }
    pattern += *pattern == '\\' && pattern[1] != '\0';
    if (lower(*pattern) != lower(**name)) {
        return NULL;
    }
    (*name)++;
    return pattern + 1;
}

/* On a mismatch only the latest star takes one character more: what the stars before it took may stay. */
static bool matches(const char *pattern, const char *name) {
    const char *star = NULL, *retry = NULL;
    while (*name != '\0') {
        const char *next = NULL;
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
            continue;
        }
        if (*pattern != '\0' && (next = match_one(pattern, &name)) != NULL) {
            pattern = next;
        } else if (star != NULL) {
            pattern = star;
            name = retry = next_character(retry);
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

bool grt_row_patterns_show(const struct grt_row_patterns *patterns, enum grt_row_kind kind,
                           const char *name) {
    bool shown = false, hidden = false, any = false;
    for (uint32_t i = 0; i < patterns->count; i++) {
        struct grt_row_pattern *pattern = &patterns->items[i];
        any = any || !pattern->without;
        if ((pattern->kind < 0 || pattern->kind == (int)kind) && matches(pattern->text, name)) {
            pattern->used = true;
            shown = shown || !pattern->without;
            hidden = hidden || pattern->without;
        }
    }
    return !hidden && (shown || !any);
}

bool grt_row_patterns_check_used(const struct grt_row_patterns *patterns, struct grt_errors *errors) {
    bool all = true;
    for (uint32_t i = 0; i < patterns->count; i++) {
        const struct grt_row_pattern *pattern = &patterns->items[i];
        if (!pattern->used) {
            grt_error_add(errors, NULL, "no %s is called \"%s\"",
                          pattern->kind < 0 ? "row" : kind_names[pattern->kind], pattern->text);
            all = false;
        }
    }
    return all;
}
