#include "cli/run/options.h"

#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/same_file.h"

enum {
    KEY_TABLE = 0x100,
    KEY_SLACK,
    KEY_JSON,
    KEY_TRACE,
    KEY_GANTT,
    KEY_UNTIL,
    KEY_SEED,
    KEY_POLICY,
    KEY_SET,
    KEY_FAIL_ON_MISS,
    KEY_NO_COHORTS
};

static const struct argp_option run_options[] = {
    {NULL, 0, NULL, 0, "What comes out:", 1},
    {"table", KEY_TABLE, NULL, 0, "Print tables of tasks and resources (default)", 1},
    {"slack", KEY_SLACK, NULL, 0,
     "Print how late jobs ended, and how far apart, too (default where a task has a separation)", 1},
    {"gantt", KEY_GANTT, "FROM,TO", OPTION_ARG_OPTIONAL,
     "Draw a Gantt chart, of the first jobs or of the time between two durations, as in --gantt=10ms,60ms",
     1},
    {"json", KEY_JSON, "FILE", 0, "Write the results as JSON (- for standard output, then without tables)",
     1},
    {"trace", KEY_TRACE, "FILE", 0, "Write the binary trace (- for standard output, then without tables)", 1},
    {"quiet", 'q', NULL, 0, "Print no tables", 1},
    {"fail-on-miss", KEY_FAIL_ON_MISS, NULL, 0, "End with exit code 3 if a deadline was missed", 1},
    {NULL, 0, NULL, 0, "Changes to the scenario (its \"expect\" is then not checked):", 2},
    {"until", KEY_UNTIL, "DURATION", 0,
     "Simulate until then, as in --until 500ms, or \"hyperperiod\" or \"auto\"", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of all random numbers", 2},
    {"policy", KEY_POLICY, "POLICY", 0,
     "Use this policy, or that of a plug-in's file, with its default parameters", 2},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'tasks[0].period=20ms'; may be given often", 2},
    {NULL, 0, NULL, 0, "How:", 3},
    {"no-cohorts", KEY_NO_COHORTS, NULL, 0,
     "Simulate every thread block by itself: the same results, slower (to check gpurt)", 3},
    {0}};

static void set_window(struct grt_run_options *options, const char *argument,
                       const struct argp_state *state) {
    options->gantt = true;
    if (argument != NULL) {
        options->gantt_has_window = true;
        grt_parse_window("--gantt", argument, &options->gantt_from, &options->gantt_to, state);
    }
}

static void check_outputs(const struct grt_run_options *options, const struct argp_state *state) {
    bool json = options->json != NULL && strcmp(options->json, "-") == 0;
    bool trace = options->trace != NULL && strcmp(options->trace, "-") == 0;
    const char *taker = json ? "--json -" : "--trace -";
    const char *other = json && trace    ? "--trace -"
                        : options->table ? "--table"
                        : options->gantt ? "--gantt"
                                         : NULL;
    if ((json || trace) && other != NULL) {
        grt_argp_error(state, "%s and %s cannot both have standard output", taker, other);
    }
    if (options->quiet && options->table) {
        grt_argp_error(state, "--quiet and --table contradict each other");
    }
    if (options->slack && (options->quiet || json || trace)) {
        grt_argp_error(state, "--slack is a table, and %s prints none", options->quiet ? "--quiet" : taker);
    }
}

static void check_files(const struct grt_run_options *options, const struct argp_state *state) {
    const struct grt_output_option outputs[] = {{"--json", options->json}, {"--trace", options->trace}};
    grt_check_outputs("scenario", options->scenario, outputs, state);
}

/* The plain options: those that only store. */
static bool store(struct grt_run_options *options, int key, const char *argument,
                  const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{KEY_TABLE, .flag = &options->table},
                                             {KEY_SLACK, .flag = &options->slack},
                                             {'q', .flag = &options->quiet},
                                             {KEY_JSON, .text = &options->json},
                                             {KEY_TRACE, .text = &options->trace},
                                             {KEY_UNTIL, .text = &options->changes.horizon},
                                             {KEY_SEED, .text = &options->changes.seed},
                                             {KEY_POLICY, .text = &options->changes.policy},
                                             {KEY_FAIL_ON_MISS, .flag = &options->fail_on_miss},
                                             {KEY_NO_COHORTS, .flag = &options->no_cohorts},
                                             {0}};
    return grt_option_keep(plain, key, argument, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_run_options *options = state->input;
    if (key != KEY_SET) {
        grt_option_once(&options->given, run_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->style;
        return 0;
    case KEY_GANTT:
        set_window(options, argument, state);
        return 0;
    case KEY_SET:
        grt_change_options_set(&options->changes, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_option_scenario(&options->scenario, argument, state);
        return 0;
    case ARGP_KEY_END:
        if (options->scenario == NULL) {
            grt_argp_error(state, "needs a scenario file");
        }
        check_outputs(options, state);
        check_files(options, state);
        return 0;
    default:
        return store(options, key, argument, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_run_argp = {
    .options = run_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO",
    .doc = "Simulates a scenario, a file (- for standard input) or one of the library by its name (gpurt "
           "scenarios), "
           "and reports what each task got."
           "\v"
           "Examples:\n"
           "  gpurt run quickstart\n"
           "  gpurt run scenario.json\n"
           "  gpurt run scenario.json --gantt=0ms,100ms\n"
           "  gpurt run scenario.json --policy np-edf --until 10s --fail-on-miss\n"
           "  gpurt run scenario.json --set 'tasks[0].period=20ms' --json result.json\n"
           "\n"
           "Exit codes: 0 done; 1 failed while running; 2 bad input or usage; 3 a deadline was missed and "
           "--fail-on-miss was given.\n"
           "Where the file has an \"expect\" object, differences from it are printed and the exit code is 1.",
};

struct grt_run_options grt_run_options_read(int argc, char **argv) {
    struct grt_run_options options = {.changes = {.names = &grt_change_option_names},
                                      .style = grt_style_default()};
    grt_options_parse(&grt_command_run_argp, argc, argv, &options);
    return options;
}

void grt_run_options_free(struct grt_run_options *options) {
    grt_change_options_free(&options->changes);
}

bool grt_run_options_change(const struct grt_run_options *options) {
    return options->changes.policy != NULL || options->changes.seed != NULL ||
           options->changes.horizon != NULL || options->changes.set_count > 0;
}
