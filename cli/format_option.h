/* Of which format of files a command prints the description: `gpurt schema` and `gpurt reference`. */
#ifndef GRT_CLI_FORMAT_OPTION_H
#define GRT_CLI_FORMAT_OPTION_H

enum grt_format { GRT_FORMAT_SCENARIO, GRT_FORMAT_EXPERIMENT, GRT_FORMAT_KERNELS };

/* Reads a command line with --experiment or --kernels alone; ends the program where it is wrong. `doc`: of the command, as argp has it. */
enum grt_format grt_format_read(const char *doc, int argc, char **argv);

#endif
