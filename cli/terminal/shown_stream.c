#define _GNU_SOURCE /* fopencookie, vasprintf */
#include "cli/terminal/shown_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "sim/memory.h"
#include "sim/utf8.h"

static void put_shown(const char *text) {
    char *shown = grt_allocate(GRT_UTF8_SHOWN_SIZE(strlen(text)));
    fputs(grt_utf8_shown(text, shown), stderr);
    free(shown);
}

void grt_shown_line_of(const char *format, va_list arguments) {
    char *text = NULL;
    if (vasprintf(&text, format, arguments) >= 0) {
        put_shown(text);
        free(text);
    }
    fputc('\n', stderr);
}

void grt_shown_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    grt_shown_line_of(format, arguments);
    va_end(arguments);
}

/* ---- The stream ---- */

static ssize_t write_shown(void *cookie, const char *bytes, size_t size) {
    struct grt_shown_begun *begun = cookie;
    size_t length = begun->count + size;
    char *text = grt_allocate(length + 1), *line = text, *end;
    memcpy(text, begun->bytes, begun->count);
    memcpy(text + begun->count, bytes, size);
    text[length] = '\0';
    for (; (end = memchr(line, '\n', length - (size_t)(line - text))) != NULL; line = end + 1) {
        *end = '\0';
        put_shown(line);
        fputc('\n', stderr);
    }
    size_t left = strlen(line);
    char *last = memcpy(grt_allocate(left + 1), line, left + 1);
    grt_utf8_trim(last);
    begun->count = left - strlen(last);
    memcpy(begun->bytes, &line[left - begun->count], begun->count);
    put_shown(last);
    free(last);
    free(text);
    return (ssize_t)size;
}

static int end_shown(void *cookie) {
    struct grt_shown_begun *begun = cookie;
    begun->bytes[begun->count] = '\0';
    put_shown(begun->bytes);
    return 0;
}

FILE *grt_shown_stream(struct grt_shown_begun *begun) {
    return fopencookie(begun, "w", (cookie_io_functions_t){.write = write_shown, .close = end_shown});
}
