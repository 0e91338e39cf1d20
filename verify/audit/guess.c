#include "verify/audit/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More at a time are given up. */
enum { MOST_GUESSES = 48, MOST_AT_ONCE = 4 };

void audit_guesses_start(struct audit_guesses *guesses, const struct grt_device *device) {
    *guesses = (struct audit_guesses){.device = device, .count = 1};
    guesses->all = grt_allocate(MOST_GUESSES * sizeof *guesses->all);
    memset(guesses->all, 0, MOST_GUESSES * sizeof *guesses->all);
}

void audit_guesses_free(struct audit_guesses *guesses) {
    for (uint32_t i = 0; i < MOST_GUESSES; i++) {
        free(guesses->all[i].runners);
    }
    free(guesses->all);
    free(guesses->sharers);
    free(guesses->speeds);
}

uint32_t audit_guesses_running(const struct audit_guesses *guesses) {
    return guesses->all[0].count;
}

/* ---- begins ---- */

static void add(struct audit_guess *guess, struct audit_shares_kernel *kernel) {
    guess->runners =
        grt_array_grow(guess->runners, &guess->capacity, guess->count + 1, sizeof *guess->runners);
    guess->runners[guess->count++] = (struct audit_runner){.kernel = kernel};
}

static void copy(struct audit_guess *to, const struct audit_guess *from) {
    to->runners = grt_array_grow(to->runners, &to->capacity, from->count + 1, sizeof *to->runners);
    for (uint32_t i = 0; i < from->count; i++) {
        to->runners[i] = from->runners[i];
    }
    to->count = from->count;
}

/* The next order of numbers, from ascending to descending ones; false behind the last. */
static bool next_order(uint32_t *order, uint32_t count) {
    uint32_t pivot = count - 1, swap = count - 1;
    while (pivot > 0 && order[pivot - 1] > order[pivot]) {
        pivot--;
    }
    if (pivot == 0) {
        return false;
    }
    while (order[swap] < order[pivot - 1]) {
        swap--;
    }
    uint32_t kept = order[swap];
    order[swap] = order[pivot - 1];
    order[pivot - 1] = kept;
    for (uint32_t low = pivot, high = count - 1; low < high; low++, high--) {
        kept = order[low];
        order[low] = order[high];
        order[high] = kept;
    }
    return true;
}

/* Every guess becomes one for each order. */
static void branch(struct audit_guesses *guesses, struct audit_shares_kernel **kernels, uint32_t count) {
    uint32_t order[MOST_AT_ONCE] = {0, 1, 2, 3}, before = guesses->count, made = 0;
    do {
        for (uint32_t i = 0; i < before; i++) {
            struct audit_guess *guess = &guesses->all[made * before + i];
            if (made > 0) { /* in front of the first one's own kernels, which are there by now */
                copy(guess, &guesses->all[i]);
                guess->count -= count;
            }
            for (uint32_t j = 0; j < count; j++) {
                add(guess, kernels[order[j]]);
            }
        }
        made++;
    } while (next_order(order, count));
    guesses->count = made * before;
}

void audit_guesses_begin(struct audit_guesses *guesses, struct audit_shares_kernel **kernels,
                         uint32_t count) {
    static const uint32_t orders[MOST_AT_ONCE + 1] = {1, 1, 2, 6, 24};
    bool ordered = guesses->device->share_mode == GRT_SHARE_MODE_LEFT_OVER && count > 1;
    bool many = ordered && (count > MOST_AT_ONCE || orders[count] * guesses->count > MOST_GUESSES);
    if (guesses->lost || many) {
        guesses->lost = true;
        guesses->count = 1;
    }
    if (ordered && !guesses->lost) {
        branch(guesses, kernels, count);
        return;
    }
    for (uint32_t i = 0; i < guesses->count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            add(&guesses->all[i], kernels[j]);
        }
    }
}

/* ---- ends ---- */

static struct audit_runner *find(const struct audit_guess *guess, const struct audit_shares_kernel *kernel) {
    for (uint32_t i = 0; i < guess->count; i++) {
        if (guess->runners[i].kernel == kernel) {
            return &guess->runners[i];
        }
    }
    return NULL;
}

static void drop(struct audit_guesses *guesses, uint32_t number) {
    struct audit_guess last = guesses->all[--guesses->count];
    guesses->all[guesses->count] = guesses->all[number];
    guesses->all[number] = last;
}

static bool are_equal(const struct audit_guess *one, const struct audit_guess *other) {
    for (uint32_t i = 0; i < one->count; i++) {
        const struct audit_runner *a = &one->runners[i], *b = &other->runners[i];
        if (a->kernel != b->kernel || a->least_done != b->least_done || a->most_done != b->most_done) {
            return false;
        }
    }
    return true;
}

