#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/text_file.h"
#include "sim/unit.h"
#include "sim/utf8.h"
#include "study/results/results.h"

/* All cells, row by row; those of the line of names first. */
struct reading {
    char *next, *end; /* of the text, a copy that becomes the cells */
    size_t line;      /* from 1 */
    struct grt_result_table *table;
    struct grt_errors *errors;
    char **cells;
    uint32_t count, capacity;
    size_t width; /* of a row; 0: not known yet */
};

static bool fail(const struct reading *reading, const char *sentence) {
    grt_error_add(reading->errors, NULL, "line %zu: %s", reading->line, sentence);
    return false;
}

/* ---- is it a text ---- */

static bool is_control(char byte) {
    return ((unsigned char)byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
}

/* From the first byte that is not of a text, its line. */
static bool is_text(const char *text, size_t size, struct grt_errors *errors) {
    size_t line = 1;
    for (size_t i = 0, length; i < size; i += length) {
        line += text[i] == '\n';
        length = grt_utf8_length(text + i, size - i);
        if (length == 0 || is_control(text[i])) {
            grt_error_add(errors, NULL, "line %zu: this is not a text (byte 0x%02x)", line,
                          (unsigned)(unsigned char)text[i]);
            return false;
        }
    }
    return true;
}

/* ---- cells ---- */

static void add_cell(struct reading *reading, char *cell) {
    reading->cells = grt_array_grow(reading->cells, &reading->capacity, reading->count + 1, sizeof(char *));
    reading->cells[reading->count++] = cell;
}

/* A quoted cell, from behind its first quote: the text moves forwards over doubled ones. Its end becomes a zero byte later. */
static bool read_quoted(struct reading *reading, char **to) {
    size_t first = reading->line;
    for (; reading->next < reading->end; reading->next++) {
        if (*reading->next == '"' && reading->next[1] != '"') {
            reading->next++;
            return true;
        }
        reading->next += *reading->next == '"';
        reading->line += *reading->next == '\n';
        *(*to)++ = *reading->next;
    }
    grt_error_add(reading->errors, NULL, "line %zu: a quote that opens here is never closed", first);
    return false;
}

static bool read_plain(struct reading *reading, char **to) {
    for (; reading->next < reading->end && strchr(",\r\n", *reading->next) == NULL; reading->next++) {
        if (*reading->next == '"') {
            return fail(reading, "a quote inside of a cell that does not begin with one");
        }
        *(*to)++ = *reading->next;
    }
    return true;
}

/* What comes behind a cell: another cell of the row, its end, or something wrong. */
enum after { ANOTHER, ROW_ENDS, WRONG };

static enum after pass_end(struct reading *reading) {
    char *next = reading->next;
    if (next < reading->end && *next == ',') {
        reading->next = next + 1;
        return ANOTHER;
    }
    bool carriage_return = next < reading->end && *next == '\r';
    next += carriage_return;
    if (next < reading->end && *next == '\n') {
        reading->next = next + 1;
        return ROW_ENDS;
    }
    if (next < reading->end && carriage_return) {
        fail(reading, "a carriage return alone does not end a line: a line feed must come behind it");
        return WRONG;
    }
    if (next < reading->end) {
        fail(reading, "a comma or the end of the line must come behind a quoted cell");
        return WRONG;
    }
    fail(reading, "the file ends inside of this line: it is cut off");
    return WRONG;
}

static bool read_row(struct reading *reading) {
    size_t before = reading->count;
    enum after after = ANOTHER;
    while (after == ANOTHER) {
        bool quoted = reading->next < reading->end && *reading->next == '"';
        reading->next += quoted;
        char *cell = reading->next, *to = cell;
        if (!(quoted ? read_quoted(reading, &to) : read_plain(reading, &to))) {
            return false;
        }
        after = pass_end(reading);
        *to = '\0';
        add_cell(reading, cell);
    }
    size_t width = reading->count - before;
    if (after == ROW_ENDS && reading->width > 0 && width != reading->width) {
        grt_error_add(reading->errors, NULL,
                      "line %zu: must have as many cells as the line of names, %zu (got %zu)", reading->line,
                      reading->width, width);
        return false;
    }
    reading->width = width;
    reading->line++;
    return after == ROW_ENDS;
}

/* ---- lines ---- */

static bool read_comments(struct reading *reading) {
    const char **comments = NULL;
    uint32_t count = 0, capacity = 0;
    while (reading->next < reading->end && *reading->next == '#') {
        char *end = memchr(reading->next, '\n', (size_t)(reading->end - reading->next));
        if (end == NULL) {
            free(comments);
            return fail(reading, "the file ends inside of this line: it is cut off");
        }
        char *text = reading->next + 1 + (reading->next[1] == ' ');
        end[end[-1] == '\r' ? -1 : 0] = '\0';
        comments = grt_array_grow(comments, &capacity, count + 1, sizeof *comments);
        comments[count++] = text;
        reading->next = end + 1;
        reading->line++;
    }
    struct grt_result_table *table = reading->table;
    table->comment_count = count;
    const char **kept = grt_arena_array(&table->arena, count + 1u, sizeof *kept);
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = comments[i];
    }
    table->comments = kept;
    free(comments);
    return true;
}

