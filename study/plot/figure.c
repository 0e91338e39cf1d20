#include "study/plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/plot/making.h"
#include "study/plot/text.h"

/* ---- keys and panels ---- */

static bool list_values(struct grt_plot_making *making, const char *what, const struct grt_column *column,
                        size_t most, struct grt_plot_values *values) {
    if (grt_plot_values_list(&making->columns, column, most, &making->figure->arena, values)) {
        return true;
    }
    grt_error_add(making->errors, NULL,
                  "column \"%s\" has more than %zu values, too many for %s: choose some by --where",
                  column->name, most, what);
    return false;
}

static void add_keys(struct grt_plot_making *making) {
    struct grt_figure *figure = making->figure;
    const struct grt_plot_columns *columns = &making->columns;
    size_t count = making->series.count * making->styles.count;
    struct grt_figure_key *keys = grt_arena_array(&figure->arena, count, sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        size_t series = i / making->styles.count, style = i % making->styles.count;
        const char *name = "", *kind = "", *comma = "";
        if (columns->series != NULL) {
            const char *text = making->series.texts[series];
            bool evaluation = grt_plot_is_evaluation(columns->series);
            name = evaluation ? grt_plot_value_label(making, columns->series, text)
                              : grt_plot_named_value(making, columns->series, text);
        }
        if (columns->style != NULL) {
            kind = grt_plot_named_value(making, columns->style, making->styles.texts[style]);
            comma = columns->series != NULL ? ", " : "";
        }
        size_t size = strlen(name) + strlen(comma) + strlen(kind) + 1;
        char *label = grt_arena_array(&figure->arena, size, 1);
        snprintf(label, size, "%s%s%s", name, comma, kind);
        keys[i] = (struct grt_figure_key){
            .label = grt_plot_clean(&figure->arena, label), .series = series, .style = style};
    }
    figure->keys = keys;
    figure->line_count = count;
    figure->style_count = making->styles.count;
    figure->legend = columns->series != NULL || columns->style != NULL;
}

static bool list_all(struct grt_plot_making *making) {
    const struct grt_plot_columns *columns = &making->columns;
    if (!list_values(making, "panels", columns->panel, GRT_PLOT_PANELS, &making->panels) ||
        !list_values(making, "series", columns->series, GRT_PLOT_LINES, &making->series) ||
        !list_values(making, "styles", columns->style, GRT_PLOT_LINES, &making->styles)) {
        return false;
    }
    if (making->series.count * making->styles.count > GRT_PLOT_LINES) {
        grt_error_add(making->errors, NULL,
                      "%zu series with %zu styles each are more than %d lines: choose some by "
                      "--where",
                      making->series.count, making->styles.count, GRT_PLOT_LINES);
        return false;
    }
    add_keys(making);
    return true;
}

/* ---- points ---- */

static bool shows(const struct grt_figure *figure, const struct grt_figure_point *point) {
    return (!figure->x_log || point->x > 0) && (!figure->y_log || !(point->y <= 0));
}

static struct grt_figure_point point_of(const struct grt_plot_making *making, size_t row) {
    const struct grt_plot_columns *columns = &making->columns;
    struct grt_figure_point point = {.x = grt_plot_scale_place(&making->x, columns->x, row),
                                     .y = grt_plot_scale_place(&making->y, columns->y, row),
                                     .low = NAN,
                                     .high = NAN};
    if (columns->low != NULL && columns->high != NULL && !isnan(point.y)) {
        point.low = grt_plot_scale_place(&making->y, columns->low, row);
        point.high = grt_plot_scale_place(&making->y, columns->high, row);
    }
    return point;
}

