/* Clocks: when blocks end whose speeds may change.
 *
 * A clock counts the work that every one of its blocks has had done, in ns at full speed, since the first of them began. A
 * block that begins when it stands at w and takes t ends when it stands at w + t (rounded up to whole ns); so a change of
 * speed leaves the order of the ends as it is, and only the first of them has a pending event. */
#include "models/gpu/clock.h"

#include "models/gpu/cohort.h"
#include "models/gpu/internal.h"
#include "models/gpu/pin.h"
#include "sim/check.h"

/* Launches by blocks stand among the ends: behind those of the same instant. */
#define MOMENT (UINT32_C(1) << 31)
#define MOMENT_RANK (UINT64_C(1) << 43)

bool gpu_clock_is_moment(const struct grt_ready_entry *end) {
    return (end->item & MOMENT) != 0;
}

void gpu_clocks_create_context(struct grt_gpu *gpu, struct context *context) {
    uint32_t lists = clock_list_count(gpu) + 1; /* the last for blocks that exit */
    context->free_clock = NONE;
    context->clock_lists = grt_arena_array(gpu->options.arena, lists, sizeof *context->clock_lists);
    for (uint32_t i = 0; i < lists; i++) {
        context->clock_lists[i] = NONE;
    }
}

static uint32_t allocate_clock(struct grt_gpu *gpu, struct context *context) {
    uint32_t number = context->free_clock;
    if (number != NONE) {
        context->free_clock = context->clocks[number].next;
        return number;
    }
    number = context->clock_count++;
    context->clocks = grt_array_grow(context->clocks, &context->clock_capacity, context->clock_count,
                                     sizeof *context->clocks);
    bool on_one_sm = gpu->uses.speeds_by_sm && !gpu->uses.pins; /* blocks that exit are on all */
    uint32_t sms = on_one_sm ? 1 : (uint32_t)gpu->device->sm_count;
    uint32_t most = sms * (uint32_t)gpu->device->max_blocks_per_sm;
    context->clocks[number].ends =
        grt_ready_queue_create(gpu->options.arena, gpu->uses.launches ? 2 * most : most);
    grt_event_queue_reserve(&context->ends, context->clock_count);
    return number;
}

/* In which list the clock of a cohort is. Blocks that exit (W8) slow nobody and are not slowed: they have a list of their own, which
 * speed.c does not see. */
static uint32_t list_of(const struct grt_gpu *gpu, const struct cohort *cohort) {
    GRT_ASSERT(!gpu->uses.speeds_by_sm || cohort->place != NONE,
               "where speeds differ between SMs, a cohort is on one");
    if (gpu->uses.pins && gpu_pin_flags(gpu, cohort) != 0) {
        return clock_list_count(gpu);
    }
    return gpu->uses.speeds_by_sm ? cohort->place : 0;
}

uint32_t gpu_clock_find(const struct context *context, uint32_t list, uint32_t command) {
    while (list != NONE && context->clocks[list].command != command) {
        list = context->clocks[list].next;
    }
    return list;
}

/* A clock that starts at this instant. */
static uint32_t start_clock(struct grt_gpu *gpu, struct context *context, uint32_t command, uint32_t list,
                            grt_time now) {
    uint32_t number = allocate_clock(gpu, context);
    struct clock *clock = &context->clocks[number];
    clock->progress = grt_progress_start(now);
    clock->command = command;
    clock->list = list;
    clock->blocks = clock->settled = 0;
    clock->own_speed = GRT_FULL_SPEED;
    clock->next = context->clock_lists[list];
    context->clock_lists[list] = number;
    return number;
}

static void stop_clock(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct clock *clock = &context->clocks[number];
    uint32_t *link = &context->clock_lists[clock->list];
    while (*link != number) {
        link = &context->clocks[*link].next;
    }
    *link = clock->next;
    clock->next = context->free_clock;
    context->free_clock = number;
    gpu->unsettled = true;
}

/* Moves the pending event of a clock to its first end. */
static void set_end(struct context *context, uint32_t number) {
    const struct clock *clock = &context->clocks[number];
    if (grt_ready_queue_is_empty(&clock->ends)) {
        grt_event_cancel(&context->ends, number);
        return;
    }
    const struct grt_ready_entry *first = grt_ready_queue_top(&clock->ends);
    grt_event_set(&context->ends, number, grt_progress_end(&clock->progress, first->key),
                  grt_event_order(first->tie, number));
}

