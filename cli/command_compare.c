#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/compare/compare.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "sim/input_name.h"
#include "sim/output.h"

/* One comparison and where it goes. */
struct job {
    struct grt_compare_options options;
    struct grt_comparison comparison;
    struct grt_output *json, *csv; /* open, or NULL */
    struct grt_errors errors;
};

/* ---- files ---- */

static bool open_output(struct job *job, const char *path, struct grt_output **output) {
    if (path != NULL) {
        *output = grt_output_open(path, &job->errors);
    }
    return path == NULL || *output != NULL;
}

static bool write_text(struct job *job, struct grt_output **output, char *text, const char *end) {
    grt_output_write(*output, text, strlen(text));
    grt_output_write(*output, end, strlen(end));
    free(text);
    return grt_output_finish(output, &job->errors);
}

static bool write_files(struct job *job) {
    bool done = job->json == NULL || write_text(job, &job->json, grt_comparison_json(&job->comparison), "\n");
    return (job->csv == NULL || write_text(job, &job->csv, grt_comparison_csv(&job->comparison), "")) && done;
}

/* ---- the whole ---- */

static bool print_refusals(struct job *job) {
    bool any = false;
    for (size_t i = 0; i < job->comparison.run_count; i++) {
        struct grt_compared_run *run = &job->comparison.runs[i];
        char prefix[4200];
        if (run->refused) {
            snprintf(prefix, sizeof prefix, "gpurt: %s: %s: ", grt_input_name(job->options.scenario),
                     run->label);
            fflush(stdout);
            grt_errors_print(&run->errors, stderr, prefix);
            any = true;
        }
    }
    return any;
}

static enum grt_exit report(struct job *job) {
    const struct grt_compare_options *options = &job->options;
    if (!options->quiet && !grt_is_standard_output(options->json) && !grt_is_standard_output(options->csv)) {
        grt_comparison_tables(&job->comparison, stdout);
    }
    bool done = write_files(job);
    grt_print_errors(&job->errors, NULL);
    return print_refusals(job) || !done ? GRT_EXIT_FAILED : GRT_EXIT_DONE;
}

static enum grt_exit compare(struct job *job) {
    bool opened = open_output(job, job->options.json, &job->json);
    opened = open_output(job, job->options.csv, &job->csv) && opened;
    if (!opened) {
        grt_print_errors(&job->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    if (!grt_comparison_make(&job->comparison, &job->options, &job->errors)) {
        grt_print_errors(&job->errors, job->options.scenario);
        return GRT_EXIT_INPUT;
    }
    return report(job);
}

enum grt_exit grt_command_compare(int argc, char **argv) {
    struct job job = {.options = grt_compare_options_read(argc, argv)};
    enum grt_exit code = compare(&job);
    grt_output_discard(job.json);
    grt_output_discard(job.csv);
    grt_comparison_free(&job.comparison);
    grt_compare_options_free(&job.options);
    return code;
}