static int compare_points(const void *a, const void *b) {
    const struct grt_figure_point *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

/* Two rows at one place tell nothing: something that varies was not said. */
static bool check_places(const struct grt_plot_making *making, const struct grt_figure_line *line) {
    for (size_t i = 1; i < line->count; i++) {
        if (line->points[i].x == line->points[i - 1].x) {
            char text[GRT_DOUBLE_TEXT_SIZE];
            const char *place = making->x.kind == GRT_PLOT_NAMES
                                    ? making->x.names.texts[(size_t)line->points[i].x]
                                    : grt_double_text(line->points[i].x, text);
            grt_error_add(making->errors, NULL,
                          "several rows have %s = %s in the same line of the figure: choose one by "
                          "--where, or tell them apart by --series, --style or --panel",
                          making->columns.x->name, place);
            return false;
        }
    }
    return true;
}

/* The number of the line, of all panels' lines one after the other, that a row belongs to. */
static size_t line_of(const struct grt_plot_making *making, size_t row) {
    const struct grt_plot_columns *columns = &making->columns;
    size_t panel =
        columns->panel != NULL ? grt_plot_values_find(&making->panels, columns->panel->texts[row]) : 0;
    size_t series =
        columns->series != NULL ? grt_plot_values_find(&making->series, columns->series->texts[row]) : 0;
    size_t style =
        columns->style != NULL ? grt_plot_values_find(&making->styles, columns->style->texts[row]) : 0;
    return (panel * making->series.count + series) * making->styles.count + style;
}

static bool sort_lines(const struct grt_plot_making *making, struct grt_figure_line *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        /* rows without x were never counted */
        qsort((void *)(size_t)lines[i].points, lines[i].count, sizeof *lines[i].points, compare_points);
        if (!check_places(making, &lines[i])) {
            return false;
        }
    }
    return true;
}

static bool add_points(struct grt_plot_making *making) {
    struct grt_figure *figure = making->figure;
    const struct grt_plot_columns *columns = &making->columns;
    size_t count = making->panels.count * figure->line_count;
    struct grt_figure_line *lines = grt_arena_array(&figure->arena, count, sizeof *lines);
    struct grt_figure_point **points = grt_arena_array(&figure->arena, count, sizeof *points);
    size_t *sizes = grt_arena_array(&figure->arena, count, sizeof *sizes);
    for (size_t i = 0; i < columns->row_count; i++) {
        sizes[line_of(making, columns->rows[i])]++;
    }
    for (size_t i = 0; i < count; i++) {
        points[i] = grt_arena_array(&figure->arena, sizes[i] + 1, sizeof **points);
        lines[i].points = points[i];
    }
    for (size_t i = 0; i < columns->row_count; i++) {
        struct grt_figure_point point = point_of(making, columns->rows[i]);
        size_t line = line_of(making, columns->rows[i]);
        if (isnan(point.x)) {
            continue;
        }
        if (shows(figure, &point)) {
            points[line][lines[line].count++] = point;
        } else {
            figure->left_out++;
        }
    }
    struct grt_figure_panel *panels = grt_arena_array(&figure->arena, making->panels.count, sizeof *panels);
    for (size_t i = 0; i < making->panels.count; i++) {
        panels[i].lines = &lines[i * figure->line_count];
        panels[i].label = columns->panel != NULL
                              ? grt_plot_named_value(making, columns->panel, making->panels.texts[i])
                              : "";
    }
    figure->panels = panels;
    figure->panel_count = making->panels.count;
    return sort_lines(making, lines, count);
}

static bool has_points(const struct grt_figure *figure, size_t line) {
    for (size_t i = 0; i < figure->panel_count; i++) {
        const struct grt_figure_line *own = &figure->panels[i].lines[line];
        for (size_t j = 0; j < own->count; j++) {
            if (!isnan(own->points[j].y)) {
                return true;
            }
        }
    }
    return false;
}

