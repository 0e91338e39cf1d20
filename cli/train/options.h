/* What `gpurt train` is asked to do. */
#ifndef GRT_CLI_TRAIN_OPTIONS_H
#define GRT_CLI_TRAIN_OPTIONS_H

#include "cli/terminal/options.h"
#include "models/learning/train.h"
#include "scenarios/scenario.h"

struct grt_train_options {
    const char *scenario;                    /* a file, or "-"; NULL: samples are measured ones */
    const char *measured;                    /* their file, or "-"; NULL: none */
    const char *output;                      /* of the networks */
    const char *json, *samples_out, *kernel; /* NULL: none */
    struct grt_scenario_changes changes;
    struct grt_training training;
    int64_t samples; /* to train with */
    int64_t test;    /* to test with; -1: as usual */
    double noise;
    bool quiet;
    uint64_t given;
    struct grt_style style;
};

/* Ends the program where the usage is wrong, and for --help. */
struct grt_train_options grt_train_options_read(int argc, char **argv);
void grt_train_options_free(struct grt_train_options *options);

#endif
