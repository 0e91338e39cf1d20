#include "study/evaluate/quotients.h"

#include <math.h>
#include <string.h>

#include "scenarios/experiment/names.h"
#include "study/evaluate/wishes.h"

/* A value that an evaluation is asked for. */
struct place {
    size_t evaluation, index;
};

/* A measure that is wanted: one value, or the quotient of two. */
struct wanted {
    struct place above, below;
    bool is_quotient;
};

/* Of one evaluation. */
struct part {
    const char **asked; /* GRT_MOST_MEASURES */
    size_t asked_count, wanted_count;
    struct wanted *wanted;
};

struct grt_quotients {
    struct part *parts;
    size_t count;
    bool none;
};

struct planner {
    const struct grt_experiment *experiment;
    const struct grt_evaluation *evaluations; /* of the first point */
    struct grt_quotients *quotients;
    struct grt_arena *arena;
    struct grt_errors *errors;
};

/* ---- operands ---- */

/* "EVALUATION.MEASURE": where the measure begins; names of evaluations may have dots, those of measures have none before a colon. */
static const char *measure_in(const char *operand) {
    const char *end = strchr(operand, ':'), *measure = operand;
    end = end != NULL ? end : operand + strlen(operand);
    for (const char *at = operand; at < end; at++) {
        measure = *at == '.' ? at + 1 : measure;
    }
    return measure;
}

static size_t find_evaluation(const struct planner *planner, const char *operand, size_t length) {
    size_t i = 0;
    while (i < planner->quotients->count && (strlen(planner->evaluations[i].name) != length ||
                                             memcmp(planner->evaluations[i].name, operand, length) != 0)) {
        i++;
    }
    return i;
}

/* Asks the evaluation for the measure; false after adding an error where there is no room. */
static bool ask(struct planner *planner, size_t evaluation, const char *measure, const struct grt_path *path,
                struct place *place) {
    struct part *part = &planner->quotients->parts[evaluation];
    *place = (struct place){evaluation, 0};
    while (place->index < part->asked_count && strcmp(part->asked[place->index], measure) != 0) {
        place->index++;
    }
    if (place->index == GRT_MOST_MEASURES) {
        grt_error_add(planner->errors, path, "asks evaluation %s for more than %d measures",
                      planner->evaluations[evaluation].name, (int)GRT_MOST_MEASURES);
        return false;
    }
    if (place->index == part->asked_count) {
        part->asked[part->asked_count++] = measure;
    }
    return true;
}

/* One of the two of a quotient, without the evaluation's name: its own. */
static bool read_operand(struct planner *planner, size_t own, const char *operand,
                         const struct grt_path *path, struct place *place) {
    const char *measure = measure_in(operand);
    size_t evaluation =
        measure > operand ? find_evaluation(planner, operand, (size_t)(measure - operand) - 1) : own;
    if (evaluation == planner->quotients->count) {
        grt_error_add(planner->errors, path, "there is no evaluation of this name (got \"%s\")", operand);
        return false;
    }
    return grt_measure_check(&planner->evaluations[evaluation], measure, planner->errors, path) &&
           grt_measure_known(planner->experiment, evaluation, measure, planner->errors, path) &&
           ask(planner, evaluation, measure, path, place);
}

static void read_quotient(struct planner *planner, size_t own, const char *name, const struct grt_path *path,
                          struct wanted *wanted) {
    char *above = grt_arena_text(planner->arena, name), *below = strchr(above, '/') + 1;
    below[-1] = '\0';
    wanted->is_quotient = true;
    if (strchr(below, '/') != NULL) {
        grt_error_add(planner->errors, path, "must be a quotient of two measures (got \"%s\")", name);
    } else if (read_operand(planner, own, above, path, &wanted->above)) {
        read_operand(planner, own, below, path, &wanted->below);
    }
}

/* ---- planning ---- */

