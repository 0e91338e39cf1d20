/* A comparison for people: a row for each policy, a picture of the performances, and with --tasks a table for each task. */
#include <inttypes.h>
#include <math.h>

#include "cli/compare/compare.h"
#include "cli/run/numbers.h"
#include "cli/run/report.h"
#include "cli/terminal/table_columns.h"

/* ---- Columns that all tables have ---- */

/* What a column of a table is of: one task, or all. */
struct view {
    const struct grt_comparison *comparison;
    struct grt_columns *columns;
    size_t task; /* TOTAL: all */
};

#define TOTAL SIZE_MAX

static const struct grt_compared_slack *slack_of(const struct view *view, size_t row) {
    const struct grt_compared_run *run = &view->comparison->runs[row];
    return view->task == TOTAL ? &run->total : &run->of_tasks[view->task];
}

static const struct grt_task_result *result_of(const struct view *view, size_t row) {
    return &view->comparison->runs[row].simulation.result->tasks[view->task];
}

static const char **add_column(const struct view *view, const char *group, const char *name,
                               enum grt_text_side side, bool starts_part) {
    return grt_columns_add(view->columns, (struct grt_table_column){group, name, side, starts_part});
}

static void add_labels(const struct view *view) {
    const char **cells = add_column(view, "", "policy", GRT_TEXT_LEFT, false);
    for (size_t i = 0; i < view->comparison->run_count; i++) {
        cells[i] = view->comparison->runs[i].label;
    }
}

/* Counts; those of policies that refuse are unknown. */
typedef uint64_t (*count_of)(const struct view *view, size_t row);

static uint64_t missed(const struct view *view, size_t row) {
    return view->task == TOTAL ? view->comparison->runs[row].missed : result_of(view, row)->missed;
}

static uint64_t slacks(const struct view *view, size_t row) {
    return slack_of(view, row)->slack.count;
}

static uint64_t late(const struct view *view, size_t row) {
    return slack_of(view, row)->slack.late;
}

static uint64_t not_finished(const struct view *view, size_t row) {
    return slack_of(view, row)->slack.not_finished;
}

static void add_counts(const struct view *view, const char *group, const char *name, count_of count) {
    const char **cells = add_column(view, group, name, GRT_TEXT_RIGHT, false);
    for (size_t i = 0; i < view->comparison->run_count; i++) {
        cells[i] = view->comparison->runs[i].refused
                       ? "-"
                       : grt_format(&view->columns->arena, "%" PRIu64, count(view, i));
    }
}

/* Times; GRT_TIME_NEVER: there is none. */
typedef grt_time (*time_of)(const struct view *view, size_t row);

static grt_time accumulated(const struct view *view, size_t row) {
    const struct grt_slack *slack = &slack_of(view, row)->slack;
    return slack->count > 0 ? grt_time_of_wide(slack->accumulated) : GRT_TIME_NEVER;
}

static grt_time beyond(const struct view *view, size_t row) {
    const struct grt_compared_slack *slack = slack_of(view, row);
    bool known = slack->ideal_known && slack->slack.count > 0;
    return known ? grt_time_of_wide(grt_compared_beyond(slack)) : GRT_TIME_NEVER;
}

static grt_time lateness_mean(const struct view *view, size_t row) {
    const struct grt_slack *slack = &slack_of(view, row)->slack;
    return slack->count > 0 ? (grt_time)llround(grt_slack_mean_lateness(slack)) : GRT_TIME_NEVER;
}

static grt_time lateness_max(const struct view *view, size_t row) {
    const struct grt_slack *slack = &slack_of(view, row)->slack;
    return slack->count > 0 ? slack->worst : GRT_TIME_NEVER;
}

static grt_time largest_deviation(const struct view *view, size_t row) {
    return view->comparison->runs[row].deviation;
}

static grt_time response_mean(const struct view *view, size_t row) {
    const struct grt_stats *response = &result_of(view, row)->response;
    return response->count > 0 ? (grt_time)llround(grt_stats_mean(response)) : GRT_TIME_NEVER;
}

static grt_time response_max(const struct view *view, size_t row) {
    const struct grt_stats *response = &result_of(view, row)->response;
    return response->count > 0 ? response->max : GRT_TIME_NEVER;
}

static grt_time gap_min(const struct view *view, size_t row) {
    const struct grt_stats *gaps = &result_of(view, row)->ends.gaps;
    return gaps->count > 0 ? gaps->min : GRT_TIME_NEVER;
}

static grt_time gap_max(const struct view *view, size_t row) {
    const struct grt_stats *gaps = &result_of(view, row)->ends.gaps;
    return gaps->count > 0 ? gaps->max : GRT_TIME_NEVER;
}

