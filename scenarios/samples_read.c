#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/usage_check.h"
#include "scenarios/json_syntax.h"
#include "scenarios/json_tree.h"
#include "scenarios/read_fields.h"
#include "scenarios/samples.h"
#include "scenarios/spelling.h"
#include "sim/time.h"
#include "sim/utf8.h"

enum { NO_COLUMN = -1, MOST_KERNELS = 4096, FIRST_ROWS = 4096 };

/* Of all that runs beside a kernel, per second. */
static const double most_events = 1e18;

/* A row, as it comes. */
struct row {
    uint32_t kernel;
    struct grt_sample sample;
};

struct sample_reader {
    struct grt_arena *arena;
    struct grt_errors *errors;
    size_t line;
    int columns[GRT_SAMPLE_COLUMNS]; /* CSV: of each field of a line */
    const char **kernels;
    uint32_t kernel_count;
    struct row *rows;
    uint32_t row_count, row_capacity;
};

const char *grt_sample_column(size_t number) {
    static const char *const names[] = {"kernel", "share", "time_ns"};
    return number < GRT_SAMPLE_INDICATORS ? names[number]
                                          : grt_indicator_names[number - GRT_SAMPLE_INDICATORS];
}

static int find_column(const char *name) {
    for (int i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
        if (strcmp(grt_sample_column((size_t)i), name) == 0) {
            return i;
        }
    }
    return NO_COLUMN;
}

static void add_error(const struct sample_reader *reader, const char *column, const char *sentence,
                      const char *value) {
    char shown[GRT_JSON_SHOWN_SIZE];
    if (value != NULL) {
        grt_error_add(reader->errors, NULL, "line %zu: %s: %s (got %s)", reader->line, column, sentence,
                      grt_text_show(value, shown));
    } else {
        grt_error_add(reader->errors, NULL, "line %zu: %s: %s", reader->line, column, sentence);
    }
}

static void add_unknown(const struct sample_reader *reader, const char *name) {
    struct grt_guess guess = grt_guess_start(name);
    char hint[GRT_GUESS_TEXT_SIZE], shown[GRT_JSON_SHOWN_SIZE];
    for (size_t i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
        grt_guess_try(&guess, grt_sample_column(i));
    }
    grt_error_add(reader->errors, NULL, "line %zu: unknown column %s%s", reader->line,
                  grt_text_show(name, shown), grt_guess_text(&guess, hint));
}

/* ---- values ---- */

static uint32_t kernel_number(struct sample_reader *reader, const char *name) {
    for (uint32_t i = 0; i < reader->kernel_count; i++) {
        if (strcmp(reader->kernels[i], name) == 0) {
            return i;
        }
    }
    if (reader->kernel_count == MOST_KERNELS) {
        add_error(reader, "kernel", "there are more than 4096 kernels", name);
        return 0;
    }
    reader->kernels[reader->kernel_count] = grt_arena_text(reader->arena, name);
    return reader->kernel_count++;
}

static bool is_name(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F) {
            return false;
        }
    }
    return length >= 1 && length <= GRT_NAME_LENGTH && grt_utf8_valid(text);
}

static void set_kernel(struct sample_reader *reader, struct row *row, const char *text) {
    if (is_name(text)) {
        row->kernel = kernel_number(reader, text);
    } else {
        add_error(reader, "kernel", "must be a name of 1 to 64 printable characters", text);
    }
}

/* `shown`: the text of the number. */
static void set_number(struct sample_reader *reader, struct row *row, int column, double value,
                       const char *shown) {
    const char *name = grt_sample_column((size_t)column);
    if (column == GRT_SAMPLE_SHARE) {
        if (!(value >= 1 && value <= GRT_FULL_SHARE && floor(value) == value)) {
            add_error(reader, name, "must be a whole number from 1 to 100", shown);
            return;
        }
        row->sample.share = (int64_t)value;
    } else if (column == GRT_SAMPLE_TIME) {
        if (!(value >= 1 && value <= (double)GRT_TIME_LIMIT)) {
            add_error(reader, name, "must be a number of ns from 1 to 10^18", shown);
            return;
        }
        row->sample.time = value;
    } else if (!(value >= 0 && value <= most_events)) {
        add_error(reader, name, "must be a number of events per second from 0 to 10^18", shown);
    } else {
        row->sample.indicators[column - GRT_SAMPLE_INDICATORS] = value;
    }
}

