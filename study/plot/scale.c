#include "study/plot/scale.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sim/unit.h"

/* From the smallest. */
static const struct unit {
    int64_t quantity;
    const char *name;
    double size;
} units[] = {{GRT_QUANTITY_TIME, "ns", 1},        {GRT_QUANTITY_TIME, "us", 1e3},
             {GRT_QUANTITY_TIME, "ms", 1e6},      {GRT_QUANTITY_TIME, "s", 1e9},
             {GRT_QUANTITY_SIZE, "B", 1},         {GRT_QUANTITY_SIZE, "KiB", 1024},
             {GRT_QUANTITY_SIZE, "MiB", 1048576}, {GRT_QUANTITY_SIZE, "GiB", 1073741824},
             {GRT_QUANTITY_RATE, "B/s", 1},       {GRT_QUANTITY_RATE, "MB/s", 1e6},
             {GRT_QUANTITY_RATE, "GB/s", 1e9},    {GRT_QUANTITY_FREQUENCY, "Hz", 1},
             {GRT_QUANTITY_FREQUENCY, "MHz", 1e6}};

enum { UNITS = sizeof units / sizeof units[0] };

/* The unit in which `label` says that numbers are; NULL: it says none of this quantity. */
static const struct unit *unit_of_label(const char *label, int64_t quantity) {
    size_t size = label != NULL ? strlen(label) : 0;
    for (size_t i = 0; i < UNITS; i++) {
        size_t name = strlen(units[i].name);
        if (units[i].quantity == quantity && size >= name + 2 && label[size - 1] == ')' &&
            strncmp(label + size - 1 - name, units[i].name, name) == 0 && label[size - 2 - name] == '(') {
            return &units[i];
        }
    }
    return NULL;
}

/* The largest unit in which the smallest value is not below 1, unless the largest value is a long number then. */
static const struct unit *unit_of_values(int64_t quantity, double least, double most) {
    const struct unit *best = NULL;
    for (size_t i = 0; i < UNITS; i++) {
        if (units[i].quantity == quantity &&
            (best == NULL || units[i].size <= least || most / best->size > 10000)) {
            best = &units[i];
        }
    }
    return best;
}

/* Whether all cells are of this quantity, and the least above 0 and the most. */
static bool all_are(const struct grt_plot_columns *columns, const struct grt_column *column, int64_t quantity,
                    double *least, double *most) {
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < columns->row_count; i++) {
        int64_t value;
        if (grt_unit_parse((enum grt_quantity)quantity, column->texts[columns->rows[i]], &value) != NULL) {
            return false;
        }
        double size = fabs((double)value);
        *least = size > 0 && size < *least ? size : *least;
        *most = fmax(*most, size);
    }
    return true;
}

/* Without units, which the table's numbers have made ns and bytes already. */
static bool all_numbers(const struct grt_plot_columns *columns, const struct grt_column *column) {
    for (size_t i = 0; i < columns->row_count; i++) {
        size_t row = columns->rows[i];
        const char *text = column->texts[row];
        bool plain = strspn(text, "+-.0123456789eE") == strlen(text) && isfinite(column->numbers[row]);
        if (text[0] != '\0' && !plain) {
            return false;
        }
    }
    return true;
}

static bool find_names(const struct grt_plot_columns *columns, const struct grt_column *column, size_t most,
                       struct grt_arena *arena, struct grt_plot_scale *scale) {
    scale->kind = GRT_PLOT_NAMES;
    bool all = grt_plot_values_list(columns, column, most, arena, &scale->names);
    scale->ordered = true;
    for (size_t i = 0; i < scale->names.count; i++) {
        const char *text = scale->names.texts[i] + strspn(scale->names.texts[i], "[(<>=+- ");
        scale->ordered = scale->ordered && isdigit((unsigned char)*text);
    }
    return all;
}

bool grt_plot_scale_find(const struct grt_plot_columns *columns, const struct grt_column *column,
                         const char *label, size_t most, struct grt_arena *arena,
                         struct grt_plot_scale *scale) {
    *scale = (struct grt_plot_scale){.kind = GRT_PLOT_NUMBERS, .unit = 1, .unit_name = "", .ordered = true};
    if (all_numbers(columns, column)) {
        return true;
    }
    for (int64_t quantity = GRT_QUANTITY_TIME; quantity <= GRT_QUANTITY_FREQUENCY; quantity++) {
        double least, most_size;
        if (all_are(columns, column, quantity, &least, &most_size)) {
            const struct unit *unit = unit_of_label(label, quantity);
            unit = unit != NULL ? unit : unit_of_values(quantity, least, most_size);
            scale->kind = GRT_PLOT_QUANTITIES;
            scale->quantity = quantity;
            scale->unit = unit->size;
            scale->unit_name = unit->name;
            return true;
        }
    }
    return find_names(columns, column, most, arena, scale);
}

/* Measures that are times; of one task they are followed by ":TASK". */
static bool is_time(const char *measure) {
    static const char *const times[] = {
        "tardiness",    "end",          "response_max", "response_min",  "response_mean", "response_p50",
        "response_p95", "response_p99", "blocking_max", "gpu_wait_max",  "gpu_wait_mean", "slack",
        "gap_mean",     "gap_max",      "lateness_max", "lateness_mean", "gap_deviation", "bound"};
    size_t length = strcspn(measure, ":");
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (strlen(times[i]) == length && memcmp(times[i], measure, length) == 0) {
            return true;
        }
    }
    return false;
}

void grt_plot_scale_of_measure(const struct grt_plot_columns *columns, const struct grt_column *column,
                               const char *label, struct grt_plot_scale *scale) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < columns->row_count; i++) {
        double value = fabs(column->numbers[columns->rows[i]]);
        least = value > 0 && value < least ? value : least;
        most = value > most ? value : most;
    }
    if (scale->kind == GRT_PLOT_NUMBERS && is_time(column->name) && most > 0) {
        const struct unit *unit = unit_of_label(label, GRT_QUANTITY_TIME);
        unit = unit != NULL ? unit : unit_of_values(GRT_QUANTITY_TIME, least, most);
        scale->unit = unit->size;
        scale->unit_name = unit->name;
    }
}

double grt_plot_scale_place(const struct grt_plot_scale *scale, const struct grt_column *column, size_t row) {
    if (scale->kind == GRT_PLOT_NAMES) {
        return (double)grt_plot_values_find(&scale->names, column->texts[row]);
    }
    int64_t value = 0;
    if (scale->kind == GRT_PLOT_QUANTITIES) {
        grt_unit_parse((enum grt_quantity)scale->quantity, column->texts[row], &value);
        return (double)value / scale->unit;
    }
    return isfinite(column->numbers[row]) ? column->numbers[row] / scale->unit : NAN;
}

double grt_plot_step(double span, int count) {
    double rough = span / count, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

void grt_plot_range(double *from, double *to, bool logarithmic) {
    if (logarithmic) {
        *from = pow(10, floor(log10(*from) + 1e-9)); /* a power of ten stays itself */
        *to = fmax(pow(10, ceil(log10(*to) - 1e-9)), *from * 10);
        return;
    }
    if (*from >= 0 && *from < *to / 2) {
        *from = 0;
    }
    if (*to - *from <= fabs(*to) * 1e-9) { /* nothing varies */
        double half = fabs(*to) / 2;
        *from -= half;
        *to = *to != 0 ? *to + half : 1;
    }
    double step = grt_plot_step(*to - *from, 5);
    *from = floor(*from / step + 1e-9) * step;
    *to = ceil(*to / step - 1e-9) * step;
}
