#include "tests/support/swept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

struct swept *swept_open(const char *file, int64_t samples, const char *const *sets) {
    struct swept *swept = grt_allocate(sizeof *swept);
    struct grt_experiment_changes changes = {.samples = samples, .sets = sets};
    const struct grt_sweep_options options = {.threads = 1};
    struct grt_errors errors = {0};
    while (sets != NULL && sets[changes.set_count] != NULL) {
        changes.set_count++;
    }
    bool good = grt_experiment_read(file, &changes, &swept->experiment, &errors);
    swept->study = good ? grt_study_create(&swept->experiment, &errors) : NULL;
    good = swept->study != NULL && grt_sweep_run(swept->study, &options, &swept->results, &errors);
    grt_errors_print(&errors, stderr, file);
    grt_errors_clear(&errors);
    CU_ASSERT_FATAL(good);
    CU_ASSERT_FATAL(swept->results.complete);
    return swept;
}

void swept_close(struct swept *swept) {
    grt_results_free(&swept->results);
    grt_study_free(swept->study);
    grt_experiment_free(&swept->experiment);
    free(swept);
}

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
        names[i] = swept->experiment.points[0].evaluations[i].name;
    }
    return find(name, names, swept->experiment.evaluation_count);
}

const struct grt_tally *swept_tally(const struct swept *swept, const char *evaluation,
                                    const char *const *values) {
    size_t numbers[GRT_MOST_AXES] = {0};
    for (size_t i = 0; i < swept->experiment.axis_count; i++) {
        numbers[i] = find(values[i], swept->experiment.axes[i].values, swept->experiment.axes[i].count);
    }
    return grt_results_tally(&swept->results, grt_experiment_point(&swept->experiment, numbers),
                             evaluation_of(swept, evaluation));
}

double swept_mean(const struct swept *swept, const char *evaluation, const char *measure,
                  const char *const *values) {
    size_t count;
    const char *const *names = grt_evaluation_measures(
        &swept->experiment.points[0].evaluations[evaluation_of(swept, evaluation)], &count);
    return grt_moments_mean(&swept_tally(swept, evaluation, values)->moments[find(measure, names, count)]);
}

double swept_ratio(const struct swept *swept, const char *evaluation, const char *const *values) {
    const struct grt_tally *tally = swept_tally(swept, evaluation, values);
    return (double)tally->outcomes[GRT_OUTCOME_YES] / (double)grt_tally_sets(tally);
}
