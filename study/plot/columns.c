#include "study/plot/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/plot/rows.h"
#include "study/results/result_names.h"

#define EVALUATION "evaluation" /* the column behind the axes */
#define RATIO "ratio"

/* What is being chosen. */
struct choice {
    const struct grt_result_table *table;
    const struct grt_experiment *experiment; /* or NULL */
    const struct grt_plot_options *options;
    struct grt_plot_columns *columns;
    size_t axis_count; /* the first columns of a table of results; 0 of another table */
    bool of_results;
    struct grt_errors *errors;
};

/* ---- different values ---- */

size_t grt_plot_values_find(const struct grt_plot_values *values, const char *text) {
    size_t i = 0;
    while (i < values->count && strcmp(values->texts[i], text) != 0) {
        i++;
    }
    return i;
}

bool grt_plot_values_list(const struct grt_plot_columns *columns, const struct grt_column *column,
                          size_t most, struct grt_arena *arena, struct grt_plot_values *values) {
    *values = (struct grt_plot_values){.texts = grt_arena_array(arena, most + 1, sizeof *values->texts)};
    if (column == NULL) {
        values->texts[values->count++] = "";
        return true;
    }
    for (size_t i = 0; i < columns->row_count; i++) {
        const char *text = column->texts[columns->rows[i]];
        if (grt_plot_values_find(values, text) == values->count) {
            if (values->count == most) {
                return false;
            }
            values->texts[values->count++] = text;
        }
    }
    return true;
}

static bool varies(const struct grt_plot_columns *columns, const struct grt_column *column) {
    for (size_t i = 1; i < columns->row_count; i++) {
        if (strcmp(column->texts[columns->rows[0]], column->texts[columns->rows[i]]) != 0) {
            return true;
        }
    }
    return false;
}

/* ---- what options name ---- */

static bool is_taken(const struct grt_plot_columns *columns, const struct grt_column *column) {
    return column == columns->x || column == columns->series || column == columns->panel ||
           column == columns->style;
}

/* Gives a column a role, unless it has another. */
static void take(const struct choice *choice, const char *option, const char *name,
                 const struct grt_column **role) {
    if (name == NULL) {
        return;
    }
    const struct grt_column *column = grt_plot_column_named(choice->table, option, name, choice->errors);
    if (column != NULL && is_taken(choice->columns, column)) {
        grt_error_add(choice->errors, NULL, "%s: column \"%s\" has another part already", option, name);
    } else {
        *role = column;
    }
}

static void take_options(const struct choice *choice) {
    const struct grt_plot_options *options = choice->options;
    struct grt_plot_columns *columns = choice->columns;
    take(choice, "--x", options->x, &columns->x);
    take(choice, "--series", options->series, &columns->series);
    take(choice, "--panel", options->panel, &columns->panel);
    take(choice, "--style", options->style, &columns->style);
    const char *wish = choice->experiment != NULL ? choice->experiment->plot.measure : NULL;
    if (options->y != NULL || wish != NULL) {
        const char *option = options->y != NULL ? "--y" : "the experiment's plot.measure";
        columns->y = grt_plot_column_named(choice->table, option, options->y != NULL ? options->y : wish,
                                           choice->errors);
    }
}

/* ---- what the experiment wishes, and what is left ---- */

/* The wish for an axis, where its column is there and has no part yet. */
static const struct grt_column *wished(const struct choice *choice, size_t axis) {
    if (choice->experiment == NULL || axis >= choice->experiment->axis_count) {
        return NULL;
    }
    const struct grt_column *column =
        grt_result_table_find(choice->table, choice->experiment->axes[axis].name);
    return column != NULL && !is_taken(choice->columns, column) ? column : NULL;
}

static void take_wishes(const struct choice *choice) {
    if (choice->experiment == NULL) {
        return;
    }
    const struct grt_plot_wish *wish = &choice->experiment->plot;
    struct grt_plot_columns *columns = choice->columns;
    if (columns->x == NULL) {
        columns->x = wished(choice, wish->x);
    }
    const struct grt_column *panel = wished(choice, wish->panel), *style = wished(choice, wish->style);
    if (columns->panel == NULL && panel != NULL && varies(columns, panel)) {
        columns->panel = panel;
    }
    if (columns->style == NULL && style != NULL && style != panel && varies(columns, style)) {
        columns->style = style;
    }
}

const struct grt_evaluation *grt_plot_evaluation_named(const struct grt_experiment *experiment,
                                                       const char *name) {
    size_t count = experiment != NULL && experiment->point_count > 0 ? experiment->evaluation_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(experiment->points[0].evaluations[i].name, name) == 0) {
            return &experiment->points[0].evaluations[i];
        }
    }
    return NULL;
}

/* Columns in which sets may differ, and which are not what was found of them. */
static bool is_axis(const struct choice *choice, size_t i) {
    return i < choice->axis_count || strcmp(choice->table->columns[i].name, EVALUATION) == 0;
}

