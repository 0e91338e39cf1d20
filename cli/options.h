/* What the commands' options have in common. */
#ifndef GRT_CLI_OPTIONS_H
#define GRT_CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "sim/time.h"

/* argp_parse that suggests a known option for a misspelt one and takes -h as --help, for which it changes argv. Ends the
 * program after --help, --version and --usage, and with exit code 2 after a wrong option. */
void grt_options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The same look at the options in front of a command, without parsing them. */
void grt_options_check(const struct argp *argp, int argc, char **argv);

/* Ends the program with exit code 2 and "<name>: <sentence>" followed by a hint at --help. */
_Noreturn void grt_options_fail(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the value of an option --gantt=FROM,TO; ends the program where it is wrong. */
void grt_parse_window(const char *argument, grt_time *from, grt_time *to, const struct argp_state *state);

/* How to draw on a terminal: options --width, --ascii, --utf8 and --color[=WHEN]. */
struct grt_style {
    int width; /* columns */
    bool width_given;
    bool utf8;   /* characters beyond ASCII */
    bool colour; /* ANSI colours */
};

/* The style for standard output: the terminal's width (40 if it has less), or 100 without one; UTF-8 unless the locale's
 * variables name something else; colours on a terminal that is not dumb and where NO_COLOR is not set. */
struct grt_style grt_style_default(void);

/* The argp child that reads those options into the struct grt_style that the parent sets as its child input. */
extern const struct argp grt_style_argp;

#endif