static bool check_names(const struct reading *reading) {
    char **names = reading->cells;
    if (reading->width > GRT_RESULT_MOST_COLUMNS) {
        grt_error_add(reading->errors, NULL, "must have at most %d columns (got %zu)",
                      GRT_RESULT_MOST_COLUMNS, reading->width);
        return false;
    }
    for (size_t i = 0; i < reading->width; i++) {
        if (names[i][0] == '\0') {
            grt_error_add(reading->errors, NULL, "column %zu has no name", i + 1);
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                grt_error_add(reading->errors, NULL, "columns %zu and %zu are both named \"%s\"", j + 1,
                              i + 1, names[i]);
                return false;
            }
        }
    }
    return true;
}

/* Whether there are as many rows as the comments say, if they do: a file may have been cut off between two lines. */
static bool check_rows(const struct grt_result_table *table, struct grt_errors *errors) {
    for (size_t i = 0; i < table->comment_count; i++) {
        uint64_t rows;
        if (sscanf(table->comments[i], "rows: %19" SCNu64, &rows) == 1 && rows != table->row_count) {
            grt_error_add(errors, NULL,
                          "must have %" PRIu64
                          " rows, as a comment says (got %zu): it is cut off, or changed",
                          rows, table->row_count);
            return false;
        }
    }
    return true;
}

/* ---- columns ---- */

static double number_of(const char *text) {
    int64_t value;
    char *end;
    /* Not what strtod takes besides: blanks in front, hexadecimal numbers, "inf". */
    if (text[0] == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) {
        bool unit = grt_unit_parse(GRT_QUANTITY_TIME, text, &value) == NULL ||
                    grt_unit_parse(GRT_QUANTITY_SIZE, text, &value) == NULL;
        return unit ? (double)value : (double)NAN;
    }
    double number = strtod(text, &end);
    return *end == '\0' && isfinite(number) ? number : (double)NAN;
}

static void make_columns(struct reading *reading) {
    struct grt_result_table *table = reading->table;
    size_t width = reading->width, rows = reading->count / width - 1;
    table->columns = grt_arena_array(&table->arena, width, sizeof *table->columns);
    table->column_count = width;
    table->row_count = rows;
    for (size_t i = 0; i < width; i++) {
        const char **texts = grt_arena_array(&table->arena, rows + 1, sizeof *texts);
        double *numbers = grt_arena_array(&table->arena, rows + 1, sizeof *numbers);
        for (size_t row = 0; row < rows; row++) {
            texts[row] = reading->cells[(row + 1) * width + i];
            numbers[row] = number_of(texts[row]);
        }
        table->columns[i] = (struct grt_column){reading->cells[i], texts, numbers};
    }
}

static bool read_all(struct reading *reading) {
    if (!read_comments(reading)) {
        return false;
    }
    if (reading->next == reading->end) {
        return fail(reading, "a line of column names must come here");
    }
    if (!read_row(reading) || !check_names(reading)) {
        return false;
    }
    while (reading->next < reading->end) {
        if (!read_row(reading)) {
            return false;
        }
    }
    make_columns(reading);
    return check_rows(reading->table, reading->errors);
}

/* What a text of JSON is; NULL where it is none. */
static const char *kind_of_json(const char *text) {
    if (text[strspn(text, " \t\r\n")] != '{') {
        return NULL;
    }
    return strstr(text, "\"gpurt_experiment\"") != NULL ? "this is an experiment, not its results"
           : strstr(text, "\"gpurt\"") != NULL          ? "this is a scenario, not the results of a sweep"
                                                        : "this is JSON, not the results of a sweep as CSV";
}

bool grt_result_table_parse(const char *text, size_t size, struct grt_result_table *table,
                            struct grt_errors *errors) {
    *table = (struct grt_result_table){0};
    if (!is_text(text, size, errors)) {
        return false;
    }
    char *copy = grt_arena_array(&table->arena, size + 1, 1);
    memcpy(copy, text, size);
    size_t mark =
        size >= 3 && memcmp(copy, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of UTF-8, as spreadsheets write it */
    struct reading reading = {
        .next = copy + mark, .end = copy + size, .line = 1, .table = table, .errors = errors};
    const char *kind = kind_of_json(reading.next);
    bool good = kind == NULL;
    if (good) {
        good = read_all(&reading);
    } else {
        grt_error_add(errors, NULL, "%s: gpurt sweep --csv=FILE writes them", kind);
    }
    free(reading.cells);
    if (!good) {
        grt_result_table_free(table);
    }
    return good;
}

bool grt_result_table_read(const char *path, struct grt_result_table *table, struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(path, &size, errors);
    *table = (struct grt_result_table){0};
    bool good = text != NULL && grt_result_table_parse(text, size, table, errors);
    free(text);
    return good;
}

const struct grt_column *grt_result_table_find(const struct grt_result_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
            return &table->columns[i];
        }
    }
    return NULL;
}

void grt_result_table_free(struct grt_result_table *table) {
    grt_arena_clear(&table->arena);
    *table = (struct grt_result_table){0};
}
