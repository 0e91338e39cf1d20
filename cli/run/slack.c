#include "cli/run/slack.h"

#include <inttypes.h>
#include <math.h>

#include "cli/terminal/json_numbers.h"
#include "cli/terminal/table_columns.h"
#include "models/result/slack.h"

bool grt_report_has_gaps(const struct grt_result *result) {
    bool any = false;
    for (size_t i = 0; i < result->task_count; i++) {
        any = any || result->tasks[i].slack.kind == GRT_SLACK_THROUGHPUT;
    }
    return any;
}

struct grt_slack grt_report_slack_total(const struct grt_result *result) {
    struct grt_slack sum = {0};
    for (size_t i = 0; i < result->task_count; i++) {
        grt_slack_add(&sum, &result->tasks[i].slack);
    }
    return sum;
}

/* ---- The table ---- */

/* A row: a task with slacks, or their sum, which has no gaps. */
struct row {
    const char *name;
    grt_time separation; /* 0: none */
    struct grt_slack slack;
    const struct grt_slack_record *ends; /* NULL: no gaps */
};

struct rows {
    struct row *items;
    size_t count;
};

static struct rows rows_of(const struct grt_scenario *scenario, const struct grt_result *result,
                           struct grt_arena *arena) {
    struct rows rows = {grt_arena_array(arena, result->task_count + 1, sizeof *rows.items), 0};
    for (size_t i = 0; i < result->task_count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        bool gaps = task->slack.kind == GRT_SLACK_THROUGHPUT && task->ends.gaps.count > 0;
        if (task->slack.kind != GRT_SLACK_NONE) {
            rows.items[rows.count++] =
                (struct row){.name = task->name,
                             .separation = i < scenario->task_count ? scenario->tasks[i].separation : 0,
                             .slack = task->slack,
                             .ends = gaps ? &task->ends : NULL};
        }
    }
    if (rows.count > 1) {
        rows.items[rows.count++] = (struct row){.name = "total", .slack = grt_report_slack_total(result)};
    }
    return rows;
}

enum time_of_row { SEPARATION, ACCUMULATED, MEAN, WORST, GAP_MIN, GAP_MEAN, GAP_MAX, GAP_DEVIATION };

static grt_time time_of(const struct row *row, enum time_of_row which) {
    const struct grt_slack *slack = &row->slack;
    if (which == SEPARATION) {
        return row->separation > 0 ? row->separation : GRT_TIME_NEVER;
    }
    if (slack->count == 0 || (which >= GAP_MIN && row->ends == NULL)) {
        return GRT_TIME_NEVER;
    }
    switch (which) {
    case ACCUMULATED:
        return grt_time_of_wide(slack->accumulated);
    case MEAN:
        return (grt_time)llround(grt_slack_mean_lateness(slack));
    case WORST:
        return slack->worst;
    case GAP_MIN:
        return row->ends->gaps.min;
    case GAP_MEAN:
        return (grt_time)llround(grt_stats_mean(&row->ends->gaps));
    case GAP_MAX:
        return row->ends->gaps.max;
    default:
        return (grt_time)llround(grt_gap_deviation(row->ends));
    }
}

static void add_times(struct grt_columns *columns, const struct rows *rows, const char *group,
                      const char *name, enum time_of_row which) {
    grt_time *times = grt_arena_array(&columns->arena, rows->count, sizeof *times);
    for (size_t i = 0; i < rows->count; i++) {
        times[i] = time_of(&rows->items[i], which);
    }
    grt_columns_add_times(columns, group, name, (struct grt_column_times){times, rows->count});
}

static void add_names(struct grt_columns *columns, const struct rows *rows) {
    const char **cells =
        grt_columns_add(columns, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < rows->count; i++) {
        cells[i] = rows->items[i].name;
    }
}

static void add_counts(struct grt_columns *columns, const struct rows *rows) {
    const char **slacks =
        grt_columns_add(columns, (struct grt_table_column){"", "slacks", GRT_TEXT_RIGHT, false});
    const char **late =
        grt_columns_add(columns, (struct grt_table_column){"", "late", GRT_TEXT_RIGHT, false});
    for (size_t i = 0; i < rows->count; i++) {
        slacks[i] = grt_format(&columns->arena, "%" PRIu64, rows->items[i].slack.count);
        late[i] = grt_format(&columns->arena, "%" PRIu64, rows->items[i].slack.late);
    }
}

