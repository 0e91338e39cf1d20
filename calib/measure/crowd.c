#include "calib/measure/crowd.h"

#include <gsl/gsl_sort.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

enum { SMS = 1 << 16 };

/* What is taken for all of them. */
#define NEARLY_ALL 0.9

/* Whether every SM had exactly so many. */
static bool is_even(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm) {
    uint32_t *counts = grt_allocate(SMS * sizeof *counts), used = 0;
    bool even = true;
    memset(counts, 0, SMS * sizeof *counts);
    for (uint32_t i = 0; i < count; i++) {
        used += counts[records[i].sm]++ == 0;
        even = even && counts[records[i].sm] <= per_sm;
    }
    free(counts);
    return even && used == sms && count == sms * per_sm;
}

/* Instants in ascending order, and the sums of those before each. */
struct instants {
    double *at, *sums;
    uint32_t count;
};

static void sum_up(struct instants *instants) {
    gsl_sort(instants->at, 1, instants->count);
    instants->sums[0] = 0;
    for (uint32_t i = 0; i < instants->count; i++) {
        instants->sums[i + 1] = instants->sums[i] + instants->at[i];
    }
}

/* How long ago those before an instant were, all together. */
static double ages_at(const struct instants *instants, double now) {
    uint32_t low = 0, high = instants->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (instants->at[middle] <= now) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low * now - instants->sums[low];
}

/* For how long blocks ran before an instant, all together. */
static double run_until(const struct instants *starts, const struct instants *ends, double now) {
    return ages_at(starts, now) - ages_at(ends, now);
}

static uint32_t pick_crowded(const struct grt_block_record *records, uint32_t count,
                             const struct instants *starts, const struct instants *ends, uint64_t origin,
                             uint32_t *picked) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        double start = (double)(records[i].start_ns - origin), end = (double)(records[i].end_ns - origin);
        double beside = run_until(starts, ends, end) - run_until(starts, ends, start);
        if (beside >= NEARLY_ALL * count * (end - start)) {
            picked[found++] = i;
        }
    }
    return found;
}

uint32_t grt_crowd_of_wave(const struct grt_block_record *records, uint32_t count, uint32_t sms,
                           uint32_t per_sm, uint32_t *picked) {
    if (!is_even(records, count, sms, per_sm)) {
        return 0;
    }
    size_t room = (size_t)count + 1;
    double *work = grt_allocate(4 * room * sizeof *work);
    struct instants starts = {work, work + room, count}, ends = {work + 2 * room, work + 3 * room, count};
    uint64_t origin = records[0].start_ns; /* of numbers that a double has no room for */
    for (uint32_t i = 0; i < count; i++) {
        origin = records[i].start_ns < origin ? records[i].start_ns : origin;
    }
    for (uint32_t i = 0; i < count; i++) {
        starts.at[i] = (double)(records[i].start_ns - origin);
        ends.at[i] = (double)(records[i].end_ns - origin);
    }
    sum_up(&starts);
    sum_up(&ends);
    uint32_t found = pick_crowded(records, count, &starts, &ends, origin, picked);
    free(work);
    return found;
}

uint32_t grt_crowd_of_waves(const struct grt_block_record *records, uint32_t count, uint32_t *picked) {
    uint64_t first_end = UINT64_MAX, last_start = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        first_end = records[i].end_ns < first_end ? records[i].end_ns : first_end;
        last_start = records[i].start_ns > last_start ? records[i].start_ns : last_start;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (records[i].start_ns >= first_end && records[i].end_ns <= last_start) {
            picked[found++] = i;
        }
    }
    return found;
}
