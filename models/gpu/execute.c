/* The execution engine: one queue of kernels per priority level, whose front kernel hands its blocks to the SMs.
 *
 * Source: Amert et al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017: rules G3, X1, R1 to R3, A1, A2; the limit on
 * resident grids is the CUDA programming guide's. What becomes of blocks on their SMs is in cohort.c. */
#include "models/gpu/execute.h"

#include "models/gpu/apart.h"
#include "models/gpu/cohort.h"
#include "models/gpu/family.h"
#include "models/gpu/internal.h"
#include "models/gpu/limit.h"
#include "models/gpu/pin.h"
#include "models/gpu/process.h"
#include "models/gpu/share.h"
#include "models/gpu/trace.h"
#include "sim/check.h"

void gpu_execute_create(struct grt_gpu *gpu) {
    int64_t grids = gpu->device->max_resident_grids, slots = gpu->device->task_slots;
    gpu->level_count = (uint32_t)gpu->device->priority_levels;
    gpu->most_begun = (uint32_t)(slots > 0 && slots < grids ? slots : grids);
    if (gpu->shares == NULL) {
        gpu->source = grt_loop_add_front(gpu->options.loop, GRT_CLASS_COMPLETION, gpu_cohorts_ended, gpu, 0);
    }
}

void gpu_execute_create_context(struct grt_gpu *gpu, struct context *context) {
    context->levels = grt_arena_array(gpu->options.arena, gpu->level_count, sizeof *context->levels);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        context->levels[level] = (struct command_list){NONE, NONE};
    }
    gpu_cohorts_create_context(gpu, context);
}

/* A1: a kernel enters the queue of its stream's priority. */
void gpu_execute_enqueue(struct grt_gpu *gpu, const struct stream *stream, uint32_t number) {
    struct context *context = stream->context;
    if (gpu->uses.own_places) {
        gpu_process_enqueue(gpu, &context->levels[0], number);
    } else {
        list_push(&context->levels[stream->level], gpu->commands, number, queue_link);
    }
    context->undispatched = true;
}

/* ---- dispatch ---- */

/* The blocks of a cohort have begun. */
static GRT_RARE void tell_blocks(struct grt_gpu *gpu, const struct context *context, uint32_t slot,
                                 bool pinned) {
    const struct cohort *cohort = &context->cohorts[slot];
    const struct command *command = &gpu->commands[cohort->command];
    for (uint32_t i = 0; i < cohort->count; i++) {
        uint32_t place = cohort->place != NONE ? cohort->place : cohort->places[i];
        uint32_t item = !pinned ? cohort->first + i : gpu_pin_item(command, cohort);
        gpu->options.listener.block_begins(gpu->options.listener.state, command->owner, cohort->first + i,
                                           item, grt_placement_sm(context->placement, place));
    }
}

/* Blocks that all take the same time: as many as find room, as one cohort. Returns how many. */
static GRT_APART uint32_t dispatch_together(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                            grt_time clock) {
    uint32_t slot = gpu_cohort_allocate(gpu, context);
    struct cohort *cohort = &context->cohorts[slot];
    struct command *command = &gpu->commands[number];
    if (cohort->per_place == NULL) {
        uint32_t sms = grt_placement_count(context->placement);
        uint32_t most = sms * (uint32_t)gpu->device->max_blocks_per_sm;
        cohort->per_place = grt_arena_array(gpu->options.arena, sms, sizeof *cohort->per_place);
        cohort->places = gpu->options.trace == NULL
                             ? NULL
                             : grt_arena_array(gpu->options.arena, most, sizeof *cohort->places);
    }
    cohort->command = number;
    cohort->first = command->next_block;
    cohort->place = NONE;
    uint32_t left = command->block_end - command->next_block;
    cohort->count = gpu->uses.limits ? gpu_limit_take_many(gpu, process_of(gpu, number), command->kernel,
                                                           left, cohort, clock)
                                     : grt_placement_take_many(context->placement, command->kernel, left,
                                                               cohort->per_place, cohort->places, clock);
    uint32_t count = cohort->count;
    if (count > 0) {
        gpu_cohort_begin(gpu, context, slot, clock, command->block_time);
        if (gpu->options.listener.block_begins != NULL) {
            tell_blocks(gpu, context, slot, false);
        }
    } else {
        gpu_cohort_free(context, slot);
    }
    return count;
}

