/* From the first instant of blocks to their last. Cohorts that end at the same instant are ended in the order of their
 * starts, so that a run is the same with and without cohorts. */
#include "models/gpu/cohort.h"

#include "models/gpu/internal.h"
#include "models/gpu/limit.h"
#include "models/gpu/pin.h"
#include "models/gpu/trace.h"
#include "models/gpu/waiting.h"
#include "sim/check.h"

void gpu_cohorts_create_context(struct grt_gpu *gpu, struct context *context) {
    context->free_cohort = context->thrown = context->vacated = NONE;
    grt_event_queue_reserve(&context->ends, 1);
    if (gpu->uses.contention) {
        gpu_clocks_create_context(gpu, context);
    }
    if (gpu->uses.launches) {
        gpu_children_reserve(context);
        gpu_waiting_create_context(gpu, context);
    }
}

GRT_APART uint32_t gpu_cohorts_grow(const struct grt_gpu *gpu, struct context *context) {
    uint32_t number = context->cohort_count++;
    context->cohorts = grt_array_grow(context->cohorts, &context->cohort_capacity, context->cohort_count,
                                      sizeof *context->cohorts);
    if (!gpu->uses.contention) {
        grt_event_queue_reserve(&context->ends, context->cohort_count);
    }
    if (context->launching_capacity > 0) {
        gpu_children_reserve(context);
    }
    return number;
}

void gpu_cohort_set_moment(struct grt_gpu *gpu, struct context *context, uint32_t number, grt_time at) {
    if (gpu->uses.contention) {
        gpu_clock_add_moment(gpu, context, number, at);
    } else {
        const struct grt_event *end = &context->ends.nodes[context->ends.capacity + number];
        grt_event_set(&context->moments, number, context->cohorts[number].began + at, end->order);
    }
}

/* ---- the way off the SMs ---- */

static inline void release_place(struct grt_gpu *gpu, struct context *context, const struct cohort *cohort,
                                 uint32_t place, uint32_t count, grt_time clock) {
    const struct grt_gpu_kernel *kernel = gpu->commands[cohort->command].kernel;
    grt_placement_release(context->placement, kernel, place, count, clock);
    if (gpu->uses.limits) {
        gpu_limit_released(gpu, process_of(gpu, cohort->command), place, count);
    }
}

static GRT_ALWAYS_INLINE void release_places(struct grt_gpu *gpu, struct context *context,
                                             struct cohort *cohort, grt_time clock) {
    if (cohort->place != NONE) {
        release_place(gpu, context, cohort, cohort->place, cohort->count, clock);
        return;
    }
    for (uint32_t place = 0; place < grt_placement_count(context->placement); place++) {
        if (cohort->per_place[place] > 0) {
            release_place(gpu, context, cohort, place, cohort->per_place[place], clock);
            cohort->per_place[place] = 0;
        }
    }
}

/* Adds what a cohort's threads have had of the SMs until now. */
static inline void account(struct grt_gpu *gpu, const struct cohort *cohort, grt_time clock) {
    uint64_t threads = (uint64_t)cohort->count * gpu->commands[cohort->command].kernel->threads;
    gpu->thread_time += (grt_wide)threads * (uint64_t)(clock - cohort->began);
}

static GRT_ALWAYS_INLINE void leave(struct grt_gpu *gpu, struct context *context, struct cohort *cohort,
                                    grt_time clock) {
    account(gpu, cohort, clock);
    release_places(gpu, context, cohort, clock);
    context->running_blocks -= cohort->count;
    if (context->running_blocks == 0) {
        context->busy += clock - context->busy_since;
    }
    gpu->commands[cohort->command].running -= cohort->count;
}

/* ---- stopping ---- */

uint32_t gpu_cohorts_pop(struct grt_gpu *gpu, struct context *context) {
    gpu_cohorts_settle(context);
    if (grt_event_top(&context->ends)->time == GRT_TIME_NEVER) {
        return NONE;
    }
    if (gpu->uses.contention) {
        return gpu_clock_pop(gpu, context, clock_of(gpu, context));
    }
    uint32_t number = grt_event_slot(grt_event_top(&context->ends));
    grt_event_cancel(&context->ends, number);
    return number;
}

void gpu_cohort_cut(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                    uint8_t flags) {
    if (gpu->options.trace != NULL) {
        gpu_trace_cohort(gpu, context, cohort, (uint8_t)(flags | gpu_pin_flags(gpu, cohort)));
    }
    account(gpu, cohort, clock_of(gpu, context));
}

