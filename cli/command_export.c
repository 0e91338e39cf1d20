#include <errno.h>

#include "cli/command.h"
#include "cli/export_options.h"
#include "cli/export_picture.h"
#include "cli/simulation.h"
#include "cli/trace_input.h"
#include "sim/output.h"

static const struct grt_export_format formats[] = {
    {"png", "a picture of pixels", true, NULL, grt_export_png},
    {"svg", "a picture for web pages, with text that can be searched and edited", false, NULL,
     grt_export_svg},
    {"pdf", "a picture for papers, with its fonts", true, NULL, grt_export_pdf},
    {"perfetto", "a protobuf with tracks and flows for ui.perfetto.dev", true, grt_export_perfetto, NULL},
    {"chrome", "JSON for chrome://tracing, Perfetto, Spall and others", false, grt_export_chrome, NULL},
    {"csv", "a table with a line for each record of the trace", false, grt_export_csv, NULL},
};

/* Records are numbered with 32 bits; a file of this many has 32 GB. */
enum { MOST_RECORDS = 1000000000 };

/* What is wrong with the input beside its form. */
static bool check_input(const struct grt_export_command *command, const struct grt_trace_memory *trace,
                        struct grt_errors *errors) {
    if (trace->record_count > MOST_RECORDS) {
        grt_error_add(errors, NULL, "has more than %d records", MOST_RECORDS);
        return false;
    }
    struct grt_errors unmatched = {0};
    if (command->rows.count > 0 && !grt_export_check_rows(trace, &command->rows, &unmatched)) {
        for (size_t i = 0; i < unmatched.count && i < GRT_ERRORS_KEPT; i++) {
            grt_error_add(errors, NULL, "--rows: %s", unmatched.messages[i]);
        }
        grt_errors_clear(&unmatched);
        return false;
    }
    return true;
}

/* A reader of a pipe that left early is no news. */
static enum grt_exit close_output(struct grt_output *output, struct grt_errors *errors) {
    grt_output_flush(output);
    if (grt_output_error(output) == EPIPE) {
        grt_output_discard(output);
        return GRT_EXIT_FAILED;
    }
    return grt_output_close(output, errors) ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static enum grt_exit write_trace(const struct grt_export_command *command,
                                 const struct grt_trace_memory *trace) {
    struct grt_errors errors = {0};
    if (!check_input(command, trace, &errors)) {
        grt_print_errors(&errors, command->input);
        return GRT_EXIT_INPUT;
    }
    if (command->format->draw != NULL) {
        enum grt_exit drawn = grt_export_draw(command, trace, &errors);
        grt_print_errors(&errors, NULL);
        return drawn;
    }
    struct grt_output *output = grt_output_open(command->output, &errors);
    enum grt_exit code = GRT_EXIT_FAILED;
    if (output != NULL && command->format->binary && grt_output_is_terminal(output)) {
        grt_error_add(&errors, NULL, "%s is binary and is not written to a terminal: use --output FILE",
                      command->format->name);
        grt_output_discard(output);
    } else if (output != NULL) {
        command->format->write(trace, &command->options, output);
        code = close_output(output, &errors);
    }
    grt_print_errors(&errors, NULL);
    return code;
}

enum grt_exit grt_command_export(int argc, char **argv) {
    struct grt_export_command command = {.formats = formats,
                                         .format_count = sizeof formats / sizeof formats[0]};
    struct grt_trace_memory trace = {0};
    grt_export_options_read(&command, argc, argv);
    enum grt_exit code = grt_trace_input_read(command.input, &trace);
    if (code == GRT_EXIT_DONE) {
        code = write_trace(&command, &trace);
    }
    grt_trace_memory_free(&trace);
    grt_export_options_free(&command);
    return code;
}
