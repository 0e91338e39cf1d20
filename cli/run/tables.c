#include <inttypes.h>
#include <stdlib.h>

#include "cli/run/numbers.h"
#include "cli/run/report.h"
#include "cli/run/resource_row.h"
#include "cli/run/slack.h"
#include "cli/terminal/quantity.h"
#include "cli/terminal/text_table.h"

/* ---- What both reports share ---- */

const char *grt_report_ties(const struct grt_scenario *scenario) {
    static const char *const names[] = {
        [GRT_TIES_TASK] = "task", [GRT_TIES_ARRIVAL] = "arrival", [GRT_TIES_SHUFFLE] = "shuffle"};
    return names[scenario->ties];
}

const char *grt_report_stop(const struct grt_result *result) {
    return result->stopped_by_miss      ? "miss"
           : result->stopped_by_backlog ? "backlog"
           : result->stopped_by_repeat  ? "repeat"
                                        : "horizon";
}

static bool is_deadline(grt_time deadline) {
    return deadline > 0 && deadline < GRT_TIME_NEVER;
}

bool grt_report_has_deadline(const struct grt_task *task) {
    return is_deadline(task->deadline);
}

uint64_t grt_report_missed(const struct grt_simulation *simulation) {
    uint64_t missed = 0;
    for (size_t i = 0; i < simulation->result->task_count; i++) {
        missed += grt_report_has_deadline(&simulation->file.scenario.tasks[i])
                      ? simulation->result->tasks[i].missed
                      : 0;
    }
    return missed;
}

/* ---- Header ---- */

static void print_devices(const struct grt_scenario *scenario, FILE *out) {
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        const char *name = scenario->gpus[i].name;
        fprintf(out, "%s%s", i == 0 ? " on " : " + ",
                name != NULL && name[0] != '\0' ? name : "unnamed device");
    }
    if (scenario->core_count > 0) {
        fprintf(out, "%s%" PRId64 " core%s", scenario->gpu_count > 0 ? ", " : " on ", scenario->core_count,
                scenario->core_count == 1 ? "" : "s");
    } else {
        fprintf(out, "%sa core per task", scenario->gpu_count > 0 ? ", " : " on ");
    }
}

/* An automatic horizon ends where the state repeats, or else after a whole number of hyperperiods. */
static void print_automatic(const struct grt_scenario *scenario, const struct grt_result *result,
                            const char *end, FILE *out) {
    if (result->stopped_by_repeat) {
        fprintf(out, "the state repeats, ended at %s", end);
        return;
    }
    grt_time offset = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        offset = scenario->tasks[i].offset > offset ? scenario->tasks[i].offset : offset;
    }
    grt_time count = (result->end - offset) / (scenario->horizon - offset);
    fprintf(out, "the state did not repeat within %" PRId64 " hyperperiod%s (ended at %s)", count,
            count == 1 ? "" : "s", end);
}

static void print_header(const struct grt_simulation *simulation, FILE *out) {
    const struct grt_scenario *scenario = &simulation->file.scenario;
    const struct grt_result *result = simulation->result;
    char end[GRT_TIME_TEXT_SIZE], horizon[GRT_TIME_TEXT_SIZE];
    fprintf(out, "%s: %s", scenario->name, simulation->file.policy->name);
    print_devices(scenario, out);
    fprintf(out, "\nseed %" PRIu64 ", ties by %s, ", scenario->seed, grt_report_ties(scenario));
    bool automatic = scenario->horizon_kind == GRT_HORIZON_AUTO;
    if (automatic) {
        fprintf(out, "horizon auto%s", result->stopped_by_miss || result->stopped_by_backlog ? "" : ": ");
    } else {
        fprintf(out, "horizon %s%s", grt_time_text(scenario->horizon, horizon),
                scenario->horizon_kind == GRT_HORIZON_HYPERPERIOD ? " (the hyperperiod)" : "");
    }
    grt_time_text(result->end, end);
    if (result->stopped_by_miss) {
        fprintf(out, ", stopped at %s by a missed deadline", end);
    } else if (result->stopped_by_backlog) {
        fprintf(out, ", stopped at %s: too many jobs wait", end);
    } else if (automatic) {
        print_automatic(scenario, result, end, out);
    } else if (result->end != scenario->horizon) {
        fprintf(out, ", ended at %s", end);
    }
    fputc('\n', out);
}