/* Whether a column has no part, but rows that differ in it. */
static bool is_left(const struct choice *choice, size_t i) {
    const struct grt_column *column = &choice->table->columns[i];
    return is_axis(choice, i) && !is_taken(choice->columns, column) && varies(choice->columns, column);
}

/* Whether the styles are enough for all that is left, so that the panels are not needed for it. */
static bool fits_in_styles(const struct choice *choice) {
    size_t left = 0;
    for (size_t i = 0; i < choice->table->column_count; i++) {
        left += is_left(choice, i);
    }
    return left <= (choice->columns->style == NULL ? 1 : 0);
}

/* Where the evaluations are the series and have several groups: these are the panels, and evaluations with the same label in different groups have
 * one key. */
static void take_groups(const struct choice *choice, const struct grt_column *names,
                        struct grt_arena *arena) {
    const struct grt_experiment *experiment = choice->experiment;
    size_t count = choice->table->row_count;
    if (experiment == NULL || experiment->point_count == 0 || choice->columns->panel != NULL ||
        !fits_in_styles(choice)) {
        return;
    }
    const char **groups = grt_arena_array(arena, count, sizeof *groups);
    const char **labels = grt_arena_array(arena, count, sizeof *labels);
    struct grt_column *columns = grt_arena_array(arena, 2, sizeof *columns);
    for (size_t row = 0; row < count; row++) {
        const struct grt_evaluation *evaluation = grt_plot_evaluation_named(experiment, names->texts[row]);
        groups[row] = evaluation != NULL ? evaluation->group : "";
        labels[row] = evaluation != NULL ? evaluation->label : names->texts[row];
    }
    columns[0] = (struct grt_column){.name = "", .texts = groups};
    columns[1] = (struct grt_column){.name = "", .texts = labels};
    if (varies(choice->columns, &columns[0])) {
        choice->columns->panel = &columns[0];
        choice->columns->series = &columns[1];
    }
}

/* The first column from `from` on that may be x. */
static const struct grt_column *first_free(const struct choice *choice, bool varying, size_t from,
                                           size_t to) {
    for (size_t i = from; i < to; i++) {
        const struct grt_column *column = &choice->table->columns[i];
        if (!is_taken(choice->columns, column) && (!varying || varies(choice->columns, column))) {
            return column;
        }
    }
    return NULL;
}

/* An axis that varies; else, of an experiment of one point, the evaluations beside each other. */
static void choose_x(const struct choice *choice) {
    struct grt_plot_columns *columns = choice->columns;
    size_t axes = choice->axis_count, with_evaluation = choice->of_results ? axes + 1 : axes;
    columns->x = columns->x != NULL ? columns->x : first_free(choice, true, 0, with_evaluation);
    columns->x = columns->x != NULL ? columns->x : first_free(choice, false, 0, with_evaluation);
    if (columns->x == NULL) {
        grt_error_add(choice->errors, NULL, "which column is drawn along the x axis? Say --x COLUMN");
    }
}

/* Panels before styles, unless the experiment wishes no panels. */
static const struct grt_column **free_role(const struct choice *choice) {
    struct grt_plot_columns *columns = choice->columns;
    bool styles_first = choice->experiment != NULL && choice->experiment->plot.no_panel;
    const struct grt_column **first = styles_first ? &columns->style : &columns->panel;
    const struct grt_column **second = styles_first ? &columns->panel : &columns->style;
    return *first == NULL ? first : *second == NULL ? second : NULL;
}

/* What varies without a part would put several points at one place. */
static void place_rest(const struct choice *choice) {
    struct grt_plot_columns *columns = choice->columns;
    bool grouped = columns->series != NULL && columns->series->name[0] == '\0';
    for (size_t i = 0; choice->of_results && i < choice->table->column_count; i++) {
        const struct grt_column *column = &choice->table->columns[i];
        if (!is_left(choice, i) || (grouped && i == choice->axis_count)) {
            continue;
        }
        const struct grt_column **role = free_role(choice);
        if (role != NULL) {
            *role = column;
        } else {
            grt_error_add(choice->errors, NULL,
                          "column \"%s\" varies and has no part in the figure: choose a value by "
                          "--where %s=VALUE, or give it a part by --panel, --style or --series",
                          column->name, column->name);
        }
    }
}

static const struct grt_column *column_of(const struct choice *choice, const char *prefix, const char *name) {
    size_t size = strlen(prefix) + strlen(name) + 1;
    char *whole = grt_allocate(size);
    snprintf(whole, size, "%s%s", prefix, name);
    const struct grt_column *column = grt_result_table_find(choice->table, whole);
    free(whole);
    return column;
}

