/* What gpurt and gpurt-calib have in common: a program of commands, each with options of its own, its signals, its output, its exit codes. */
#ifndef GRT_CLI_TERMINAL_PROGRAM_H
#define GRT_CLI_TERMINAL_PROGRAM_H

#include <argp.h>
#include <stddef.h>

/* Exit codes; docs/gpurt.md and docs/gpurt-calib.md explain them. */
enum grt_exit {
    GRT_EXIT_DONE = 0,
    GRT_EXIT_FAILED = 1, /* failed while running: a file could not be written, a result was not as expected */
    GRT_EXIT_INPUT = 2,  /* bad input or usage */
    GRT_EXIT_MISSED = 3, /* a deadline was missed, and --fail-on-miss was given */
    GRT_EXIT_VIOLATION = 4, /* `verify` found a violation */
    GRT_EXIT_NO_DEVICE =
        77, /* gpurt-calib: there is no driver or device; test programs take it for "skipped" */
};

/* Of commands that have no others. */
#define GRT_EXIT_HELP "Exit codes: 0 done; 1 failed while running; 2 bad input or usage."

/* argv[0] is "gpurt <name>". Returns an exit code; wrong usage and --help end the program within. */
typedef enum grt_exit (*grt_command_function)(int argc, char **argv);

struct grt_program_command {
    const char *name, *summary;
    grt_command_function function;
    const struct argp *argp; /* with which the function reads its command line */
};

/* A word that may stand for what help texts call `value` ("FORMAT"), by its number from 0; NULL behind the last one, and where nothing is known of the value.
 * For completion; policies, devices and the like are known anyway. */
typedef const char *grt_word_of(const char *value, size_t index);

struct grt_program {
    const char *name;
    const char *summary; /* for its manual page, in lower case: "simulate ..." */
    /* as argp has it: what the program is for, "\v", what stands behind the list of commands */
    const char *doc;
    const struct grt_program_command *commands;
    size_t command_count;
    const char *
        file_command; /* which is meant where a scenario file stands in the place of the command; NULL: none */
    grt_word_of *word_of; /* NULL: it has none of its own */
};

/* Picks the command and runs it; --version tells the version and the build. `program` stays until the process ends. What main() returns. */
int grt_program_main(const struct grt_program *program, int argc, char **argv);

#endif
