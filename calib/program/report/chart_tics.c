#include "calib/program/report/chart_tics.h"

#include <math.h>

#include "cli/terminal/text_table.h"
#include "study/plot/scale.h"

enum { FEWEST = 2, MOST = 6, STEPS = 4, BINARY_STEP = 10, DECIMAL_STEP = 3 };

const char *grt_chart_tic_text(double value, bool is_size, struct grt_arena *arena) {
    static const char *const counts[] = {"", "k", "M", "G", "T", "P"};
    static const char *const sizes[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
    enum { NAMES = sizeof counts / sizeof counts[0] };
    if (!is_size && fabs(value) < GRT_CHART_LARGE) {
        return grt_format(arena, "%.6g", value);
    }
    double base = is_size ? pow(2, BINARY_STEP) : pow(10, DECIMAL_STEP);
    size_t name = 0;
    while (fabs(value) >= base * (1 - 1e-12) && name + 1 < NAMES) {
        value /= base;
        name++;
    }
    return grt_format(arena, "%.6g%s", value, is_size ? sizes[name] : counts[name]);
}

static bool is_inside(double at, double from, double to) {
    return at >= from * (1 - 1e-9) && at <= to * (1 + 1e-9);
}

struct tics {
    struct grt_figure_tic items[4 * MOST];
    size_t count;
};

static void add(struct tics *tics, double at, double from, double to) {
    if (is_inside(at, from, to) && tics->count < sizeof tics->items / sizeof tics->items[0]) {
        tics->items[tics->count++].at = at;
    }
}

/* At every `step`th power of the base. */
static void add_powers(struct tics *tics, double base, int step, double from, double to) {
    int first = (int)floor(log(from) / log(base)), last = (int)ceil(log(to) / log(base));
    tics->count = 0;
    for (int power = first; power <= last; power++) {
        if (power % step == 0) {
            add(tics, pow(base, power), from, to);
        }
    }
}

/* At 1, 2 and 5 times the powers of ten. */
static void add_parts(struct tics *tics, double from, double to) {
    static const double parts[] = {1, 2, 5};
    int first = (int)floor(log10(from)), last = (int)ceil(log10(to));
    tics->count = 0;
    for (int power = first; power <= last; power++) {
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            add(tics, parts[i] * pow(10, power), from, to);
        }
    }
}

static void add_steps(struct tics *tics, int wanted, double from, double to) {
    double step = grt_plot_step(to - from, wanted);
    tics->count = 0;
    for (double i = ceil(from / step - 1e-9); i * step <= to + 1e-9 * step && tics->count < 2 * MOST; i++) {
        tics->items[tics->count++].at = i == 0 ? 0 : i * step;
    }
}

static const struct grt_figure_tic *keep(struct tics *tics, bool is_size, size_t *count,
                                         struct grt_arena *arena) {
    struct grt_figure_tic *kept = grt_arena_array(arena, tics->count + 1, sizeof *kept);
    for (size_t i = 0; i < tics->count; i++) {
        kept[i].at = tics->items[i].at;
        kept[i].text = grt_chart_tic_text(kept[i].at, is_size, arena);
    }
    *count = tics->count;
    return kept;
}

const struct grt_figure_tic *grt_chart_log_tics(double from, double to, bool is_size, size_t *count,
                                                struct grt_arena *arena) {
    static const int powers_of_two[] = {1, 2, 5, 10, 20}, powers_of_ten[] = {1, 2, 3, 6};
    const int *powers = is_size ? powers_of_two : powers_of_ten;
    size_t ways = is_size ? sizeof powers_of_two / sizeof powers_of_two[0]
                          : sizeof powers_of_ten / sizeof powers_of_ten[0];
    struct tics tics = {.count = 4 * MOST};
    for (size_t i = 0; i < ways && tics.count > MOST; i++) {
        add_powers(&tics, is_size ? 2 : 10, powers[i], from, to);
    }
    if (tics.count <= FEWEST && !is_size) {
        add_parts(&tics, from, to);
    }
    if (tics.count < FEWEST) {
        add_steps(&tics, STEPS, from, to);
    }
    return keep(&tics, is_size, count, arena);
}

const struct grt_figure_tic *grt_chart_even_tics(double from, double to, size_t *count,
                                                 struct grt_arena *arena) {
    struct tics tics = {.count = 0};
    add_steps(&tics, STEPS, from, to);
    return keep(&tics, false, count, arena);
}
