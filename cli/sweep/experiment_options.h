/* What commands of experiments have in common on their command lines: the experiment, changes to it, and the files of results. */
#ifndef GRT_CLI_SWEEP_EXPERIMENT_OPTIONS_H
#define GRT_CLI_SWEEP_EXPERIMENT_OPTIONS_H

#include "cli/terminal/options.h"
#include "scenarios/experiment/experiment.h"

struct grt_experiment_options {
    struct grt_experiment_changes changes; /* `sets` is owned */
    const char *csv, *json;                /* files, "-", or NULL */
    bool quiet;
    uint64_t given;
};

/* The argp child that reads --samples, --seed, --set, --csv, --json and --quiet into the struct that the parent sets as its child input. */
extern const struct argp grt_experiment_argp;

void grt_experiment_options_free(struct grt_experiment_options *options);

/* The values of --samples and --threads; they end the program where the text is none. */
int64_t grt_option_samples(const char *text, const struct argp_state *state);
size_t grt_option_threads(const char *text, const struct argp_state *state);

#endif
