#include "cli/analysis/options.h"

#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/same_file.h"

enum {
    KEY_ANALYSIS = 0x100,
    KEY_ALL,
    KEY_OPTION,
    KEY_SENSITIVITY,
    KEY_JSON,
    KEY_WITNESS,
    KEY_LIST,
    KEY_FAIL_IF_UNPROVEN,
};

static const struct argp_option analyze_options[] = {
    {NULL, 0, NULL, 0, "What is analysed:", 1},
    {"analysis", KEY_ANALYSIS, "ANALYSIS", 0,
     "Run this analysis, whatever the policy; may be given often (default: those that speak of the policy)",
     1},
    {"all", KEY_ALL, NULL, 0, "Run all analyses, whatever the policy", 1},
    {"option", KEY_OPTION, "ANALYSIS.OPTION=VALUE", 0,
     "Set an option of an analysis's own, as --list shows them; may be given often", 1},
    {"sensitivity", KEY_SENSITIVITY, NULL, 0,
     "Also search how far execution times may grow and periods shrink", 1},
    {"list", KEY_LIST, NULL, 0, "List the analyses, instead of running any", 1},
    {NULL, 0, NULL, 0, "What comes out:", 3},
    {"json", KEY_JSON, "FILE", 0, "Write the results as JSON (- for standard output, then without tables)",
     3},
    {"witness", KEY_WITNESS, "FILE", 0,
     "Where an analysis knows releases that miss a deadline, write a scenario that shows them", 3},
    {"quiet", 'q', NULL, 0, "Print no tables", 3},
    {"fail-if-unproven", KEY_FAIL_IF_UNPROVEN, NULL, 0,
     "End with exit code 3 unless all deadlines are proven to be met, on each GPU by one of the analyses "
     "that speak of the policy",
     3},
    {0}};

static void check_files(const struct grt_analyze_options *options, const struct argp_state *state) {
    const struct grt_output_option outputs[] = {{"--json", options->json}, {"--witness", options->witness}};
    grt_check_outputs("scenario", options->scenario, outputs, state);
}

static void check(const struct grt_analyze_options *options, const struct argp_state *state) {
    if (options->scenario == NULL && !options->list) {
        grt_argp_error(state, "needs a scenario file, or --list");
    }
    if (options->all && options->wishes.name_count > 0) {
        grt_argp_error(state, "--all and --analysis contradict each other");
    }
    if (options->list && options->scenario != NULL) {
        grt_argp_error(state, "--list needs no scenario (got '%s')", options->scenario);
    }
    check_files(options, state);
}

/* The plain options: those that only store. */
static bool store(struct grt_analyze_options *options, int key, const char *argument,
                  const struct argp_state *state) {
    const struct grt_plain_option plain[] = {
        {KEY_ALL, .flag = &options->all},         {KEY_SENSITIVITY, .flag = &options->sensitivity},
        {KEY_LIST, .flag = &options->list},       {KEY_FAIL_IF_UNPROVEN, .flag = &options->fail_if_unproven},
        {'q', .flag = &options->quiet},           {KEY_JSON, .text = &options->json},
        {KEY_WITNESS, .text = &options->witness}, {0}};
    return grt_option_keep(plain, key, argument, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_analyze_options *options = state->input;
    if (key != KEY_ANALYSIS && key != KEY_OPTION) {
        grt_option_once(&options->given, analyze_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->changes;
        state->child_inputs[1] = &options->style;
        return 0;
    case KEY_ANALYSIS:
        grt_analysis_wishes_name(&options->wishes, argument, state);
        return 0;
    case KEY_OPTION:
        grt_analysis_wishes_option(&options->wishes, argument);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_scenario(&options->scenario, argument, state);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return store(options, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&grt_change_argp, 0, NULL, 0}, {&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_analyze_argp = {
    .options = analyze_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO",
    .doc = "Says, without simulating, whether the tasks of a scenario file (- for standard input) meet their "
           "deadlines in the worst case: verdicts, and bounds of response times."
           "\v"
           "Examples:\n"
           "  gpurt analyze scenario.json\n"
           "  gpurt analyze scenario.json --policy np-edf --sensitivity\n"
           "  gpurt analyze scenario.json --witness worst.json\n"
           "  gpurt run worst.json --gantt    look at releases that miss a deadline\n"
           "  gpurt analyze scenario.json --analysis utilisation --json -\n"
           "  gpurt analyze scenario.json --quiet --fail-if-unproven\n"
           "  gpurt analyze --list\n"
           "\n"
           "Exit codes: 0 done, whatever the verdicts; 1 failed while running; 2 bad input or usage; 3 not "
           "proven and --fail-if-unproven was given.",
};

struct grt_analyze_options grt_analyze_options_read(int argc, char **argv) {
    struct grt_analyze_options options = {.style = grt_style_default()};
    grt_options_parse(&grt_command_analyze_argp, argc, argv, &options);
    return options;
}

void grt_analyze_options_free(struct grt_analyze_options *options) {
    grt_change_options_free(&options->changes);
    grt_analysis_wishes_free(&options->wishes);
}
