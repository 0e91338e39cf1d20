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
static const char *find_table(const char *text, const char *end, char separator, size_t *line) {
    for (*line = 1; text < end; (*line)++) {
        size_t left = (size_t)(end - text);
        if ((left >= 5 && memcmp(text, "\"ID\"", 4) == 0 && text[4] == separator) ||
            (left >= 3 && memcmp(text, "ID", 2) == 0 && text[2] == separator)) {
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
    const char *table = find_table(text, text + size, ',', &line);
    if (table == NULL && find_table(text, text + size, ';', &line) != NULL) {
        grt_error_add(reader->errors, NULL,
                      "cells are separated by semicolons, not by commas: another program has written the "
                      "file anew; take what ncu itself wrote (--log-file)");
        return false;
    }
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

/* The product of "(64, 64, 1)", whose numbers are from 1 to most[i]; 0: it is not written so. */
static double product_of(const char *text, const double most[3]) {
    double product = 1;
    const char *at = text;
    for (size_t i = 0; i < 3; i++) {
        char *end;
        at += strspn(at, i == 0 ? " (" : " ,");
        if (*at < '0' || *at > '9') {
            return 0;
        }
        double number = (double)strtoull(at, &end, 10);
        product *= number >= 1 && number <= most[i] ? number : 0;
        at = end;
    }
    at += strspn(at, " ");
    return strcmp(at, text[0] == '(' ? ")" : "") == 0 ? product : 0;
}

/* "9.0" as 90; 0: it is not written so. */
static int64_t capability_of(const char *text) {
    int major, minor, used = 0;
    bool good = sscanf(text, "%2d.%1d%n", &major, &minor, &used) == 2 && text[used] == '\0';
    return good && major > 0 && minor >= 0 ? 10 * major + minor : 0;
}

static void complain(struct reader *reader, size_t line, const char *column, const char *what,
                     const char *text) {
    grt_error_add(reader->errors, NULL, "line %zu.%s: %s (got \"%.40s\")", line, column, what, text);
}

/* What the CUDA Programming Guide allows (Table "Technical Specifications per Compute Capability"). A grid or block that cannot be is no label, but a sign that columns are not what they are
 * taken for. */
static void read_sizes(struct reader *reader, struct grt_ncu_launch *launch) {
    static const double most_blocks[] = {2147483647, 65535, 65535}, most_threads[] = {1024, 1024, 64};
    launch->blocks = product_of(launch->grid, most_blocks);
    launch->threads = product_of(launch->block, most_threads);
    launch->compute_capability = capability_of(launch->capability);
    if (launch->grid[0] != '\0' && launch->blocks == 0) {
        complain(reader, launch->line, "Grid Size",
                 "must be \"(x, y, z)\", from 1 to 2147483647, 65535 and 65535", launch->grid);
    }
    if (launch->block[0] != '\0' && (launch->threads == 0 || launch->threads > 1024)) {
        complain(reader, launch->line, "Block Size",
                 "must be \"(x, y, z)\", of 1 to 1024 threads, with 64 in z at most", launch->block);
    }
    if (launch->capability[0] != '\0' && launch->compute_capability == 0) {
        complain(reader, launch->line, "CC", "must be a compute capability, such as 9.0", launch->capability);
    } else if (launch->compute_capability > 0 && launch->compute_capability < 70) {
        complain(reader, launch->line, "CC", "metrics are those of compute capability 7.0 and later",
                 launch->capability);
    }
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
                                      .capability = cell(row, reader->labels.capability),
                                      .line = row->line};
    read_sizes(reader, launch);
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
            if (i > 1) {
                grt_error_add(reader->errors, NULL,
                              "line %zu: has no ID; the row of units is the one behind the names", row->line);
                return;
            }
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
