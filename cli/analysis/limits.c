/* How far a set may change, as tables. */
#include <inttypes.h>

#include "cli/analysis/report.h"

/* What is found of one change, with the period that it is of; 0: the values are factors. */
struct found {
    const struct grt_sensitivity_limit *limit;
    int64_t period;
};

/* Up to what the column shows: it passes with that, where the analysis is monotone, as with what is found. */
static grt_time rounded_up(grt_time time, const struct grt_time_scale *scale) {
    int64_t step = scale->size;
    for (int i = 0; i < scale->decimals && step > 1; i++) {
        step /= 10;
    }
    return time == GRT_TIME_NEVER ? time : (time + step - 1) / step * step;
}

/* Factors of one task's period are rounded up, too. */
static const char *factor_text(struct found found, int64_t value, struct grt_arena *arena) {
    int64_t factor = value;
    if (found.period > 0) {
        double exact = (double)value / (double)found.period * GRT_SENSITIVITY_UNIT;
        factor = (int64_t)exact + (exact > (double)(int64_t)exact);
    }
    return grt_format(arena, "%" PRId64 ".%03" PRId64, factor / GRT_SENSITIVITY_UNIT,
                      factor % GRT_SENSITIVITY_UNIT);
}

static bool is_contradicted(const struct grt_sensitivity_limit *limit) {
    return limit->fails_before > 0 || limit->passes_after > 0;
}

static const char *limit_text(struct found found, struct grt_arena *arena) {
    switch (found.limit->kind) {
    case GRT_LIMIT_NONE:
        return "no limit";
    case GRT_LIMIT_NO_PASS:
        return "never";
    case GRT_LIMIT_NO_SENSE:
        return "-";
    case GRT_LIMIT_NOT_SEARCHED:
        return "?";
    default:
        return grt_format(arena, "%s%s%s", is_contradicted(found.limit) ? "*" : "",
                          found.limit->cut_short ? "?" : "", factor_text(found, found.limit->value, arena));
    }
}

static const char *failing_text(const struct grt_sensitivity_limit *limit,
                                const struct grt_analysis_set *set) {
    bool fails = limit->kind == GRT_LIMIT_FOUND || limit->kind == GRT_LIMIT_NO_PASS;
    return fails && limit->failing < set->count ? set->tasks[limit->failing].name : "-";
}

/* The rows are all tasks together, and each. */
static size_t index_of(size_t row, const struct grt_analysis_set *set) {
    return row == 0 ? set->count : row - 1;
}

static void add_limits(struct grt_columns *columns, const char *group,
                       const struct grt_sensitivity_limit *limits, const struct grt_analysis_set *set,
                       bool periods) {
    const char **factors =
        grt_columns_add(columns, (struct grt_table_column){group, "factor", GRT_TEXT_RIGHT, !periods});
    const char **failing =
        grt_columns_add(columns, (struct grt_table_column){group, "then fails", GRT_TEXT_LEFT, false});
    for (size_t row = 0; row < columns->rows; row++) {
        size_t i = index_of(row, set);
        struct found found = {&limits[i], periods && row > 0 ? set->tasks[i].period : 0};
        factors[row] = limit_text(found, &columns->arena);
        failing[row] = failing_text(found.limit, set);
    }
}

static void add_periods(struct grt_columns *columns, const char *group,
                        const struct grt_sensitivity_limit *limits, const struct grt_analysis_set *set) {
    grt_time *times = grt_arena_array(&columns->arena, columns->rows, sizeof *times);
    times[0] = GRT_TIME_NEVER;
    for (size_t i = 0; i < set->count; i++) {
        times[i + 1] = limits[i].value > 0 ? limits[i].value : GRT_TIME_NEVER;
    }
    const struct grt_column_times column = {times, columns->rows};
    const struct grt_time_scale scale = grt_column_scale(column);
    for (size_t row = 0; row < columns->rows; row++) {
        times[row] = rounded_up(times[row], &scale);
    }
    grt_columns_add_scaled(columns, group, "time", column, &scale);
}

/* ---- what contradicts limits ---- */

