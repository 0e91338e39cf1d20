#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/sweep/plot_options.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/shown_line.h"
#include "scenarios/experiment/experiment.h"
#include "study/plot/origin.h"
#include "study/plot/picture.h"

/* Points that a logarithmic axis has no place for are worth a word: the figure does not show them. */
static void note_left_out(const struct grt_figure *figure) {
    if (figure->left_out > 0) {
        fprintf(stderr, "gpurt: %zu points are not above 0 and not drawn on the logarithmic axis\n",
                figure->left_out);
    }
}

static enum grt_exit draw(const struct grt_plot_command *command, const struct grt_figure *figure,
                          struct grt_errors *errors) {
    size_t size = 0;
    char *picture = grt_plot_draw(figure, command->format, &size, errors);
    if (picture == NULL) {
        return GRT_EXIT_FAILED;
    }
    note_left_out(figure);
    struct grt_output *output = grt_output_open(command->output, errors);
    if (output != NULL) {
        grt_output_write(output, picture, size);
    }
    free(picture);
    return output != NULL && grt_output_finish(&output, errors) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static enum grt_exit plot(const struct grt_plot_command *command, const struct grt_result_table *table,
                          const struct grt_experiment *experiment) {
    struct grt_errors errors = {0};
    struct grt_figure figure = {0};
    if (!grt_figure_make(table, experiment, &command->options, &figure, &errors)) {
        grt_print_errors(&errors, command->input);
        return GRT_EXIT_INPUT;
    }
    enum grt_exit code = draw(command, &figure, &errors);
    grt_print_errors(&errors, NULL);
    grt_figure_free(&figure);
    return code;
}

/* False after printing that the table is of another experiment. */
static bool check_origin(const struct grt_plot_command *command, const struct grt_result_table *table,
                         const struct grt_experiment *experiment) {
    struct grt_errors errors = {0};
    bool changed = false;
    bool good = command->experiment == NULL ||
                grt_plot_origin_check(table, experiment, command->experiment, &changed, &errors);
    if (changed) {
        grt_shown_line(
            "gpurt: warning: %s has results of another state of the experiment than %s, of which the "
            "texts of the figure are",
            command->input, command->experiment);
    }
    grt_print_errors(&errors, command->input);
    return good;
}

enum grt_exit grt_command_plot(int argc, char **argv) {
    struct grt_plot_command command = {0};
    grt_plot_options_read(&command, argc, argv);
    struct grt_errors errors = {0};
    struct grt_experiment experiment = {0};
    struct grt_result_table table = {0};
    enum grt_exit code = GRT_EXIT_INPUT;
    const char *path = command.experiment;
    const struct grt_experiment_changes none = {0};
    if (path == NULL || grt_experiment_read(path, &none, &experiment, &errors)) {
        path = command.input;
        if (grt_result_table_read(path, &table, &errors) && check_origin(&command, &table, &experiment)) {
            code = plot(&command, &table, command.experiment != NULL ? &experiment : NULL);
        }
    }
    grt_print_errors(&errors, path);
    grt_result_table_free(&table);
    if (command.experiment != NULL) {
        grt_experiment_free(&experiment);
    }
    grt_plot_options_free(&command);
    return code;
}
