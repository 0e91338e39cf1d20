#include "cli/sweep/experiment_options.h"

#include <stdlib.h>

#include "cli/terminal/change_options.h"

enum { MOST_THREADS = 1024 };
enum { KEY_SAMPLES = 0x400, KEY_SEED, KEY_SET, KEY_CSV, KEY_JSON };

static const struct argp_option experiment_options[] = {
    {NULL, 0, NULL, 0, "Changes to the experiment:", 1},
    {"samples", KEY_SAMPLES, "N", 0, "Evaluate so many task sets at each point", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of the task sets", 1},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set generator.tasks=8; may be given often", 1},
    {NULL, 0, NULL, 0, "What comes out:", 2},
    {"csv", KEY_CSV, "FILE", 0, "Write the results as CSV (- for standard output, then without the table)",
     2},
    {"json", KEY_JSON, "FILE", 0, "Write the results as JSON (- for standard output, then without the table)",
     2},
    {"quiet", 'q', NULL, 0, "Print no table and no progress", 2},
    {0}};

int64_t grt_option_samples(const char *text, const struct argp_state *state) {
    return (int64_t)grt_option_whole("--samples", text, 1, (uint64_t)GRT_MOST_SAMPLES, state);
}

size_t grt_option_threads(const char *text, const struct argp_state *state) {
    return (size_t)grt_option_whole("--threads", text, 1, MOST_THREADS, state);
}

static void once(struct grt_experiment_options *options, int key, const struct argp_state *state) {
    if (key != KEY_SET) {
        grt_option_once(&options->given, experiment_options, key, state);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_experiment_options *options = state->input;
    once(options, key, state);
    switch (key) {
    case KEY_SAMPLES:
        options->changes.samples = grt_option_samples(argument, state);
        options->changes.names = &grt_change_option_names;
        return 0;
    case KEY_SEED:
        options->changes.seed = argument;
        options->changes.names = &grt_change_option_names;
        return 0;
    case KEY_SET:
        options->changes.names = &grt_change_option_names;
        grt_change_options_add_set(&options->changes.sets, &options->changes.set_count, argument,
                                   "generator.tasks=8", state);
        return 0;
    case KEY_CSV:
        options->csv = argument;
        return 0;
    case KEY_JSON:
        options->json = argument;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_experiment_argp = {.options = experiment_options, .parser = parse_option};

void grt_experiment_options_free(struct grt_experiment_options *options) {
    free((void *)(size_t)options->changes.sets);
    options->changes.sets = NULL;
    options->changes.set_count = 0;
}