/* Jobs of which the sums know nothing are easily overlooked. */
static void print_not_finished(const struct rows *rows, FILE *out) {
    const struct row *last = &rows->items[rows->count - 1];
    if (last->slack.not_finished > 0) {
        fprintf(out, "%" PRIu64 " job%s did not finish and %s in none of these sums\n",
                last->slack.not_finished, last->slack.not_finished == 1 ? "" : "s",
                last->slack.not_finished == 1 ? "is" : "are");
    }
}

void grt_report_slack(const struct grt_scenario *scenario, const struct grt_result *result,
                      const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct rows rows = rows_of(scenario, result, &arena);
    struct grt_columns columns = {.rows = rows.count};
    if (rows.count == 0) {
        fputs("no slack: no task has a deadline or a separation\n", out);
        return;
    }
    bool gaps = grt_report_has_gaps(result);
    add_names(&columns, &rows);
    if (gaps) {
        add_times(&columns, &rows, "", "separation", SEPARATION);
    }
    add_counts(&columns, &rows);
    add_times(&columns, &rows, "slack", "accumulated", ACCUMULATED);
    add_times(&columns, &rows, "lateness", "mean", MEAN);
    add_times(&columns, &rows, "lateness", "max", WORST);
    if (gaps) {
        add_times(&columns, &rows, "gap", "min", GAP_MIN);
        columns.items[columns.count - 1].heading.starts_part = true;
        add_times(&columns, &rows, "gap", "mean", GAP_MEAN);
        add_times(&columns, &rows, "gap", "max", GAP_MAX);
        add_times(&columns, &rows, "gap", "deviation", GAP_DEVIATION);
    }
    grt_columns_print(&columns, style, out);
    print_not_finished(&rows, out);
    grt_arena_clear(&arena);
}

/* ---- JSON ---- */

void grt_report_slack_json(cJSON *object, const struct grt_slack *slack) {
    bool any = slack->count > 0;
    grt_json_add_count(object, "count", slack->count);
    if (any) {
        grt_json_add_wide(object, "accumulated_ns", slack->accumulated);
    } else {
        cJSON_AddNullToObject(object, "accumulated_ns");
    }
    grt_json_add_count(object, "late", slack->late);
    grt_json_add_wide(object, "lateness_sum_ns", (grt_signed_wide)slack->lateness);
    grt_json_add_time(object, "lateness_mean_ns",
                      any ? (grt_time)llround(grt_slack_mean_lateness(slack)) : -1);
    grt_json_add_time(object, "lateness_max_ns", any ? slack->worst : -1);
    grt_json_add_count(object, "not_finished", slack->not_finished);
}

static void add_gaps(cJSON *object, const struct grt_slack_record *ends) {
    const struct grt_stats *gaps = &ends->gaps;
    bool any = gaps->count > 0;
    grt_json_add_count(object, "count", gaps->count);
    grt_json_add_time(object, "min_ns", any ? gaps->min : -1);
    grt_json_add_time(object, "mean_ns", any ? (grt_time)llround(grt_stats_mean(gaps)) : -1);
    grt_json_add_time(object, "max_ns", any ? gaps->max : -1);
    grt_json_add_time(object, "deviation_ns", any ? (grt_time)llround(grt_gap_deviation(ends)) : -1);
}

static void add_kind(cJSON *object, enum grt_slack_kind kind) {
    if (kind == GRT_SLACK_NONE) {
        cJSON_AddNullToObject(object, "kind");
    } else {
        cJSON_AddStringToObject(object, "kind", grt_slack_kind_names[kind]);
    }
}

void grt_report_task_slack_json(cJSON *object, const struct grt_task *task,
                                const struct grt_task_result *result) {
    grt_json_add_time(object, "separation_ns", task->separation > 0 ? task->separation : -1);
    cJSON *slack = cJSON_AddObjectToObject(object, "slack");
    add_kind(slack, result->slack.kind);
    grt_report_slack_json(slack, &result->slack);
    if (result->slack.kind == GRT_SLACK_THROUGHPUT) {
        add_gaps(cJSON_AddObjectToObject(object, "gaps"), &result->ends);
    } else {
        cJSON_AddNullToObject(object, "gaps");
    }
}