void gpu_cohort_leave(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    if (gpu->uses.contention) {
        gpu_clock_remove(gpu, context, number);
    } else {
        grt_event_cancel(&context->ends, number);
    }
    if (gpu->options.trace != NULL) {
        gpu_trace_cohort(gpu, context, &context->cohorts[number], GRT_TRACE_PREEMPTED);
    }
    leave(gpu, context, &context->cohorts[number], clock_of(gpu, context));
}

/* ---- ending ---- */

static inline void complete_kernel(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    context->resident_kernels--;
    if (gpu->uses.launches) {
        gpu_children_blocks_ended(gpu, number);
        return;
    }
    gpu->kernels++;
    gpu_trace_kernel(gpu, number, gpu->commands[number].aborted ? GRT_TRACE_ABORTED : 0);
    gpu_command_complete(gpu, number);
}

static GRT_ALWAYS_INLINE void end_cohort(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                         grt_time clock, uint8_t flags) {
    struct cohort *cohort = &context->cohorts[number];
    if (gpu->commands[cohort->command].kernel->launches != NULL) {
        gpu_children_cohort_ends(gpu, context, number);
    } else if (gpu->options.trace != NULL) {
        gpu_trace_cohort(gpu, context, cohort, flags);
    }
    gpu->blocks += cohort->count;
    leave(gpu, context, cohort, clock);
    gpu_cohort_free(context, number);
    const struct command *command = &gpu->commands[cohort->command];
    if (command->running == 0 && command->next_block == command->block_end) {
        complete_kernel(gpu, context, cohort->command);
    }
}

/* Ends the first; true if others end at the same instant. The slot of the last is likely to be taken by the block that takes
 * its room. */
static inline bool end_first(struct grt_gpu *gpu, struct context *context, grt_time clock) {
    uint32_t number = grt_event_slot(grt_event_top(&context->ends));
    bool tied = grt_event_is_tied(&context->ends);
    if (tied) {
        grt_event_cancel(&context->ends, number);
    } else {
        grt_event_vacate(&context->ends, number);
        context->vacated = number;
    }
    end_cohort(gpu, context, number, clock, 0);
    return tied;
}

/* The same where blocks may be pinned: an end, unless the block goes on with an item of its kernel's work. */
static GRT_RARE void end_or_go_on(struct grt_gpu *gpu, struct context *context, grt_time clock) {
    uint32_t number = gpu_cohorts_pop(gpu, context);
    if (!gpu_pin_goes_on(gpu, context, number)) {
        end_cohort(gpu, context, number, clock, gpu_pin_flags(gpu, &context->cohorts[number]));
    }
}

/* The same where the first may be no end: blocks may be pinned, or speeds may change, which makes launches by blocks come here. */
static GRT_APART bool handle_first(struct grt_gpu *gpu, struct context *context, grt_time clock) {
    bool launched = gpu->uses.contention && gpu_clock_launch(gpu, context, clock);
    if (!launched && gpu->uses.pins) {
        end_or_go_on(gpu, context, clock);
    } else if (!launched) {
        end_cohort(gpu, context, gpu_clock_pop(gpu, context, clock), clock, 0);
    }
    return grt_event_top(&context->ends)->time == clock;
}

void gpu_cohorts_ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    struct context *context = gpu->active;
    grt_time clock = now - context->lag;
    (void)index;
    if (gpu->uses.more_than_ends) {
        while (handle_first(gpu, context, clock)) {
        }
    } else {
        while (end_first(gpu, context, clock)) {
        }
    }
    context->undispatched = true;
    *gpu->options.changed = true;
}

/* ---- the end of the run ---- */

/* Blocks of a kernel have no end; nor has the kernel, once they are its last. */
static void leave_open(struct grt_gpu *gpu, const struct cohort *cohort) {
    struct command *command = &gpu->commands[cohort->command];
    command->running -= cohort->count;
    if (command->running == 0) {
        gpu_trace_kernel(gpu, cohort->command,
                         command->aborted ? GRT_TRACE_OPEN | GRT_TRACE_ABORTED : GRT_TRACE_OPEN);
    }
}

void gpu_cohorts_finish(struct grt_gpu *gpu, struct context *context) {
    if (gpu->uses.contention && gpu->uses.launches) {
        gpu_clocks_drop_moments(gpu, context);
    }
    for (uint32_t number; (number = gpu_cohorts_pop(gpu, context)) != NONE;) {
        gpu_cohort_cut(gpu, context, &context->cohorts[number], GRT_TRACE_OPEN);
        leave_open(gpu, &context->cohorts[number]);
    }
    for (uint32_t at = context->thrown; at != NONE; at = context->cohorts[at].next_free) {
        leave_open(gpu, &context->cohorts[at]);
    }
    if (context->running_blocks > 0) {
        context->busy += clock_of(gpu, context) - context->busy_since;
    }
}
