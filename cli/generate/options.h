/* The command line of `gpurt generate`. */
#ifndef GRT_CLI_GENERATE_OPTIONS_H
#define GRT_CLI_GENERATE_OPTIONS_H

#include <stdbool.h>

#include <argp.h>
#include <cjson/cJSON.h>

#include "cli/generate/shapes.h"
#include "scenarios/generate/independent.h"
#include "scenarios/generate/kim.h"

enum { GRT_GENERATE_MOST_SETS = 1000000 };

struct grt_generate_command {
    uint64_t given; /* options that were there */
    uint64_t kim_given;
    struct grt_generate_shape shape;
    const struct grt_generator_ops *generator; /* of the shape */
    void *parameters;                          /* of the generator: one of those below, or of the arena */
    struct grt_independent independent;
    struct grt_kim_spec kim;
    struct grt_period_spec periods; /* of --periods, and of --granularity */
    bool periods_given, granularity_given;
    int64_t threads; /* of --threads; 0: not given */
    cJSON *others;   /* of --parameter, by their names; NULL: none */
    uint64_t seed;   /* of the sets */
    const char *device;
    const struct grt_policy_ops *policy;
    int64_t horizon_kind;  /* enum grt_horizon_kind */
    grt_time horizon;      /* 0: as the generator has it, or found by the kind */
    uint64_t first, count; /* numbers of the sets; count 0: one, to a file */
    const char *output;    /* "-": standard output */
    bool quiet;
    struct grt_arena arena;
};

/* Ends the program where the command line is wrong in itself; what the generator refuses is still in it. */
void grt_generate_options_read(struct grt_generate_command *command, int argc, char **argv);
void grt_generate_options_free(struct grt_generate_command *command);

/* The options of the shape kim: a child of the command's parser, whose input is the struct grt_generate_command. (kim_options.c) */
extern const struct argp grt_kim_argp;

/* Values of options: "LOW,HIGH", or where `single` one number for both; and whole numbers in the same way. They end the program
 * where the argument is wrong. (values.c) */
struct grt_generated_range grt_generate_range(const char *option, const char *argument, bool single,
                                              double most, const struct argp_state *state);
struct grt_generated_count grt_generate_counts(const char *option, const char *argument, int64_t most,
                                               const struct argp_state *state);

/* The index of a word, whose length in the text is given; the parts of "a,b,c", which lie in `text`. The same. */
enum { GRT_GENERATE_MOST_TEXT = 128 };
int64_t grt_generate_word(const char *option, const char *text, size_t length, const char *const *words,
                          const struct argp_state *state);
void grt_generate_split(const char *option, const char *argument, char text[GRT_GENERATE_MOST_TEXT],
                        const char **parts, size_t count, const char *form, const struct argp_state *state);

/* Writes the options that make set `number` again into `text`; returns it. (text.c) */
char *grt_generate_options_text(const struct grt_generate_command *command, uint64_t number, char *text,
                                size_t size);

#endif
