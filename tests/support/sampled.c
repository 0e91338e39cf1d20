#include "tests/support/sampled.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampled *sampled_open(const char *file, int64_t samples) {
    struct sampled *sampled = grt_allocate(sizeof *sampled);
    struct grt_errors errors = {0};
    const struct grt_experiment_changes changes = {.samples = samples};
    *sampled = (struct sampled){.samples = samples};
    bool read = grt_experiment_read(file, &changes, &sampled->experiment, &errors);
    sampled->study = read ? grt_study_create(&sampled->experiment, &errors) : NULL;
    grt_errors_print(&errors, stderr, file);
    grt_errors_clear(&errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sampled->study);
    sampled->sampler = grt_sampler_create(sampled->study);
    size_t count = sampled->experiment.point_count * sampled->experiment.evaluation_count;
    sampled->tallies = grt_allocate(count * sizeof *sampled->tallies);
    memset(sampled->tallies, 0, count * sizeof *sampled->tallies);
    return sampled;
}

void sampled_close(struct sampled *sampled) {
    grt_sampler_free(sampled->sampler);
    grt_study_free(sampled->study);
    grt_experiment_free(&sampled->experiment);
    free(sampled->tallies);
    free(sampled);
}

/* ---- Points ---- */

static void evaluate(struct sampled *sampled, size_t point, struct sampled_tally *tallies) {
    size_t evaluations = sampled->experiment.evaluation_count;
    struct grt_found *found = grt_allocate(evaluations * sizeof *found);
    for (int64_t number = 0; number < sampled->samples; number++) {
        grt_sampler_run(sampled->sampler, point, (uint64_t)number, found);
        for (size_t i = 0; i < evaluations; i++) {
            size_t measures;
            grt_evaluation_measures(&sampled->experiment.points[point].evaluations[i], &measures);
            tallies[i].outcomes[found[i].outcome]++;
            grt_moments_add(&tallies[i].first, measures > 0 ? found[i].values[0] : NAN);
        }
    }
    for (size_t i = 0; i < evaluations; i++) {
        tallies[i].done = true;
    }
    free(found);
}

static const struct sampled_tally *tally_at(struct sampled *sampled, const size_t *values,
                                            size_t evaluation) {
    size_t point = grt_experiment_point(&sampled->experiment, values);
    struct sampled_tally *tallies = &sampled->tallies[point * sampled->experiment.evaluation_count];
    if (!tallies->done) {
        evaluate(sampled, point, tallies);
    }
    return &tallies[evaluation];
}

static void find_value(const struct grt_experiment *experiment, const char *pair,
                       size_t values[GRT_MOST_AXES]) {
    size_t name = strcspn(pair, "=");
    for (size_t i = 0; i < experiment->axis_count; i++) {
        const struct grt_axis *axis = &experiment->axes[i];
        if (strlen(axis->name) != name || strncmp(axis->name, pair, name) != 0) {
            continue;
        }
        for (size_t j = 0; j < axis->count; j++) {
            if (strcmp(axis->values[j], &pair[name + 1]) == 0) {
                values[i] = j;
                return;
            }
        }
    }
    fprintf(stderr, "no axis has %s\n", pair);
    CU_FAIL_FATAL("no axis has this value");
}

static size_t find_evaluation(const struct grt_experiment *experiment, const char *name) {
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        if (strcmp(experiment->points[0].evaluations[i].name, name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "no evaluation %s\n", name);
    CU_FAIL_FATAL("no evaluation of this name");
    return 0;
}

const struct sampled_tally *sampled_at(struct sampled *sampled, const char *evaluation,
                                       const char *const pairs[SAMPLED_MOST_PAIRS]) {
    size_t values[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < SAMPLED_MOST_PAIRS && pairs[i] != NULL; i++) {
        find_value(&sampled->experiment, pairs[i], values);
    }
    return tally_at(sampled, values, find_evaluation(&sampled->experiment, evaluation));
}

double sampled_ratio(const struct sampled_tally *tally) {
    uint64_t sets = 0;
    for (int i = 0; i < GRT_OUTCOMES; i++) {
        sets += i != GRT_OUTCOME_NONE ? tally->outcomes[i] : 0;
    }
    return (double)tally->outcomes[GRT_OUTCOME_YES] / (double)sets;
}

/* ---- Published shares ---- */

double sampled_error(double p, int64_t sets, int64_t other_sets) {
    return sqrt(p * (1.0 - p) * (1.0 / (double)sets + 1.0 / (double)other_sets));
}

/* No set among n is consistent with a probability of 3 in n. */
static double possible(double p, int64_t sets) {
    return fmin(fmax(p, 3.0 / (double)sets), 1.0 - 3.0 / (double)sets);
}

static bool is_near(struct sampled *sampled, const struct grt_published *published) {
    size_t values[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < published->axis_count; i++) {
        values[published->axes[i]] = published->values[i];
    }
    double found = sampled_ratio(tally_at(sampled, values, published->evaluation));
    double p = possible(published->value, published->samples);
    double allowed = 3.0 * sampled_error(p, sampled->samples, published->samples) + published->digits;
    bool near = fabs(found - published->value) <= allowed;
    if (!near) {
        fprintf(stderr, "%s, %s:", sampled->experiment.name,
                sampled->experiment.points[0].evaluations[published->evaluation].name);
        for (size_t i = 0; i < published->axis_count; i++) {
            const struct grt_axis *axis = &sampled->experiment.axes[published->axes[i]];
            fprintf(stderr, " %s=%s", axis->name, axis->values[published->values[i]]);
        }
        fprintf(stderr, ": %.4f instead of %.4f\n", found, published->value);
    }
    return near;
}

int sampled_check_published(struct sampled *sampled) {
    const struct grt_experiment *experiment = &sampled->experiment;
    int checked = 0;
    for (size_t i = 0; i < experiment->published_count; i++) {
        const struct grt_published *published = &experiment->published[i];
        if (published->samples > 0 && published->axis_count == experiment->axis_count &&
            strcmp(published->measure, "ratio") == 0) {
            CU_ASSERT_TRUE(is_near(sampled, published));
            checked++;
        }
    }
    return checked;
}
