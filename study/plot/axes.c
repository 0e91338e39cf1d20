#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/plot/making.h"
#include "study/plot/text.h"

/* From the least to the most of all that is drawn. */
struct extent {
    double from, to;
};

static void include(struct extent *extent, double value) {
    if (isfinite(value)) {
        extent->from = fmin(extent->from, value);
        extent->to = fmax(extent->to, value);
    }
}

/* All points, and intervals as far as they leave the points by half of their span or size: those of two or three values can be immense. Below 0 only
 * with a point. */
static void include_intervals(struct extent *y, const struct extent *intervals) {
    double room = fmax(y->to - y->from, fmax(fabs(y->from), fabs(y->to))) / 2;
    double from = fmax(intervals->from, y->from - room), to = fmin(intervals->to, y->to + room);
    if (y->from <= y->to) {
        include(y, y->from >= 0 ? fmax(from, 0) : from);
        include(y, to);
    }
}

static void measure(const struct grt_figure *figure, struct extent *x, struct extent *y) {
    struct extent intervals = {INFINITY, -INFINITY};
    *x = *y = intervals;
    for (size_t i = 0; i < figure->panel_count * figure->line_count; i++) {
        const struct grt_figure_line *line =
            &figure->panels[i / figure->line_count].lines[i % figure->line_count];
        for (size_t j = 0; j < line->count; j++) {
            const struct grt_figure_point *point = &line->points[j];
            include(x, point->x);
            include(y, point->y);
            bool band = figure->bands && (!figure->y_log || point->low > 0);
            include(&intervals, band ? point->low : NAN);
            include(&intervals, band ? point->high : NAN);
        }
    }
    if (intervals.from <= intervals.to) {
        include_intervals(y, &intervals);
    }
}

static void add_y_tics(struct grt_figure *figure) {
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

/* Names have a tic each; so have numbers where they are few. */
static void add_x_tics(struct grt_plot_making *making) {
    enum { FEW = 11 };
    struct grt_figure *figure = making->figure;
    bool names = making->x.kind == GRT_PLOT_NAMES;
    double places[FEW + 1];
    size_t count = names ? making->x.names.count : list_places(figure, places, FEW);
    if (!names && count > FEW) {
        return;
    }
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        char text[GRT_DOUBLE_TEXT_SIZE];
        tics[i].at = names ? (double)i : places[i];
        snprintf(text, sizeof text, "%.10g", tics[i].at);
        tics[i].text = names ? grt_plot_clean(&figure->arena, grt_plot_value_label(making, making->columns.x,
                                                                                   making->x.names.texts[i]))
                             : grt_arena_text(&figure->arena, text);
    }
    figure->x_tics = tics;
    figure->x_tic_count = count;
}

static void set_x_range(struct grt_plot_making *making, const struct extent *x) {
    struct grt_figure *figure = making->figure;
    double from = x->from <= x->to ? x->from : 0, to = x->from <= x->to ? x->to : 1;
    if (making->x.kind == GRT_PLOT_NAMES) {
        figure->x_from = -0.5;
        figure->x_to = (double)making->x.names.count - 0.5;
    } else if (figure->x_log) {
        double room = to > from ? pow(to / from, 0.04) : 2;
        figure->x_from = from / room;
        figure->x_to = to * room;
    } else {
        double room = to > from ? (to - from) * 0.04 : fmax(fabs(to) * 0.1, 0.5);
        figure->x_from = from - room;
        figure->x_to = to + room;
    }
}

static void set_y_range(struct grt_plot_making *making, struct extent y) {
    const struct grt_plot_options *options = making->options;
    const struct grt_plot_wish *wish = making->experiment != NULL ? &making->experiment->plot : NULL;
    struct grt_figure *figure = making->figure;
    bool same = wish != NULL && wish->measure != NULL && strcmp(wish->measure, making->columns.y->name) == 0;
    if (options->y_from < options->y_to) {
        y = (struct extent){options->y_from, options->y_to};
    } else if (same && wish->y_from < wish->y_to) {
        y = (struct extent){wish->y_from, wish->y_to};
    } else if (making->columns.is_proportion && !figure->y_log) {
        y = (struct extent){0, 1};
    } else if (y.from > y.to) { /* nothing is drawn */
        y = figure->y_log ? (struct extent){1, 10} : (struct extent){0, 1};
    } else {
        if (!figure->joined && !figure->y_log) { /* names without an order: sizes are compared, as of bars */
            include(&y, 0);
        }
        grt_plot_range(&y.from, &y.to, figure->y_log);
    }
    figure->y_from = y.from;
    figure->y_to = y.to;
}

static bool check_logarithmic(const struct grt_plot_making *making) {
    const struct grt_figure *figure = making->figure;
    size_t before = making->errors->count;
    if (figure->x_log && making->x.kind == GRT_PLOT_NAMES) {
        grt_error_add(making->errors, NULL, "--x-log: the values of column \"%s\" are no numbers",
                      making->columns.x->name);
    }
    if (figure->y_log && figure->y_from <= 0) {
        grt_error_add(making->errors, NULL, "a logarithmic y axis begins above 0, not at %g", figure->y_from);
    }
    return making->errors->count == before;
}

bool grt_plot_set_axes(struct grt_plot_making *making) {
    struct extent x, y;
    measure(making->figure, &x, &y);
    set_x_range(making, &x);
    set_y_range(making, y);
    if (!check_logarithmic(making)) {
        return false;
    }
    add_y_tics(making->figure);
    add_x_tics(making);
    return true;
}