static void print_place(struct found found, const char *what, int64_t value, FILE *out) {
    struct grt_arena arena = {0};
    char text[GRT_TIME_TEXT_SIZE];
    if (value > 0 && found.period > 0) {
        fprintf(out, " %s %s", what, grt_time_text(value, text));
    } else if (value > 0) {
        fprintf(out, " %s %s", what, factor_text(found, value, &arena));
    }
    grt_arena_clear(&arena);
}

static void print_contradiction(struct found found, const char *name, const char *what, FILE *out) {
    const struct grt_sensitivity_limit *limit = found.limit;
    if (is_contradicted(limit)) {
        fprintf(out, "* not monotone: %s, %s:", name, what);
        print_place(found, "fails also at", limit->fails_before, out);
        fputs(limit->fails_before > 0 && limit->passes_after > 0 ? "," : "", out);
        print_place(found, "passes again at", limit->passes_after, out);
        fputc('\n', out);
    }
}

static void print_contradictions(const struct grt_analysis_limits *limits, const struct grt_analysis_set *set,
                                 FILE *out) {
    for (size_t row = 0; row <= set->count; row++) {
        size_t i = index_of(row, set);
        const char *name = row == 0 ? "all tasks" : set->tasks[i].name;
        print_contradiction((struct found){&limits->times[i], 0}, name, "execution times", out);
        print_contradiction((struct found){&limits->periods[i], row == 0 ? 0 : set->tasks[i].period}, name,
                            "period", out);
    }
}

static void print_cut_short(const struct grt_analysis_limits *limits, size_t task_count, FILE *out) {
    size_t unknown = 0, unsure = 0;
    for (size_t i = 0; i <= task_count; i++) {
        const struct grt_sensitivity_limit *both[] = {&limits->times[i], &limits->periods[i]};
        for (int j = 0; j < 2; j++) {
            bool searched = both[j]->kind != GRT_LIMIT_NOT_SEARCHED;
            unknown += !searched;
            unsure += searched && both[j]->cut_short;
        }
    }
    if (unknown + unsure > 0) {
        fprintf(out,
                "? the search ended after %" PRId64
                " steps: %zu limits are not known, of %zu no values beside them were tried\n",
                GRT_SENSITIVITY_ALL_STEPS, unknown, unsure);
    }
}

/* ---- all ---- */

/* As of a test that never says that deadlines are met. */
static bool passes_nowhere(const struct grt_analysis_limits *limits, size_t task_count) {
    for (size_t i = 0; i <= task_count; i++) {
        if (limits->times[i].kind != GRT_LIMIT_NO_PASS || limits->periods[i].value > 0) {
            return false;
        }
    }
    return true;
}

static void print_limits(const struct grt_analyzed *analyzed, const struct grt_analysis_set *set,
                         const struct grt_style *style, FILE *out) {
    if (passes_nowhere(&analyzed->limits, set->count)) {
        fprintf(out, "\nsensitivity of %s: it passes with none of the changes\n", analyzed->ops->name);
        return;
    }
    static const char longest[] = "longest execution times", shortest[] = "smallest period";
    struct grt_columns columns = {.rows = set->count + 1};
    const char **names =
        grt_columns_add(&columns, (struct grt_table_column){"", "task", GRT_TEXT_LEFT, false});
    for (size_t row = 0; row < columns.rows; row++) {
        names[row] = row == 0 ? "all tasks" : set->tasks[row - 1].name;
    }
    add_limits(&columns, longest, analyzed->limits.times, set, false);
    add_periods(&columns, shortest, analyzed->limits.periods, set);
    add_limits(&columns, shortest, analyzed->limits.periods, set, true);
    fprintf(out, "\nsensitivity of %s: it passes with these values, and not one step beyond\n",
            analyzed->ops->name);
    grt_columns_print(&columns, style, out);
    print_contradictions(&analyzed->limits, set, out);
    print_cut_short(&analyzed->limits, set->count, out);
}

void grt_analysis_limit_tables(const struct grt_analyzed_gpu *gpu, const struct grt_style *style, FILE *out) {
    for (size_t i = 0; i < gpu->analysis_count; i++) {
        if (gpu->analyses[i].limits.times != NULL) {
            print_limits(&gpu->analyses[i], &gpu->set, style, out);
        }
    }
}
