#include <errno.h>

#include "cli/command.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/trace/export_options.h"
#include "cli/trace/export_picture.h"
#include "cli/trace/input.h"
#include "sim/output.h"
#include "sim/trace_file.h"

const struct grt_export_format grt_export_formats[GRT_EXPORT_FORMATS] = {
    {"png", "a picture of pixels", true, NULL, grt_export_png},
    {"svg", "a picture for web pages, with text that can be searched and edited", false, NULL,
     grt_export_svg},
    {"pdf", "a picture for papers, with its fonts", true, NULL, grt_export_pdf},
    {"perfetto", "a protobuf with tracks and flows for ui.perfetto.dev", true, grt_export_perfetto, NULL},
    {"chrome", "JSON for chrome://tracing, Perfetto, Spall and others", false, grt_export_chrome, NULL},
    {"csv", "a table with a line for each record of the trace", false, grt_export_csv, NULL},
};

/* Prints which of the patterns of --rows matched no row; true if there is none. */
static bool check_rows(const struct grt_export_command *command, bool all_matched,
                       struct grt_errors *unmatched) {
    struct grt_errors errors = {0};
    for (size_t i = 0; !all_matched && i < unmatched->count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(&errors, NULL, "--rows: %s", unmatched->messages[i]);
    }
    grt_errors_clear(unmatched);
    grt_print_errors(&errors, command->input);
    return all_matched;
}

/* ---- Pictures, of timelines ---- */

static bool match_rows(const struct grt_export_command *command, const struct grt_timeline *timeline) {
    struct grt_errors unmatched = {0};
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        grt_row_patterns_show(&command->rows, timeline->rows[i].kind, timeline->rows[i].name);
    }
    return check_rows(command, grt_row_patterns_check_used(&command->rows, &unmatched), &unmatched);
}

static enum grt_exit export_picture(const struct grt_export_command *command) {
    struct grt_errors errors = {0};
    struct grt_timeline timeline = {0};
    enum grt_exit code = grt_trace_input_play(command->input, &command->changes, GRT_TRACE_FILE_MOST,
                                              &grt_timeline_sink, &timeline);
    if (code == GRT_EXIT_DONE) {
        code = match_rows(command, &timeline) ? grt_export_draw(command, &timeline, &errors) : GRT_EXIT_INPUT;
    }
    grt_print_errors(&errors, NULL);
    grt_timeline_free(&timeline);
    return code;
}

/* ---- Other formats, of traces ---- */

static enum grt_exit write_trace(const struct grt_export_command *command,
                                 const struct grt_trace_memory *trace) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(command->output, &errors);
    enum grt_exit code = GRT_EXIT_FAILED;
    if (output != NULL && command->format->binary && grt_output_is_terminal(output)) {
        grt_error_add(&errors, NULL, "%s is binary and is not written to a terminal: use --output FILE",
                      command->format->name);
        grt_output_discard(output);
    } else if (output != NULL) {
        command->format->write(trace, &command->options, output);
        code = grt_output_finish(&output, &errors) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
    }
    grt_print_errors(&errors, NULL);
    return code;
}

/* Needs all records at once: slices are exported in the order of their starts, and blocks know their kernels by records that
 * come later. */
static enum grt_exit export_trace(const struct grt_export_command *command) {
    struct grt_trace_memory trace = {0};
    struct grt_errors unmatched = {0};
    enum grt_exit code = grt_trace_input_play(command->input, &command->changes, GRT_TRACE_FILE_MOST,
                                              &grt_trace_memory_sink, &trace);
    if (code == GRT_EXIT_DONE && command->rows.count > 0 &&
        !check_rows(command, grt_export_check_rows(&trace, &command->rows, &unmatched), &unmatched)) {
        code = GRT_EXIT_INPUT;
    }
    if (code == GRT_EXIT_DONE) {
        code = write_trace(command, &trace);
    }
    grt_trace_memory_free(&trace);
    return code;
}

enum grt_exit grt_command_export(int argc, char **argv) {
    struct grt_export_command command = {.format = NULL};
    grt_export_options_read(&command, argc, argv);
    enum grt_exit code = command.format->draw != NULL ? export_picture(&command) : export_trace(&command);
    grt_export_options_free(&command);
    return code;
}
