/* Standard error for what may hold words of the command line: as a terminal can show it (grt_utf8_shown, sim/utf8.h). */
#ifndef GRT_CLI_TERMINAL_SHOWN_STREAM_H
#define GRT_CLI_TERMINAL_SHOWN_STREAM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The beginning of a character of which the rest comes with the next write. Start it as {0}. */
struct grt_shown_begun {
    char bytes[4];
    size_t count;
};

/* A stream for argp to write to: its lines go to standard error so. The caller closes it, or exit does; until then `begun` has to live. NULL without memory. */
FILE *grt_shown_stream(struct grt_shown_begun *begun);

/* Writes a line to standard error so, line breaks within it included, and ends it. */
void grt_shown_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void grt_shown_line_of(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
