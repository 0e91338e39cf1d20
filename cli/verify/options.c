#include "cli/verify/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/same_file.h"
#include "sim/memory.h"
#include "sim/unit.h"

enum { USUAL_PATTERNS = 500, MOST_JOBS = 100000 };
#define MOST_PATTERNS UINT64_C(1000000000000)
#define MOST_SEED ((UINT64_C(1) << 53) - 1)

enum {
    KEY_PATTERNS = 0x100,
    KEY_SEED,
    KEY_JOBS,
    KEY_TIME_LIMIT,
    KEY_NO_AUDIT,
    KEY_ANALYSIS,
    KEY_OPTION,
    KEY_JSON,
    KEY_REPRODUCE,
    KEY_POLICY,
    KEY_SET
};

static const struct argp_option verify_options[] = {
    {NULL, 0, NULL, 0, "What is tried:", 1},
    {"patterns", KEY_PATTERNS, "N", 0, "Simulate so many release patterns (default: 500)", 1},
    {"jobs", KEY_JOBS, "N", 0, "About how many jobs a pattern has (default: 40)", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of the random patterns (default: 1)", 1},
    {"time-limit", KEY_TIME_LIMIT, "DURATION", 0, "Stop after this much time, as in --time-limit 10s", 1},
    {"analysis", KEY_ANALYSIS, "ANALYSIS", 0,
     "Hold only this analysis against the simulations; may be given often", 1},
    {"option", KEY_OPTION, "ANALYSIS.OPTION=VALUE", 0,
     "Set an option of an analysis's own, as gpurt analyze --list shows them; may be given often", 1},
    {"no-audit", KEY_NO_AUDIT, NULL, 0, "Do not audit the traces", 1},
    {NULL, 0, NULL, 0, "What comes out:", 2},
    {"json", KEY_JSON, "FILE", 0, "Write the report as JSON (- for standard output, then without tables)", 2},
    {"reproduce", KEY_REPRODUCE, "FILE", 0,
     "Where a scenario goes that shows the first violation (default: violation.json)", 2},
    {"quiet", 'q', NULL, 0, "Print nothing but violations", 2},
    {NULL, 0, NULL, 0, "Changes to the scenario:", 3},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Use this policy, or that of a plug-in's file, with its default parameters", 3},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'tasks[0].period=20ms'; may be given often", 3},
    {0}};

static grt_time parse_limit(const char *text, const struct argp_state *state) {
    int64_t value = 0;
    const char *fault = grt_unit_parse(GRT_QUANTITY_TIME, text, &value);
    if (fault != NULL) {
        grt_argp_error(state, "--time-limit: %s (got '%s')", fault, text);
    } else if (value <= 0) {
        grt_argp_error(state, "--time-limit: must be above 0 (got '%s')", text);
    }
    return value;
}

/* A file that gpurt verify wrote can be verified where it lies. */
static void choose_file(struct grt_verify_options *options) {
    const struct grt_named_file scenario = {options->scenario, STDIN_FILENO},
                                usual = {"violation.json", STDOUT_FILENO};
    if (options->reproduce == NULL) {
        options->reproduce = grt_same_file(&scenario, &usual) ? "violation-2.json" : usual.path;
    }
}

static void check_files(const struct grt_verify_options *options, const struct argp_state *state) {
    const struct grt_output_option outputs[] = {{"--json", options->json},
                                                {"--reproduce", options->reproduce}};
    grt_check_outputs("scenario", options->scenario, outputs, state);
}

static bool store_number(struct grt_verify_options *options, int key, const char *argument,
                         const struct argp_state *state) {
    switch (key) {
    case KEY_PATTERNS:
        options->patterns = grt_option_whole("--patterns", argument, 1, MOST_PATTERNS, state);
        return true;
    case KEY_SEED:
        options->seed = grt_option_whole("--seed", argument, 0, MOST_SEED, state);
        return true;
    case KEY_JOBS:
        options->jobs = (uint32_t)grt_option_whole("--jobs", argument, 1, MOST_JOBS, state);
        return true;
    case KEY_TIME_LIMIT:
        options->time_limit = parse_limit(argument, state);
        return true;
    default:
        return false;
    }
}

static bool store(struct grt_verify_options *options, int key, const char *argument,
                  const struct argp_state *state) {
    const struct grt_plain_option plain[] = {
        {KEY_NO_AUDIT, .flag = &options->no_audit},     {KEY_JSON, .text = &options->json},
        {KEY_REPRODUCE, .text = &options->reproduce},   {'q', .flag = &options->quiet},
        {KEY_POLICY, .text = &options->changes.policy}, {0}};
    switch (key) {
    case KEY_ANALYSIS:
        grt_analysis_wishes_name(&options->wishes, argument, state);
        return true;
    case KEY_OPTION:
        grt_analysis_wishes_option(&options->wishes, argument);
        return true;
    case KEY_SET:
        grt_change_options_set(&options->changes, argument, state);
        return true;
    default:
        return grt_option_keep(plain, key, argument, state) || store_number(options, key, argument, state);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_verify_options *options = state->input;
    if (key != KEY_ANALYSIS && key != KEY_OPTION && key != KEY_SET) {
        grt_option_once(&options->given, verify_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->style;
        return 0;
    case ARGP_KEY_ARG:
        grt_option_scenario(&options->scenario, argument, state);
        return 0;
    case ARGP_KEY_END:
        if (options->scenario == NULL) {
            grt_argp_error(state, "needs a scenario file");
        }
        choose_file(options);
        check_files(options, state);
        return 0;
    default:
        return store(options, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_verify_argp = {
    .options = verify_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO",
    .doc =
        "Simulates many release patterns of a scenario (- for standard input), compares every response and "
        "every "
        "deadline with what the analyses of its policy say, audits every trace, and reports how close the "
        "worst responses came to the bounds. A violation is shrunk to a small scenario file that shows it."
        "\v"
        "Examples:\n"
        "  gpurt verify scenario.json\n"
        "  gpurt verify scenario.json --patterns 100000 --time-limit 60s\n"
        "  gpurt verify scenario.json --analysis np-fp-response --json report.json\n"
        "  gpurt verify scenario.json --policy mpcp --option mpcp.jitter=blocking\n"
        "  gpurt verify scenario.json --reproduce small.json\n"
        "  gpurt run small.json --gantt    look at the violation that was found\n"
        "\n"
        "Exit codes: 0 no violation was found; 1 failed while running, or interrupted; 2 bad input or usage; "
        "4 a "
        "violation was found.",
};

struct grt_verify_options grt_verify_options_read(int argc, char **argv) {
    struct grt_verify_options options = {.changes = {.names = &grt_change_option_names},
                                         .style = grt_style_default(),
                                         .patterns = USUAL_PATTERNS,
                                         .seed = 1};
    grt_options_parse(&grt_command_verify_argp, argc, argv, &options);
    return options;
}

void grt_verify_options_free(struct grt_verify_options *options) {
    free((void *)(size_t)options->changes.sets);
    options->changes.sets = NULL;
    grt_analysis_wishes_free(&options->wishes);
}
