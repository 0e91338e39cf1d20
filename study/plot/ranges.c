#include "study/plot/ranges.h"

#include <math.h>
#include <stdio.h>

#include "study/plot/scale.h"

void grt_plot_extent_include(struct grt_plot_extent *extent, double value) {
    if (isfinite(value)) {
        extent->from = fmin(extent->from, value);
        extent->to = fmax(extent->to, value);
    }
}

/* All points, and intervals as far as they leave the points by half of their span or size: those of two or three values can be immense. Below 0 only
 * with a point. */
static void include_intervals(struct grt_plot_extent *y, const struct grt_plot_extent *intervals) {
    double room = fmax(y->to - y->from, fmax(fabs(y->from), fabs(y->to))) / 2;
    double from = fmax(intervals->from, y->from - room), to = fmin(intervals->to, y->to + room);
    if (y->from <= y->to) {
        grt_plot_extent_include(y, y->from >= 0 ? fmax(from, 0) : from);
        grt_plot_extent_include(y, to);
    }
}

void grt_plot_extents(const struct grt_figure *figure, struct grt_plot_extent *x, struct grt_plot_extent *y) {
    struct grt_plot_extent intervals = {INFINITY, -INFINITY};
    *x = *y = intervals;
    for (size_t i = 0; i < figure->panel_count * figure->line_count; i++) {
        const struct grt_figure_line *line =
            &figure->panels[i / figure->line_count].lines[i % figure->line_count];
        for (size_t j = 0; j < line->count; j++) {
            const struct grt_figure_point *point = &line->points[j];
            grt_plot_extent_include(x, point->x);
            grt_plot_extent_include(y, point->y);
            bool band = figure->bands && (!figure->y_log || point->low > 0);
            grt_plot_extent_include(&intervals, band ? point->low : NAN);
            grt_plot_extent_include(&intervals, band ? point->high : NAN);
        }
    }
    if (intervals.from <= intervals.to) {
        include_intervals(y, &intervals);
    }
}

void grt_plot_set_x_range(struct grt_figure *figure, const struct grt_plot_extent *x) {
    double from = x->from <= x->to ? x->from : 0, to = x->from <= x->to ? x->to : 1;
    if (figure->x_log) {
        double room = to > from ? pow(to / from, 0.04) : 2;
        figure->x_from = from / room;
        figure->x_to = to * room;
    } else {
        double room = to > from ? (to - from) * 0.04 : fmax(fabs(to) * 0.1, 0.5);
        figure->x_from = from - room;
        figure->x_to = to + room;
    }
}

void grt_plot_set_y_tics(struct grt_figure *figure) {
    double step = grt_plot_step(figure->y_to - figure->y_from, 5);
    double first = ceil(figure->y_from / step - 1e-9), last = floor(figure->y_to / step + 1e-9);
    size_t count = figure->y_log ? 0 : (size_t)(last - first) + 1;
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        char text[GRT_DOUBLE_TEXT_SIZE];
        snprintf(text, sizeof text, "%.10g", (first + (double)i) * step);
        tics[i] = (struct grt_figure_tic){(first + (double)i) * step, grt_arena_text(&figure->arena, text)};
    }
    figure->y_tics = tics;
    figure->y_tic_count = count;
}

/* The different places of all points, as long as there are few. */
static size_t list_places(const struct grt_figure *figure, double *places, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < figure->panel_count * figure->line_count; i++) {
        const struct grt_figure_line *line =
            &figure->panels[i / figure->line_count].lines[i % figure->line_count];
        for (size_t j = 0; j < line->count; j++) {
            size_t k = 0;
            while (k < count && places[k] != line->points[j].x) {
                k++;
            }
            if (k == count && count++ < most) {
                places[k] = line->points[j].x;
            }
            if (count > most) {
                return count;
            }
        }
    }
    return count;
}

/* Powers of ten in short, if there are so many that gnuplot's would overlap. */
static bool set_decades(struct grt_figure *figure) {
    enum { FEW = 5, MOST = 7 };
    int first = (int)ceil(log10(figure->x_from) - 1e-9), last = (int)floor(log10(figure->x_to) + 1e-9);
    int step = (last - first + MOST) / MOST;
    if (last - first < FEW) {
        return false;
    }
    size_t count = (size_t)((last - first) / step) + 1;
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        char text[GRT_DOUBLE_TEXT_SIZE];
        int power = first + (int)i * step;
        tics[i].at = pow(10, power);
        snprintf(text, sizeof text, power >= 0 && power <= 3 ? "%.0f" : "1e%.0f",
                 power >= 0 && power <= 3 ? tics[i].at : (double)power);
        tics[i].text = grt_arena_text(&figure->arena, text);
    }
    figure->x_tics = tics;
    figure->x_tic_count = count;
    return true;
}

void grt_plot_set_x_tics(struct grt_figure *figure) {
    if (figure->x_log && set_decades(figure)) {
        return;
    }
    enum { FEW = 11 };
    double places[FEW + 1];
    size_t count = list_places(figure, places, FEW);
    if (count > FEW) {
        return;
    }
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        char text[GRT_DOUBLE_TEXT_SIZE];
        tics[i].at = places[i];
        snprintf(text, sizeof text, "%.10g", tics[i].at);
        tics[i].text = grt_arena_text(&figure->arena, text);
    }
    figure->x_tics = tics;
    figure->x_tic_count = count;
}

void grt_plot_fit_axes(struct grt_figure *figure) {
    struct grt_plot_extent x, y;
    grt_plot_extents(figure, &x, &y);
    grt_plot_set_x_range(figure, &x);
    if (y.from > y.to) {
        y = figure->y_log ? (struct grt_plot_extent){1, 10} : (struct grt_plot_extent){0, 1};
    } else {
        grt_plot_range(&y.from, &y.to, figure->y_log);
    }
    figure->y_from = y.from;
    figure->y_to = y.to;
    grt_plot_set_y_tics(figure);
    grt_plot_set_x_tics(figure);
}
