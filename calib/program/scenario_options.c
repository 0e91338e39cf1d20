#include "calib/program/scenario_options.h"

#include "cli/terminal/change_options.h"
#include "cli/terminal/command_line.h"

enum { KEY_UNTIL = 0x900, KEY_SEED, KEY_POLICY, KEY_SET };

static const struct argp_option options[] = {
    {0, 0, NULL, 0, "Changes to the scenario:", 6},
    {"until", KEY_UNTIL, "DURATION", 0, "Run until then, as in --until 500ms", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of all random numbers", 0},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Use this policy, or that of a plug-in's file, with its default parameters", 0},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'tasks[0].period=20ms'; may be given often", 0},
    {0}};

static void once(const char *given, const char *option, const struct argp_state *state) {
    if (given != NULL) {
        grt_argp_error(state, "%s was given twice", option);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_scenario_changes *changes = state->input;
    switch (key) {
    case KEY_UNTIL:
        once(changes->horizon, "--until", state);
        changes->horizon = grt_option_text("--until", argument, state);
        changes->names = &grt_change_option_names;
        return 0;
    case KEY_SEED:
        once(changes->seed, "--seed", state);
        changes->seed = grt_option_text("--seed", argument, state);
        changes->names = &grt_change_option_names;
        return 0;
    case KEY_POLICY:
        once(changes->policy, "--policy", state);
        changes->policy = grt_option_text("--policy", argument, state);
        changes->names = &grt_change_option_names;
        return 0;
    case KEY_SET:
        grt_change_options_set(changes, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_scenario_argp = {.options = options, .parser = parse_option};
