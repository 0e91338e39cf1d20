#define _GNU_SOURCE /* fopencookie */
#include "cli/terminal/shown_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "sim/memory.h"
#include "sim/utf8.h"

static void put_line(const char *line) {
    char *shown = grt_allocate(GRT_UTF8_SHOWN_SIZE(strlen(line)));
    fputs(grt_utf8_shown(line, shown), stderr);
    free(shown);
}

static ssize_t write_shown(void *cookie, const char *bytes, size_t size) {
    char *text = memcpy(grt_allocate(size + 1), bytes, size), *line = text, *end;
    (void)cookie;
    text[size] = '\0';
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        put_line(line);
        fputc('\n', stderr);
    }
    put_line(line);
    free(text);
    return (ssize_t)size;
}

FILE *grt_shown_stream(void) {
    return fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_shown});
}
