#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/utf8.h"

enum { PATH_SIZE = 512, MESSAGE_SIZE = 1024 };

void grt_errors_clear(struct grt_errors *errors) {
    size_t kept = errors->count < GRT_ERRORS_KEPT ? errors->count : GRT_ERRORS_KEPT;
    for (size_t i = 0; i < kept; i++) {
        free(errors->messages[i]);
    }
    errors->count = 0;
}

static size_t append(char *text, size_t size, size_t used, const char *more) {
    size_t length = strlen(more), room = size - used - 1;
    length = length < room ? length : room;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
    return used + length;
}

static size_t append_path(const struct grt_path *path, char *text, size_t size) {
    if (path == NULL || path->parent == NULL) {
        return 0;
    }
    size_t used = append_path(path->parent, text, size);
    if (path->key != NULL) {
        used = append(text, size, used, used > 0 ? "." : "");
        return append(text, size, used, path->key);
    }
    char number[32];
    snprintf(number, sizeof number, "[%zu]", path->index);
    return append(text, size, used, number);
}

char *grt_path_text(const struct grt_path *path, char *text, size_t size) {
    text[0] = '\0';
    append_path(path, text, size);
    return text;
}

void grt_error_add(struct grt_errors *errors, const struct grt_path *path, const char *format, ...) {
    if (errors->count++ >= GRT_ERRORS_KEPT) {
        return;
    }
    char place[PATH_SIZE], sentence[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    grt_path_text(path, place, sizeof place);
    char message[PATH_SIZE + MESSAGE_SIZE + 2];
    int length = snprintf(message, sizeof message, "%s%s%s", place, place[0] != '\0' ? ": " : "", sentence);
    errors->messages[errors->count - 1] = grt_utf8_shown(message, grt_allocate(GRT_UTF8_SHOWN_SIZE(length)));
}

void grt_errors_move(struct grt_errors *from, struct grt_errors *to) {
    size_t kept = from->count < GRT_ERRORS_KEPT ? from->count : GRT_ERRORS_KEPT;
    for (size_t i = 0; i < kept; i++) {
        if (to->count < GRT_ERRORS_KEPT) {
            to->messages[to->count] = from->messages[i];
        } else {
            free(from->messages[i]);
        }
        to->count++;
    }
    to->count += to->count >= GRT_ERRORS_KEPT ? from->count - kept : 0;
    from->count = 0;
}

void grt_errors_print(const struct grt_errors *errors, FILE *out, const char *prefix) {
    size_t kept = errors->count < GRT_ERRORS_KEPT ? errors->count : GRT_ERRORS_KEPT;
    char *shown = grt_utf8_shown(prefix, grt_allocate(GRT_UTF8_SHOWN_SIZE(strlen(prefix))));
    for (size_t i = 0; i < kept; i++) {
        fprintf(out, "%s%s\n", shown, errors->messages[i]);
    }
    if (errors->count > kept) {
        fprintf(out, "%sand %zu more errors\n", shown, errors->count - kept);
    }
    free(shown);
}