/* One block, with a time of its own unless the launch has one; false if no SM has room. `pinned`: the kernel is (W8). */
static GRT_ALWAYS_INLINE bool dispatch_one(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                           grt_time clock, bool pinned) {
    struct command *command = &gpu->commands[number];
    uint32_t place = grt_placement_take(context->placement, command->kernel, clock);
    if (place == GRT_NO_PLACE) {
        return false;
    }
    if (gpu->uses.limits) {
        gpu_limit_took(gpu, process_of(gpu, number), place);
    }
    uint32_t slot = gpu_cohort_allocate(gpu, context);
    struct cohort *cohort = &context->cohorts[slot];
    cohort->command = number;
    cohort->first = command->next_block;
    cohort->count = 1;
    cohort->place = place;
    grt_time time = pinned                       ? gpu_pin_block_begins(command, cohort)
                    : command->kernel->same_time ? command->block_time
                    : command->block_times != NULL
                        ? command->block_times[cohort->first]
                        : grt_distribution_draw(&command->kernel->block_time, &command->random);
    gpu_cohort_begin(gpu, context, slot, clock, time);
    if (gpu->options.listener.block_begins != NULL) {
        tell_blocks(gpu, context, slot, pinned);
    }
    return true;
}

/* Hands out blocks of the front kernel while they find room (R1 to R3); true once it is fully dispatched. */
static GRT_ALWAYS_INLINE bool dispatch(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                       bool pinned) {
    struct command *command = &gpu->commands[number];
    grt_time clock = clock_of(gpu, context);
    uint32_t left = command->block_end - command->next_block;
    if (command->kernel->together && left > 1 && !gpu->options.no_cohorts) {
        left -= dispatch_together(gpu, context, number, clock);
    } else {
        while (left > 0 && dispatch_one(gpu, context, number, clock, pinned)) {
            left--;
        }
    }
    if (command->state == COMMAND_QUEUED && command->running > 0) {
        context->resident_kernels++;
        gpu_command_begin(gpu, command);
        if (gpu->uses.launches) {
            gpu_children_grid_began(gpu, number);
        }
    }
    return left == 0;
}

/* Whether a kernel may hand out blocks: where the context is about to leave the SMs, at most one that has begun and
 * cannot be interrupted. */
static bool may_dispatch(const struct grt_gpu *gpu, const struct context *context,
                         const struct command *command) {
    if (command->state == COMMAND_RUNNING) {
        return !gpu->held || gpu->device->context_preemption == GRT_CONTEXT_PREEMPTION_NONE;
    }
    return !gpu->held && context->resident_kernels < gpu->most_begun;
}

/* Whether a kernel was in a hardware queue. What a block launched never was in a stream. */
static bool was_in_queue(const struct grt_gpu *gpu, uint32_t number) {
    return gpu->uses.hardware_queues && !(gpu->uses.launches && gpu->families[number].parent != NONE);
}

/* What follows once a kernel is fully dispatched (G3), but for its queue. */
void gpu_execute_leave_queue(struct grt_gpu *gpu, uint32_t number) {
    if (was_in_queue(gpu, number)) {
        gpu_queue_dispatched(gpu, number);
    }
}

/* X1: only the front kernel of a queue hands out blocks, even if a later one would fit. G3: it leaves the queue once it
 * is fully dispatched. False if a kernel has blocks left that found no room. */
static bool dispatch_level(struct grt_gpu *gpu, struct context *context, struct command_list *level) {
    for (uint32_t number = level->head; number != NONE; number = level->head) {
        const struct command *command = &gpu->commands[number];
        if (!may_dispatch(gpu, context, command)) {
            return true;
        }
        if (!dispatch(gpu, context, number, false)) {
            return false;
        }
        gpu_execute_leave_queue(gpu, number);
        level->head = command->queue_next;
    }
    level->tail = NONE;
    return true;
}

/* ---- what apart.c needs ---- */

