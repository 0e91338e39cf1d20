/* Blocks that run: equal blocks of a launch that begin and end together are one cohort with one pending event; a block that
 * has a time of its own is a cohort of one. Every block goes through the inline functions. */
#ifndef GRT_MODELS_GPU_COHORT_H
#define GRT_MODELS_GPU_COHORT_H

#include "models/gpu/internal.h"

/* Equal blocks of one launch that began and end together. */
struct cohort {
    uint32_t command, first, count;
    uint32_t place;     /* the place of the SM if all are on one, else NONE */
    uint8_t *per_place; /* blocks on each place, where place is NONE */
    uint16_t *places;   /* place of each block in order, kept for the trace only */
    uint32_t next_free; /* in the free list, or in that of the thrown away */
    bool exits;         /* of a pinned kernel, else undefined: it does not work (W8) */
    grt_time start;     /* ns of the run */
    grt_time began;     /* ns of the context's clock */
    grt_time time;      /* that it takes */
};

void gpu_cohorts_create_context(struct grt_gpu *gpu, struct context *context);

/* Makes room for one more; returns its number. */
uint32_t gpu_cohorts_grow(const struct grt_gpu *gpu, struct context *context);

/* Its caller gives it its command, blocks and places. */
static inline uint32_t gpu_cohort_allocate(const struct grt_gpu *gpu, struct context *context) {
    uint32_t number = context->free_cohort;
    if (number != NONE) {
        context->free_cohort = context->cohorts[number].next_free;
        return number;
    }
    return gpu_cohorts_grow(gpu, context);
}

static inline void gpu_cohort_free(struct context *context, uint32_t number) {
    context->cohorts[number].next_free = context->free_cohort;
    context->free_cohort = number;
}

/* Its blocks, which are on their SMs, run from now on. */
static inline void gpu_cohort_run(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                  grt_time clock) {
    struct cohort *cohort = &context->cohorts[number];
    cohort->start = gpu->options.loop->now;
    cohort->began = clock;
    if (gpu->uses.contention) {
        gpu_clock_add(gpu, context, number, clock);
    } else {
        grt_event_set(&context->ends, number, clock + cohort->time,
                      grt_event_order(context->starts++, number));
        context->vacated = context->vacated == number ? NONE : context->vacated;
    }
}

/* Its blocks have been placed. */
static inline void gpu_cohort_enter(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                    grt_time clock) {
    const struct cohort *cohort = &context->cohorts[number];
    if (context->running_blocks == 0) {
        context->busy_since = clock;
    }
    context->running_blocks += cohort->count;
    gpu->commands[cohort->command].running += cohort->count;
    gpu_cohort_run(gpu, context, number, clock);
}

/* The next blocks of a kernel have been placed, and take `time`. */
static inline void gpu_cohort_begin(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                    grt_time clock, grt_time time) {
    struct cohort *cohort = &context->cohorts[number];
    struct command *kernel = &gpu->commands[cohort->command];
    kernel->next_block += cohort->count;
    cohort->time = time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
    gpu_cohort_enter(gpu, context, number, clock);
    if (kernel->kernel->launches != NULL) {
        gpu_children_cohort_began(gpu, context, number);
    }
}

/* Makes up for the pass of a slot that nobody took: to be called before the first of `ends` is asked for. */
static inline void gpu_cohorts_settle(struct context *context) {
    if (context->vacated != NONE) {
        grt_event_cancel(&context->ends, context->vacated);
        context->vacated = NONE;
    }
}

/* Blocks launch kernels when they have run for `at`, which is before their end. */
void gpu_cohort_set_moment(struct grt_gpu *gpu, struct context *context, uint32_t number, grt_time at);

/* Takes out the cohort that ends first; NONE if none runs. Its blocks are still on their SMs. */
uint32_t gpu_cohorts_pop(struct grt_gpu *gpu, struct context *context);

/* Blocks stop before their end: a record of what they have done, which is accounted for. */
void gpu_cohort_cut(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                    uint8_t flags);

/* Blocks stop before their end, and leave their SMs. */
void gpu_cohort_leave(struct grt_gpu *gpu, struct context *context, uint32_t number);

/* The first of the active context end, at this instant. */
void gpu_cohorts_ended(void *gpu, uint32_t index, grt_time now);

/* At the end of a run: open slices of what is still on the SMs, in the order in which it would have ended. */
void gpu_cohorts_finish(struct grt_gpu *gpu, struct context *context);

#endif
