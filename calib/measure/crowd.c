#include "calib/measure/crowd.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

/* Starts that are so much of a block's time apart, on average, are the same: so much less company it has. */
#define MOST_APART 0.1

size_t grt_crowd_sm_numbers(const struct grt_block_record *records, uint32_t count) {
    size_t numbers = 0;
    for (uint32_t i = 0; i < count; i++) {
        numbers = records[i].sm >= numbers ? (size_t)records[i].sm + 1 : numbers;
    }
    return numbers;
}

/* As many zeros; to be freed. */
static uint32_t *zeros(size_t count) {
    uint32_t *made = grt_allocate(count * sizeof *made);
    memset(made, 0, count * sizeof *made);
    return made;
}

/* Whether every SM had exactly so many. */
static bool is_even(const struct grt_block_record *records, uint32_t count, uint32_t sms, uint32_t per_sm) {
    uint32_t *counts = zeros(grt_crowd_sm_numbers(records, count)), used = 0;
    bool even = true;
    for (uint32_t i = 0; i < count; i++) {
        used += counts[records[i].sm]++ == 0;
        even = even && counts[records[i].sm] <= per_sm;
    }
    free(counts);
    return even && used == sms && count == sms * per_sm;
}

/* ---- how many SMs held at a time ---- */

enum { ENDS, STARTS, ENDS_AT_ONCE }; /* of the same instant in this order */

struct change {
    uint64_t at;
    int what;
    uint16_t sm;
};

static int compare(const void *left, const void *right) {
    const struct change *a = left, *b = right;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : a->what - b->what;
}

/* The most blocks that each SM had at a time, by its number; to be freed. */
static uint32_t *most_at_a_time(const struct grt_block_record *records, uint32_t count, size_t sm_numbers) {
    struct change *changes = grt_allocate(2 * (size_t)count * sizeof *changes);
    uint32_t *now = zeros(sm_numbers), *most = zeros(sm_numbers);
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_block_record *record = &records[i];
        int end = record->end_ns > record->start_ns ? ENDS : ENDS_AT_ONCE;
        changes[2 * i] = (struct change){record->start_ns, STARTS, record->sm};
        changes[2 * i + 1] = (struct change){record->end_ns, end, record->sm};
    }
    qsort(changes, 2 * (size_t)count, sizeof *changes, compare);
    for (size_t i = 0; i < 2 * (size_t)count; i++) {
        uint16_t sm = changes[i].sm;
        now[sm] += changes[i].what == STARTS ? 1 : UINT32_MAX; /* one less */
        most[sm] = changes[i].what == STARTS && now[sm] > most[sm] ? now[sm] : most[sm];
    }
    free(changes);
    free(now);
    return most;
}

/* Whether that was so many on some SM, and about as many on all of them. */
static bool held(const struct grt_block_record *records, uint32_t count, uint32_t sms, double wanted) {
    size_t sm_numbers = grt_crowd_sm_numbers(records, count);
    uint32_t *most = most_at_a_time(records, count, sm_numbers), all = 0, nearly = 0;
    for (size_t sm = 0; sm < sm_numbers; sm++) {
        all += most[sm] >= floor(wanted);
        nearly += most[sm] >= (1 - MOST_APART) * wanted;
    }
    free(most);
    return wanted > 0 && all > 0 && nearly == sms;
}

/* ---- one wave ---- */

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
    return together && held(records, count, sms, per_sm);
}

/* ---- several waves ---- */

/* How many blocks the device could begin during one, as quickly as it began the first ones, while all places were free. */
static double begun_during_one(const struct grt_block_record *records, uint32_t count) {
    uint64_t first_start = UINT64_MAX, first_end = UINT64_MAX, last = 0;
    uint32_t begun = 0;
    for (uint32_t i = 0; i < count; i++) {
        first_start = records[i].start_ns < first_start ? records[i].start_ns : first_start;
        first_end = records[i].end_ns < first_end ? records[i].end_ns : first_end;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_before = records[i].start_ns < first_end;
        last = is_before && records[i].start_ns > last ? records[i].start_ns : last;
        begun += is_before;
    }
    double *work = grt_allocate((size_t)count * sizeof *work), time = typical_time(records, count, work);
    free(work);
    return begun > 1 && last > first_start ? time * (begun - 1) / (double)(last - first_start) : INFINITY;
}

bool grt_crowd_is_full(const struct grt_block_record *records, uint32_t count, uint32_t sms,
                       uint32_t per_sm) {
    return held(records, count, sms, fmin(per_sm, begun_during_one(records, count) / sms));
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
