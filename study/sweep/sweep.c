#include "study/sweep/sweep.h"

#include <stdlib.h>

#include "sim/memory.h"
#include "study/sweep/sweep_work.h"

static void *start(void *state) {
    return grt_sampler_create(state);
}

static void run(void *own, size_t point, uint64_t sample, struct grt_found *found) {
    grt_sampler_run(own, point, sample, found);
}

static void end(void *own) {
    grt_sampler_free(own);
}

/* How many measures each evaluation has: the same at all points. To be freed. */
static size_t *count_measures(const struct grt_experiment *experiment) {
    size_t *counts = grt_allocate(experiment->evaluation_count * sizeof *counts);
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        counts[i] = 0;
        if (experiment->point_count > 0) {
            grt_evaluation_measures(&experiment->points[0].evaluations[i], &counts[i]);
        }
    }
    return counts;
}

bool grt_sweep_run(const struct grt_study *study, const struct grt_sweep_options *options,
                   struct grt_results *results, struct grt_errors *errors) {
    const struct grt_experiment *experiment = grt_study_experiment(study);
    size_t *counts = count_measures(experiment);
    struct grt_sweep_work work = {.experiment = experiment,
                                  .shape = {experiment->evaluation_count, counts},
                                  .state = (void *)(size_t)study,
                                  .start = start,
                                  .run = run,
                                  .end = end};
    bool good = grt_sweep_work_run(&work, options, results, errors);
    free(counts);
    return good;
}

bool grt_results_merge(const struct grt_experiment *experiment, const char *const *journals, size_t count,
                       struct grt_results *results, struct grt_errors *errors) {
    size_t *counts = count_measures(experiment);
    struct grt_chunk_shape shape = {experiment->evaluation_count, counts};
    bool good = grt_sweep_work_merge(experiment, &shape, journals, count, results, errors);
    free(counts);
    return good;
}