static void add_row(struct sample_reader *reader, const struct row *row) {
    uint32_t first = GRT_FIRST_CAPACITY(FIRST_ROWS), needed = reader->row_count + 1;
    reader->rows = grt_array_grow(reader->rows, &reader->row_capacity, needed > first ? needed : first,
                                  sizeof *reader->rows);
    reader->rows[reader->row_count++] = *row;
}

/* ---- CSV ---- */

/* Takes the next field of a line, which is changed: quotes go. NULL: there is none. *rest: what follows. */
static char *next_field(char **rest, bool *quoted) {
    char *field = *rest, *out, *in;
    *quoted = field != NULL && *field == '"';
    if (field == NULL) {
        return NULL;
    }
    if (!*quoted) {
        in = strchr(field, ',');
        *rest = in != NULL ? in + 1 : NULL;
        if (in != NULL) {
            *in = '\0';
        }
        return field;
    }
    for (out = in = field + 1; *in != '\0' && (*in != '"' || in[1] == '"'); in++) {
        in += *in == '"' ? 1 : 0;
        *out++ = *in;
    }
    *rest = *in == '"' && in[1] == ',' ? in + 2 : NULL;
    *quoted = *in == '"' && (in[1] == ',' || in[1] == '\0'); /* else it never ends, or something follows it */
    *out = '\0';
    return *quoted ? field + 1 : field;
}

static void read_names(struct sample_reader *reader, char *line) {
    bool given[GRT_SAMPLE_COLUMNS] = {false}, quoted;
    size_t count = 0;
    for (char *field = next_field(&line, &quoted); field != NULL; field = next_field(&line, &quoted)) {
        int column = find_column(field);
        if (column == NO_COLUMN) {
            add_unknown(reader, field);
        } else if (given[column]) {
            add_error(reader, field, "is there twice", NULL);
        } else {
            given[column] = true;
            reader->columns[count++] = column;
        }
    }
    for (size_t i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
        if (!given[i]) {
            add_error(reader, grt_sample_column(i), "there is no such column", NULL);
        }
    }
}