bool gpu_execute_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    bool pinned = gpu->commands[number].kernel->items > 0;
    return pinned ? dispatch(gpu, context, number, true) : dispatch(gpu, context, number, false);
}

bool gpu_execute_may_dispatch(const struct grt_gpu *gpu, const struct context *context,
                              const struct command *command) {
    return may_dispatch(gpu, context, command);
}

/* When the next of a context's events is, by the time of the run, if it is not switched out. */
grt_time gpu_execute_next(const struct grt_gpu *gpu, const struct context *context,
                          const struct grt_event_queue *queue) {
    GRT_ASSERT(context->vacated == NONE, "settle the ends before their first is asked for");
    grt_time end = grt_event_top(queue)->time;
    if (gpu->runlist_count == 0 || end == GRT_TIME_NEVER) {
        return end;
    }
    return context->paused_at == GRT_TIME_NEVER ? end + context->lag : GRT_TIME_NEVER;
}

/* Waits for the next end on the SMs. */
static inline void schedule(struct grt_gpu *gpu) {
    gpu_cohorts_settle(gpu->active);
    grt_time earliest = gpu_execute_next(gpu, gpu->active, &gpu->active->ends);
    if (earliest != grt_loop_pending(gpu->options.loop, gpu->source)) {
        grt_loop_schedule(gpu->options.loop, gpu->source, earliest);
    }
    if (gpu->uses.launches) {
        gpu_children_schedule(gpu, gpu->active);
    }
}

void gpu_execute_schedule(struct grt_gpu *gpu) {
    schedule(gpu);
}

/* A2: the most urgent queue goes first. A front kernel that waits for a place among the resident grids does not hold
 * back the less urgent ones that have theirs, which could otherwise never give it up. */
void gpu_execute_decide(struct grt_gpu *gpu) {
    struct context *context = gpu->active;
    struct command_list *level = context->levels, *end = level + gpu->level_count;
    if (gpu->uses.apart) {
        gpu_apart_dispatch(gpu, context);
        level = end;
    }
    while (level < end && (level->head == NONE || dispatch_level(gpu, context, level))) {
        level++;
    }
    context->undispatched = false;
    schedule(gpu);
}

/* A kernel in the queue leaves it; if it has begun, its remaining blocks, and items of work that none took, are dropped. */
void gpu_execute_drop(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    struct context *context = context_of(gpu, number);
    command->items_left = 0;
    if (command->state == COMMAND_QUEUED || command->next_block < command->block_end) {
        uint32_t level = gpu->streams[command->stream].level;
        list_remove(&context->levels[level], gpu->commands, number, queue_link);
        command->block_end = command->next_block;
        context->undispatched = true;
        if (was_in_queue(gpu, number)) {
            gpu_queue_dropped(gpu, number);
        }
    }
}

/* The same; what runs runs out. */
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (gpu->uses.launches) {
        return gpu_family_cancel(gpu, number);
    }
    gpu_execute_drop(gpu, number);
    if (command->state == COMMAND_RUNNING && gpu->shares != NULL) {
        gpu_shares_cancel(gpu, number);
    } else if (command->state == COMMAND_RUNNING &&
               command->running == 0) { /* its blocks ended, the rest found no room */
        context_of(gpu, number)->resident_kernels--;
        gpu_trace_kernel(gpu, number, GRT_TRACE_ABORTED);
    }
    return command->running == 0;
}

/* Kernels whose dispatched blocks have all ended while the others wait for room: only their own slice is open. */
static void trace_between_waves(struct grt_gpu *gpu, uint32_t first) {
    for (uint32_t number = first; number != NONE; number = gpu->commands[number].queue_next) {
        const struct command *kernel = &gpu->commands[number];
        if (kernel->state == COMMAND_RUNNING && kernel->running == 0) {
            gpu_trace_kernel(gpu, number, GRT_TRACE_OPEN);
        }
    }
}

/* At the end of a run. */
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context) {
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        trace_between_waves(gpu, context->levels[level].head);
        context->levels[level] = (struct command_list){NONE, NONE};
    }
    gpu_cohorts_finish(gpu, context);
}
