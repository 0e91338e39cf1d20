/* The programs of the schedulers on the CPU: algorithms 1 to 4 of the paper, for any number of places.
 *
 * An operation is performed by "synchronization and/or timing commands", its own commands and a timing command (appendix A): a wait for the
 * operation before it, a record of its start event, its commands, a record of its stop event. Where a job has nothing to do in an operation
 * it is left out, and what would wait for it waits for the one before it.
 *
 * Deviates: 1. Algorithm 4 goes over all tasks that are ready; here over those of a batch, like the others (as many as the user likes).
 *           2. Algorithm 3 as printed never leaves its loop, and of two kernels that are found to have ended at once takes the second; here the loop ends with
 *              the first that is found, and of two the first goes first. With more than two places the loop is entered again until one is left. */
#include "policies/batch/batch.h"

/* ---- pieces of programs ---- */

static void put(struct batch_scheduler *scheduler, struct batch_step step) {
    scheduler->steps[scheduler->step_count++] = step;
}

/* The stream of one operation waits for the end of another. */
static void wait_for(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation operation,
                     uint32_t of_place, enum batch_operation of_operation) {
    put(scheduler, (struct batch_step){BATCH_WAIT, place, operation, of_place, of_operation});
}

/* ... for the end of the operation before it of the same job. */
static void wait_for_previous(struct batch_scheduler *scheduler, uint32_t place,
                              enum batch_operation operation) {
    for (int before = (int)operation - 1; before >= 0; before--) {
        if (batch_has(&scheduler->places[place], (enum batch_operation)before)) {
            wait_for(scheduler, place, operation, place, (enum batch_operation)before);
            return;
        }
    }
}

/* ... for the same operation of the job before it: "make sure execution order would follow issue order", "do not allow concurrent run". */
static void wait_for_turn(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation operation) {
    for (uint32_t before = place; before-- > 0;) {
        if (batch_has(&scheduler->places[before], operation)) {
            wait_for(scheduler, place, operation, before, operation);
            return;
        }
    }
}

static void call(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation operation) {
    put(scheduler, (struct batch_step){.kind = BATCH_BEGUN, .place = place, .operation = operation});
    put(scheduler, (struct batch_step){.kind = BATCH_COMMANDS, .place = place, .operation = operation});
}

/* The stop event of an operation, in the stream of one of the same job. */
static void end(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation in_stream_of,
                enum batch_operation operation) {
    put(scheduler, (struct batch_step){BATCH_ENDED, place, in_stream_of, place, operation});
}

static void perform(struct batch_scheduler *scheduler, uint32_t place, enum batch_operation operation) {
    if (batch_has(&scheduler->places[place], operation)) {
        wait_for_previous(scheduler, place, operation);
        call(scheduler, place, operation);
        end(scheduler, place, operation, operation);
    }
}

/* One after the other, in the order of the places. */
static void perform_in_turn(struct batch_scheduler *scheduler, enum batch_operation operation) {
    for (uint32_t place = 0; place < scheduler->count; place++) {
        if (batch_has(&scheduler->places[place], operation)) {
            wait_for_turn(scheduler, place, operation);
            perform(scheduler, place, operation);
        }
    }
}

/* ---- cpu-traditional: algorithm 4 ---- */

static void plan_traditional(struct batch_scheduler *scheduler) {
    for (uint32_t place = 0; place < scheduler->count; place++) {
        for (int operation = 0; operation < BATCH_OPERATIONS; operation++) {
            perform(scheduler, place, (enum batch_operation)operation);
        }
        put(scheduler, (struct batch_step){.kind = BATCH_SYNCHRONIZE, .place = place});
    }
}

const struct batch_kind batch_traditional = {.plan = plan_traditional};

/* ---- cpu-interleave: algorithm 1 ---- */

static void copy_out(struct batch_scheduler *scheduler) {
    for (uint32_t place = 0; place < scheduler->count; place++) {
        perform(scheduler, place, BATCH_OUT);
    }
}

static void plan_interleave(struct batch_scheduler *scheduler) {
    perform_in_turn(scheduler, BATCH_IN);
    perform_in_turn(scheduler, BATCH_KERNEL);
    copy_out(scheduler);
}

const struct batch_kind batch_interleave = {.plan = plan_interleave};

/* ---- cpu-concurrent: algorithm 2 ---- */