/* An axis is a column of the results beside those of measures, also of those that nobody has asked for. */
static void check_columns(const struct grt_experiment *experiment, size_t evaluation,
                          struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "axes"};
    const struct grt_evaluation *own = &experiment->points[0].evaluations[evaluation];
    size_t count;
    const char *const *measures = grt_evaluation_measures(own, &count);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        const struct grt_path axis = {.parent = &list, .index = i}, name = {.parent = &axis, .key = "name"};
        for (size_t j = 0; j < count; j++) {
            if (grt_names_are_alike(experiment->axes[i].name, measures[j])) {
                grt_error_add(errors, &name,
                              "must not be that of a measure, which evaluation %s has (got \"%s\")",
                              own->name, experiment->axes[i].name);
            }
        }
    }
}

static void plan(struct planner *planner, size_t number) {
    static const struct grt_path root = {0};
    const struct grt_path all = {.parent = &root, .key = "evaluations"},
                          one = {.parent = &all, .index = number}, list = {.parent = &one, .key = "measures"};
    struct part *part = &planner->quotients->parts[number];
    const struct grt_evaluation *evaluation = &planner->evaluations[number];
    grt_evaluation_measures(evaluation, &part->wanted_count);
    part->wanted = grt_arena_array(planner->arena, part->wanted_count, sizeof *part->wanted);
    bool named = grt_evaluation_check(evaluation, planner->errors, &one) && evaluation->measure_count > 0;
    for (size_t i = 0; i < part->wanted_count; i++) {
        const struct grt_path place = {.parent = &list, .index = i};
        const char *formula = grt_evaluation_formula(evaluation, i);
        if (strchr(formula, '/') == NULL) {
            if (named) {
                grt_measure_known(planner->experiment, number, formula, planner->errors, &place);
            }
            ask(planner, number, formula, &place, &part->wanted[i].above);
        } else {
            read_quotient(planner, number, formula, &place, &part->wanted[i]);
            planner->quotients->none = false;
        }
    }
}

const struct grt_quotients *grt_quotients_create(const struct grt_experiment *experiment,
                                                 struct grt_arena *arena, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_quotients *quotients = grt_arena_new(arena, struct grt_quotients);
    struct planner planner = {experiment, experiment->points[0].evaluations, quotients, arena, errors};
    quotients->count = experiment->evaluation_count;
    quotients->parts = grt_arena_array(arena, quotients->count, sizeof *quotients->parts);
    quotients->none = true;
    for (size_t i = 0; i < quotients->count; i++) {
        quotients->parts[i].asked =
            grt_arena_array(arena, GRT_MOST_MEASURES, sizeof *quotients->parts[i].asked);
    }
    for (size_t i = 0; i < quotients->count; i++) {
        check_columns(experiment, i, errors);
        plan(&planner, i);
    }
    for (size_t i = 0; i < quotients->count; i++) { /* else one measure has two names */
        quotients->none =
            quotients->none && quotients->parts[i].asked_count == quotients->parts[i].wanted_count;
    }
    return errors->count == before ? quotients : NULL;
}

/* ---- use ---- */

struct grt_asked_measures grt_quotients_asked(const struct grt_quotients *quotients, size_t evaluation) {
    const struct part *part = &quotients->parts[evaluation];
    return (struct grt_asked_measures){part->asked, part->asked_count};
}

bool grt_quotients_none(const struct grt_quotients *quotients) {
    return quotients->none;
}

static double value_at(const struct grt_found *asked, const struct place *place) {
    return asked[place->evaluation].values[place->index];
}

void grt_quotients_fill(const struct grt_quotients *quotients, const struct grt_found *asked,
                        struct grt_found *found) {
    for (size_t i = 0; i < quotients->count; i++) {
        const struct part *part = &quotients->parts[i];
        found[i].outcome = asked[i].outcome;
        memcpy(found[i].reason, asked[i].reason, sizeof found[i].reason);
        for (size_t j = 0; j < part->wanted_count; j++) {
            const struct wanted *wanted = &part->wanted[j];
            double below = wanted->is_quotient ? value_at(asked, &wanted->below) : 1;
            found[i].values[j] = below != 0 ? value_at(asked, &wanted->above) / below : (double)NAN;
        }
    }
}
