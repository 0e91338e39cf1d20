#include "calib/program/import/ncu.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/csv.h"

/* The columns that say which launch a row is of. */
struct labels {
    size_t id, kernel, block, grid, device, capability;
};

struct reader {
    struct grt_ncu *ncu;
    struct grt_errors *errors;
    struct grt_csv table;
    struct labels labels;
    uint32_t capacity;
};

/* ---- the table's place ---- */

/* The first line that names the columns, after what programs wrote. */
static const char *find_table(const char *text, const char *end, size_t *line) {
    for (*line = 1; text < end; (*line)++) {
        size_t left = (size_t)(end - text);
        if ((left >= 5 && memcmp(text, "\"ID\",", 5) == 0) || (left >= 3 && memcmp(text, "ID,", 3) == 0)) {
            return text;
        }
        const char *next = memchr(text, '\n', left);
        text = next != NULL ? next + 1 : end;
    }
    return NULL;
}

static bool read_table(struct reader *reader, const char *text, size_t size) {
    size_t line = 1;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    const char *table = find_table(text, text + size, &line);
    if (table == NULL) {
        grt_error_add(reader->errors, NULL,
                      "no line begins with \"ID\": this is not what ncu --csv --page raw writes");
        return false;
    }
    return grt_csv_read(table, size - (size_t)(table - text), line, "==", &reader->ncu->arena, &reader->table,
                        reader->errors);
}

/* Whether all rows are as long as the names. */
static bool check_rows(struct reader *reader) {
    const struct grt_csv *table = &reader->table;
    for (size_t i = 1; i < table->count; i++) {
        const struct grt_csv_row *row = &table->rows[i];
        if (row->count != table->rows[0].count) {
            grt_error_add(reader->errors, NULL, "line %zu: %zu cells, but %zu names of columns: %s",
                          row->line, row->count, table->rows[0].count,
                          i + 1 == table->count && row->count < table->rows[0].count
                              ? "the file is cut off"
                              : "what the program wrote stands between (run ncu with --log-file)");
            return false;
        }
    }
    return true;
}

/* ---- launches ---- */

static const char *cell(const struct grt_csv_row *row, size_t column) {
    return column < row->count ? row->cells[column] : "";
}

static struct grt_ncu_launch *add_launch(struct reader *reader, const struct grt_csv_row *row) {
    struct grt_ncu *ncu = reader->ncu;
    ncu->launches =
        grt_array_grow(ncu->launches, &reader->capacity, (uint32_t)ncu->count + 1, sizeof ncu->launches[0]);
    struct grt_ncu_launch *launch = &ncu->launches[ncu->count++];
    *launch = (struct grt_ncu_launch){.id = cell(row, reader->labels.id),
                                      .kernel = cell(row, reader->labels.kernel),
                                      .block = cell(row, reader->labels.block),
                                      .grid = cell(row, reader->labels.grid),
                                      .device = cell(row, reader->labels.device),
                                      .capability = cell(row, reader->labels.capability)};
    return launch;
}

static int metric_of(const char *name) {
    int metric = 0;
    while (metric < GRT_NCU_METRICS && strcmp(grt_ncu_metric_kinds[metric].name, name) != 0) {
        metric++;
    }
    return metric;
}

