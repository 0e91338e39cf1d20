#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/run/report.h"
#include "cli/run/resource_row.h"
#include "cli/terminal/options.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/text_table.h"
#include "cli/trace/gantt_window.h"
#include "cli/trace/summary.h"
#include "scenarios/file_kind.h"
#include "scenarios/text_file.h"
#include "sim/input_name.h"
#include "sim/trace_file.h"
#include "sim/utf8.h"
#include "viz/gantt/text_gantt.h"

/* One trace and what is to be shown of it. */
struct show {
    const char *path;
    bool table, gantt; /* asked for by name; neither: both */
    bool has_window;
    struct grt_gantt_window window;
    struct grt_style style;
    struct grt_trace_memory trace;
    struct grt_trace_summary summary;
};

/* ---- Options ---- */

enum { KEY_TABLE = 0x100, KEY_GANTT };

static const struct argp_option show_options[] = {
    {"table", KEY_TABLE, NULL, 0, "Print only the tables, of tasks, resources and kernels", 1},
    {"gantt", KEY_GANTT, "FROM,TO", OPTION_ARG_OPTIONAL,
     "Draw only the Gantt chart, of the beginning or of the time between two durations, as in "
     "--gantt=10ms,60ms",
     1},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct show *show = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &show->style;
        return 0;
    case KEY_TABLE:
        show->table = true;
        return 0;
    case KEY_GANTT:
        if (show->gantt) {
            grt_argp_error(state, "--gantt was given twice");
        }
        show->gantt = true;
        if (argument != NULL) {
            show->has_window = true;
            grt_parse_window("--gantt", argument, &show->window.from, &show->window.to, state);
        }
        return 0;
    case ARGP_KEY_ARG:
        if (show->path != NULL) {
            grt_argp_error(state, "one trace at a time (got '%s' and '%s')", show->path, argument);
        }
        show->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (show->path == NULL) {
            grt_argp_error(state, "needs a trace file");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_show_argp = {
    .options = show_options,
    .parser = parse_option,
    .children = children,
    .args_doc = "TRACE",
    .doc =
        "Shows a trace file (- for standard input), of a simulation or of a measurement: what each task got, "
        "how busy the resources were, how long kernels took, and a Gantt chart."
        "\v"
        "Examples:\n"
        "  gpurt show run.trace\n"
        "  gpurt show run.trace --gantt=10ms,60ms\n"
        "  gpurt run scenario.json --trace - | gpurt show - --table\n"
        "\n"
        "Exit codes: 0 done; 1 standard output could not be written; 2 the file is no trace, or bad usage.",
};

/* ---- Tables ---- */

static void print_header(const struct show *show) {
    const struct grt_trace_summary *summary = &show->summary;
    char first[GRT_TIME_TEXT_SIZE], last[GRT_TIME_TEXT_SIZE];
    const char *name = summary->run[0] != '\0' ? summary->run : "a trace";
    if (show->trace.record_count == 0) {
        printf("%s: nothing happened\n", name);
    } else {
        printf("%s: %s to %s, %zu record%s\n", name, grt_time_text(summary->first, first),
               grt_time_text(summary->last, last), show->trace.record_count,
               show->trace.record_count == 1 ? "" : "s");
    }
    if (show->trace.cut) {
        printf("the file was cut short: what came later is missing\n");
    }
}

static void print_tasks(const struct show *show) {
    const struct grt_trace_summary *summary = &show->summary;
    const struct grt_report_tasks tasks = {summary->tasks, summary->deadlines, summary->task_count, false};
    grt_report_verdict(&tasks, &show->style, stdout);
    fputc('\n', stdout);
    grt_report_task_table(&tasks, &show->style, stdout);
    if (summary->hidden_tasks > 0) {
        printf("%" PRIu32 " more tasks are not shown\n", summary->hidden_tasks);
    }
}

static void add_rows(struct grt_table *table, const struct grt_summary_row *rows, uint32_t count,
                     double span) {
    for (uint32_t i = 0; i < count; i++) {
        grt_resource_row_add(table, rows[i].name, (double)rows[i].busy, span);
        if (rows[i].spinning > 0) {
            grt_resource_row_add(table, "  busy-waiting", (double)rows[i].spinning, span);
        }
        if (rows[i].overhead > 0) {
            grt_resource_row_add(table, "  overhead", (double)rows[i].overhead, span);
        }
        if (rows[i].has_shares) {
            grt_resource_row_add(table, "  times its share of the GPU", rows[i].shared, span);
        }
    }
}

static void print_resources(const struct show *show) {
    const struct grt_trace_summary *summary = &show->summary;
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    double span = (double)(summary->last - summary->first);
    grt_table_add_column(&table, (struct grt_table_column){"", "resource", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "busy", GRT_TEXT_RIGHT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "share", GRT_TEXT_RIGHT, false});
    add_rows(&table, summary->cores, summary->core_count, span);
    add_rows(&table, summary->engines, summary->engine_count, span);
    add_rows(&table, summary->streams, summary->stream_count, span);
    if (summary->sm_count > 0) {
        grt_resource_row_add(&table, grt_format(&arena, "SMs, mean of %" PRIu32, summary->sm_count),
                             summary->sm_busy / summary->sm_count, span);
    }
    if (table.cell_count > 0) {
        fputc('\n', stdout);
        grt_table_print(&table, &show->style, stdout);
    }
    if (summary->hidden_rows > 0) {
        printf("%" PRIu32 " more resources are not shown\n", summary->hidden_rows);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

enum { SPANS = 5 };

static grt_time span_of(const struct grt_summary_kernel *kernel, int column) {
    const grt_time spans[SPANS] = {kernel->min, kernel->mean, kernel->p50, kernel->p99, kernel->max};
    return spans[column];
}

static void add_span_columns(struct grt_table *table, const struct grt_trace_summary *summary,
                             struct grt_time_scale scales[SPANS]) {
    static const char *const names[SPANS] = {"min", "mean", "p50", "p99", "max"};
    const char *group = summary->sm_count > 0 ? "first block to last" : "begin to end";
    for (int column = 0; column < SPANS; column++) {
        grt_time largest = 0, smallest = GRT_TIME_NEVER;
        for (uint32_t i = 0; i < summary->kernel_count; i++) {
            grt_time span = span_of(&summary->kernels[i], column);
            largest = span > largest ? span : largest;
            smallest = span > 0 && span < smallest ? span : smallest;
        }
        scales[column] = grt_time_scale_for(largest, smallest);
        const char *name = grt_format(table->arena, "%s %s", names[column], scales[column].unit);
        grt_table_add_column(table, (struct grt_table_column){group, name, GRT_TEXT_RIGHT, column == 0});
    }
}

static void print_kernels(const struct show *show) {
    const struct grt_trace_summary *summary = &show->summary;
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    struct grt_time_scale scales[SPANS];
    if (summary->kernel_count == 0) {
        return;
    }
    grt_table_add_column(&table, (struct grt_table_column){"", "kernel", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "launches", GRT_TEXT_RIGHT, false});
    add_span_columns(&table, summary, scales);
    for (uint32_t i = 0; i < summary->kernel_count; i++) {
        const struct grt_summary_kernel *kernel = &summary->kernels[i];
        grt_table_add(&table, "%s", kernel->name);
        grt_table_add(&table, "%s", kernel->task);
        grt_table_add(&table, "%" PRIu64, kernel->count);
        for (int column = 0; column < SPANS; column++) {
            char text[GRT_QUANTITY_TEXT_SIZE];
            grt_table_add(&table, "%s", grt_time_scale_text(&scales[column], span_of(kernel, column), text));
        }
    }
    fputc('\n', stdout);
    grt_table_print(&table, &show->style, stdout);
    if (summary->hidden_kernels > 0) {
        printf("%" PRIu32 " more kernels are not shown\n", summary->hidden_kernels);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

static void print_tables(const struct show *show) {
    print_header(show);
    print_tasks(show);
    print_resources(show);
    print_kernels(show);
}

/* ---- Gantt chart ---- */

enum { JOBS_READABLE = 30 };

/* Where a chart of the beginning should end: when a task has had that many jobs, else with the trace. */
static grt_time end_of_beginning(const struct show *show) {
    const struct grt_trace_memory *trace = &show->trace;
    uint32_t *jobs = grt_allocate((UINT16_MAX + 1u) * sizeof *jobs);
    memset(jobs, 0, (UINT16_MAX + 1u) * sizeof *jobs);
    grt_time end = show->summary.last;
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_RELEASE && jobs[record->task]++ == JOBS_READABLE) {
            end = record->time;
            break;
        }
    }
    free(jobs);
    return end;
}

/* False if there is nothing to be drawn. */
static bool choose_window(struct show *show) {
    grt_time last = show->summary.last;
    char text[GRT_TIME_TEXT_SIZE];
    if (!show->has_window) {
        show->window.from = show->summary.first;
        show->window.to = end_of_beginning(show);
    }
    show->window.to = show->window.to < last ? show->window.to : last;
    if (show->window.from >= show->window.to) {
        fprintf(stderr, "gpurt: no Gantt chart: the trace ends at %s\n",
                grt_time_text(show->summary.last, text));
        return false;
    }
    return true;
}

static void print_later(const struct show *show) {
    char begin[GRT_TIME_TEXT_SIZE], end[GRT_TIME_TEXT_SIZE];
    grt_time from, to;
    if (grt_gantt_window_later_miss(&show->window, &from, &to)) {
        const char *name =
            grt_trace_memory_name(&show->trace, GRT_NAME_TASK, show->window.later_miss.task, 0, 0);
        printf("%s misses a deadline later: see --gantt=%s,%s\n", name != NULL ? name : "a task",
               grt_time_text(from, begin), grt_time_text(to, end));
    } else if (!show->has_window && show->window.to < show->summary.last) {
        printf("the trace goes on to %s: see --gantt=FROM,TO\n", grt_time_text(show->summary.last, end));
    }
}

static void draw_gantt(struct show *show) {
    if (!choose_window(show)) {
        return;
    }
    const struct grt_trace_sink *sink = &grt_gantt_window_sink;
    sink->names(&show->window, show->trace.names, show->trace.name_count);
    sink->write(&show->window, show->trace.records, show->trace.record_count);
    struct grt_text_gantt_options options = {.from = show->window.from,
                                             .to = show->window.to,
                                             .width = show->style.width,
                                             .utf8 = show->style.utf8,
                                             .colour = show->style.colour};
    grt_text_gantt_write(&show->window.kept, &options, stdout);
    print_later(show);
}

/* ---- The whole ---- */

/* Names go to the terminal: what is no UTF-8, or a control character beyond ASCII, becomes question marks. */
static void clean_name(char *text) {
    for (size_t left = strlen(text); left > 0;) {
        size_t length = grt_utf8_length(text, left);
        bool control = length == 2 && (unsigned char)text[0] == 0xC2 && (unsigned char)text[1] < 0xA0;
        length = length > 0 ? length : 1;
        if (control || (length == 1 && (unsigned char)text[0] >= 0x80)) {
            memset(text, '?', length);
        }
        text += length;
        left -= length;
    }
}

/* Only such a file can be read twice: a pipe has nothing left, and would be waited for. */
static bool is_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* A file of another kind: what it is, instead of what a trace would have. */
static void refuse_other_kind(const char *path, struct grt_errors *errors) {
    struct grt_errors ignored = {0};
    size_t size;
    char *text = is_regular(path) ? grt_text_file_read(path, &size, &ignored) : NULL;
    const char *sentence = text != NULL ? grt_file_kind_sentence(grt_file_kind_of_text(text, size)) : NULL;
    if (sentence != NULL) {
        grt_errors_clear(errors);
        grt_error_add(errors, NULL, "%s: %s", path, sentence);
    }
    free(text);
    grt_errors_clear(&ignored);
}

static bool read_trace(struct show *show) {
    struct grt_errors errors = {0};
    struct grt_trace_memory *trace = &show->trace;
    bool read = grt_trace_file_read(show->path, trace, &errors);
    if (!read) {
        refuse_other_kind(show->path, &errors);
    }
    if (read && trace->record_count > 0 && trace->records[trace->record_count - 1].time > GRT_TIME_LIMIT) {
        grt_error_add(&errors, NULL, "%s: has records of later than 10^18 ns, the longest run",
                      grt_input_name(show->path));
        read = false;
    }
    for (size_t i = 0; i < trace->name_count; i++) {
        clean_name((char *)(uintptr_t)trace->names[i].text);
    }
    grt_print_errors(&errors, NULL);
    return read;
}

enum grt_exit grt_command_show(int argc, char **argv) {
    struct show show = {.style = grt_style_default()};
    grt_options_parse(&grt_command_show_argp, argc, argv, &show);
    if (!read_trace(&show)) {
        grt_trace_memory_free(&show.trace);
        return GRT_EXIT_INPUT;
    }
    grt_trace_summary_make(&show.trace, &show.summary);
    bool both = show.table == show.gantt;
    if (show.table || both) {
        print_tables(&show);
    }
    if (show.gantt || (both && show.trace.record_count > 0)) {
        fputs(both ? "\n" : "", stdout);
        draw_gantt(&show);
    }
    grt_trace_summary_free(&show.summary);
    grt_trace_memory_free(&show.window.kept);
    grt_trace_memory_free(&show.trace);
    return GRT_EXIT_DONE;
}
