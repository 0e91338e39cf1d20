#include "calib/program/report/chart.h"

#include <math.h>
#include <string.h>

#include "calib/program/report/chart_tics.h"
#include "cli/terminal/text_table.h"
#include "study/plot/picture.h"
#include "study/plot/ranges.h"
#include "study/plot/scale.h"
#include "study/plot/text.h"

/* Tics at whole numbers, with room above and below the marks. */
static void set_whole_y(struct grt_figure *figure) {
    enum { TICS = 6 };
    struct grt_plot_extent x, y;
    grt_plot_extents(figure, &x, &y);
    double step = fmax(1, grt_plot_step(y.to - y.from, TICS)), first = ceil(y.from / step);
    double room = fmax(0.5, (y.to - y.from) / 40);
    size_t count = (size_t)fmax(0, floor(y.to / step) - first + 1);
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        tics[i].at = (first + (double)i) * step;
        tics[i].text = grt_format(&figure->arena, "%.0f", tics[i].at);
    }
    figure->y_from = y.from - room;
    figure->y_to = y.to + room;
    figure->y_tics = tics;
    figure->y_tic_count = count;
}

static void set_tics(struct grt_figure *figure, const struct grt_chart *chart) {
    struct grt_arena *arena = &figure->arena;
    bool is_size = strcmp(chart->x_label, "bytes") == 0;
    if (figure->x_log && figure->x_from > 0 && figure->x_from < figure->x_to) {
        figure->x_tics =
            grt_chart_log_tics(figure->x_from, figure->x_to, is_size, &figure->x_tic_count, arena);
    } else if (!figure->x_log && figure->x_to >= GRT_CHART_LARGE) {
        figure->x_tics = grt_chart_even_tics(figure->x_from, figure->x_to, &figure->x_tic_count, arena);
    }
    if (figure->y_log && figure->y_from > 0 && figure->y_from < figure->y_to) {
        figure->y_tics = grt_chart_log_tics(figure->y_from, figure->y_to, false, &figure->y_tic_count, arena);
    } else if (!figure->y_log && figure->y_to >= GRT_CHART_LARGE) {
        figure->y_tics = grt_chart_even_tics(figure->y_from, figure->y_to, &figure->y_tic_count, arena);
    }
}

static void make_figure(const struct grt_chart *chart, struct grt_figure *figure) {
    struct grt_arena *arena = &figure->arena;
    size_t count = chart->line_count;
    struct grt_figure_key *keys = grt_arena_array(arena, count, sizeof *keys);
    struct grt_figure_line *lines = grt_arena_array(arena, count, sizeof *lines);
    struct grt_figure_panel *panel = grt_arena_array(arena, 1, sizeof *panel);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (struct grt_figure_key){.label = grt_plot_clean(arena, chart->lines[i].label),
                                          .series = chart->pens != NULL ? chart->pens[i] : i,
                                          .look = chart->lines[i].look};
        lines[i] = (struct grt_figure_line){chart->lines[i].points, chart->lines[i].count};
    }
    *panel = (struct grt_figure_panel){"", lines};
    figure->title = grt_plot_clean(arena, chart->title);
    figure->x_label = grt_plot_clean(arena, chart->x_label);
    figure->y_label = grt_plot_clean(arena, chart->y_label);
    figure->panels = panel;
    figure->panel_count = 1;
    figure->keys = keys;
    figure->line_count = count;
    figure->style_count = 1;
    figure->legend = count > 1 || chart->has_legend;
    figure->joined = figure->bands = true;
    figure->x_log = chart->x_log;
    figure->y_log = chart->y_log;
    grt_plot_fit_axes(figure);
    set_tics(figure, chart);
    if (chart->y_whole) {
        set_whole_y(figure);
    }
}

static size_t points_of(const struct grt_chart *chart) {
    size_t count = 0;
    for (size_t i = 0; i < chart->line_count; i++) {
        count += chart->lines[i].count;
    }
    return count;
}

char *grt_chart_draw(const struct grt_chart *chart, enum grt_plot_format format, size_t *size,
                     struct grt_errors *errors) {
    if (points_of(chart) == 0) {
        grt_error_add(errors, NULL, "%s: there is nothing to draw", chart->title);
        return NULL;
    }
    struct grt_figure figure = {0};
    make_figure(chart, &figure);
    char *bytes = grt_plot_draw(&figure, (int)format, size, errors);
    grt_figure_free(&figure);
    return bytes;
}
