#include "cli/experiment_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

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

uint64_t grt_option_count(const char *option, const char *text, uint64_t least, uint64_t most,
                          const struct argp_state *state) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = text[0] >= '0' && text[0] <= '9';
    if (!digits || *end != '\0' || errno != 0 || number < least || number > most) {
        argp_error(state, "--%s must be a whole number from %llu to %llu (got '%s')", option,
                   (unsigned long long)least, (unsigned long long)most, text);
    }
    return number;
}

static void add_set(struct grt_experiment_changes *changes, const char *argument,
                    const struct argp_state *state) {
    if (strchr(argument, '=') == NULL) {
        argp_error(state, "--set needs PATH=VALUE, as in --set generator.tasks=8 (got '%s')", argument);
    }
    const char **sets = grt_allocate((changes->set_count + 1) * sizeof *sets);
    if (changes->set_count > 0) {
        memcpy(sets, changes->sets, changes->set_count * sizeof *sets);
    }
    sets[changes->set_count++] = argument;
    free((void *)(size_t)changes->sets);
    changes->sets = sets;
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
        options->changes.samples =
            (int64_t)grt_option_count("samples", argument, 1, (uint64_t)GRT_MOST_SAMPLES, state);
        return 0;
    case KEY_SEED:
        options->changes.seed = argument;
        return 0;
    case KEY_SET:
        add_set(&options->changes, argument, state);
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
