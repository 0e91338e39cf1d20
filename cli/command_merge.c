#include <stdlib.h>

#include "cli/command.h"
#include "cli/sweep/absent_results.h"
#include "cli/sweep/options.h"
#include "cli/sweep/report.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"

static enum grt_exit write_results(const struct grt_merge_command *command, const struct grt_results *results,
                                   struct grt_errors *errors) {
    const struct grt_experiment_options *common = &command->common;
    if (!common->quiet && !grt_is_standard_output(common->csv) && !grt_is_standard_output(common->json)) {
        grt_sweep_report(results, &command->style, stdout);
    }
    bool good = grt_result_files_write(common, results, errors);
    grt_print_errors(errors, NULL);
    if (good && results->complete) {
        grt_print_absent(results);
    }
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static enum grt_exit merge(const struct grt_merge_command *command) {
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    if (!grt_experiment_read(command->experiment, &command->common.changes, &experiment, &errors)) {
        grt_print_errors(&errors, command->experiment);
        return GRT_EXIT_INPUT;
    }
    struct grt_results results = {0};
    enum grt_exit code = GRT_EXIT_INPUT;
    if (grt_results_merge(&experiment, command->journals, command->journal_count, &results, &errors)) {
        code = write_results(command, &results, &errors);
    }
    grt_print_errors(&errors, NULL);
    grt_results_free(&results);
    grt_experiment_free(&experiment);
    return code;
}

enum grt_exit grt_command_merge(int argc, char **argv) {
    struct grt_merge_command command = grt_merge_command_read(argc, argv);
    enum grt_exit code = merge(&command);
    free(command.journals);
    grt_experiment_options_free(&command.common);
    return code;
}
