#include "cli/terminal/change_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/command_line.h"
#include "sim/memory.h"

const struct grt_change_names grt_change_option_names = {
    .policy = "--policy", .seed = "--seed", .horizon = "--until", .sets = "--set", .samples = "--samples"};

void grt_change_options_add_set(const char *const **sets, size_t *count, const char *argument,
                                const char *example, const struct argp_state *state) {
    if (strchr(argument, '=') == NULL) {
        grt_argp_error(state, "--set needs PATH=VALUE, as in --set '%s' (got '%s')", example, argument);
    }
    const char **grown = grt_reallocate((void *)(size_t)*sets, (*count + 1) * sizeof *grown);
    grown[(*count)++] = argument;
    *sets = grown;
}

void grt_change_options_set(struct grt_scenario_changes *changes, const char *argument,
                            const struct argp_state *state) {
    changes->names = &grt_change_option_names;
    grt_change_options_add_set(&changes->sets, &changes->set_count, argument, "tasks[0].period=20ms", state);
}

void grt_change_options_free(struct grt_scenario_changes *changes) {
    free((void *)(size_t)changes->sets);
    changes->sets = NULL;
    changes->set_count = 0;
}

enum { KEY_POLICY = 0x300, KEY_SET, GROUP = 2 };

static const struct argp_option change_options[] = {
    {NULL, 0, NULL, 0, "Changes to the scenario:", GROUP},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Use this policy, or that of a plug-in's file, with its default parameters", GROUP},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'tasks[0].period=20ms'; may be given often", GROUP},
    {0}};

static error_t parse_change(int key, char *argument, struct argp_state *state) {
    struct grt_scenario_changes *changes = state->input;
    switch (key) {
    case KEY_POLICY:
        if (changes->policy != NULL) {
            grt_argp_error(state, "--policy was given twice");
        }
        changes->policy = argument;
        changes->names = &grt_change_option_names;
        return 0;
    case KEY_SET:
        grt_change_options_set(changes, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_change_argp = {.options = change_options, .parser = parse_change};
