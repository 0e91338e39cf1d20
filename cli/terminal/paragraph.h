/* Text that is broken into lines of a terminal. */
#ifndef GRT_CLI_TERMINAL_PARAGRAPH_H
#define GRT_CLI_TERMINAL_PARAGRAPH_H

#include <stddef.h>
#include <stdio.h>

/* Writes a text with line breaks at blanks so that no line is wider than `width`, where the first line begins at
 * column `indent` and all others are indented to it, and a line break at its end. */
void grt_paragraph_put(FILE *out, const char *text, size_t indent, size_t width);

#endif