/* Lines without a point in any panel have no key; where there is no point at all, all keys stay. */
static void leave_out_empty_lines(struct grt_figure *figure) {
    struct grt_arena *arena = &figure->arena;
    struct grt_figure_key *keys = grt_arena_array(arena, figure->line_count, sizeof *keys);
    size_t *kept = grt_arena_array(arena, figure->line_count, sizeof *kept), count = 0;
    for (size_t i = 0; i < figure->line_count; i++) {
        if (has_points(figure, i)) {
            keys[count] = figure->keys[i];
            kept[count++] = i;
        }
    }
    if (count == 0 || count == figure->line_count) {
        return;
    }
    struct grt_figure_panel *panels = grt_arena_array(arena, figure->panel_count, sizeof *panels);
    for (size_t i = 0; i < figure->panel_count; i++) {
        struct grt_figure_line *lines = grt_arena_array(arena, count, sizeof *lines);
        for (size_t j = 0; j < count; j++) {
            lines[j] = figure->panels[i].lines[kept[j]];
        }
        panels[i] = (struct grt_figure_panel){.label = figure->panels[i].label, .lines = lines};
    }
    figure->panels = panels;
    figure->keys = keys;
    figure->line_count = count;
}

/* ---- all of it ---- */

static bool find_scales(struct grt_plot_making *making) {
    enum { MOST_NAMES = 60 };
    const struct grt_plot_columns *columns = &making->columns;
    struct grt_arena *arena = &making->figure->arena;
    if (!grt_plot_scale_find(columns, columns->x, grt_plot_wished_x_label(making), MOST_NAMES, arena,
                             &making->x)) {
        grt_error_add(making->errors, NULL, "--x: column \"%s\" has more than %d values that are no numbers",
                      columns->x->name, MOST_NAMES);
        return false;
    }
    bool listed = grt_plot_scale_find(columns, columns->y, NULL, 1, arena, &making->y);
    if (!listed || making->y.kind != GRT_PLOT_NUMBERS) {
        grt_error_add(making->errors, NULL, "--y: the values of column \"%s\" are no numbers",
                      columns->y->name);
        return false;
    }
    if (grt_plot_is_evaluation(columns->series) || columns->low != NULL) { /* a table of results */
        grt_plot_scale_of_measure(columns, columns->y, grt_plot_wished_y_label(making), &making->y);
    }
    return true;
}

static void set_looks(struct grt_plot_making *making) {
    const struct grt_plot_options *options = making->options;
    const struct grt_plot_wish *wish = making->experiment != NULL ? &making->experiment->plot : NULL;
    struct grt_figure *figure = making->figure;
    figure->x_log = options->x_log || (wish != NULL && options->x == NULL && wish->x_log);
    figure->y_log = options->y_log || (wish != NULL && options->y == NULL && wish->y_log);
    figure->bands = !options->no_band;
    figure->grey = options->grey;
    figure->joined = making->x.ordered;
    figure->x_names = making->x.kind == GRT_PLOT_NAMES;
    figure->width_mm = options->width_mm;
    figure->height_mm = options->height_mm;
}

static bool make(struct grt_plot_making *making) {
    if (!find_scales(making)) {
        return false;
    }
    set_looks(making);
    grt_plot_set_texts(making);
    if (!list_all(making) || !add_points(making)) {
        return false;
    }
    leave_out_empty_lines(making->figure);
    return grt_plot_set_axes(making);
}

bool grt_figure_make(const struct grt_result_table *table, const struct grt_experiment *experiment,
                     const struct grt_plot_options *options, struct grt_figure *figure,
                     struct grt_errors *errors) {
    *figure = (struct grt_figure){0};
    struct grt_plot_making making = {
        .experiment = experiment, .options = options, .figure = figure, .errors = errors};
    bool made =
        grt_plot_columns_choose(table, experiment, options, &figure->arena, &making.columns, errors) &&
        make(&making);
    if (!made) {
        grt_figure_free(figure);
    }
    return made;
}

void grt_figure_free(struct grt_figure *figure) {
    grt_arena_clear(&figure->arena);
    *figure = (struct grt_figure){0};
}
