#include "calib/program/import/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where reading is, and what it has of the row so far. */
struct reader {
    const char *at, *end, *comment;
    size_t line;
    struct grt_arena *arena;
    struct grt_errors *errors;
    const char **cells;
    uint32_t cell_count, cell_capacity;
    struct grt_csv_row *rows;
    uint32_t row_count, row_capacity;
};

static bool refuse(struct reader *reader, size_t line, const char *what) {
    grt_error_add(reader->errors, NULL, "line %zu: %s", line, what);
    return false;
}

static void add_cell(struct reader *reader, const char *cell) {
    reader->cells = grt_array_grow(reader->cells, &reader->cell_capacity, reader->cell_count + 1,
                                   sizeof reader->cells[0]);
    reader->cells[reader->cell_count++] = cell;
}

static bool read_quoted(struct reader *reader) {
    size_t first = reader->line, used = 0;
    const char *start = ++reader->at, *close = start;
    while (close < reader->end && (*close != '"' || (close + 1 < reader->end && close[1] == '"'))) {
        close += *close == '"' ? 2 : 1;
    }
    if (close == reader->end) {
        return refuse(reader, first, "the quote does not end: the file is cut off");
    }
    char *cell = grt_arena_array(reader->arena, (size_t)(close - start) + 1, 1);
    for (const char *at = start; at < close; at++) {
        reader->line += *at == '\n';
        cell[used++] = *at;
        at += *at == '"';
    }
    reader->at = close + 1;
    add_cell(reader, cell);
    if (reader->at < reader->end && strchr(",\r\n", *reader->at) == NULL) {
        return refuse(reader, reader->line, "there is text behind a closing quote");
    }
    return true;
}

static void read_plain(struct reader *reader) {
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at != ',' && *reader->at != '\n' && *reader->at != '\r') {
        reader->at++;
    }
    size_t size = (size_t)(reader->at - start);
    char *cell = grt_arena_array(reader->arena, size + 1, 1);
    memcpy(cell, start, size);
    add_cell(reader, cell);
}

static void end_row(struct reader *reader, size_t line) {
    struct grt_csv_row row = {.count = reader->cell_count, .line = line};
    row.cells = grt_arena_array(reader->arena, row.count, sizeof row.cells[0]);
    memcpy(row.cells, reader->cells, row.count * sizeof row.cells[0]);
    reader->cell_count = 0;
    reader->rows =
        grt_array_grow(reader->rows, &reader->row_capacity, reader->row_count + 1, sizeof reader->rows[0]);
    reader->rows[reader->row_count++] = row;
}

static bool read_row(struct reader *reader) {
    size_t line = reader->line;
    for (bool more = true; more;) {
        if (reader->at < reader->end && *reader->at == '"') {
            if (!read_quoted(reader)) {
                return false;
            }
        } else {
            read_plain(reader);
        }
        more = reader->at < reader->end && *reader->at == ',';
        reader->at += more;
    }
    if (reader->at < reader->end && *reader->at == '\r') {
        reader->at++;
    }
    if (reader->at < reader->end && *reader->at++ != '\n') {
        return refuse(reader, reader->line, "a carriage return stands alone");
    }
    reader->line++;
    end_row(reader, line);
    return true;
}

/* An empty line, or one that begins as comments do. */
static bool skip_line(struct reader *reader) {
    size_t left = (size_t)(reader->end - reader->at);
    size_t size = reader->comment != NULL ? strlen(reader->comment) : 0;
    bool empty = *reader->at == '\n' || (*reader->at == '\r' && left > 1 && reader->at[1] == '\n');
    bool comment = size > 0 && left >= size && memcmp(reader->at, reader->comment, size) == 0;
    if (!empty && !comment) {
        return false;
    }
    const char *next = memchr(reader->at, '\n', left);
    reader->at = next != NULL ? next + 1 : reader->end;
    reader->line++;
    return true;
}

bool grt_csv_read(const char *text, size_t size, size_t line, const char *comment, struct grt_arena *arena,
                  struct grt_csv *out, struct grt_errors *errors) {
    struct reader reader = {
        .at = text, .end = text + size, .comment = comment, .line = line, .arena = arena, .errors = errors};
    *out = (struct grt_csv){0};
    bool good = memchr(text, '\0', size) == NULL || refuse(&reader, line, "there is a zero byte behind it");
    while (good && reader.at < reader.end) {
        good = skip_line(&reader) || read_row(&reader);
    }
    if (good) {
        out->count = reader.row_count;
        out->rows = grt_arena_array(arena, reader.row_count, sizeof out->rows[0]);
        if (reader.row_count > 0) {
            memcpy(out->rows, reader.rows, reader.row_count * sizeof out->rows[0]);
        }
    }
    free(reader.cells);
    free(reader.rows);
    return good;
}

size_t grt_csv_column(const struct grt_csv_row *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->cells[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
