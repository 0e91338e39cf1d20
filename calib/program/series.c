#include "calib/program/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/evt/pwcet.h"

enum { MOST_ERRORS = 10, SHOWN = 40 };

static const char separators[] = " \t\r,;", ends[] = " \t\r,;\n#";

/* A file on its way to values. */
struct parse {
    const struct grt_series_format *format;
    double *values;
    size_t count, capacity;
    size_t line; /* from 1 */
    size_t lines,
        most_in_line; /* lines with numbers; numbers of the longest of them, which is line `longest` */
    size_t longest;
    bool is_whole;
    struct grt_errors *errors;
};

/* The number at a place; adds an error and returns not a number where there is none. */
static double read_number(const struct parse *parse, const char *text, size_t length) {
    char *end = NULL;
    double value = strtod(text, &end);
    int shown = (int)(length < SHOWN ? length : SHOWN);
    if (end != text + length) {
        grt_error_add(parse->errors, NULL, "line %zu: must be a number (got \"%.*s\")", parse->line, shown,
                      text);
        return NAN;
    }
    if (!isfinite(value * parse->format->unit) || value < 0) { /* in ns it may be too much for a number */
        grt_error_add(parse->errors, NULL, "line %zu: a time is finite and not negative (got %.*s)",
                      parse->line, shown, text);
        return NAN;
    }
    return value;
}

static void take(struct parse *parse, const char *text, size_t length) {
    if (parse->count == parse->capacity) {
        grt_error_add(parse->errors, NULL, "line %zu: more than %d values", parse->line,
                      GRT_PWCET_MOST_VALUES);
        return;
    }
    double value = read_number(parse, text, length);
    parse->is_whole = parse->is_whole && value == floor(value);
    parse->values[parse->count++] = value * parse->format->unit;
}

/* Whether a cell is a word, and no number or what begins like one, as "100us" does. */
static bool is_word(const char *text, size_t length) {
    char *end = NULL;
    (void)strtod(text, &end);
    text += *text == '"';
    return end != text + length && strchr("0123456789+-.", *text) == NULL;
}

/* The numbers of one line that are wanted. */
static void take_line(struct parse *parse, const char *text, size_t size) {
    int column = parse->format->column;
    size_t at = strspn(text, separators), numbers = 0;
    bool found = false;
    while (at < size && text[at] != '#') {
        size_t length = strcspn(text + at, ends), errors = parse->errors->count;
        numbers++;
        bool is_this = column <= 0 || numbers == (size_t)column;
        bool is_heading = column > 0 && parse->lines == 0 && is_this && is_word(text + at, length);
        found = found || is_this;
        if (is_this && !is_heading) {
            take(parse, text + at, length);
        }
        if (parse->errors->count > errors) {
            break;
        }
        at += length;
        at += strspn(text + at, separators);
    }
    if (numbers > 0 && !found) {
        grt_error_add(parse->errors, NULL, "line %zu: has no column %d, but %zu", parse->line, column,
                      numbers);
    }
    parse->lines += numbers > 0;
    parse->longest = numbers > parse->most_in_line ? parse->line : parse->longest;
    parse->most_in_line = numbers > parse->most_in_line ? numbers : parse->most_in_line;
}

/* Two numbers in a line may be a number of the run and its time, and no two times. */
static void check_lines(const struct parse *parse) {
    if (parse->format->column == GRT_SERIES_ANY && parse->lines > 1 && parse->most_in_line > 1) {
        grt_error_add(parse->errors, NULL,
                      "line %zu: has %zu numbers: --column=%zu says that the last one is the time, "
                      "--column=all that all are",
                      parse->longest, parse->most_in_line, parse->most_in_line);
    }
}

/* The text without the mark of its encoding. */
static const char *skip_mark(const char *text) {
    static const char mark[] = "\xEF\xBB\xBF";
    return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
}

/* Behind a zero byte there may be more, which nobody would miss. */
static bool check_bytes(const char *text, size_t size, struct grt_errors *errors) {
    size_t length = strlen(text), line = 1;
    if (length == size) {
        return true;
    }
    for (size_t i = 0; i < length; i++) {
        line += text[i] == '\n';
    }
    grt_error_add(errors, NULL, "line %zu: has a zero byte: this is no text", line);
    return false;
}

bool grt_series_parse(const char *text, size_t size, const struct grt_series_format *format,
                      struct grt_arena *arena, struct grt_series *series, struct grt_errors *errors) {
    size_t before = errors->count, capacity = size / 2 + 1;
    if (!check_bytes(text, size, errors)) {
        return false;
    }
    text = skip_mark(text);
    struct parse parse = {.format = format, .is_whole = true, .errors = errors};
    parse.capacity = capacity < GRT_PWCET_MOST_VALUES ? capacity : GRT_PWCET_MOST_VALUES;
    parse.values = grt_arena_array(arena, parse.capacity, sizeof *parse.values);
    for (size_t at = 0; text[at] != '\0' && errors->count < before + MOST_ERRORS;) {
        size_t length = strcspn(text + at, "\n");
        parse.line++;
        take_line(&parse, text + at, length);
        at += length + (text[at + length] == '\n');
        if (parse.count == parse.capacity && errors->count > before) {
            break;
        }
    }
    if (errors->count == before) {
        check_lines(&parse);
    }
    if (parse.count == 0 && errors->count == before) {
        grt_error_add(errors, NULL, "has no values");
    }
    *series = (struct grt_series){parse.values, parse.count, parse.is_whole};
    return errors->count == before;
}
