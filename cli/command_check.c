#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/run/report.h"
#include "cli/terminal/library_files.h"
#include "cli/terminal/options.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/file_check.h"
#include "scenarios/simulation.h"
#include "scenarios/text_file.h"
#include "sim/input_name.h"
#include "sim/utf8.h"
#include "study/evaluate/sample.h"

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
        grt_argp_error(state, "needs a scenario file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_command_check_argp = {
    .options = check_options,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc =
        "Checks scenario files and experiments, and files that scenarios name: devices, usages and kernels "
        "(- for standard input): prints \"FILE: ok\", or all that is "
        "wrong with them. "
        "Where a file "
        "leaves priorities or cores to a rule, prints what they are."
        "\v"
        "Examples:\n"
        "  gpurt check scenario.json\n"
        "  gpurt check quickstart\n"
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
    bool whole = grt_simulation_is_whole(simulation, errors);
    return grt_simulation_is_as_expected(simulation, errors) && whole ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* A file's name, which a terminal can show, and what there is to say of it. */
static void print_line(const char *name, const char *what, const char *more) {
    char *shown = grt_utf8_shown(name, grt_allocate(GRT_UTF8_SHOWN_SIZE(strlen(name))));
    printf("%s: %s%s\n", shown, what, more);
    free(shown);
}

/* What was found is this command's result and goes to standard output. */
static void print_findings(const struct check *check, const char *name, const struct grt_errors *errors) {
    char prefix[4200];
    snprintf(prefix, sizeof prefix, "%s: ", name);
    if (errors->count > 0) {
        grt_errors_print(errors, stdout, prefix);
    } else if (!check->quiet) {
        print_line(name, "ok", "");
    }
}

/* A file in memory. */
struct checked {
    const char *path, *name; /* name: for messages */
    struct grt_scenario_text text;
};

static enum grt_exit check_scenario(const struct check *check, const struct checked *file) {
    struct grt_errors errors = {0};
    struct grt_simulation simulation = {0};
    enum grt_exit code = GRT_EXIT_INPUT;
    if (grt_simulation_parse(&simulation, &file->text, NULL, &errors)) {
        code = check->run ? simulate(&simulation, &errors) : prepare(&simulation, &errors);
    }
    print_findings(check, file->name, &errors);
    for (size_t i = 0; code == GRT_EXIT_DONE && !check->quiet && i < simulation.file.note_count; i++) {
        print_line(file->name, "note: ", simulation.file.notes[i]);
    }
    if (code == GRT_EXIT_DONE && !check->quiet && grt_report_has_assignment(&simulation.file)) {
        grt_report_assignment(&simulation.file, &check->style, stdout);
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
    return code;
}

static enum grt_exit check_experiment(const struct check *check, const struct checked *file) {
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    bool good = grt_experiment_parse(file->text.bytes, file->text.size, file->path, file->text.folder, NULL,
                                     &experiment, &errors) &&
                grt_study_check(&experiment, &errors);
    print_findings(check, file->name, &errors);
    grt_errors_clear(&errors);
    grt_experiment_free(&experiment);
    return good ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}

/* What scenarios name: a device, a usage, kernels. */
static enum grt_exit check_part(const struct check *check, const struct checked *file,
                                enum grt_file_kind kind) {
    struct grt_errors errors = {0};
    bool good = grt_file_check(kind, file->text.bytes, file->text.size, &errors);
    print_findings(check, file->name, &errors);
    grt_errors_clear(&errors);
    return good ? GRT_EXIT_DONE : GRT_EXIT_INPUT;
}

static enum grt_exit check_file(const struct check *check, const char *path) {
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct checked file = {.name = grt_input_name(path)};
    file.path = grt_library_path(path, GRT_LIBRARY_ALL, &arena, &errors);
    char *text = file.path != NULL ? grt_text_file_read(file.path, &file.text.size, &errors) : NULL;
    enum grt_exit code = GRT_EXIT_INPUT;
    enum grt_file_kind kind = text != NULL ? grt_file_kind_of_text(text, file.text.size) : GRT_FILE_UNKNOWN;
    file.text.bytes = text;
    file.text.folder = file.path != NULL ? grt_folder_of(&arena, file.path) : ".";
    if (text == NULL) {
        print_findings(check, file.name, &errors);
    } else if (kind == GRT_FILE_EXPERIMENT) {
        code = check_experiment(check, &file);
    } else if (grt_file_can_be_checked(kind)) {
        code = check_part(check, &file, kind);
    } else {
        code = check_scenario(check, &file);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    free(text);
    return code;
}

enum grt_exit grt_command_check(int argc, char **argv) {
    struct check check = {.style = grt_style_default()};
    grt_options_parse(&grt_command_check_argp, argc, argv, &check);
    enum grt_exit worst = GRT_EXIT_DONE;
    for (int i = 0; i < check.file_count; i++) {
        enum grt_exit code = check_file(&check, check.files[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}