/* The blocks of a cohort begin. */
void gpu_clock_add(struct grt_gpu *gpu, struct context *context, uint32_t cohort_number, grt_time now) {
    const struct cohort *cohort = &context->cohorts[cohort_number];
    uint32_t list = list_of(gpu, cohort);
    uint32_t number = gpu_clock_find(context, context->clock_lists[list], cohort->command);
    if (number == NONE) {
        number = start_clock(gpu, context, cohort->command, list, now);
    }
    struct clock *clock = &context->clocks[number];
    grt_progress_advance(&clock->progress, now);
    clock->blocks += cohort->count;
    grt_time begin = clock->progress.done + (clock->progress.fraction > 0);
    if (gpu->uses.launches) {
        context->launching[cohort_number].work_began = begin;
        context->launching[cohort_number].rank = context->starts;
    }
    grt_ready_queue_push(&clock->ends, begin + cohort->time, context->starts++, cohort_number);
    set_end(context, number);
}

/* The blocks of a cohort launch kernels when they have run for `at`, which is before their end. */
void gpu_clock_add_moment(struct grt_gpu *gpu, struct context *context, uint32_t cohort_number, grt_time at) {
    const struct cohort *cohort = &context->cohorts[cohort_number];
    uint32_t list = context->clock_lists[list_of(gpu, cohort)];
    uint32_t number = gpu_clock_find(context, list, cohort->command);
    const struct launching *launching = &context->launching[cohort_number];
    grt_ready_queue_push(&context->clocks[number].ends, launching->work_began + at,
                         MOMENT_RANK | launching->rank, MOMENT | cohort_number);
    set_end(context, number);
}

/* If what comes first, at this instant, is such a moment, its launches are made. */
bool gpu_clock_launch(struct grt_gpu *gpu, struct context *context, grt_time now) {
    uint32_t number = grt_event_slot(grt_event_top(&context->ends));
    struct clock *clock = &context->clocks[number];
    if ((grt_ready_queue_top(&clock->ends)->item & MOMENT) == 0) {
        return false;
    }
    grt_progress_advance(&clock->progress, now);
    uint32_t cohort = grt_ready_queue_pop(&clock->ends) & ~MOMENT;
    set_end(context, number);
    gpu_children_launch(gpu, context, cohort);
    return true;
}

/* The run ends: what has not been launched is not. */
void gpu_clocks_drop_moments(struct grt_gpu *gpu, struct context *context) {
    for (uint32_t list = 0; list < clock_list_count(gpu); list++) {
        for (uint32_t number = context->clock_lists[list]; number != NONE;
             number = context->clocks[number].next) {
            struct grt_ready_queue *ends = &context->clocks[number].ends;
            uint32_t count = ends->count;
            ends->count = 0;
            for (uint32_t i = 0; i < count;
                 i++) { /* built anew in its own place, which is behind what is read */
                struct grt_ready_entry end = ends->entries[i];
                if (!gpu_clock_is_moment(&end)) {
                    grt_ready_queue_push(ends, end.key, end.tie, end.item);
                }
            }
            set_end(context, number);
        }
    }
}

/* Takes out the cohort that ends first, at this instant. */
uint32_t gpu_clock_pop(struct grt_gpu *gpu, struct context *context, grt_time now) {
    uint32_t number = grt_event_slot(grt_event_top(&context->ends));
    struct clock *clock = &context->clocks[number];
    grt_progress_advance(&clock->progress, now);
    uint32_t cohort = grt_ready_queue_pop(&clock->ends);
    clock->blocks -= context->cohorts[cohort].count;
    set_end(context, number);
    if (clock->blocks == 0) {
        stop_clock(gpu, context, number);
    }
    return cohort;
}

/* The blocks of a cohort leave before their end; what they would have launched was taken out before. */
void gpu_clock_remove(struct grt_gpu *gpu, struct context *context, uint32_t cohort_number) {
    const struct cohort *cohort = &context->cohorts[cohort_number];
    uint32_t list = context->clock_lists[list_of(gpu, cohort)];
    uint32_t number = gpu_clock_find(context, list, cohort->command);
    struct clock *clock = &context->clocks[number];
    bool found = grt_ready_queue_remove(&clock->ends, cohort_number);
    GRT_ASSERT(found, "blocks that run have an end");
    (void)found;
    clock->blocks -= cohort->count;
    set_end(context, number);
    if (clock->blocks == 0) {
        stop_clock(gpu, context, number);
    }
}

/* From now on its blocks go at another speed. */
void gpu_clock_set_speed(struct grt_gpu *gpu, struct context *context, uint32_t number, uint64_t speed) {
    struct clock *clock = &context->clocks[number];
    if (clock->progress.speed != speed) {
        grt_progress_change(&clock->progress, clock_of(gpu, context), speed);
        set_end(context, number);
    }
}
