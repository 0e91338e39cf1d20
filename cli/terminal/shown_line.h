/* Sentences that hold words of the command line or of files, as a terminal can show them: grt_utf8_shown (sim/utf8.h), line breaks included. */
#ifndef GRT_CLI_TERMINAL_SHOWN_LINE_H
#define GRT_CLI_TERMINAL_SHOWN_LINE_H

#include <stdarg.h>

/* The sentence; the caller frees it. */
char *grt_shown_text(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Writes it to standard error as a line. */
void grt_shown_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
