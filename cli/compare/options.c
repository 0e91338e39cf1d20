#include "cli/compare/options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/policy/option.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/same_file.h"
#include "policies/registry.h"
#include "scenarios/spelling.h"
#include "sim/check.h"
#include "sim/memory.h"

enum { USUAL_RUNS = 200, MOST_RUNS = 1000000 };

enum {
    KEY_POLICIES = 0x100,
    KEY_BASE,
    KEY_IDEAL,
    KEY_RUNS,
    KEY_TASKS,
    KEY_JSON,
    KEY_CSV,
    KEY_UNTIL,
    KEY_SEED,
    KEY_SET
};

static const struct argp_option compare_options[] = {
    {NULL, 0, NULL, 0, "What is compared:", 1},
    {"policies", KEY_POLICIES, "POLICIES", 0,
     "The policies, two or more with commas between. Each POLICY, or LABEL=POLICY to have one several times, "
     "as "
     "in --policies a=tdm,b=tdm. Needed",
     1},
    {"base", KEY_BASE, "LABEL", 0, "Which of them the others are compared to (default: the first)", 1},
    {"ideal", KEY_IDEAL, "alone|arrival|zero", 0,
     "From where slack counts in the performance: alone (default: each job ends when it would alone), "
     "arrival (each job ends when it is ready), zero (at its deadline, or separation)",
     1},
    {"profile-runs", KEY_RUNS, "N", 0,
     "Average times that are drawn over so many executions, for the ideal (default: 200)", 1},
    {NULL, 0, NULL, 0, "What comes out:", 2},
    {"tasks", KEY_TASKS, NULL, 0, "Print a table of every task, too", 2},
    {"json", KEY_JSON, "FILE", 0, "Write the comparison as JSON (- for standard output, then without tables)",
     2},
    {"csv", KEY_CSV, "FILE", 0, "Write it as CSV (- for standard output, then without tables)", 2},
    {"quiet", 'q', NULL, 0, "Print no tables", 2},
    {NULL, 0, NULL, 0, "Changes to the scenario (its \"expect\" is not checked):", 3},
    {"until", KEY_UNTIL, "DURATION", 0,
     "Simulate until then, as in --until 500ms, or \"hyperperiod\" or \"auto\"", 3},
    {"seed", KEY_SEED, "N", 0, "Seed of all random numbers", 3},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any value of the file, as in --set 'tasks[0].period=20ms', or a parameter of one of the policies "
     "by "
     "its label, as in --set b.slots=table; may be given often",
     3},
    {0}};

/* ---- the list of policies ---- */

/* A label becomes the first step of a path: it must not look like more of one, nor like a key of scenarios. */
static void check_label(const struct grt_compare_options *options, const char *label,
                        const struct argp_state *state) {
    static const char *const keys[] = {"policy", "tasks", "platform", "expect"};
    if (label[0] == '\0' || strpbrk(label, ".[]= \t\n\"") != NULL) {
        grt_argp_error(
            state,
            "--policies: a label has one character or more, and none of . [ ] = \" and blanks (got '%s')",
            label);
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(label, keys[i]) == 0) {
            grt_argp_error(state, "--policies: '%s' is a key of scenario files and no label", label);
        }
    }
    for (size_t i = 0; i < options->policy_count; i++) {
        if (strcmp(options->policies[i].label, label) == 0) {
            grt_argp_error(state,
                           "--policies: '%s' is there twice; a policy is compared to itself under labels, as "
                           "in a=%s,b=%s",
                           label, options->policies[i].policy->name, options->policies[i].policy->name);
        }
    }
}

static char *text_of(const char *text, size_t length) {
    char *copy = memcpy(grt_allocate(length + 1), text, length);
    copy[length] = '\0';
    return copy;
}

static void add_policy(struct grt_compare_options *options, char *item, const struct argp_state *state) {
    char *equals = strchr(item, '=');
    const char *name = equals != NULL ? equals + 1 : item;
    if (options->policy_count == GRT_COMPARE_MOST) {
        grt_argp_error(state, "--policies: at most %d can be compared", (int)GRT_COMPARE_MOST);
    }
    if (item[0] == '\0') {
        grt_argp_error(state, "--policies: a name is missing between two commas, or at an end");
    }
    const struct grt_policy_ops *policy = grt_option_policy("--policies", name, &options->arena, state);
    char *label =
        equals != NULL ? text_of(item, (size_t)(equals - item)) : text_of(policy->name, strlen(policy->name));
    check_label(options, label, state);
    options->policies[options->policy_count++] = (struct grt_compared_policy){label, policy};
}

static void read_list(struct grt_compare_options *options, const struct argp_state *state) {
    if (options->list == NULL) {
        grt_argp_error(state, "needs --policies, as in --policies fifo,np-edf");
    }
    GRT_ASSERT(options->list != NULL, "argp_error ends the program");
    char *list = text_of(options->list, strlen(options->list)), *at = list;
    for (char *comma = strchr(at, ','); comma != NULL; comma = strchr(at, ',')) {
        *comma = '\0';
        add_policy(options, at, state);
        at = comma + 1;
    }
    add_policy(options, at, state);
    free(list);
    if (options->policy_count < 2) {
        grt_argp_error(state, "--policies: one policy cannot be compared; name two or more");
    }
}

static void find_base(struct grt_compare_options *options, const struct argp_state *state) {
    struct grt_guess guess = grt_guess_start(options->base_name != NULL ? options->base_name : "");
    char text[GRT_GUESS_TEXT_SIZE];
    while (options->base_name != NULL && options->base < options->policy_count &&
           strcmp(options->policies[options->base].label, options->base_name) != 0) {
        grt_guess_try(&guess, options->policies[options->base++].label);
    }
    if (options->base == options->policy_count) {
        grt_argp_error(state, "--base: %s is not among --policies%s", options->base_name,
                       grt_guess_text(&guess, text));
    }
}

