/* Of which format of files a command prints the description: `gpurt schema` and `gpurt reference`. */
#ifndef GRT_CLI_FORMAT_OPTION_H
#define GRT_CLI_FORMAT_OPTION_H

#include <argp.h>

enum grt_format { GRT_FORMAT_SCENARIO, GRT_FORMAT_EXPERIMENT, GRT_FORMAT_KERNELS };

/* The options --experiment and --kernels, for commands that have no others; the input is an enum grt_format. */
extern const struct argp_option grt_format_options[];
error_t grt_format_parse(int key, char *argument, struct argp_state *state);

#endif
