/* Standard error for what may hold words of the command line: as a terminal can show it (grt_utf8_shown, sim/utf8.h). */
#ifndef GRT_CLI_TERMINAL_SHOWN_STREAM_H
#define GRT_CLI_TERMINAL_SHOWN_STREAM_H

#include <stdarg.h>
#include <stdio.h>

/* A stream for argp to write to: its lines go to standard error so. The caller closes it, or exit does. NULL without memory. */
FILE *grt_shown_stream(void);

/* Writes a line to standard error so, line breaks within it included, and ends it. */
void grt_shown_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void grt_shown_line_of(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
