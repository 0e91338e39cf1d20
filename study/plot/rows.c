#include "study/plot/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/spelling.h"

static void add_unknown(const struct grt_result_table *table, const char *option, const char *name,
                        struct grt_errors *errors) {
    struct grt_guess guess = grt_guess_start(name);
    char all[600] = "", suggestion[GRT_GUESS_TEXT_SIZE];
    for (size_t i = 0; i < table->column_count; i++) {
        const char *column = table->columns[i].name;
        grt_guess_try(&guess, column);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", column);
    }
    grt_error_add(errors, NULL, "%s: there is no column \"%s\"%s; there are %s", option, name,
                  grt_guess_text(&guess, suggestion), all);
}

const struct grt_column *grt_plot_column_named(const struct grt_result_table *table, const char *option,
                                               const char *name, struct grt_errors *errors) {
    const struct grt_column *column = grt_result_table_find(table, name);
    if (column == NULL) {
        add_unknown(table, option, name, errors);
    }
    return column;
}

static bool is_equal(const struct grt_column *column, size_t row, const char *value) {
    if (strcmp(column->texts[row], value) == 0) {
        return true;
    }
    char *end;
    double number = strtod(value, &end);
    return *value != '\0' && *end == '\0' && column->numbers[row] == number;
}

/* Whether a row has one of the values that are wanted of each column. */
static bool is_wanted(const struct grt_plot_options *options, const struct grt_column *const *columns,
                      size_t row) {
    for (size_t i = 0; i < options->where_count; i++) {
        bool found = false;
        for (size_t other = 0; other < options->where_count && !found; other++) {
            found = columns[other] == columns[i] && is_equal(columns[i], row, options->where[other].value);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

enum { SOME_VALUES = 12, SOME_SIZE = 300 };

static bool is_listed(const struct grt_column *column, const size_t *rows, size_t count, const char *text) {
    bool listed = false;
    for (size_t i = 0; i < count; i++) {
        listed = listed || strcmp(column->texts[rows[i]], text) == 0;
    }
    return listed;
}

/* The values that a column has, each once, in the order of the rows; the first ones, where there are many. Returns `text`. */
static const char *some_values(const struct grt_result_table *table, const struct grt_column *column,
                               char text[SOME_SIZE]) {
    size_t rows[SOME_VALUES], count = 0, used = 0;
    snprintf(text, SOME_SIZE, "empty");
    for (size_t row = 0; row < table->row_count; row++) {
        if (is_listed(column, rows, count, column->texts[row])) {
            continue;
        }
        if (count == SOME_VALUES || used > SOME_SIZE / 2) {
            snprintf(text + used, SOME_SIZE - used, ", ...");
            break;
        }
        snprintf(text + used, SOME_SIZE - used, "%s%.*s", count > 0 ? ", " : "", SOME_SIZE / 3,
                 column->texts[row]);
        used = strlen(text);
        rows[count++] = row;
    }
    return text;
}

/* A value that no row has is an error of its own: it would be overlooked beside others. */
static void check_condition(const struct grt_result_table *table, const struct grt_column *column,
                            const char *value, struct grt_errors *errors) {
    for (size_t row = 0; row < table->row_count; row++) {
        if (is_equal(column, row, value)) {
            return;
        }
    }
    char some[SOME_SIZE];
    grt_error_add(errors, NULL, "--where: no row has %s=%s; it is %s", column->name, value,
                  some_values(table, column, some));
}

bool grt_plot_rows_choose(const struct grt_result_table *table, const struct grt_plot_options *options,
                          struct grt_arena *arena, struct grt_plot_columns *columns,
                          struct grt_errors *errors) {
    const struct grt_column *where[GRT_PLOT_CONDITIONS];
    size_t before = errors->count;
    for (size_t i = 0; i < options->where_count; i++) {
        where[i] = grt_plot_column_named(table, "--where", options->where[i].column, errors);
        if (where[i] != NULL) {
            check_condition(table, where[i], options->where[i].value, errors);
        }
    }
    if (errors->count > before) {
        return false;
    }
    size_t *rows = grt_arena_array(arena, table->row_count + 1, sizeof *rows), count = 0;
    for (size_t row = 0; row < table->row_count; row++) {
        if (is_wanted(options, where, row)) {
            rows[count++] = row;
        }
    }
    columns->rows = rows;
    columns->row_count = count;
    if (count == 0) {
        grt_error_add(errors, NULL, "%s",
                      options->where_count > 0 ? "--where: no row has all of these values"
                                               : "there are no rows, so there is nothing to draw");
    }
    return count > 0;
}
