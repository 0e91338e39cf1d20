#include <stdbool.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "scenarios/simulation.h"

struct check {
    bool run, quiet;
    struct grt_style style;
    char **files; /* in argv */
    int file_count;
};

static const struct argp_option check_options[] = {
    {"run", 'r', NULL, 0, "Simulate each scenario too, and compare the results with its \"expect\"", 0},
    {"quiet", 'q', NULL, 0, "Print nothing of files that are as they should be", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct check *check = state->input;
    (void)argument;
    switch (key) {
    case 'r':
        check->run = true;
        return 0;
    case 'q':
        check->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        check->files = state->argv + state->next;
        check->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "needs a scenario file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = check_options,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc =
        "Checks scenario files (- for standard input): prints \"FILE: ok\", or all that is wrong with them. "
        "Where a file "
        "leaves priorities or cores to a rule, prints what they are."
        "\v"
        "Examples:\n"
        "  gpurt check scenario.json\n"
        "  gpurt check --run scenarios/*.json\n"
        "\n"
        "Exit codes: 0 all files are good; 1 a result was not as the file expects; 2 a file is bad, or bad "
        "usage.",
};

/* Whether the scenario could be run: kernels that fit their devices, a policy that takes it. */
static enum grt_exit prepare(struct grt_simulation *simulation, struct grt_errors *errors) {
    return grt_simulation_prepare(simulation, false, errors) ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}

static enum grt_exit simulate(struct grt_simulation *simulation, struct grt_errors *errors) {
    grt_simulation_expect(simulation);
    if (!grt_simulation_run(simulation, false, errors)) {
        return GRT_EXIT_INPUT;
    }
    return grt_simulation_is_as_expected(simulation, errors) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* What was found is this command's result and goes to standard output. */
static void print_findings(const struct check *check, const char *name, const struct grt_errors *errors) {
    char prefix[4200];
    snprintf(prefix, sizeof prefix, "%s: ", name);
    if (errors->count > 0) {
        grt_errors_print(errors, stdout, prefix);
    } else if (!check->quiet) {
        printf("%s: ok\n", name);
    }
}

static enum grt_exit check_file(const struct check *check, const char *path) {
    struct grt_errors errors = {0};
    struct grt_simulation simulation = {0};
    enum grt_exit code = GRT_EXIT_INPUT;
    if (grt_simulation_load(&simulation, path, NULL, &errors)) {
        code = check->run ? simulate(&simulation, &errors) : prepare(&simulation, &errors);
    }
    print_findings(check, strcmp(path, "-") == 0 ? "standard input" : path, &errors);
    if (code == GRT_EXIT_DONE && !check->quiet && grt_report_has_assignment(&simulation.file)) {
        grt_report_assignment(&simulation.file, &check->style, stdout);
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
    return code;
}

enum grt_exit grt_command_check(int argc, char **argv) {
    struct check check = {.style = grt_style_default()};
    grt_options_parse(&argp, argc, argv, &check);
    enum grt_exit worst = GRT_EXIT_DONE;
    for (int i = 0; i < check.file_count; i++) {
        enum grt_exit code = check_file(&check, check.files[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}
