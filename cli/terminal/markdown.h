/* Texts in pages. */
#ifndef GRT_CLI_TERMINAL_MARKDOWN_H
#define GRT_CLI_TERMINAL_MARKDOWN_H

#include <stdio.h>

/* What Markdown would take for markup is escaped, but code in backquotes stays as it is; line breaks become blanks. NULL: nothing. */
void grt_markdown_put(FILE *out, const char *text);

/* A text as code: between more backquotes than it has in a row. */
void grt_markdown_put_code(FILE *out, const char *text);

#endif
