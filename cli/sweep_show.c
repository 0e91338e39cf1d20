#include "cli/sweep_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/spelling.h"

/* What is asked for. */
struct wish {
    struct grt_arena arena;
    size_t point, evaluation;
    uint64_t sample;
};

/* Reads digits; NULL where there are none, or too many. */
static const char *take_number(const char *text, uint64_t *number) {
    *number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && at - text < 18; at++) {
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return at > text ? at : NULL;
}

/* The ":SAMPLE" of a text: the first colon with a number and then an end or another colon, since values of axes may have colons, too. */
static const char *find_sample(const char *which) {
    for (const char *at = strchr(which, ':'); at != NULL; at = strchr(at + 1, ':')) {
        uint64_t number = 0;
        const char *end = take_number(at + 1, &number);
        if (end != NULL && (*end == '\0' || *end == ':')) {
            return at;
        }
    }
    return NULL;
}

/* ---- the point ---- */

static size_t find_axis(const struct grt_experiment *experiment, const char *name, struct grt_guess *guess) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < experiment->axis_count; i++) {
        found = strcmp(experiment->axes[i].name, name) == 0 ? i : found;
        grt_guess_try(guess, experiment->axes[i].name);
    }
    return found;
}

static size_t find_value(const struct grt_axis *axis, const char *text, struct grt_guess *guess) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < axis->count; i++) {
        found = strcmp(axis->values[i], text) == 0 ? i : found;
        grt_guess_try(guess, axis->values[i]);
    }
    return found;
}

/* Takes one "axis=value"; false after adding an error. */
static bool take_value(const struct grt_experiment *experiment, char *pair, size_t *values,
                       struct grt_errors *errors) {
    char suggestion[GRT_GUESS_TEXT_SIZE], *equals = strchr(pair, '=');
    if (equals == NULL) {
        grt_error_add(errors, NULL, "--show: a point is a number or AXIS=VALUE,... (got '%s')", pair);
        return false;
    }
    *equals = '\0';
    struct grt_guess guess = grt_guess_start(pair);
    size_t axis = find_axis(experiment, pair, &guess);
    if (axis == SIZE_MAX) {
        grt_error_add(errors, NULL, "--show: unknown axis '%s'%s", pair, grt_guess_text(&guess, suggestion));
        return false;
    }
    guess = grt_guess_start(equals + 1);
    values[axis] = find_value(&experiment->axes[axis], equals + 1, &guess);
    if (values[axis] == SIZE_MAX) {
        grt_error_add(errors, NULL, "--show: axis '%s' has no value '%s'%s", pair, equals + 1,
                      grt_guess_text(&guess, suggestion));
        return false;
    }
    return true;
}

static bool read_values(const struct grt_experiment *experiment, char *text, size_t *point,
                        struct grt_errors *errors) {
    size_t values[GRT_MOST_AXES];
    for (size_t i = 0; i < GRT_MOST_AXES; i++) {
        values[i] = SIZE_MAX;
    }
    char *rest = NULL;
    for (char *pair = strtok_r(text, ",", &rest); pair != NULL; pair = strtok_r(NULL, ",", &rest)) {
        if (!take_value(experiment, pair, values, errors)) {
            return false;
        }
    }
    for (size_t i = 0; i < experiment->axis_count; i++) {
        if (values[i] == SIZE_MAX) {
            grt_error_add(errors, NULL, "--show: which value of axis '%s'?", experiment->axes[i].name);
            return false;
        }
    }
    *point = grt_experiment_point(experiment, values);
    return true;
}

static bool read_point(const struct grt_experiment *experiment, char *text, size_t *point,
                       struct grt_errors *errors) {
    uint64_t number = 0;
    const char *end = take_number(text, &number);
    if (end == NULL || *end != '\0') {
        return read_values(experiment, text, point, errors);
    }
    if (number >= experiment->point_count) {
        grt_error_add(errors, NULL, "--show: the points are 0 to %zu (got %" PRIu64 ")",
                      experiment->point_count - 1, number);
        return false;
    }
    *point = (size_t)number;
    return true;
}

/* ---- the evaluation ---- */

static bool read_evaluation(const struct grt_experiment *experiment, const char *text, size_t *evaluation,
                            struct grt_errors *errors) {
    const struct grt_evaluation *evaluations = experiment->points[0].evaluations;
    char suggestion[GRT_GUESS_TEXT_SIZE];
    struct grt_guess guess = grt_guess_start(text);
    uint64_t number = 0;
    const char *end = take_number(text, &number);
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        if (strcmp(evaluations[i].name, text) == 0 || (end != NULL && *end == '\0' && number == i)) {
            *evaluation = i;
            return true;
        }
        grt_guess_try(&guess, evaluations[i].name);
    }
    grt_error_add(errors, NULL, "--show: unknown evaluation '%s'%s", text,
                  grt_guess_text(&guess, suggestion));
    return false;
}

/* ---- the whole ---- */

static bool read_wish(const struct grt_experiment *experiment, const char *which, struct wish *wish,
                      struct grt_errors *errors) {
    const char *sample = find_sample(which);
    if (sample == NULL) {
        grt_error_add(errors, NULL, "--show: must be POINT:SAMPLE or POINT:SAMPLE:EVALUATION (got '%s')",
                      which);
        return false;
    }
    const char *end = take_number(sample + 1, &wish->sample);
    if (wish->sample >= (uint64_t)experiment->samples) {
        grt_error_add(errors, NULL, "--show: the samples are 0 to %" PRId64 " (got %" PRIu64 ")",
                      experiment->samples - 1, wish->sample);
        return false;
    }
    char *point = grt_arena_text(&wish->arena, which);
    point[sample - which] = '\0';
    return read_point(experiment, point, &wish->point, errors) &&
           (*end == '\0' || read_evaluation(experiment, end + 1, &wish->evaluation, errors));
}

bool grt_sweep_show(const struct grt_study *study, const char *which, FILE *out, struct grt_errors *errors) {
    struct wish wish = {0};
    bool good = read_wish(grt_study_experiment(study), which, &wish, errors);
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