static void read_field(struct sample_reader *reader, struct row *row, int column, const char *text) {
    char *end;
    if (column == GRT_SAMPLE_KERNEL) {
        set_kernel(reader, row, text);
        return;
    }
    double value = strtod(text, &end);
    bool number = end != text && *end == '\0' &&
                  (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
    set_number(reader, row, column, number ? value : NAN, text);
}

static void read_line(struct sample_reader *reader, char *line) {
    struct row row = {.kernel = 0};
    size_t before = reader->errors->count, count = 0;
    bool quoted;
    for (char *field = next_field(&line, &quoted); field != NULL; field = next_field(&line, &quoted)) {
        if (count < GRT_SAMPLE_COLUMNS) {
            read_field(reader, &row, reader->columns[count], field);
        }
        count++;
    }
    if (count != GRT_SAMPLE_COLUMNS) {
        grt_error_add(reader->errors, NULL, "line %zu: must have %d fields (got %zu)", reader->line,
                      (int)GRT_SAMPLE_COLUMNS, count);
    }
    if (reader->errors->count == before) {
        add_row(reader, &row);
    }
}

/* ---- JSON lines ---- */

static void read_member(struct sample_reader *reader, struct row *row, const cJSON *member, bool *given) {
    int column = find_column(member->string);
    char shown[GRT_JSON_SHOWN_SIZE];
    if (column == NO_COLUMN) {
        add_unknown(reader, member->string);
        return;
    }
    given[column] = true;
    if (column == GRT_SAMPLE_KERNEL) {
        set_kernel(reader, row, cJSON_IsString(member) ? member->valuestring : "");
    } else {
        set_number(reader, row, column, cJSON_IsNumber(member) ? member->valuedouble : NAN,
                   grt_json_show(member, shown));
    }
}

static void read_object(struct sample_reader *reader, const char *line) {
    struct grt_errors inner = {0};
    struct row row = {.kernel = 0};
    size_t before = reader->errors->count;
    bool given[GRT_SAMPLE_COLUMNS] = {false};
    cJSON *tree = grt_json_parse(line, strlen(line), &inner);
    for (size_t i = 0; i < inner.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(reader->errors, NULL, "line %zu: %s", reader->line, inner.messages[i]);
    }
    grt_errors_clear(&inner);
    if (tree != NULL && !cJSON_IsObject(tree)) {
        grt_error_add(reader->errors, NULL, "line %zu: must be an object", reader->line);
    } else if (tree != NULL) {
        for (const cJSON *member = tree->child; member != NULL; member = member->next) {
            read_member(reader, &row, member, given);
        }
        for (size_t i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
            if (!given[i]) {
                add_error(reader, grt_sample_column(i), "required", NULL);
            }
        }
    }
    cJSON_Delete(tree);
    if (reader->errors->count == before) {
        add_row(reader, &row);
    }
}

/* ---- files ---- */

/* Ends the line that begins there, without its line break; returns where the next one begins, NULL after the last. */
static char *cut_line(char *line) {
    char *end = strchr(line, '\n');
    if (end != NULL) {
        *end = '\0';
        if (end > line && end[-1] == '\r') {
            end[-1] = '\0';
        }
    }
    return end != NULL ? end + 1 : NULL;
}

static bool is_blank(const char *line) {
    return line[strspn(line, " \t\r")] == '\0';
}

static void read_lines(struct sample_reader *reader, char *text) {
    bool objects = text[strspn(text, " \t\r\n")] == '{', named = objects;
    for (char *line = text, *next; line != NULL; line = next) {
        next = cut_line(line);
        reader->line++;
        if (is_blank(line)) {
            continue;
        }
        if (objects) {
            read_object(reader, line);
        } else if (named) {
            read_line(reader, line);
        } else {
            size_t before = reader->errors->count;
            read_names(reader, line);
            named = true;
            if (reader->errors->count > before) {
                return; /* nobody knows what the lines mean */
            }
        }
    }
}

/* Puts the rows together by kernel, in their order. */
static void group(const struct sample_reader *reader, struct grt_sample_file *file) {
    file->count = reader->kernel_count;
    file->items = grt_arena_array(reader->arena, file->count, sizeof *file->items);
    for (uint32_t i = 0; i < reader->row_count; i++) {
        file->items[reader->rows[i].kernel].samples.count++;
    }
    for (uint32_t k = 0; k < reader->kernel_count; k++) {
        struct grt_samples *samples = &file->items[k].samples;
        file->items[k].kernel = reader->kernels[k];
        samples->items = grt_arena_array(reader->arena, samples->count, sizeof *samples->items);
        samples->count = 0;
    }
    for (uint32_t i = 0; i < reader->row_count; i++) {
        struct grt_samples *samples = &file->items[reader->rows[i].kernel].samples;
        samples->items[samples->count++] = reader->rows[i].sample;
    }
}

bool grt_samples_parse(const char *text, size_t size, struct grt_arena *arena, struct grt_sample_file *file,
                       struct grt_errors *errors) {
    struct sample_reader reader = {.arena = arena, .errors = errors};
    size_t before = errors->count;
    *file = (struct grt_sample_file){NULL, 0};
    if (memchr(text, '\0', size) != NULL) {
        grt_error_add(errors, NULL, "holds zero bytes: it is no text");
        return false;
    }
    char *copy = grt_allocate(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    bool marked = size >= 3 && memcmp(copy, "\xEF\xBB\xBF", 3) == 0; /* a byte-order mark */
    reader.kernels = grt_arena_array(arena, MOST_KERNELS, sizeof *reader.kernels);
    read_lines(&reader, copy + (marked ? 3 : 0));
    if (errors->count == before && reader.row_count == 0) {
        grt_error_add(errors, NULL, "has no samples");
    }
    if (errors->count == before) {
        group(&reader, file);
    }
    free(copy);
    free(reader.rows);
    return errors->count == before;
}