/* ---- Verdict ---- */

static void print_miss(const struct grt_task_result *task, FILE *out) {
    char worst[GRT_QUANTITY_TEXT_SIZE];
    fprintf(out, "%s missed %" PRIu64 " of %" PRIu64 " deadlines", task->name, task->missed,
            task->met + task->missed);
    if (task->worst_tardiness > 0) {
        fprintf(out, ", worst by %s", grt_time_short_text(task->worst_tardiness, worst));
    }
    fputc('\n', out);
}

static bool has_deadline(const struct grt_report_tasks *tasks, size_t i) {
    return is_deadline(tasks->deadlines[i]);
}

void grt_report_verdict(const struct grt_report_tasks *tasks, const struct grt_style *style, FILE *out) {
    uint64_t judged = 0, missed = 0;
    for (size_t i = 0; i < tasks->count; i++) {
        missed += has_deadline(tasks, i) ? tasks->results[i].missed : 0;
    }
    if (missed > 0 && style->colour) {
        fputs("\033[1;31m", out);
    }
    for (size_t i = 0; i < tasks->count; i++) {
        if (has_deadline(tasks, i)) {
            judged += tasks->results[i].met + tasks->results[i].missed;
            if (tasks->results[i].missed > 0) {
                print_miss(&tasks->results[i], out);
            }
        }
    }
    if (missed > 0) {
        fputs(style->colour ? "\033[0m" : "", out);
    } else if (judged == 0) {
        fprintf(out, "no deadline came up\n");
    } else if (judged == 1) {
        fprintf(out, "the one deadline met\n");
    } else {
        fprintf(out, "all %" PRIu64 " deadlines met\n", judged);
    }
}

/* ---- Table of tasks ---- */

struct count_column {
    const char *name;
    size_t offset;       /* of the count in struct grt_task_result */
    bool needs_deadline; /* has no meaning for a task without */
    bool always;         /* shown even if it is zero for all tasks */
};

static const struct count_column count_columns[] = {
    {"released", offsetof(struct grt_task_result, released), false, true},
    {"met", offsetof(struct grt_task_result, met), true, true},
    {"missed", offsetof(struct grt_task_result, missed), true, true},
    {"aborted", offsetof(struct grt_task_result, aborted), false, true},
    {"skipped", offsetof(struct grt_task_result, skipped), false, false},
    {"unfinished", offsetof(struct grt_task_result, unfinished), false, false},
};

enum time_kind { DEADLINE, TARDINESS, RESPONSE, GPU_WAIT, BLOCKING };

/* `quantile`: the smallest is 0, the largest 1; below 0: the mean. */
static const struct time_column {
    const char *group, *name;
    enum time_kind kind;
    double quantile;
    bool starts_part;
} time_columns[] = {
    {"", "deadline", DEADLINE, 1, false},       {"response", "min", RESPONSE, 0, true},
    {"response", "mean", RESPONSE, -1, false},  {"response", "p50", RESPONSE, 0.5, false},
    {"response", "p95", RESPONSE, 0.95, false}, {"response", "p99", RESPONSE, 0.99, false},
    {"response", "max", RESPONSE, 1, false},    {"worst", "tardiness", TARDINESS, 1, false},
    {"GPU wait", "max", GPU_WAIT, 1, true},     {"blocking", "max", BLOCKING, 1, false},
};

enum {
    COUNTS = sizeof count_columns / sizeof count_columns[0],
    TIMES = sizeof time_columns / sizeof time_columns[0]
};

static uint64_t count_of(const struct grt_task_result *task, const struct count_column *column) {
    return *(const uint64_t *)(const void *)((const char *)task + column->offset);
}

static bool is_shown(const struct grt_report_tasks *tasks, const struct count_column *column) {
    bool shown = column->always;
    for (size_t i = 0; i < tasks->count && !shown; i++) {
        shown = count_of(&tasks->results[i], column) > 0;
    }
    return shown;
}

