#include "cli/terminal/shown_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/utf8.h"

char *grt_shown_text(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = length >= 0 ? (size_t)length + 1 : 1;
    char *text = grt_allocate(size), *shown = grt_allocate(GRT_UTF8_SHOWN_SIZE(size));
    text[0] = '\0';
    vsnprintf(text, size, format, arguments);
    grt_utf8_shown(text, shown);
    free(text);
    return shown;
}

void grt_shown_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = grt_shown_text(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", text);
    free(text);
}
