#include "tests/support/swept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cunit.h"

/* ---- Opening ---- */

static const struct grt_evaluation *evaluation_at(const struct swept *swept, size_t point,
                                                  size_t evaluation) {
    return &swept->experiment.points[point].evaluations[evaluation];
}

static struct grt_results *make_results(const struct swept *swept) {
    const struct grt_experiment *experiment = &swept->experiment;
    struct grt_results *results = grt_allocate(sizeof *results);
    *results = (struct grt_results){.experiment = experiment};
    size_t points = experiment->point_count, evaluations = experiment->evaluation_count;
    results->tallies = grt_arena_array(&results->arena, points * evaluations, sizeof *results->tallies);
    results->samples = grt_arena_array(&results->arena, points, sizeof *results->samples);
    for (size_t i = 0; i < points * evaluations; i++) {
        size_t measures;
        grt_evaluation_measures(evaluation_at(swept, i / evaluations, i % evaluations), &measures);
        results->tallies[i].moments =
            grt_arena_array(&results->arena, measures, sizeof *results->tallies[i].moments);
    }
    return results;
}

struct swept *swept_open(const char *file, int64_t samples, const char *const *sets) {
    struct swept *swept = grt_allocate(sizeof *swept);
    struct grt_experiment_changes changes = {.samples = samples, .sets = sets};
    struct grt_errors errors = {0};
    *swept = (struct swept){0};
    while (sets != NULL && sets[changes.set_count] != NULL) {
        changes.set_count++;
    }
    bool good = grt_experiment_read(file, &changes, &swept->experiment, &errors);
    swept->study = good ? grt_study_create(&swept->experiment, &errors) : NULL;
    grt_errors_print(&errors, stderr, file);
    grt_errors_clear(&errors);
    CU_ASSERT_FATAL(swept->study != NULL);
    swept->sampler = grt_sampler_create(swept->study);
    swept->results = make_results(swept);
    return swept;
}

void swept_close(struct swept *swept) {
    grt_sampler_free(swept->sampler);
    grt_results_free(swept->results);
    free(swept->results);
    grt_study_free(swept->study);
    grt_experiment_free(&swept->experiment);
    free(swept);
}

/* ---- Points ---- */

/* Adds one chunk, as sweeps do: its samples in their order. */
static void add_chunk(const struct swept *swept, size_t point, uint64_t from, uint64_t to) {
    size_t evaluations = swept->experiment.evaluation_count;
    struct grt_found *found = grt_allocate(evaluations * sizeof *found);
    struct grt_moments *moments = grt_allocate(evaluations * GRT_MOST_MEASURES * sizeof(struct grt_moments));
    memset(moments, 0, evaluations * GRT_MOST_MEASURES * sizeof *moments);
    for (uint64_t number = from; number < to; number++) {
        grt_sampler_run(swept->sampler, point, number, found);
        for (size_t i = 0; i < evaluations; i++) {
            size_t measures;
            grt_evaluation_measures(evaluation_at(swept, point, i), &measures);
            swept->results->tallies[point * evaluations + i].outcomes[found[i].outcome]++;
            for (size_t j = 0; j < measures; j++) {
                grt_moments_add(&moments[i * GRT_MOST_MEASURES + j], found[i].values[j]);
            }
        }
    }
    for (size_t i = 0; i < evaluations; i++) {
        size_t measures;
        grt_evaluation_measures(evaluation_at(swept, point, i), &measures);
        for (size_t j = 0; j < measures; j++) {
            grt_moments_merge(&swept->results->tallies[point * evaluations + i].moments[j],
                              &moments[i * GRT_MOST_MEASURES + j]);
        }
    }
    free(moments);
    free(found);
}

static void evaluate(const struct swept *swept, size_t point) {
    uint64_t samples = (uint64_t)swept->experiment.samples, *done = &swept->results->samples[point];
    while (*done < samples) {
        uint64_t end = *done + GRT_CHUNK_SAMPLES < samples ? *done + GRT_CHUNK_SAMPLES : samples;
        add_chunk(swept, point, *done, end);
        *done = end;
    }
}

static const struct grt_tally *tally_at(const struct swept *swept, const size_t *values, size_t evaluation) {
    size_t point = grt_experiment_point(&swept->experiment, values);
    evaluate(swept, point);
    return grt_results_tally(swept->results, point, evaluation);
}

const struct grt_results *swept_whole(const struct swept *swept) {
    for (size_t point = 0; point < swept->experiment.point_count; point++) {
        evaluate(swept, point);
    }
    swept->results->complete = true;
    return swept->results;
}

/* ---- Names ---- */

