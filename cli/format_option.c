#include "cli/format_option.h"

#include "cli/terminal/options.h"

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

bool grt_format_is_of_experiments(const char *doc, int argc, char **argv) {
    const struct argp argp = {.options = options, .parser = parse_option, .doc = doc};
    bool experiment = false;
    grt_options_parse(&argp, argc, argv, &experiment);
    return experiment;
}
