#include "cli/sweep/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/spelling.h"

/* What is asked for, counted from 0, and the text that asks, as far as it was read. */
struct wish {
    const struct grt_experiment *experiment;
    const char *at;
    struct grt_arena arena;
    size_t point, evaluation;
    uint64_t sample;
    struct grt_errors *errors;
};

/* ---- numbers ---- */

/* Takes digits that a colon or the end follows; false where there are none, or too many. */
static bool take_number(struct wish *wish, uint64_t *number) {
    const char *at = wish->at;
    *number = 0;
    for (; *at >= '0' && *at <= '9' && at - wish->at < 18; at++) {
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    bool is_number = at > wish->at && (*at == ':' || *at == '\0');
    wish->at = is_number ? at : wish->at;
    return is_number;
}

/* One of so many, from 1; *index is from 0. False after adding an error. */
static bool is_within(struct wish *wish, const char *what, uint64_t number, uint64_t count, uint64_t *index) {
    if (number < 1 || number > count) {
        grt_error_add(wish->errors, NULL, "--show: the %s are 1 to %" PRIu64 " (got %" PRIu64 ")", what,
                      count, number);
        return false;
    }
    *index = number - 1;
    return true;
}

/* ---- values of axes ---- */

/* The length of what stands for a value that none of the axis is: lists have commas, too. */
static size_t unknown_length(const char *text) {
    const char *close = text[0] == '[' ? strchr(text, ']') : NULL;
    return close != NULL ? (size_t)(close - text) + 1 : strcspn(text, ",:");
}

static size_t find_axis(struct wish *wish, const char *name) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < wish->experiment->axis_count; i++) {
        const char *known = wish->experiment->axes[i].name;
        if (strcmp(known, name) == 0) {
            return i;
        }
        grt_guess_try(&guess, known);
    }
    char suggestion[GRT_GUESS_TEXT_SIZE];
    grt_error_add(wish->errors, NULL, "--show: unknown axis '%s'%s", name,
                  grt_guess_text(&guess, suggestion));
    return SIZE_MAX;
}

/* The value that the text begins with: the longest one, since values may have commas and colons. */
static size_t find_value(const struct grt_axis *axis, const char *text, size_t *length) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < axis->count; i++) {
        size_t size = strlen(axis->values[i]);
        bool begins = strncmp(axis->values[i], text, size) == 0 && strchr(",:", text[size]) != NULL;
        if (begins && (found == SIZE_MAX || size > *length)) {
            found = i;
            *length = size;
        }
    }
    return found;
}

static void refuse_value(struct wish *wish, const struct grt_axis *axis) {
    char *text = grt_arena_text(&wish->arena, wish->at), suggestion[GRT_GUESS_TEXT_SIZE];
    text[unknown_length(text)] = '\0';
    struct grt_guess guess = grt_guess_start(text);
    for (size_t i = 0; i < axis->count; i++) {
        grt_guess_try(&guess, axis->values[i]);
    }
    grt_error_add(wish->errors, NULL, "--show: axis '%s' has no value '%s'%s", axis->name, text,
                  grt_guess_text(&guess, suggestion));
}

/* Takes one "axis=value"; false after adding an error. */
static bool take_value(struct wish *wish, size_t *values) {
    size_t name_length = strcspn(wish->at, "=,:"), length = 0;
    if (wish->at[name_length] != '=') {
        grt_error_add(wish->errors, NULL, "--show: a point is a number or AXIS=VALUE,... (got '%s')",
                      wish->at);
        return false;
    }
    char *name = grt_arena_text(&wish->arena, wish->at);
    name[name_length] = '\0';
    size_t axis = find_axis(wish, name);
    if (axis == SIZE_MAX) {
        return false;
    }
    wish->at += name_length + 1;
    if (values[axis] != SIZE_MAX) {
        grt_error_add(wish->errors, NULL, "--show: axis '%s' is there twice", name);
        return false;
    }
    values[axis] = find_value(&wish->experiment->axes[axis], wish->at, &length);
    if (values[axis] == SIZE_MAX) {
        refuse_value(wish, &wish->experiment->axes[axis]);
        return false;
    }
    wish->at += length;
    return true;
}

static bool take_values(struct wish *wish) {
    const struct grt_experiment *experiment = wish->experiment;
    size_t values[GRT_MOST_AXES];
    for (size_t i = 0; i < GRT_MOST_AXES; i++) {
        values[i] = SIZE_MAX;
    }
    bool good = take_value(wish, values);
    while (good && *wish->at == ',') {
        wish->at++;
        good = take_value(wish, values);
    }
    for (size_t i = 0; i < experiment->axis_count && good; i++) {
        if (values[i] == SIZE_MAX) {
            grt_error_add(wish->errors, NULL, "--show: which value of axis '%s'?", experiment->axes[i].name);
            good = false;
        }
    }
    if (good) {
        wish->point = grt_experiment_point(experiment, values);
    }
    return good;
}

/* ---- the parts ---- */

static bool take_point(struct wish *wish) {
    uint64_t number = 0, index = 0;
    if (!take_number(wish, &number)) {
        return take_values(wish);
    }
    bool good = is_within(wish, "points", number, wish->experiment->point_count, &index);
    wish->point = (size_t)index;
    return good;
}

static bool take_sample(struct wish *wish, const char *which) {
    uint64_t number = 0;
    bool colon = *wish->at == ':';
    wish->at += colon;
    if (!colon || !take_number(wish, &number)) {
        grt_error_add(wish->errors, NULL, "--show: must be POINT:SET or POINT:SET:EVALUATION (got '%s')",
                      which);
        return false;
    }
    return is_within(wish, "sets", number, (uint64_t)wish->experiment->samples, &wish->sample);
}

static bool take_evaluation(struct wish *wish) {
    if (*wish->at == '\0') {
        return true;
    }
    const struct grt_evaluation *evaluations = wish->experiment->points[0].evaluations;
    const char *name = ++wish->at;
    char suggestion[GRT_GUESS_TEXT_SIZE];
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < wish->experiment->evaluation_count; i++) {
        if (strcmp(evaluations[i].name, name) == 0) {
            wish->evaluation = i;
            return true;
        }
        grt_guess_try(&guess, evaluations[i].name);
    }
    uint64_t number = 0, index = 0;
    if (take_number(wish, &number) && *wish->at == '\0') {
        bool good = is_within(wish, "evaluations", number, wish->experiment->evaluation_count, &index);
        wish->evaluation = (size_t)index;
        return good;
    }
    grt_error_add(wish->errors, NULL, "--show: unknown evaluation '%s'%s", name,
                  grt_guess_text(&guess, suggestion));
    return false;
}

/* ---- the whole ---- */

bool grt_sweep_show(const struct grt_study *study, const char *which, FILE *out, struct grt_errors *errors) {
    struct wish wish = {.experiment = grt_study_experiment(study), .at = which, .errors = errors};
    bool good = take_point(&wish) && take_sample(&wish, which) && take_evaluation(&wish);
    if (good) {
        struct grt_sampler *sampler = grt_sampler_create(study);
        char *text = grt_sampler_scenario(sampler, wish.point, wish.sample, wish.evaluation, errors);
        good = text != NULL;
        if (good) {
            fputs(text, out);
        }
        free(text);
        grt_sampler_free(sampler);
    }
    grt_arena_clear(&wish.arena);
    return good;
}