static size_t find(const char *name, const char *const *names, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    if (i == count) {
        printf("\n    there is no %s ", name);
        CU_FAIL_FATAL("there is no such name");
    }
    return i;
}

static size_t evaluation_of(const struct swept *swept, const char *name) {
    const char *names[GRT_MOST_EVALUATIONS];
    for (size_t i = 0; i < swept->experiment.evaluation_count; i++) {
        names[i] = evaluation_at(swept, 0, i)->name;
    }
    return find(name, names, swept->experiment.evaluation_count);
}

static size_t axis_of(const struct swept *swept, const char *pair, size_t length) {
    const char *names[GRT_MOST_AXES];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, pair);
    for (size_t i = 0; i < swept->experiment.axis_count; i++) {
        names[i] = swept->experiment.axes[i].name;
    }
    return find(name, names, swept->experiment.axis_count);
}

const struct grt_tally *swept_tally(const struct swept *swept, const char *evaluation,
                                    const char *const *values) {
    size_t numbers[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < swept->experiment.axis_count; i++) {
        numbers[i] = find(values[i], swept->experiment.axes[i].values, swept->experiment.axes[i].count);
    }
    return tally_at(swept, numbers, evaluation_of(swept, evaluation));
}

const struct grt_tally *swept_find(const struct swept *swept, const char *evaluation,
                                   const char *const pairs[SWEPT_MOST_PAIRS]) {
    size_t numbers[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < SWEPT_MOST_PAIRS && pairs[i] != NULL; i++) {
        size_t length = strcspn(pairs[i], "=");
        const struct grt_axis *axis = &swept->experiment.axes[axis_of(swept, pairs[i], length)];
        numbers[axis - swept->experiment.axes] = find(&pairs[i][length + 1], axis->values, axis->count);
    }
    return tally_at(swept, numbers, evaluation_of(swept, evaluation));
}

/* ---- Numbers ---- */

double swept_mean(const struct swept *swept, const char *evaluation, const char *measure,
                  const char *const *values) {
    size_t count;
    const char *const *names =
        grt_evaluation_measures(evaluation_at(swept, 0, evaluation_of(swept, evaluation)), &count);
    return grt_moments_mean(&swept_tally(swept, evaluation, values)->moments[find(measure, names, count)]);
}

double swept_ratio_of(const struct grt_tally *tally) {
    return (double)tally->outcomes[GRT_OUTCOME_YES] / (double)grt_tally_sets(tally);
}

double swept_ratio(const struct swept *swept, const char *evaluation, const char *const *values) {
    return swept_ratio_of(swept_tally(swept, evaluation, values));
}

/* ---- Published shares ---- */

double swept_error(double p, int64_t sets, int64_t other_sets) {
    return sqrt(p * (1.0 - p) * (1.0 / (double)sets + 1.0 / (double)other_sets));
}

/* No set among n is consistent with a probability of 3 in n. */
static double possible(double p, int64_t sets) {
    return fmin(fmax(p, 3.0 / (double)sets), 1.0 - 3.0 / (double)sets);
}

static void print_distance(const struct swept *swept, const struct grt_published *published, double found) {
    fprintf(stderr, "%s, %s:", swept->experiment.name, evaluation_at(swept, 0, published->evaluation)->name);
    for (size_t i = 0; i < published->axis_count; i++) {
        const struct grt_axis *axis = &swept->experiment.axes[published->axes[i]];
        fprintf(stderr, " %s=%s", axis->name, axis->values[published->values[i]]);
    }
    fprintf(stderr, ": %.4f instead of %.4f\n", found, published->value);
}

static bool is_near(const struct swept *swept, const struct grt_published *published) {
    size_t values[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < published->axis_count; i++) {
        values[published->axes[i]] = published->values[i];
    }
    double found = swept_ratio_of(tally_at(swept, values, published->evaluation));
    double p = possible(published->value, published->samples);
    double allowed = 3.0 * swept_error(p, swept->experiment.samples, published->samples) + published->digits;
    bool near = fabs(found - published->value) <= allowed;
    if (!near) {
        print_distance(swept, published, found);
    }
    return near;
}

int swept_check_published(const struct swept *swept) {
    const struct grt_experiment *experiment = &swept->experiment;
    int checked = 0;
    for (size_t i = 0; i < experiment->published_count; i++) {
        const struct grt_published *published = &experiment->published[i];
        if (published->samples > 0 && published->axis_count == experiment->axis_count &&
            strcmp(published->measure, "ratio") == 0) {
            CU_ASSERT_TRUE(is_near(swept, published));
            checked++;
        }
    }
    return checked;
}
