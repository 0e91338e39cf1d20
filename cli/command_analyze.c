#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analysis/options.h"
#include "cli/analysis/report.h"
#include "cli/analysis/witness.h"
#include "cli/command.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/shown_line.h"
#include "scenarios/text_file.h"
#include "sim/output.h"

/* One call and what it works with. */
struct analysis {
    struct grt_analyze_options options;
    struct grt_scenario_source source; /* the text is owned */
    struct grt_scenario_file file;
    struct grt_analysis_report report;
    struct grt_analysis_witness witness;
    struct grt_arena arena;
    struct grt_errors errors;
};

/* ---- reading ---- */

static bool load(struct analysis *analysis) {
    struct grt_scenario_source *source = &analysis->source;
    char *text = grt_text_file_read(analysis->options.scenario, &source->size, &analysis->errors);
    source->text = text;
    source->folder = grt_folder_of(&analysis->arena, analysis->options.scenario);
    source->changes = &analysis->options.changes;
    return text != NULL && grt_scenario_parse(text, source->size, source->folder, source->changes,
                                              &analysis->file, &analysis->errors);
}

static void analyze(struct analysis *analysis) {
    const struct grt_analyze_options *options = &analysis->options;
    struct grt_analysis_settings settings = {0};
    struct grt_analysis_choice choice = {
        .all = options->all, .sensitivity = options->sensitivity, .settings = &settings};
    if (!grt_analysis_wishes_find(&options->wishes, analysis->file.policy, &choice.named, &settings,
                                  &analysis->arena, &analysis->errors) ||
        !grt_analysis_choice_check(&analysis->file, &choice, &analysis->arena, &analysis->errors)) {
        return;
    }
    analysis->report = grt_analysis_report_make(&analysis->file, &choice, &analysis->arena);
    if (analysis->report.gpu_count == 0) {
        grt_error_add(&analysis->errors, NULL, "no task has a GPU segment: there is nothing to analyse");
    }
}

/* ---- writing ---- */

static bool write_json(struct analysis *analysis) {
    if (analysis->options.json == NULL) {
        return true;
    }
    char *text = grt_analysis_json(&analysis->report);
    bool done = grt_output_text(analysis->options.json, text, "\n", &analysis->errors);
    free(text);
    return done;
}

/* To standard error, since standard output may be a file's. */
static void say_witness(const struct analysis *analysis) {
    const struct grt_analysis_witness *witness = &analysis->witness;
    const char *path = analysis->options.witness;
    char text[GRT_TIME_TEXT_SIZE];
    if (witness->analyzed == NULL) {
        grt_shown_line("gpurt: no analysis knows releases that miss a deadline: %s is not written", path);
    } else {
        grt_shown_line("gpurt: %s: %s misses a deadline at %s", path, witness->task,
                       grt_time_text(witness->miss, text));
    }
}

static bool write_witness(struct analysis *analysis) {
    struct grt_analysis_witness *witness = &analysis->witness;
    if (analysis->options.witness == NULL) {
        return true;
    }
    *witness = grt_analysis_witness_make(&analysis->report, &analysis->source, &analysis->errors);
    bool done = analysis->errors.count == 0 &&
                (witness->text == NULL ||
                 grt_output_text(analysis->options.witness, witness->text, "\n", &analysis->errors));
    if (done) {
        say_witness(analysis);
    }
    return done;
}

/* ---- the whole ---- */

static enum grt_exit run(struct analysis *analysis) {
    const struct grt_analyze_options *options = &analysis->options;
    if (load(analysis)) {
        analyze(analysis);
    }
    if (analysis->errors.count > 0) {
        grt_print_errors(&analysis->errors, options->scenario);
        return GRT_EXIT_INPUT;
    }
    if (!options->quiet && !grt_is_standard_output(options->json) &&
        !grt_is_standard_output(options->witness)) {
        grt_analysis_tables(&analysis->report, &options->style, stdout);
    }
    bool done = write_json(analysis);
    done = write_witness(analysis) && done;
    grt_print_errors(&analysis->errors, NULL);
    if (!done) {
        return GRT_EXIT_FAILED;
    }
    bool proven = grt_analysis_report_proven(&analysis->report);
    return options->fail_if_unproven && !proven ? GRT_EXIT_MISSED : GRT_EXIT_DONE;
}

enum grt_exit grt_command_analyze(int argc, char **argv) {
    struct analysis analysis = {.options = grt_analyze_options_read(argc, argv)};
    enum grt_exit code = GRT_EXIT_DONE;
    if (analysis.options.list) {
        grt_analysis_list(&analysis.options.style, stdout);
    } else {
        code = run(&analysis);
    }
    free(analysis.witness.text);
    grt_scenario_file_free(&analysis.file);
    free((void *)(size_t)analysis.source.text);
    grt_arena_clear(&analysis.arena);
    grt_analyze_options_free(&analysis.options);
    return code;
}