/* The last columns are those of what only a simulation knows. */
static size_t time_columns_of(const struct grt_report_tasks *tasks) {
    return tasks->has_waits ? TIMES : TIMES - 2;
}

static grt_time statistic(const struct grt_stats *stats, double quantile) {
    if (stats->count == 0) {
        return -1;
    }
    if (quantile < 0) {
        return (grt_time)(grt_stats_mean(stats) + 0.5);
    }
    return quantile <= 0 ? stats->min : quantile >= 1 ? stats->max : grt_stats_quantile(stats, quantile);
}

/* The time of a column for task i, or -1 for "there is none". */
static grt_time time_of(const struct grt_report_tasks *tasks, size_t i, const struct time_column *column) {
    const struct grt_task_result *result = &tasks->results[i];
    switch (column->kind) {
    case DEADLINE:
        return has_deadline(tasks, i) ? tasks->deadlines[i] : -1;
    case TARDINESS:
        return has_deadline(tasks, i) && result->finished > 0 ? result->worst_tardiness : -1;
    case RESPONSE:
        return statistic(&result->response, column->quantile);
    case GPU_WAIT:
        return statistic(&result->gpu_wait, column->quantile);
    case BLOCKING:
        return statistic(&result->blocking, column->quantile);
    }
    return -1;
}

static void add_count_columns(struct grt_table *table, const struct grt_report_tasks *tasks) {
    for (size_t i = 0; i < COUNTS; i++) {
        if (is_shown(tasks, &count_columns[i])) {
            grt_table_add_column(table,
                                 (struct grt_table_column){"", count_columns[i].name, GRT_TEXT_RIGHT, false});
        }
    }
}

static void add_time_columns(struct grt_table *table, const struct grt_report_tasks *tasks,
                             struct grt_time_scale scales[TIMES]) {
    for (size_t column = 0; column < time_columns_of(tasks); column++) {
        grt_time largest = 0, smallest = GRT_TIME_NEVER;
        for (size_t i = 0; i < tasks->count; i++) {
            grt_time time = time_of(tasks, i, &time_columns[column]);
            largest = time > largest ? time : largest;
            smallest = time > 0 && time < smallest ? time : smallest;
        }
        scales[column] = grt_time_scale_for(largest, smallest);
        const char *name = grt_format(table->arena, "%s %s", time_columns[column].name, scales[column].unit);
        grt_table_add_column(table,
                             (struct grt_table_column){time_columns[column].group, name, GRT_TEXT_RIGHT,
                                                       time_columns[column].starts_part});
    }
}

static void add_task(struct grt_table *table, const struct grt_report_tasks *tasks, size_t i,
                     const struct grt_time_scale scales[TIMES]) {
    const struct grt_task_result *task = &tasks->results[i];
    grt_table_add(table, "%s", task->name);
    for (size_t column = 0; column < COUNTS; column++) {
        if (!is_shown(tasks, &count_columns[column])) {
            continue;
        }
        if (count_columns[column].needs_deadline && !has_deadline(tasks, i)) {
            grt_table_add(table, "-");
        } else {
            grt_table_add(table, "%" PRIu64, count_of(task, &count_columns[column]));
        }
    }
    for (size_t column = 0; column < time_columns_of(tasks); column++) {
        char text[GRT_QUANTITY_TEXT_SIZE];
        grt_time time = time_of(tasks, i, &time_columns[column]);
        grt_table_add(table, "%s", time < 0 ? "-" : grt_time_scale_text(&scales[column], time, text));
    }
}