static void drop_equal(struct audit_guesses *guesses) {
    for (uint32_t i = 0; i < guesses->count; i++) {
        for (uint32_t j = guesses->count - 1; j > i; j--) {
            if (are_equal(&guesses->all[i], &guesses->all[j])) {
                drop(guesses, j);
            }
        }
    }
}

bool audit_guesses_end(struct audit_guesses *guesses, const struct audit_shares_kernel *kernel,
                       bool (*is_right)(const struct grt_audit *audit, const struct audit_runner *runner),
                       const struct grt_audit *audit, struct audit_runner *seen) {
    uint32_t right = 0;
    for (uint32_t i = 0; i < guesses->count; i++) {
        const struct audit_runner *runner = find(&guesses->all[i], kernel);
        if (runner == NULL) { /* all guesses are of the same kernels */
            return true;
        }
        *seen = *runner;
        right += is_right(audit, runner);
    }
    for (uint32_t i = guesses->count; right > 0 && i > 0; i--) {
        if (!guesses->lost && !is_right(audit, find(&guesses->all[i - 1], kernel))) {
            drop(guesses, i - 1);
        }
    }
    for (uint32_t i = 0; i < guesses->count; i++) {
        struct audit_guess *guess = &guesses->all[i];
        struct audit_runner *runner = find(guess, kernel);
        uint32_t behind = (uint32_t)(guess->runners + guess->count - runner) - 1;
        memmove(runner, runner + 1, behind * sizeof *runner);
        guess->count--;
    }
    drop_equal(guesses);
    bool unknown = guesses->lost;
    guesses->lost = guesses->lost && audit_guesses_running(guesses) > 0;
    return right > 0 || unknown;
}

/* ---- time ---- */

/* A speed in 2^-32, rounded up. */
static uint64_t rounded_up(double speed) {
    double all = ldexp(1, AUDIT_FRACTION_BITS), scaled = ceil(ldexp(speed, AUDIT_FRACTION_BITS));
    return (uint64_t)fmin(all, fmax(0, scaled));
}

static void set_speeds(struct audit_guesses *guesses, struct audit_guess *guess, const int64_t *shares,
                       uint32_t count) {
    double error = audit_speed_error(guesses->device);
    bool tokens = guesses->device->share_interval > 0; /* it stands still, or may use all SMs */
    for (uint32_t i = 0; i < guess->count; i++) {
        struct audit_shares_kernel *kernel = guess->runners[i].kernel;
        int64_t share = kernel->stream < count ? shares[kernel->stream] : GRT_FULL_SHARE;
        guesses->sharers[i] = (struct audit_sharer){&kernel->spec->usage, kernel->spec->class_name, share};
        kernel->disturbed |= guess->count > 1 || share != kernel->share;
    }
    guesses->lost |= !audit_speeds_of(guesses->device, guesses->sharers, guess->count, guesses->speeds);
    for (uint32_t i = 0; i < guess->count; i++) {
        struct audit_runner *runner = &guess->runners[i];
        double speed = guesses->speeds[i];
        runner->share = guesses->sharers[i].share;
        runner->least_speed = speed <= 0 || tokens ? 0 : rounded_up(speed - error);
        runner->most_speed = tokens ? rounded_up(1) : speed <= 0 ? 0 : rounded_up(speed + error);
    }
}

void audit_guesses_set_speeds(struct audit_guesses *guesses, const int64_t *shares, uint32_t count) {
    uint32_t running = audit_guesses_running(guesses);
    guesses->sharers =
        grt_array_grow(guesses->sharers, &guesses->sharer_capacity, running + 1, sizeof *guesses->sharers);
    guesses->speeds =
        grt_array_grow(guesses->speeds, &guesses->speed_capacity, running + 1, sizeof *guesses->speeds);
    for (uint32_t i = 0; i < guesses->count; i++) {
        set_speeds(guesses, &guesses->all[i], shares, count);
    }
}

/* F4: at every multiple of the interval, by the share until then. */
static int64_t tokens_given(const struct grt_device *device, int64_t share, grt_time from, grt_time to) {
    grt_time interval = device->share_interval;
    return interval > 0 ? (to / interval - from / interval) * share : 0;
}

void audit_guesses_pass(struct audit_guesses *guesses, grt_time from, grt_time to) {
    uint64_t passed = to > from ? (uint64_t)to - (uint64_t)from : 0;
    for (uint32_t i = 0; passed > 0 && i < guesses->count; i++) {
        for (uint32_t j = 0; j < guesses->all[i].count; j++) {
            struct audit_runner *runner = &guesses->all[i].runners[j];
            runner->least_done += (audit_wide)runner->least_speed * passed;
            runner->most_done += (audit_wide)runner->most_speed * passed;
            runner->tokens += (audit_wide)tokens_given(guesses->device, runner->share, from, to) *
                              (audit_wide)guesses->device->share_interval;
        }
    }
}
