#include "cli/change_options.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

void grt_change_options_add_set(struct grt_scenario_changes *changes, const char *argument,
                                const struct argp_state *state) {
    if (strchr(argument, '=') == NULL) {
        argp_error(state, "--set needs PATH=VALUE, as in --set tasks[0].period=20ms (got '%s')", argument);
    }
    size_t count = changes->set_count++;
    const char **sets = grt_allocate((count + 1) * sizeof *sets);
    if (count > 0) {
        memcpy(sets, changes->sets, count * sizeof *sets);
    }
    sets[count] = argument;
    free((void *)(size_t)changes->sets);
    changes->sets = sets;
}

void grt_change_options_free(struct grt_scenario_changes *changes) {
    free((void *)(size_t)changes->sets);
    changes->sets = NULL;
    changes->set_count = 0;
}

enum { KEY_POLICY = 0x300, KEY_SET, GROUP = 2 };

static const struct argp_option change_options[] = {
    {NULL, 0, NULL, 0, "Changes to the scenario:", GROUP},
    {"policy", KEY_POLICY, "NAME", 0, "Use this policy, with its default parameters", GROUP},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set tasks[0].period=20ms; may be given often", GROUP},
    {0}};

static error_t parse_change(int key, char *argument, struct argp_state *state) {
    struct grt_scenario_changes *changes = state->input;
    switch (key) {
    case KEY_POLICY:
        if (changes->policy != NULL) {
            argp_error(state, "--policy was given twice");
        }
        changes->policy = argument;
        return 0;
    case KEY_SET:
        grt_change_options_add_set(changes, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_change_argp = {.options = change_options, .parser = parse_change};
