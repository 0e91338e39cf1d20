#include "calib/measure/crowd.h"

#include <gsl/gsl_sort.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

enum { SMS = 1 << 16 };

/* Starts that are so much of a block's time apart, on average, are the same: so much less company it has. */
#define MOST_APART 0.1

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

/* The median of the blocks' times; changes `work`. */
static double typical_time(const struct grt_block_record *records, uint32_t count, double *work) {
    for (uint32_t i = 0; i < count; i++) {
        work[i] = (double)(records[i].end_ns - records[i].start_ns);
    }
    gsl_sort(work, 1, count);
    return work[count / 2];
}

/* How far two blocks' starts are apart, on average over all pairs; changes `work`. */
static double apart(const struct grt_block_record *records, uint32_t count, double *work) {
    double sum = 0, blocks = count;
    for (uint32_t i = 0; i < count;
         i++) { /* from the first of them: doubles have no room for the timer's numbers */
        work[i] = (double)(int64_t)(records[i].start_ns - records[0].start_ns);
    }
    gsl_sort(work, 1, count);
    for (uint32_t i = 0; i < count; i++) {
        sum += work[i] * (2.0 * i + 1 - blocks);
    }
    return 2 * sum / (blocks * blocks);
}

bool grt_crowd_is_one(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm) {
    if (!is_even(records, count, sms, per_sm)) {
        return false;
    }
    double *work = grt_allocate((size_t)count * sizeof *work), time = typical_time(records, count, work);
    bool together = apart(records, count, work) <= MOST_APART * time;
    free(work);
    return together;
}

uint32_t grt_crowd_of_waves(const struct grt_block_record *records, uint32_t count, uint32_t *picked) {
    uint64_t first_end = UINT64_MAX, last_start = 0, longest = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t time = records[i].end_ns - records[i].start_ns;
        first_end = records[i].end_ns < first_end ? records[i].end_ns : first_end;
        last_start = records[i].start_ns > last_start ? records[i].start_ns : last_start;
        longest = time > longest ? time : longest;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (records[i].start_ns >= first_end && records[i].start_ns + longest <= last_start) {
            picked[found++] = i;
        }
    }
    return found;
}
