#include "calib/fit/alone.h"

#include <math.h>
#include <stdlib.h>

#include "models/device.h"
#include "sim/random.h"

enum { MOST_BLOCKS = 1 << 20, REPEATS = 9 };

static const struct grt_fitted_workload *find(const struct grt_fit_build *build, const char *workload) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        if (grt_fit_is_text(build->raw->workloads[i].name, workload)) {
            return &build->workloads[i];
        }
    }
    return NULL;
}

/* Lets the first end of a heap become a later one. */
static void replace_first(double *ends, size_t count, double end) {
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && ends[child + 1] < ends[child];
        if (ends[child] >= end) {
            break;
        }
        ends[at] = ends[child];
    }
    ends[at] = end;
}

/* Blocks of drawn times in so many places, each in the one that is free first. */
static double play(const struct grt_fitted_workload *workload, struct grt_random *random, double *ends,
                   size_t places) {
    double last = 0;
    for (size_t i = 0; i < places; i++) {
        ends[i] = 0;
    }
    for (uint32_t i = 0; i < workload->workload->blocks; i++) {
        uint64_t drawn = grt_random_below(random, workload->block_time_count);
        double end = ends[0] + (double)workload->block_times[drawn];
        last = fmax(last, end);
        replace_first(ends, places, end);
    }
    return last;
}

struct grt_ranged grt_fit_alone(struct grt_fit_build *build, const char *name, int64_t sms) {
    const struct grt_fitted_workload *workload = find(build, name);
    struct grt_ranged block = workload != NULL ? workload->block_time : grt_ranged_unknown();
    if (workload == NULL || workload->block_time_count == 0 || sms < 1 || sms > GRT_DEVICE_MAX_SMS ||
        workload->workload->occupancy < 1 || workload->workload->occupancy > GRT_DEVICE_MAX_BLOCKS_PER_SM ||
        workload->workload->blocks > MOST_BLOCKS || !(block.value > 0)) {
        return grt_ranged_unknown();
    }
    size_t places = (size_t)sms * (size_t)workload->workload->occupancy;
    double *ends = grt_allocate(places * sizeof *ends), spans[REPEATS];
    bool constant = workload->block_times[0] == workload->block_times[workload->block_time_count - 1];
    size_t repeats = constant ? 1 : REPEATS;
    for (size_t i = 0; i < repeats; i++) {
        struct grt_random random = grt_random_stream(1, "alone", (uint64_t)sms, i);
        spans[i] = play(workload, &random, ends, places);
    }
    free(ends);
    double span = grt_fit_residual(spans, repeats); /* their median */
    return (struct grt_ranged){span, span * block.low / block.value, span * block.high / block.value};
}
