/* What the commands' options have in common; more is in cli/terminal/command_line.h, which gpurt-view has, too. */
#ifndef GRT_CLI_TERMINAL_OPTIONS_H
#define GRT_CLI_TERMINAL_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "cli/terminal/command_line.h"
#include "sim/time.h"

/* Reads the value of an option "--gantt" with FROM,TO; ends the program where it is wrong. */
void grt_parse_window(const char *option, const char *argument, grt_time *from, grt_time *to,
                      const struct argp_state *state);

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
