/* Text in the macros of man(7). */
#ifndef GRT_CLI_TERMINAL_MANUAL_ROFF_H
#define GRT_CLI_TERMINAL_MANUAL_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* Characters that roff would take for something else are escaped, line breaks become blanks; options (--json) and code in backquotes are bold. */
void grt_roff_put(FILE *out, const char *text, size_t length);

/* All of it as it is, with escapes alone. */
void grt_roff_put_plain(FILE *out, const char *text, size_t length);

/* The same with words of capital letters in italics, as in "[OPTION...] SCENARIO". */
void grt_roff_put_synopsis(FILE *out, const char *text, size_t length);

/* A text that ends with a point, in a line of its own. One that begins with a small letter begins with a value: "uniform:MIN,MAX". */
void grt_roff_put_text(FILE *out, const char *text, size_t length);

/* What belongs to the entry whose head was just written: a sentence that begins with a capital letter and ends with a point. */
void grt_roff_put_sentence(FILE *out, const char *text, size_t length);

/* An entry: its head in bold, what it is. */
void grt_roff_put_entry(FILE *out, const char *head, const char *text);

#endif
