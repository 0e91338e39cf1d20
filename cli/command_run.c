#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/run/options.h"
#include "cli/run/report.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/trace/gantt_window.h"
#include "scenarios/simulation.h"
#include "sim/output.h"
#include "sim/trace_file.h"
#include "viz/gantt/text_gantt.h"

/* One run and where its results go. */
struct run {
    struct grt_run_options options;
    struct grt_simulation simulation;
    struct grt_output *json, *trace; /* open, or NULL */
    struct grt_gantt_window window;
    struct grt_errors errors;
};

/* ---- Before ---- */

static bool open_output(struct run *run, const char *path, struct grt_output **output) {
    if (path != NULL) {
        *output = grt_output_open(path, &run->errors);
    }
    return path == NULL || *output != NULL;
}

static bool open_outputs(struct run *run) {
    bool done = open_output(run, run->options.json, &run->json);
    done = open_output(run, run->options.trace, &run->trace) && done;
    if (run->trace != NULL && grt_output_is_terminal(run->trace)) {
        grt_error_add(&run->errors, NULL, "a trace is binary and is not written to a terminal");
        done = false;
    }
    return done;
}

static bool checks_expectations(const struct run *run) {
    return grt_expect_any(&run->simulation.file.expect) && !grt_run_options_change(&run->options);
}

static void set_window(struct run *run) {
    const struct grt_run_options *options = &run->options;
    run->window.from = options->gantt_has_window ? options->gantt_from : 0;
    run->window.to =
        options->gantt_has_window ? options->gantt_to : grt_gantt_window_end(&run->simulation.file.scenario);
}

/* A trace is made only where something needs it: it costs more than the simulation. */
static void add_sinks(struct run *run) {
    if (run->trace != NULL) {
        grt_simulation_add_sink(&run->simulation, &grt_trace_file_sink, run->trace);
    }
    if (run->options.gantt) {
        set_window(run);
        grt_simulation_add_sink(&run->simulation, &grt_gantt_window_sink, &run->window);
    }
    if (checks_expectations(run)) {
        grt_simulation_expect(&run->simulation);
    }
}

/* ---- After ---- */

static void print_later_miss(const struct run *run) {
    char begin[GRT_TIME_TEXT_SIZE], end[GRT_TIME_TEXT_SIZE];
    grt_time from, to;
    if (grt_gantt_window_later_miss(&run->window, &from, &to)) {
        printf("%s misses a deadline later: see --gantt=%s,%s\n",
               run->simulation.file.scenario.tasks[run->window.later_miss.task].name,
               grt_time_text(from, begin), grt_time_text(to, end));
    }
}

static void draw_gantt(struct run *run) {
    grt_time end = run->simulation.result->end;
    struct grt_text_gantt_options options = {.from = run->window.from,
                                             .to = run->window.to < end ? run->window.to : end,
                                             .width = run->options.style.width,
                                             .utf8 = run->options.style.utf8,
                                             .colour = run->options.style.colour};
    char text[GRT_TIME_TEXT_SIZE];
    if (options.from >= options.to) {
        fprintf(stderr, "gpurt: no Gantt chart: the run ended at %s\n", grt_time_text(end, text));
        return;
    }
    grt_text_gantt_write(&run->window.kept, &options, stdout);
    print_later_miss(run);
}

static void print_results(struct run *run) {
    bool taken = grt_is_standard_output(run->options.json) || grt_is_standard_output(run->options.trace);
    bool table = !taken && !run->options.quiet;
    if (table) {
        grt_report_tables(&run->simulation, run->options.slack, &run->options.style, stdout);
    }
    if (run->options.gantt) {
        fputs(table ? "\n" : "", stdout);
        draw_gantt(run);
    }
}

static bool write_files(struct run *run) {
    if (run->json != NULL) {
        char *text = grt_report_json(&run->simulation);
        grt_output_write(run->json, text, strlen(text));
        grt_output_write(run->json, "\n", 1);
        free(text);
    }
    bool done = grt_output_finish(&run->trace, &run->errors);
    return grt_output_finish(&run->json, &run->errors) && done;
}

static enum grt_exit report(struct run *run) {
    print_results(run);
    bool done = write_files(run);
    grt_print_errors(&run->errors, NULL);
    if (!grt_simulation_is_whole(&run->simulation, &run->errors)) {
        grt_print_errors(&run->errors, run->options.scenario);
        done = false;
    }
    if (checks_expectations(run) && !grt_simulation_is_as_expected(&run->simulation, &run->errors)) {
        grt_print_errors(&run->errors, run->options.scenario);
        done = false;
    }
    if (!done) {
        return GRT_EXIT_FAILED;
    }
    return run->options.fail_on_miss && grt_report_missed(&run->simulation) > 0 ? GRT_EXIT_MISSED
                                                                                : GRT_EXIT_DONE;
}

/* ---- The whole ---- */

static enum grt_exit simulate(struct run *run) {
    if (!grt_simulation_load(&run->simulation, run->options.scenario, &run->options.changes, &run->errors)) {
        grt_print_errors(&run->errors, run->options.scenario);
        return GRT_EXIT_INPUT;
    }
    for (size_t i = 0; i < run->simulation.file.note_count; i++) {
        fprintf(stderr, "gpurt: note: %s\n", run->simulation.file.notes[i]);
    }
    if (!open_outputs(run)) {
        grt_print_errors(&run->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    add_sinks(run);
    if (!grt_simulation_run(&run->simulation, run->options.no_cohorts, &run->errors)) {
        grt_print_errors(&run->errors, run->options.scenario);
        return GRT_EXIT_INPUT;
    }
    return report(run);
}

enum grt_exit grt_command_run(int argc, char **argv) {
    struct run run = {.options = grt_run_options_read(argc, argv)};
    enum grt_exit code = simulate(&run);
    grt_output_discard(run.json);
    grt_output_discard(run.trace);
    grt_simulation_free(&run.simulation);
    grt_trace_memory_free(&run.window.kept);
    grt_run_options_free(&run.options);
    return code;
}
