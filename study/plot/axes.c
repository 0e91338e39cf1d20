#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/plot/making.h"
#include "study/plot/ranges.h"
#include "study/plot/text.h"

/* Names have a tic each; so have numbers where they are few. */
static void add_x_tics(struct grt_plot_making *making) {
    struct grt_figure *figure = making->figure;
    if (making->x.kind != GRT_PLOT_NAMES) {
        grt_plot_set_x_tics(figure);
        return;
    }
    size_t count = making->x.names.count;
    struct grt_figure_tic *tics = grt_arena_array(&figure->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        tics[i].at = (double)i;
        tics[i].text = grt_plot_clean(
            &figure->arena, grt_plot_value_label(making, making->columns.x, making->x.names.texts[i]));
    }
    figure->x_tics = tics;
    figure->x_tic_count = count;
}

static void set_x_range(struct grt_plot_making *making, const struct grt_plot_extent *x) {
    struct grt_figure *figure = making->figure;
    if (making->x.kind == GRT_PLOT_NAMES) {
        figure->x_from = -0.5;
        figure->x_to = (double)making->x.names.count - 0.5;
    } else {
        grt_plot_set_x_range(figure, x);
    }
}

static void set_y_range(struct grt_plot_making *making, struct grt_plot_extent y) {
    const struct grt_plot_options *options = making->options;
    const struct grt_plot_wish *wish = making->experiment != NULL ? &making->experiment->plot : NULL;
    struct grt_figure *figure = making->figure;
    bool same = wish != NULL && wish->measure != NULL && strcmp(wish->measure, making->columns.y->name) == 0;
    if (options->y_from < options->y_to) {
        y = (struct grt_plot_extent){options->y_from, options->y_to};
    } else if (same && wish->y_from < wish->y_to) {
        y = (struct grt_plot_extent){wish->y_from, wish->y_to};
    } else if (making->columns.is_proportion && !figure->y_log) {
        y = (struct grt_plot_extent){0, 1};
    } else if (y.from > y.to) { /* nothing is drawn */
        y = figure->y_log ? (struct grt_plot_extent){1, 10} : (struct grt_plot_extent){0, 1};
    } else {
        if (!figure->joined && !figure->y_log) { /* names without an order: sizes are compared, as of bars */
            grt_plot_extent_include(&y, 0);
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
    struct grt_plot_extent x, y;
    grt_plot_extents(making->figure, &x, &y);
    set_x_range(making, &x);
    set_y_range(making, y);
    if (!check_logarithmic(making)) {
        return false;
    }
    grt_plot_set_y_tics(making->figure);
    add_x_tics(making);
    return true;
}