static bool is_absent(const char *value) {
    static const char *const words[] = {"", "n/a", "N/A", "nan", "NaN", "-nan", "(!) n/a", "(!) nan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A value that was measured twice, as sections share metrics, counts once. */
static void set_value(struct reader *reader, struct grt_ncu_launch *launch, int metric, const char *value,
                      const char *unit, size_t line) {
    char place[64];
    static const struct grt_path root = {0};
    struct grt_path at = {.parent = &root, .key = place},
                    path = {.parent = &at, .key = grt_ncu_metric_kinds[metric].name};
    snprintf(place, sizeof place, "line %zu", line);
    double number = 0;
    if (is_absent(value) || !grt_ncu_number(value, unit, grt_ncu_metric_kinds[metric].dimension, &number,
                                            reader->errors, &path)) {
        return;
    }
    if (launch->known[metric] && (launch->values[metric] < number || launch->values[metric] > number)) {
        grt_error_add(reader->errors, &path, "launch %.20s has another value of it already", launch->id);
    }
    launch->values[metric] = number;
    launch->known[metric] = true;
}

/* A column for each metric; the row of units is the one without an ID. */
static void read_wide(struct reader *reader) {
    const struct grt_csv *table = &reader->table;
    const struct grt_csv_row *names = &table->rows[0], *units = NULL;
    for (size_t i = 1; i < table->count; i++) {
        const struct grt_csv_row *row = &table->rows[i];
        if (cell(row, reader->labels.id)[0] == '\0') {
            units = row;
            continue;
        }
        struct grt_ncu_launch *launch = add_launch(reader, row);
        for (size_t column = 0; column < names->count; column++) {
            int metric = metric_of(names->cells[column]);
            if (metric < GRT_NCU_METRICS) {
                set_value(reader, launch, metric, row->cells[column],
                          units != NULL ? units->cells[column] : "", row->line);
            }
        }
    }
}

/* A row for each metric; those of a launch have its number, and follow one another. */
static void read_long(struct reader *reader, size_t name_column) {
    const struct grt_csv *table = &reader->table;
    size_t unit_column = grt_csv_column(&table->rows[0], "Metric Unit"),
           value_column = grt_csv_column(&table->rows[0], "Metric Value");
    struct grt_ncu_launch *launch = NULL;
    for (size_t i = 1; i < table->count; i++) {
        const struct grt_csv_row *row = &table->rows[i];
        if (launch == NULL || strcmp(launch->id, cell(row, reader->labels.id)) != 0) {
            launch = add_launch(reader, row);
        }
        int metric = metric_of(row->cells[name_column]);
        if (metric < GRT_NCU_METRICS) {
            set_value(reader, launch, metric, cell(row, value_column), cell(row, unit_column), row->line);
        }
    }
}

static bool read_launches(struct reader *reader) {
    const struct grt_csv_row *names = &reader->table.rows[0];
    reader->labels = (struct labels){.id = grt_csv_column(names, "ID"),
                                     .kernel = grt_csv_column(names, "Kernel Name"),
                                     .block = grt_csv_column(names, "Block Size"),
                                     .grid = grt_csv_column(names, "Grid Size"),
                                     .device = grt_csv_column(names, "Device"),
                                     .capability = grt_csv_column(names, "CC")};
    size_t metric_name = grt_csv_column(names, "Metric Name");
    bool is_long = metric_name != SIZE_MAX;
    if (reader->labels.kernel == SIZE_MAX || (is_long && grt_csv_column(names, "Metric Value") == SIZE_MAX)) {
        grt_error_add(reader->errors, NULL, "line %zu: there is no column \"%s\"", names->line,
                      reader->labels.kernel == SIZE_MAX ? "Kernel Name" : "Metric Value");
        return false;
    }
    if (is_long) {
        read_long(reader, metric_name);
    } else {
        read_wide(reader);
    }
    return true;
}

static void check_launches(struct reader *reader) {
    if (reader->ncu->count == 0) {
        grt_error_add(reader->errors, NULL, "there are no launches");
    }
    for (size_t i = 0; i < reader->ncu->count && reader->errors->count == 0; i++) {
        const struct grt_ncu_launch *launch = &reader->ncu->launches[i];
        if (!launch->known[GRT_NCU_TIME] || !(launch->values[GRT_NCU_TIME] > 0)) {
            grt_error_add(reader->errors, NULL,
                          "launch %.20s of %.80s has no %s, by which all is divided: add it to --metrics",
                          launch->id, launch->kernel, grt_ncu_metric_kinds[GRT_NCU_TIME].name);
        }
    }
}

bool grt_ncu_read(const char *text, size_t size, struct grt_ncu *out, struct grt_errors *errors) {
    struct grt_errors own = {0};
    struct reader reader = {.ncu = out, .errors = &own};
    *out = (struct grt_ncu){0};
    if (read_table(&reader, text, size) && check_rows(&reader) && read_launches(&reader)) {
        check_launches(&reader);
    }
    bool good = own.count == 0;
    grt_errors_move(&own, errors);
    if (!good) {
        grt_ncu_free(out);
    }
    return good;
}

void grt_ncu_free(struct grt_ncu *ncu) {
    free(ncu->launches);
    grt_arena_clear(&ncu->arena);
    *ncu = (struct grt_ncu){0};
}
