/* The command line of `gpurt generate`. */
#ifndef GRT_CLI_GENERATE_OPTIONS_H
#define GRT_CLI_GENERATE_OPTIONS_H

#include <stdbool.h>

#include <argp.h>

#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/kim.h"

enum { GRT_GENERATE_MOST_SETS = 1000000 };

/* What tasks look like. */
enum grt_generate_shape {
    GRT_SHAPE_KERNEL, /* each is one kernel */
    GRT_SHAPE_KIM,    /* scenarios/generate/kim.h */
};

struct grt_generate_command {
    uint64_t given;                 /* options that were there */
    int64_t shape;                  /* enum grt_generate_shape */
    struct grt_generator_spec spec; /* its seed and periods are those of both shapes */
    struct grt_kim_spec kim;
    uint64_t kim_given;               /* options of that shape that were there */
    bool periods_given;               /* --periods, whose default is the shape's */
    struct grt_generated_frame frame; /* device, policy, horizon, threads */
    uint64_t first, count;            /* numbers of the sets; count 0: one, to a file */
    const char *output;               /* "-": standard output */
    bool quiet;
};

/* Ends the program where the command line is wrong in itself; what the generator refuses is still in it. */
void grt_generate_options_read(struct grt_generate_command *command, int argc, char **argv);

/* The options of the shape kim: a child of the command's parser, whose input is the struct grt_generate_command. (kim_options.c) */
extern const struct argp grt_kim_argp;

/* Values of options: "LOW,HIGH", or where `single` one number for both; and whole numbers in the same way. They end the program
 * where the argument is wrong. */
struct grt_generated_range grt_generate_range(const char *option, const char *argument, bool single,
                                              double most, const struct argp_state *state);
struct grt_generated_count grt_generate_counts(const char *option, const char *argument, int64_t most,
                                               const struct argp_state *state);

/* Writes the options that make set `number` again into `text`; returns it. (generate_text.c) */
char *grt_generate_options_text(const struct grt_generate_command *command, uint64_t number, char *text,
                                size_t size);

#endif