static void launch(struct batch_scheduler *scheduler) {
    for (uint32_t place = 0; place < scheduler->count; place++) {
        if (batch_has(&scheduler->places[place], BATCH_KERNEL)) {
            wait_for_previous(scheduler, place, BATCH_KERNEL);
            call(scheduler, place, BATCH_KERNEL);
        }
    }
}

/* "issue the stop event of kernel execution of t1 after kernel launches to avoid the false dependency that breaks concurrent run" */
static void plan_concurrent(struct batch_scheduler *scheduler) {
    perform_in_turn(scheduler, BATCH_IN);
    launch(scheduler);
    for (uint32_t place = 0; place < scheduler->count; place++) {
        if (batch_has(&scheduler->places[place], BATCH_KERNEL)) {
            end(scheduler, place, BATCH_KERNEL, BATCH_KERNEL);
        }
    }
    copy_out(scheduler);
}

const struct batch_kind batch_concurrent = {.plan = plan_concurrent};

/* ---- cpu-order: algorithm 3 ---- */

/* "see changes the device makes on zero-copy memory without synchronization" */
static void query(struct batch_scheduler *scheduler) {
    uint32_t place = 0;
    while (place < scheduler->count && !batch_has(&scheduler->places[place], BATCH_KERNEL)) {
        place++;
    }
    if (place < scheduler->count) {
        put(scheduler, (struct batch_step){.kind = BATCH_QUERY, .place = place, .operation = BATCH_KERNEL});
    }
}

static void plan_order(struct batch_scheduler *scheduler) {
    perform_in_turn(scheduler, BATCH_IN);
    launch(scheduler);
    query(scheduler);
    for (uint32_t place = 0; place < scheduler->count; place++) {
        if (!batch_has(&scheduler->places[place], BATCH_KERNEL)) { /* has no counter to be polled */
            perform(scheduler, place, BATCH_OUT);
        }
    }
    put(scheduler, (struct batch_step){.kind = BATCH_COLLECT});
}

static uint32_t count_uncollected(const struct batch_scheduler *scheduler) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < scheduler->count; i++) {
        count += batch_is_uncollected(&scheduler->places[i]);
    }
    return count;
}

/* The first place whose kernels' end is to be found; where `ended`, and has come. */
static uint32_t first_uncollected(const struct batch_scheduler *scheduler, bool ended) {
    for (uint32_t i = 0; i < scheduler->count; i++) {
        const struct batch_place *place = &scheduler->places[i];
        if (batch_is_uncollected(place) && (!ended || batch_is_complete(place, BATCH_KERNEL))) {
            return i;
        }
    }
    return BATCH_NO_PLACE;
}

/* The last end need not be found: the device itself waits for it. */
static enum batch_finds finds_order(const struct batch_scheduler *scheduler) {
    return count_uncollected(scheduler) <= 1                      ? BATCH_FINDS_AT_ONCE
           : first_uncollected(scheduler, true) != BATCH_NO_PLACE ? BATCH_FINDS_BY_POLLING
                                                                  : BATCH_FINDS_NOTHING;
}

static uint32_t take_uncollected(struct batch_scheduler *scheduler, bool ended) {
    uint32_t place = first_uncollected(scheduler, ended);
    if (place != BATCH_NO_PLACE) {
        scheduler->places[place].collected = true;
    }
    return place;
}

/* "handle the blocking-query problem ... by recording this event on device to host copy stream instead of kernel execution stream" */
static void collect_order(struct batch_scheduler *scheduler) {
    uint32_t found = count_uncollected(scheduler) > 1 ? take_uncollected(scheduler, true) : BATCH_NO_PLACE;
    uint32_t last = count_uncollected(scheduler) == 1 ? take_uncollected(scheduler, false) : BATCH_NO_PLACE;
    if (found != BATCH_NO_PLACE) {
        end(scheduler, found, BATCH_OUT, BATCH_KERNEL);
    }
    if (last != BATCH_NO_PLACE) {
        end(scheduler, last, BATCH_KERNEL, BATCH_KERNEL);
    }
    if (found != BATCH_NO_PLACE) {
        perform(scheduler, found, BATCH_OUT);
    }
    if (last != BATCH_NO_PLACE) {
        perform(scheduler, last, BATCH_OUT);
    }
    if (count_uncollected(scheduler) > 0) {
        put(scheduler, (struct batch_step){.kind = BATCH_COLLECT});
    }
}

const struct batch_kind batch_order = {
    .plan = plan_order, .finds = finds_order, .collect = collect_order, .polls = true};