static grt_time gap_deviation(const struct view *view, size_t row) {
    const struct grt_slack_record *ends = &result_of(view, row)->ends;
    return ends->gaps.count > 0 ? (grt_time)llround(grt_gap_deviation(ends)) : GRT_TIME_NEVER;
}

static void add_times(const struct view *view, const char *group, const char *name, time_of time) {
    size_t count = view->comparison->run_count;
    grt_time *times = grt_arena_array(&view->columns->arena, count, sizeof *times);
    for (size_t i = 0; i < count; i++) {
        times[i] = view->comparison->runs[i].refused ? GRT_TIME_NEVER : time(view, i);
    }
    grt_columns_add_times(view->columns, group, name, (struct grt_column_times){times, count});
}

/* ---- Head ---- */

static bool ends_differ(const struct grt_comparison *comparison) {
    const struct grt_compared_run *first = grt_comparison_first(comparison);
    bool differ = false;
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct grt_compared_run *run = &comparison->runs[i];
        differ = differ || (!run->refused && run->simulation.result->end != first->simulation.result->end);
    }
    return differ;
}

static void print_head(const struct grt_comparison *comparison, FILE *out) {
    static const char *const ideals[] = {
        [GRT_IDEAL_ALONE] = "every job ends as soon as it would alone",
        [GRT_IDEAL_ARRIVAL] = "every job ends when it is ready",
        [GRT_IDEAL_ZERO] = "no slack at all",
    };
    const struct grt_compared_run *first = grt_comparison_first(comparison);
    const struct grt_scenario *scenario = &first->simulation.file.written;
    char end[GRT_TIME_TEXT_SIZE];
    fprintf(out, "%s: %zu policies, seed %" PRIu64 ", ties by %s, ended at %s\n", scenario->name,
            comparison->run_count, scenario->seed, grt_report_ties(scenario),
            ends_differ(comparison) ? "different instants"
                                    : grt_time_text(first->simulation.result->end, end));
    fprintf(out, "performance: slack beyond the ideal of %s, divided by the policy's own\nideal: %s\n\n",
            comparison->runs[comparison->options->base].label, ideals[comparison->options->ideal]);
}

/* ---- The table of policies ---- */

static const char *performance_text(const struct grt_compared_run *run, struct grt_arena *arena) {
    if (run->refused) {
        return "refused";
    }
    if (run->performance.reason != NULL) {
        return "undefined";
    }
    return grt_format(arena, run->performance.ratio < 10000 ? "%.2f" : "%.4g", run->performance.ratio);
}

static void print_policies(const struct grt_comparison *comparison, FILE *out) {
    struct grt_columns columns = {.rows = comparison->run_count};
    const struct view view = {comparison, &columns, TOTAL};
    add_labels(&view);
    const char **cells = add_column(&view, "", "performance", GRT_TEXT_RIGHT, false);
    for (size_t i = 0; i < comparison->run_count; i++) {
        cells[i] = performance_text(&comparison->runs[i], &columns.arena);
    }
    add_times(&view, "slack", "accumulated", accumulated);
    add_times(&view, "slack", "beyond ideal", beyond);
    add_counts(&view, "deadlines", "missed", missed);
    columns.items[columns.count - 1].heading.starts_part = true;
    add_counts(&view, "", "late", late);
    add_times(&view, "lateness", "mean", lateness_mean);
    add_times(&view, "lateness", "max", lateness_max);
    add_times(&view, "gaps", "deviation", largest_deviation);
    add_counts(&view, "not", "finished", not_finished);
    grt_columns_print(&columns, &comparison->options->style, out);
}

/* ---- The picture ---- */

enum { ROOM_BESIDE_BARS = 14, SHORTEST_ROOM = 8 };

static size_t widest_label(const struct grt_comparison *comparison) {
    size_t widest = 0;
    for (size_t i = 0; i < comparison->run_count; i++) {
        size_t cells = grt_text_cells(comparison->runs[i].label);
        widest = cells > widest ? cells : widest;
    }
    return widest;
}

static void put_bar(double length, bool utf8, FILE *out) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int parts = (int)floor(length * 8 + 0.5), whole = utf8 ? parts / 8 : (int)floor(length + 0.5);
    for (int i = 0; i < whole; i++) {
        fputs(utf8 ? "█" : "#", out);
    }
    fputs(utf8 ? eighths[parts % 8] : "", out);
    fputs(parts > 0 && (utf8 || whole > 0) ? " " : "", out);
}

