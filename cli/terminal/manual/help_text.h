/* The text behind the options of --help, taken apart: tables with a title, examples, exit codes, and what is none of these. */
#ifndef GRT_CLI_TERMINAL_MANUAL_HELP_TEXT_H
#define GRT_CLI_TERMINAL_MANUAL_HELP_TEXT_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum grt_help_kind { GRT_HELP_TEXT, GRT_HELP_TABLE, GRT_HELP_EXAMPLES, GRT_HELP_CODES };

/* A part of it, which ends in an empty line or at the end. */
struct grt_help_part {
    enum grt_help_kind kind;
    const char *text; /* without the titles "Examples:" and "Exit codes:" */
    size_t length;
    const char *title; /* of a table, without its colon */
    size_t title_length;
};

/* A line of a table, an example or an exit code; what is not there has length 0. */
struct grt_help_item {
    const char *head, *text;
    size_t head_length, text_length;
};

/* What is in front of the options; and the text behind them, to be freed, with what argp's filter of the command makes of it. */
const char *grt_help_front(const struct argp *argp, size_t *length);
char *grt_help_behind(const struct argp *argp);

/* Takes the next part off a text; false where there is none. */
bool grt_help_next_part(const char **text, struct grt_help_part *part);

/* Takes the next item off a part that is no GRT_HELP_TEXT: the head is a name, a command, a code. Exit codes are followed by sentences, each with
 * head_length 0. */
bool grt_help_next_item(struct grt_help_part *part, struct grt_help_item *item);

#endif
