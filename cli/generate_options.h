/* The command line of `gpurt generate`. */
#ifndef GRT_CLI_GENERATE_OPTIONS_H
#define GRT_CLI_GENERATE_OPTIONS_H

#include <stdbool.h>

#include "scenarios/generate/generated_scenario.h"

enum { GRT_GENERATE_MOST_SETS = 1000000 };

struct grt_generate_command {
    uint64_t given; /* options that were there */
    struct grt_generator_spec spec;
    struct grt_generated_frame frame; /* device, policy, horizon, threads */
    uint64_t first, count;            /* numbers of the sets; count 0: one, to a file */
    const char *output;               /* "-": standard output */
    bool quiet;
};

/* Ends the program where the command line is wrong in itself; what the generator refuses is still in it. */
void grt_generate_options_read(struct grt_generate_command *command, int argc, char **argv);

/* Writes the options that make set `number` again into `text`; returns it. (generate_text.c) */
char *grt_generate_options_text(const struct grt_generate_command *command, uint64_t number, char *text,
                                size_t size);

#endif