/* Adds an error where a drawn row has an end of the interval that is no number, or on the wrong side; empty ones are of rows without an interval. */
static void check_interval(const struct choice *choice, const struct grt_column *ends, bool is_low) {
    const double rounding = 1e-9;
    const struct grt_plot_columns *columns = choice->columns;
    for (size_t i = 0; i < columns->row_count; i++) {
        size_t row = columns->rows[i];
        double y = columns->y->numbers[row], end = ends->numbers[row], room = rounding * fabs(y);
        if (ends->texts[row][0] != '\0' && isnan(end)) {
            grt_error_add(choice->errors, NULL, "column \"%s\", row %zu: must be a number (got \"%s\")",
                          ends->name, row + 1, ends->texts[row]);
            return;
        }
        if (is_low ? end > y + room : end < y - room) {
            grt_error_add(choice->errors, NULL,
                          "column \"%s\", row %zu: must not be %s %s, which is %s (got %s)", ends->name,
                          row + 1, is_low ? "above" : "below", columns->y->name, columns->y->texts[row],
                          ends->texts[row]);
            return;
        }
    }
}

/* The interval of the ratio, or of a measure's mean: both ends or none. */
static void choose_interval(const struct choice *choice) {
    struct grt_plot_columns *columns = choice->columns;
    const char *name = columns->is_proportion ? "" : columns->y->name;
    columns->low = column_of(choice, columns->is_proportion ? "low" : GRT_COLUMN_LOW, name);
    columns->high = column_of(choice, columns->is_proportion ? "high" : GRT_COLUMN_HIGH, name);
    if ((columns->low != NULL) != (columns->high != NULL)) {
        const struct grt_column *there = columns->low != NULL ? columns->low : columns->high;
        grt_error_add(choice->errors, NULL,
                      "column \"%s\" is there, but not the other end of the interval of %s", there->name,
                      columns->y->name);
    } else if (columns->low != NULL) {
        check_interval(choice, columns->low, true);
        check_interval(choice, columns->high, false);
    }
}

static void choose_y(const struct choice *choice) {
    struct grt_plot_columns *columns = choice->columns;
    if (columns->y == NULL) {
        columns->y = choice->of_results ? grt_result_table_find(choice->table, RATIO) : NULL;
    }
    if (columns->y == NULL) {
        grt_error_add(choice->errors, NULL, "which column is drawn along the y axis? Say --y COLUMN");
    } else if (is_taken(columns, columns->y)) {
        grt_error_add(choice->errors, NULL, "--y: column \"%s\" has another part already", columns->y->name);
    } else if (choice->of_results) {
        columns->is_proportion = strcmp(columns->y->name, RATIO) == 0;
        choose_interval(choice);
    }
}

/* Evaluations that have the measure nowhere are not in the figure, nor in its legend; where none has it, all stay. */
static void leave_out(const struct choice *choice, const struct grt_column *names, struct grt_arena *arena) {
    struct grt_plot_columns *columns = choice->columns;
    struct grt_plot_values having;
    size_t *rows = grt_arena_array(arena, columns->row_count, sizeof *rows), count = 0;
    if (columns->y == NULL) {
        return;
    }
    for (size_t i = 0; i < columns->row_count; i++) {
        if (columns->y->texts[columns->rows[i]][0] != '\0') {
            rows[count++] = columns->rows[i];
        }
    }
    const struct grt_plot_columns filled = {.rows = rows, .row_count = count};
    if (count == 0 || !grt_plot_values_list(&filled, names, GRT_PLOT_LINES, arena, &having)) {
        return;
    }
    size_t *kept = grt_arena_array(arena, columns->row_count, sizeof *kept);
    count = 0;
    for (size_t i = 0; i < columns->row_count; i++) {
        if (grt_plot_values_find(&having, names->texts[columns->rows[i]]) < having.count) {
            kept[count++] = columns->rows[i];
        }
    }
    columns->rows = kept;
    columns->row_count = count;
}

bool grt_plot_columns_choose(const struct grt_result_table *table, const struct grt_experiment *experiment,
                             const struct grt_plot_options *options, struct grt_arena *arena,
                             struct grt_plot_columns *columns, struct grt_errors *errors) {
    *columns = (struct grt_plot_columns){0};
    const struct grt_column *evaluation = grt_result_table_find(table, EVALUATION);
    struct choice choice = {.table = table,
                            .experiment = experiment,
                            .options = options,
                            .columns = columns,
                            .axis_count = evaluation != NULL ? (size_t)(evaluation - table->columns) : 0,
                            .of_results = evaluation != NULL && grt_result_table_find(table, RATIO) != NULL,
                            .errors = errors};
    size_t before = errors->count;
    take_options(&choice);
    if (errors->count > before || !grt_plot_rows_choose(table, options, arena, columns, errors)) {
        return false;
    }
    take_wishes(&choice);
    choose_x(&choice);
    if (choice.of_results && columns->series == NULL && !is_taken(columns, evaluation)) {
        columns->series = evaluation;
    }
    choose_y(&choice);
    if (choice.of_results && columns->series == evaluation) {
        leave_out(&choice, evaluation, arena);
        take_groups(&choice, evaluation, arena);
    }
    place_rest(&choice);
    return errors->count == before;
}