/* ---- changes ---- */

size_t grt_compare_options_whose(const struct grt_compare_options *options, const char *set,
                                 const char **rest) {
    for (size_t i = 0; i < options->policy_count; i++) {
        const char *label = options->policies[i].label;
        size_t length = strlen(label);
        if (strncmp(set, label, length) == 0 && set[length] == '.') {
            *rest = set + length + 1;
            return i;
        }
    }
    *rest = set;
    return options->policy_count;
}

/* The parameter of a policy that is not compared, or under another label, is most likely a mistake. */
static void check_sets(const struct grt_compare_options *options, const struct argp_state *state) {
    for (size_t i = 0; i < options->changes.set_count; i++) {
        const char *set = options->changes.sets[i], *rest;
        bool anybodys = grt_compare_options_whose(options, set, &rest) == options->policy_count;
        for (size_t j = 0; anybodys && grt_policies[j] != NULL; j++) {
            size_t length = strlen(grt_policies[j]->name);
            if (strncmp(set, grt_policies[j]->name, length) == 0 && set[length] == '.') {
                grt_argp_error(state, "--set %s: %s is no label of --policies", set, grt_policies[j]->name);
            }
        }
    }
}

/* ---- the whole ---- */

static enum grt_ideal read_ideal(const char *text, const struct argp_state *state) {
    for (int i = 0; grt_ideal_names[i] != NULL; i++) {
        if (strcmp(grt_ideal_names[i], text) == 0) {
            return (enum grt_ideal)i;
        }
    }
    grt_argp_error(state, "--ideal: must be alone, arrival or zero (got '%s')", text);
    return GRT_IDEAL_ALONE;
}

static void check(struct grt_compare_options *options, const struct argp_state *state) {
    if (options->scenario == NULL) {
        grt_argp_error(state, "needs a scenario file");
    }
    read_list(options, state);
    find_base(options, state);
    check_sets(options, state);
    if (grt_is_standard_output(options->json) && grt_is_standard_output(options->csv)) {
        grt_argp_error(state, "--json - and --csv - cannot both have standard output");
    }
    if (options->tasks &&
        (options->quiet || grt_is_standard_output(options->json) || grt_is_standard_output(options->csv))) {
        grt_argp_error(state, "--tasks is a table, and %s prints none",
                       options->quiet                          ? "--quiet"
                       : grt_is_standard_output(options->json) ? "--json -"
                                                               : "--csv -");
    }
    const struct grt_output_option outputs[] = {{"--json", options->json}, {"--csv", options->csv}};
    grt_check_outputs("scenario", options->scenario, outputs, state);
}

/* The plain options: those that only store. */
static bool store(struct grt_compare_options *options, int key, const char *argument,
                  const struct argp_state *state) {
    const struct grt_plain_option plain[] = {{KEY_POLICIES, .text = &options->list},
                                             {KEY_BASE, .text = &options->base_name},
                                             {KEY_TASKS, .flag = &options->tasks},
                                             {KEY_JSON, .text = &options->json},
                                             {KEY_CSV, .text = &options->csv},
                                             {'q', .flag = &options->quiet},
                                             {KEY_UNTIL, .text = &options->changes.horizon},
                                             {KEY_SEED, .text = &options->changes.seed},
                                             {0}};
    return grt_option_keep(plain, key, argument, state);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_compare_options *options = state->input;
    if (key != KEY_SET) {
        grt_option_once(&options->given, compare_options, key, state);
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->style;
        return 0;
    case KEY_IDEAL:
        options->ideal = read_ideal(argument, state);
        return 0;
    case KEY_RUNS:
        options->profile_runs = (uint32_t)grt_option_whole("--profile-runs", argument, 1, MOST_RUNS, state);
        return 0;
    case KEY_SET:
        grt_change_options_set(&options->changes, argument, state);
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

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_compare_argp = {
    .options = compare_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "SCENARIO",
    .doc = "Simulates a scenario file (- for standard input) under several policies and puts side by side "
           "how late "
           "jobs end, and how evenly."
           "\v"
           "A policy has those parameters of the file's policy that it knows by the same name, and defaults "
           "for the "
           "others. All policies see the same arrivals and execution times.\n"
           "\n"
           "Examples:\n"
           "  gpurt compare scenario.json --policies fifo,np-edf,hardware\n"
           "  gpurt compare scenario.json --policies fifo,np-edf --base np-edf --tasks\n"
           "  gpurt compare scenario.json --policies a=tdm,b=tdm --set b.slots=table \\\n"
           "      --csv out.csv\n"
           "\n"
           "Exit codes: 0 done; 1 a file could not be written, or a policy refuses the scenario; 2 bad input "
           "or usage, or all policies refuse the scenario.",
};

struct grt_compare_options grt_compare_options_read(int argc, char **argv) {
    struct grt_compare_options options = {.profile_runs = USUAL_RUNS,
                                          .changes = {.names = &grt_change_option_names},
                                          .style = grt_style_default()};
    grt_options_parse(&grt_command_compare_argp, argc, argv, &options);
    return options;
}

void grt_compare_options_free(struct grt_compare_options *options) {
    for (size_t i = 0; i < options->policy_count; i++) {
        free(options->policies[i].label);
    }
    grt_arena_clear(&options->arena);
    grt_change_options_free(&options->changes);
}
