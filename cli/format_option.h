/* Of which format of files a command prints the description: `gpurt schema` and `gpurt reference`. */
#ifndef GRT_CLI_FORMAT_OPTION_H
#define GRT_CLI_FORMAT_OPTION_H

#include <stdbool.h>

/* Reads a command line with --experiment alone; ends the program where it is wrong. `doc`: of the command, as argp has it. Whether the format is
 * that of experiments; else of scenarios. */
bool grt_format_is_of_experiments(const char *doc, int argc, char **argv);

#endif