void grt_report_task_table(const struct grt_report_tasks *tasks, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    struct grt_time_scale scales[TIMES];
    grt_table_add_column(&table, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    add_count_columns(&table, tasks);
    add_time_columns(&table, tasks, scales);
    for (size_t i = 0; i < tasks->count; i++) {
        add_task(&table, tasks, i, scales);
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* ---- Table of resources ---- */

static void add_core(struct grt_table *table, const struct grt_core_result *core, size_t number, double end) {
    grt_resource_row_add(table, grt_format(table->arena, "cpu %zu", number), (double)core->busy, end);
    if (core->spinning > 0) {
        grt_resource_row_add(table, "  busy-waiting", (double)core->spinning, end);
    }
    if (core->overhead > 0) {
        grt_resource_row_add(table, "  overhead", (double)core->overhead, end);
    }
}

static void add_gpu(struct grt_table *table, const struct grt_gpu_result *gpu, size_t number, double end) {
    double sms = (double)gpu->sm_count;
    grt_resource_row_add(table, grt_format(table->arena, "gpu %zu %s", number, gpu->device),
                         (double)gpu->busy, end);
    if (gpu->shares) { /* without blocks, what was done is known, but not where */
        grt_resource_row_add(table, grt_format(table->arena, "  work on the %" PRIu32 " SMs", gpu->sm_count),
                             gpu->sm_busy / sms, end);
    } else {
        grt_resource_row_add(table, grt_format(table->arena, "  SMs, mean of %" PRIu32, gpu->sm_count),
                             gpu->sm_busy / sms, end);
        grt_resource_row_add(table, "  threads", gpu->thread_time / sms, end);
    }
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        grt_resource_row_add(table, grt_format(table->arena, "  copy engine %" PRIu32, i),
                             (double)gpu->engine_busy[i], end);
    }
}

static void print_resources(const struct grt_result *result, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    grt_table_add_column(&table, (struct grt_table_column){"", "resource", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "busy", GRT_TEXT_RIGHT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "share", GRT_TEXT_RIGHT, false});
    for (size_t i = 0; i < result->core_count; i++) {
        add_core(&table, &result->cores[i], i, (double)result->end);
    }
    for (size_t i = 0; i < result->gpu_count; i++) {
        add_gpu(&table, &result->gpus[i], i, (double)result->end);
    }
    if (table.cell_count > 0) {
        fputc('\n', out);
        grt_table_print(&table, style, out);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* D1, W8: grids that never ran, and work that was not done, are easily overlooked. */
static void print_losses(const struct grt_result *result, FILE *out) {
    for (size_t i = 0; i < result->gpu_count; i++) {
        const struct grt_gpu_result *gpu = &result->gpus[i];
        if (gpu->lost_items > 0) {
            fprintf(out,
                    "\ngpu %zu: %" PRIu64
                    " items of work of pinned kernels were lost: no block came to the right SM in time\n",
                    i, gpu->lost_items);
        }
        if (gpu->failed_launches > 0) {
            fprintf(out,
                    "\ngpu %zu: %" PRIu64
                    " launches by blocks failed, because max_pending_launches were pending; "
                    "their grids never ran\n",
                    i, gpu->failed_launches);
        }
    }
}

static void print_counters(const struct grt_result *result, FILE *out) {
    for (size_t i = 0; i < result->counter_count; i++) {
        const struct grt_counter_result *counter = &result->counters[i];
        fprintf(out, "%s%s %" PRIu64, i == 0 ? "\nthe policy counted: " : ", ", counter->name,
                counter->count);
    }
    fputs(result->counter_count > 0 ? "\n" : "", out);
}

void grt_report_tables(const struct grt_simulation *simulation, bool slack, const struct grt_style *style,
                       FILE *out) {
    const struct grt_result *result = simulation->result;
    grt_time *deadlines = grt_allocate(result->task_count * sizeof *deadlines);
    for (size_t i = 0; i < result->task_count; i++) {
        deadlines[i] = simulation->file.scenario.tasks[i].deadline;
    }
    struct grt_report_tasks tasks = {result->tasks, deadlines, result->task_count, true};
    print_header(simulation, out);
    grt_report_verdict(&tasks, style, out);
    fputc('\n', out);
    if (grt_report_has_assignment(&simulation->file)) {
        grt_report_assignment(&simulation->file, style, out);
        fputc('\n', out);
    }
    grt_report_task_table(&tasks, style, out);
    free(deadlines);
    if (slack || grt_report_has_gaps(result)) {
        fputc('\n', out);
        grt_report_slack(&simulation->file.scenario, result, style, out);
    }
    print_resources(simulation->result, style, out);
    print_losses(simulation->result, out);
    grt_report_numbers(simulation->result, style, out);
    print_counters(simulation->result, out);
}
