#include "calib/program/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/evt/pwcet.h"

static const char separators[] = " \t\r\n,;";

static size_t skip(const char *text, size_t at, size_t *line) {
    while (text[at] != '\0' && (strchr(separators, text[at]) != NULL || text[at] == '#')) {
        if (text[at] == '#') {
            at += strcspn(text + at, "\n");
        } else {
            *line += text[at] == '\n';
            at++;
        }
    }
    return at;
}

/* The number at a place; adds an error and returns not a number where there is none. */
static double read_number(const char *text, size_t length, size_t line, struct grt_errors *errors) {
    enum { SHOWN = 40 };
    char *end = NULL;
    double value = strtod(text, &end);
    int shown = (int)(length < SHOWN ? length : SHOWN);
    if (end != text + length) {
        grt_error_add(errors, NULL, "line %zu: must be a number (got \"%.*s\")", line, shown, text);
        return NAN;
    }
    if (!isfinite(value) || value < 0) {
        grt_error_add(errors, NULL, "line %zu: a time is finite and not negative (got %.*s)", line, shown,
                      text);
        return NAN;
    }
    return value;
}

bool grt_series_parse(const char *text, struct grt_arena *arena, struct grt_series *series,
                      struct grt_errors *errors) {
    enum { MOST_ERRORS = 10 };
    size_t before = errors->count, line = 1, at = skip(text, 0, &line), count = 0,
           capacity = strlen(text) / 2 + 1;
    capacity = capacity < GRT_PWCET_MOST_VALUES ? capacity : GRT_PWCET_MOST_VALUES;
    double *values = grt_arena_array(arena, capacity, sizeof *values);
    while (text[at] != '\0' && errors->count < before + MOST_ERRORS) {
        size_t length = strcspn(text + at, separators);
        if (count == capacity) {
            grt_error_add(errors, NULL, "line %zu: more than %d values", line, GRT_PWCET_MOST_VALUES);
            break;
        }
        values[count++] = read_number(text + at, length, line, errors);
        at = skip(text, at + length, &line);
    }
    if (count == 0 && errors->count == before) {
        grt_error_add(errors, NULL, "has no values");
    }
    *series = (struct grt_series){values, count};
    return errors->count == before;
}
