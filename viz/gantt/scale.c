#include "viz/gantt/chart.h"

#include <stdio.h>

enum {
    GAP = 2,
    LEAST_LABEL = 16,
    LEAST_COLUMNS = 10,
    LEAST_TICK_COLUMNS = 4,
    GOOD_TICK_COLUMNS = 8,
    MOST_TICK_COLUMNS = 20,
    NUMBER_GAP = 2
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static grt_time round_up(grt_time span, grt_time unit) {
    return (span + unit - 1) / unit;
}

/* The least time of a column that is not below `needed` and divides round ticks, so that these are equally far apart:
 * costs at most half of the columns. */
static grt_time round_column(grt_time needed) {
    static const grt_time hundredths[] = {100, 125, 200, 250, 400, 500};
    for (grt_time power = 1;; power *= 10) {
        for (size_t i = 0; i < sizeof hundredths / sizeof hundredths[0]; i++) {
            grt_time candidate = hundredths[i] * power / 100;
            if (hundredths[i] * power % 100 == 0 && candidate >= needed) {
                return candidate;
            }
        }
    }
}

static grt_time round_tick(grt_time needed) {
    static const grt_time steps[] = {1, 2, 5};
    for (grt_time power = 1;; power *= 10) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            if (steps[i] * power >= needed) {
                return steps[i] * power;
            }
        }
    }
}

static int digits_of(grt_time value) {
    int digits = 1;
    for (; value >= 10; value /= 10) {
        digits++;
    }
    return digits;
}

/* The smallest round tick of at least `columns` whole columns. */
static grt_time tick_of(const struct grt_gantt_chart *chart, grt_time columns) {
    grt_time tick = round_tick(columns * chart->column_ns);
    while (tick % chart->column_ns != 0) {
        tick = round_tick(tick + 1);
    }
    return tick;
}

/* Ticks that guide the eye without filling the chart; columns of 4 have none between 5 and 25 columns. */
static void choose_tick(struct grt_gantt_chart *chart) {
    grt_time unit;
    chart->tick_ns = tick_of(chart, GOOD_TICK_COLUMNS);
    if (chart->tick_ns > MOST_TICK_COLUMNS * chart->column_ns) {
        chart->tick_ns = tick_of(chart, LEAST_TICK_COLUMNS);
    }
    grt_gantt_tick_unit(chart, &unit);
    grt_time number_columns = digits_of(chart->options.to / unit) + NUMBER_GAP;
    chart->ticks_per_number = round_tick(round_up(number_columns, chart->tick_ns / chart->column_ns));
}

void grt_gantt_choose_scale(struct grt_gantt_chart *chart, size_t longest_label) {
    size_t width = (size_t)chart->options.width;
    chart->label_cells = (uint32_t)smaller(longest_label, width / 4 > LEAST_LABEL ? width / 4 : LEAST_LABEL);
    size_t columns = width - chart->label_cells - GAP;
    columns = columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
    grt_time span = chart->options.to - chart->options.from;
    chart->column_ns = round_column(round_up(span, (grt_time)columns));
    chart->column_count = (uint32_t)round_up(span, chart->column_ns);
    choose_tick(chart);
}

uint32_t grt_gantt_column(const struct grt_gantt_chart *chart, grt_time instant) {
    uint32_t column = (uint32_t)((instant - chart->options.from) / chart->column_ns);
    return column < chart->column_count ? column : chart->column_count - 1;
}

grt_time grt_gantt_overlap(const struct grt_gantt_chart *chart, uint32_t column, grt_time start,
                           grt_time end) {
    grt_time left = chart->options.from + column * chart->column_ns, right = left + chart->column_ns;
    left = start > left ? start : left;
    right = end < right ? end : right;
    return right > left ? right - left : 0;
}

grt_time grt_gantt_column_time(const struct grt_gantt_chart *chart, uint32_t column) {
    return grt_gantt_overlap(chart, column, chart->options.from, chart->options.to);
}

bool grt_gantt_clip(const struct grt_gantt_chart *chart, grt_time *start, grt_time *end, uint32_t *first,
                    uint32_t *last) {
    if (*start >= chart->options.to || *end < chart->options.from ||
        (*end == chart->options.from && *start < *end)) {
        return false;
    }
    *start = *start > chart->options.from ? *start : chart->options.from;
    *end = *end < chart->options.to ? *end : chart->options.to;
    *first = grt_gantt_column(chart, *start);
    *last = *end > *start ? grt_gantt_column(chart, *end - 1) : *first;
    return true;
}

grt_time grt_gantt_first_tick(const struct grt_gantt_chart *chart) {
    return round_up(chart->options.from, chart->tick_ns) * chart->tick_ns;
}

bool grt_gantt_has_tick(const struct grt_gantt_chart *chart, uint32_t column) {
    grt_time left = chart->options.from + column * chart->column_ns;
    return round_up(left, chart->tick_ns) * chart->tick_ns < left + chart->column_ns;
}

const char *grt_gantt_tick_unit(const struct grt_gantt_chart *chart, grt_time *unit_ns) {
    static const struct {
        grt_time size;
        const char *name;
    } units[] = {{GRT_SECOND, "s"}, {GRT_MILLISECOND, "ms"}, {GRT_MICROSECOND, "us"}, {GRT_NANOSECOND, "ns"}};
    size_t unit = 0;
    while (chart->tick_ns < units[unit].size) {
        unit++;
    }
    *unit_ns = units[unit].size;
    return units[unit].name;
}
