#include <stdbool.h>

#include "cli/command.h"
#include "cli/options.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/scenario.h"

static const struct argp_option options[] = {
    {"experiment", 'e', NULL, 0, "Of experiments, which gpurt sweep runs, instead of scenarios", 0}, {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    bool *experiment = state->input;
    (void)argument;
    if (key == 'e') {
        *experiment = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .doc = "Prints the reference of scenario files in Markdown: every field, its unit and its default."
           "\v"
           "Example:\n"
           "  gpurt reference | less\n"
           "\n" GRT_EXIT_HELP,
};

enum grt_exit grt_command_reference(int argc, char **argv) {
    bool experiment = false;
    grt_options_parse(&argp, argc, argv, &experiment);
    if (experiment) {
        grt_experiment_write_reference(stdout);
    } else {
        grt_scenario_write_reference(stdout);
    }
    return GRT_EXIT_DONE;
}
