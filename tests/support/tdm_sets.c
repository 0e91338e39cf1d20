#include "tests/support/tdm_sets.h"

#include <math.h>

#include "tests/support/pick.h"

struct tdm_task *grt_tdm_add(struct grt_tdm_set *set, int64_t period, int64_t work, int64_t overhead) {
    struct grt_step *step = &set->steps[set->count];
    struct tdm_task *task = &set->tasks[set->count++];
    *step = (struct grt_step){.each = 1, .units = work, .new_segment = true};
    *task = (struct tdm_task){
        .period = period, .deadline = period, .overhead = overhead, .steps = step, .step_count = 1};
    return task;
}

void grt_tdm_random(struct grt_tdm_set *set, struct grt_random *random, size_t count, double utilisation,
                    int64_t overhead) {
    const int64_t ms = 1000000;
    set->count = 0;
    double left = utilisation;
    for (size_t i = 0; i < count; i++) {
        double rest =
            i + 1 == count ? 0.0 : left * pow(grt_random_uniform(random), 1.0 / (double)(count - 1 - i));
        int64_t period = grt_pick(random, 100 * ms, 100000 * ms);
        int64_t work = (int64_t)((left - rest) * (double)period);
        grt_tdm_add(set, period, work > 1 ? work : 1, grt_pick(random, 0, overhead));
        left = rest;
    }
}
