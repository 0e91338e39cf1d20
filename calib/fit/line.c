#include "calib/fit/line.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* ---- lines through gates: a linear programme of two variables, by its corners ---- */

/* Rounding of coordinates, as a part of their size. */
#define ROUNDING 1e-13

struct corner_search {
    struct grt_gate gates[GRT_MOST_GATES];
    size_t count;
    double slack; /* what passes a gate's edge by so much still passes the gate */
    double at;
    struct grt_lines lines;
};

static double edge(const struct corner_search *search, size_t number) {
    const struct grt_gate *gate = &search->gates[number / 2];
    return number % 2 == 0 ? gate->low : gate->high;
}

static bool passes_all(const struct corner_search *search, double x, double y, double slope) {
    for (size_t i = 0; i < search->count; i++) {
        const struct grt_gate *gate = &search->gates[i];
        double here = y + slope * (gate->x - x);
        if (here < gate->low - search->slack || here > gate->high + search->slack) {
            return false;
        }
    }
    return true;
}

static void add_corner(struct corner_search *search, double y, double slope) {
    struct grt_lines *lines = &search->lines;
    if (!lines->exist) {
        *lines = (struct grt_lines){true, y, y, slope, slope};
    }
    lines->low_at = fmin(lines->low_at, y);
    lines->high_at = fmax(lines->high_at, y);
    lines->low_slope = fmin(lines->low_slope, slope);
    lines->high_slope = fmax(lines->high_slope, slope);
}

static void try_pair(struct corner_search *search, size_t i, size_t j) {
    double x = search->gates[i / 2].x, apart = search->gates[j / 2].x - x;
    if (apart > 0 || apart < 0) {
        double y = edge(search, i), slope = (edge(search, j) - y) / apart;
        if (passes_all(search, x, y, slope)) {
            add_corner(search, y + slope * (search->at - x), slope);
        }
    }
}

struct grt_lines grt_lines_through(const struct grt_gate *gates, size_t count, double at) {
    struct corner_search search = {.at = at};
    size_t step = (count + GRT_MOST_GATES - 1) / GRT_MOST_GATES;
    double size = 0;
    for (size_t i = 0; i < count; i += step) {
        search.gates[search.count++] = gates[i];
        size = fmax(size, fmax(fabs(gates[i].low), fabs(gates[i].high)));
    }
    search.slack = size * ROUNDING;
    for (size_t i = 0; i < 2 * search.count; i++) {
        for (size_t j = i + 1; j < 2 * search.count; j++) {
            try_pair(&search, i, j);
        }
    }
    return search.lines;
}

/* ---- least squares ---- */

struct sums {
    double weight, x, y, xx, xy;
};

static struct sums sums_of(const struct grt_line_point *points, size_t count) {
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (points[i].error * points[i].error);
        sums.weight += weight;
        sums.x += weight * points[i].x;
        sums.y += weight * points[i].y;
    }
    double x = sums.x / sums.weight,
           y = sums.y / sums.weight; /* centred: sizes of copies span many decades */
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (points[i].error * points[i].error);
        sums.xx += weight * (points[i].x - x) * (points[i].x - x);
        sums.xy += weight * (points[i].x - x) * (points[i].y - y);
    }
    sums.x = x;
    sums.y = y;
    return sums;
}

static double squares_of(const struct grt_line_point *points, size_t count, double start, double slope) {
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double off = (points[i].y - start - slope * points[i].x) / points[i].error;
        squares += off * off;
    }
    return squares;
}

struct grt_line grt_line_fit(const struct grt_line_point *points, size_t count) {
    struct grt_line line = {grt_ranged_unknown(), grt_ranged_unknown(), NAN};
    struct sums sums = sums_of(points, count);
    if (count < 2 || !(sums.xx > 0)) {
        return line;
    }
    line.slope.value = sums.xy / sums.xx;
    line.start.value = sums.y - line.slope.value * sums.x;
    if (count < 3) {
        return line;
    }
    double freedom = (double)(count - 2);
    line.misfit = squares_of(points, count, line.start.value, line.slope.value) / freedom;
    double wide = gsl_cdf_tdist_Pinv(0.975, freedom) * sqrt(fmax(line.misfit, 1));
    double slope_error = wide / sqrt(sums.xx);
    double start_error = wide * sqrt(1 / sums.weight + sums.x * sums.x / sums.xx);
    line.slope.low = line.slope.value - slope_error;
    line.slope.high = line.slope.value + slope_error;
    line.start.low = line.start.value - start_error;
    line.start.high = line.start.value + start_error;
    return line;
}

bool grt_line_bend(const struct grt_line_point *points, size_t count, struct grt_bent_line *out) {
    if (count < 6) {
        return false;
    }
    struct grt_line all = grt_line_fit(points, count);
    *out = (struct grt_bent_line){.squares = INFINITY, .single = all.misfit * (double)(count - 2)};
    for (size_t split = 3; split + 3 <= count; split++) {
        struct grt_line before = grt_line_fit(points, split);
        struct grt_line behind = grt_line_fit(points + split, count - split);
        double squares = before.misfit * (double)(split - 2) + behind.misfit * (double)(count - split - 2);
        if (squares < out->squares) {
            *out = (struct grt_bent_line){before, behind, split, squares, out->single};
        }
    }
    return isfinite(out->squares);
}