static void print_picture(const struct grt_comparison *comparison, FILE *out) {
    const struct grt_style *style = &comparison->options->style;
    size_t label = widest_label(comparison);
    double largest = 0, room = (double)style->width - (double)label - ROOM_BESIDE_BARS;
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct grt_compared_run *run = &comparison->runs[i];
        bool drawn = !run->refused && run->performance.reason == NULL;
        largest = drawn && run->performance.ratio > largest ? run->performance.ratio : largest;
    }
    room = room > SHORTEST_ROOM ? room : SHORTEST_ROOM;
    fputs("\nperformance\n", out);
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct grt_compared_run *run = &comparison->runs[i];
        struct grt_arena arena = {0};
        grt_text_put(out, run->label, label, GRT_TEXT_LEFT);
        fputs("  ", out);
        if (!run->refused && run->performance.reason == NULL) {
            put_bar(room * run->performance.ratio / largest, style->utf8, out);
        }
        fprintf(out, "%s%s%s\n", performance_text(run, &arena),
                !run->refused && run->performance.reason != NULL ? ": " : "",
                !run->refused && run->performance.reason != NULL ? run->performance.reason : "");
        grt_arena_clear(&arena);
    }
}

/* ---- What the numbers do not say themselves ---- */

static void print_notes(const struct grt_comparison *comparison, FILE *out) {
    const char *base = comparison->runs[comparison->options->base].label, *before = "\n";
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct grt_compared_run *run = &comparison->runs[i];
        if (!run->refused && run->other > 0) {
            fprintf(out,
                    "%s%s has other numbers of slacks than %s, in %" PRIu64
                    " task%s: its sums are of other jobs\n",
                    before, run->label, base, run->other, run->other == 1 ? "" : "s");
            before = "";
        }
    }
    if (grt_comparison_first(comparison)->unknown != NULL) {
        fprintf(out, "%show long jobs of %s take alone is not known: try --ideal arrival\n", before,
                grt_comparison_first(comparison)->unknown);
    }
}

/* What policies have measured of themselves. */
static void print_measures(const struct grt_comparison *comparison, FILE *out) {
    const char *before = "\n";
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct grt_compared_run *run = &comparison->runs[i];
        if (!run->refused && run->simulation.result->measure_count > 0) {
            struct grt_arena arena = {0};
            const char *start = grt_format(&arena, "%s%s measured: ", before, run->label);
            grt_report_measures_line(run->simulation.result, start, &comparison->options->style, out);
            grt_arena_clear(&arena);
            before = "";
        }
    }
}

/* ---- The tables of tasks ---- */

static void print_task(const struct grt_comparison *comparison, size_t task, FILE *out) {
    const struct grt_compared_run *first = grt_comparison_first(comparison);
    const struct grt_task *spec = &first->simulation.file.written.tasks[task];
    enum grt_slack_kind kind = grt_slack_kind_of(spec);
    static const char *const wants[] = {[GRT_SLACK_NONE] = "neither a deadline nor a separation",
                                        [GRT_SLACK_LATENCY] = "deadline ",
                                        [GRT_SLACK_THROUGHPUT] = "separation "};
    char wanted[GRT_TIME_TEXT_SIZE];
    struct grt_columns columns = {.rows = comparison->run_count};
    const struct view view = {comparison, &columns, task};
    fprintf(out, "\n%s: %s%s\n", spec->name, wants[kind],
            kind == GRT_SLACK_NONE
                ? ""
                : grt_time_text(spec->separation > 0 ? spec->separation : spec->deadline, wanted));
    add_labels(&view);
    add_times(&view, "response", "mean", response_mean);
    add_times(&view, "response", "max", response_max);
    if (kind != GRT_SLACK_NONE) {
        add_counts(&view, "", "slacks", slacks);
        add_counts(&view, "", "late", late);
        add_times(&view, "slack", "accumulated", accumulated);
        add_times(&view, "slack", "beyond ideal", beyond);
        add_times(&view, "lateness", "mean", lateness_mean);
        add_times(&view, "lateness", "max", lateness_max);
        add_counts(&view, "not", "finished", not_finished);
    }
    if (kind == GRT_SLACK_THROUGHPUT) {
        add_times(&view, "gap", "min", gap_min);
        columns.items[columns.count - 1].heading.starts_part = true;
        add_times(&view, "gap", "max", gap_max);
        add_times(&view, "gap", "deviation", gap_deviation);
    }
    grt_columns_print(&columns, &comparison->options->style, out);
}

void grt_comparison_tables(const struct grt_comparison *comparison, FILE *out) {
    print_head(comparison, out);
    print_policies(comparison, out);
    print_picture(comparison, out);
    print_notes(comparison, out);
    print_measures(comparison, out);
    size_t tasks = grt_comparison_first(comparison)->task_count;
    for (size_t i = 0; comparison->options->tasks && i < tasks; i++) {
        print_task(comparison, i, out);
    }
}
