/* What the writers of completion for each shell have in common. */
#ifndef GRT_CLI_TERMINAL_MANUAL_COMPLETION_H
#define GRT_CLI_TERMINAL_MANUAL_COMPLETION_H

#include "cli/terminal/manual/option_list.h"
#include "cli/terminal/manual/subject.h"
#include "cli/terminal/manual/value_kind.h"

enum { GRT_COMPLETION_ARGUMENTS = 4 };

/* A command as completion sees it; of a program without commands there is one, itself. */
struct grt_completion_command {
    const char *name; /* NULL: the program */
    const char *summary;
    struct grt_option_list options;
    struct grt_value_kind *values;                /* one for each option */
    const char *labels[GRT_COMPLETION_ARGUMENTS]; /* the arguments as the help text calls them */
    struct grt_value_kind arguments[GRT_COMPLETION_ARGUMENTS];
    size_t argument_count; /* the last one may come often, if it `repeats` */
    bool repeats;
};

struct grt_completion {
    FILE *out;
    const struct grt_manual_subject *subject;
    const char *function; /* the name of the shell's function: "_gpurt_calib" */
    const struct grt_completion_command *commands;
    size_t command_count;
};

void grt_completion_bash(const struct grt_completion *completion);
void grt_completion_zsh(const struct grt_completion *completion);
void grt_completion_fish(const struct grt_completion *completion);

/* Writes a template, in which ${0} is the name of the function. */
void grt_completion_put(const struct grt_completion *completion, const char *text);

/* Writes a text in single quotes, for the shell that it is named after. */
void grt_completion_quote(FILE *out, const char *text);

#endif
