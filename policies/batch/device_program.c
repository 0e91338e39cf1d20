/* The programs of the schedulers on the device, which decide, begin copies over zero-copy memory and launch kernels in a kernel of their own that never ends
 * ("persistent kernel", "uberkernel").
 *
 * The paper gives no algorithm for them. They interleave copies and kernels, run kernels concurrently, and change the order of the copies back
 * (table 1). What they do here: the copies of all jobs are begun in the order of priority; a kernel is launched when its job's copies are done, the
 * kernels one after the other in the same order ("we launch device-side kernels serially"); when the end of a kernel is found its job's copies
 * back are begun. Events are not needed: the device measures times with clock(), and its thread itself keeps the order. */
#include "policies/batch/batch.h"

static void put(struct batch_scheduler *scheduler, enum batch_step_kind kind, uint32_t place,
                enum batch_operation operation) {
    struct batch_step *step = &scheduler->steps[scheduler->step_count++];
    *step = (struct batch_step){.kind = kind, .place = place, .operation = operation};
}

static void begin(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation operation) {
    if (batch_has(&scheduler->places[place], operation)) {
        put(scheduler, BATCH_COMMANDS, place, operation);
    }
}

static void plan(struct batch_scheduler *scheduler) {
    for (uint32_t place = 0; place < scheduler->count; place++) {
        begin(scheduler, place, BATCH_IN);
    }
    put(scheduler, BATCH_COLLECT, 0, BATCH_IN);
}

/* Whether something is left to be done for a place. */
static bool is_left(const struct batch_place *place) {
    return !place->gone && !place->done && !place->collected;
}

static bool is_launched(const struct batch_place *place) {
    return place->next[BATCH_KERNEL] > place->spans[BATCH_KERNEL].first;
}

/* The place whose kernels are launched now, or BATCH_NO_PLACE: the first whose are not, if its data is there. */
static uint32_t find_launch(const struct batch_scheduler *scheduler) {
    for (uint32_t i = 0; i < scheduler->count; i++) {
        const struct batch_place *place = &scheduler->places[i];
        if (is_left(place) && batch_has(place, BATCH_KERNEL) && !is_launched(place)) {
            return batch_is_complete(place, BATCH_IN) ? i : BATCH_NO_PLACE;
        }
    }
    return BATCH_NO_PLACE;
}

/* The first place that is to be copied back, or BATCH_NO_PLACE: its kernels have ended, or it has none and its data is there. */
static uint32_t find_out(const struct batch_scheduler *scheduler, bool of_kernels) {
    for (uint32_t i = 0; i < scheduler->count; i++) {
        const struct batch_place *place = &scheduler->places[i];
        bool has_kernels = batch_has(place, BATCH_KERNEL);
        if (is_left(place) && has_kernels == of_kernels &&
            batch_is_complete(place, of_kernels ? BATCH_KERNEL : BATCH_IN)) {
            return i;
        }
    }
    return BATCH_NO_PLACE;
}

static bool is_any_left(const struct batch_scheduler *scheduler) {
    bool any = false;
    for (uint32_t i = 0; i < scheduler->count; i++) {
        any |= is_left(&scheduler->places[i]);
    }
    return any;
}

static enum batch_finds finds_at_once(const struct batch_scheduler *scheduler) {
    bool any = !is_any_left(scheduler) || find_launch(scheduler) != BATCH_NO_PLACE ||
               find_out(scheduler, false) != BATCH_NO_PLACE;
    return any ? BATCH_FINDS_AT_ONCE : BATCH_FINDS_NOTHING;
}

static enum batch_finds finds_synchronize(const struct batch_scheduler *scheduler) {
    return find_out(scheduler, true) != BATCH_NO_PLACE ? BATCH_FINDS_AT_ONCE : finds_at_once(scheduler);
}

static enum batch_finds finds_atomics(const struct batch_scheduler *scheduler) {
    enum batch_finds finds = finds_at_once(scheduler);
    bool ended = find_out(scheduler, true) != BATCH_NO_PLACE;
    return finds == BATCH_FINDS_NOTHING && ended ? BATCH_FINDS_BY_POLLING : finds;
}

/* Launches first: they let the device go on. */
static void collect(struct batch_scheduler *scheduler, bool synchronizes) {
    uint32_t launch = find_launch(scheduler), out = find_out(scheduler, false);
    if (launch != BATCH_NO_PLACE) {
        begin(scheduler, launch, BATCH_KERNEL);
    } else {
        bool kernels = out == BATCH_NO_PLACE;
        out = kernels ? find_out(scheduler, true) : out;
        if (out != BATCH_NO_PLACE) {
            scheduler->places[out].collected = true;
            if (synchronizes && kernels) {
                put(scheduler, BATCH_RETURN, out, BATCH_KERNEL);
            }
            begin(scheduler, out, BATCH_OUT);
        }
    }
    if (is_any_left(scheduler)) {
        put(scheduler, BATCH_COLLECT, 0, BATCH_IN);
    }
}

static void collect_synchronize(struct batch_scheduler *scheduler) {
    collect(scheduler, true);
}

static void collect_atomics(struct batch_scheduler *scheduler) {
    collect(scheduler, false);
}

const struct batch_kind batch_synchronize = {
    .plan = plan, .finds = finds_synchronize, .collect = collect_synchronize, .on_device = true};

const struct batch_kind batch_atomics = {
    .plan = plan, .finds = finds_atomics, .collect = collect_atomics, .polls = true, .on_device = true};
