/* The execution engine: one queue of kernels per priority level, whose front kernel hands its blocks to the SMs.
 *
 * Source: Amert et al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017: rules G3, X1, R1 to R3, A1, A2; the limit on
 * resident grids is the CUDA programming guide's. Equal blocks of a launch that begin and end together are one cohort
 * with one pending event; a block that has a time of its own is a cohort of one. Cohorts that end at the same instant
 * are ended in the order of their starts, so that a run is the same with and without cohorts. */
#include "models/gpu_internal.h"
#include "sim/check.h"

static void cohorts_ended(void *owner, uint32_t index, grt_time now);

void gpu_execute_create(struct grt_gpu *gpu) {
    int64_t grids = gpu->device->max_resident_grids, slots = gpu->device->task_slots;
    gpu->level_count = (uint32_t)gpu->device->priority_levels;
    gpu->most_begun = (uint32_t)(slots > 0 && slots < grids ? slots : grids);
    gpu->source = grt_loop_add_front(gpu->options.loop, GRT_CLASS_COMPLETION, cohorts_ended, gpu, 0);
}

void gpu_execute_create_context(struct grt_gpu *gpu, struct context *context) {
    context->levels = grt_arena_array(gpu->options.arena, gpu->level_count, sizeof *context->levels);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        context->levels[level] = (struct command_list){NONE, NONE};
    }
    context->free_cohort = context->thrown = context->vacated = NONE;
    grt_event_queue_reserve(&context->ends, 1);
    if (gpu->contended) {
        gpu_clocks_create_context(gpu, context);
    }
    if (gpu->has_launches) {
        gpu_children_reserve(context);
        gpu_sync_create_context(gpu, context);
    }
}

/* A1: a kernel enters the queue of its stream's priority. */
void gpu_execute_enqueue(struct grt_gpu *gpu, const struct stream *stream, uint32_t number) {
    struct context *context = stream->context;
    if (gpu->own_places) {
        gpu_share_enqueue(gpu, &context->levels[0], number);
    } else {
        list_push(&context->levels[stream->level], gpu->commands, number, queue_link);
    }
    context->undispatched = true;
}

/* ---- cohorts ---- */

static uint32_t allocate_cohort(const struct grt_gpu *gpu, struct context *context) {
    uint32_t number = context->free_cohort;
    if (number != NONE) {
        context->free_cohort = context->cohorts[number].next_free;
        return number;
    }
    number = context->cohort_count++;
    context->cohorts = grt_array_grow(context->cohorts, &context->cohort_capacity, context->cohort_count,
                                      sizeof *context->cohorts);
    if (!gpu->contended) {
        grt_event_queue_reserve(&context->ends, context->cohort_count);
    }
    if (context->launching_capacity > 0) {
        gpu_children_reserve(context);
    }
    return number;
}

static inline void free_cohort(struct context *context, uint32_t number) {
    context->cohorts[number].next_free = context->free_cohort;
    context->free_cohort = number;
}

void gpu_execute_free_cohort(struct context *context, uint32_t number) {
    free_cohort(context, number);
}

/* The blocks of a cohort begin. */
static inline void add_end(struct grt_gpu *gpu, struct context *context, uint32_t number, grt_time clock) {
    struct cohort *cohort = &context->cohorts[number];
    cohort->start = gpu->options.loop->now;
    cohort->began = clock;
    if (gpu->contended) {
        gpu_clock_add(gpu, context, number, clock);
    } else {
        grt_event_set(&context->ends, number, clock + cohort->time,
                      grt_event_order(context->starts++, number));
        context->vacated = context->vacated == number ? NONE : context->vacated;
    }
}

void gpu_execute_add_end(struct grt_gpu *gpu, struct context *context, uint32_t number, grt_time clock) {
    add_end(gpu, context, number, clock);
}

/* Makes up for the pass of a slot that nobody took. */
static inline void settle_ends(struct context *context) {
    if (context->vacated != NONE) {
        grt_event_cancel(&context->ends, context->vacated);
        context->vacated = NONE;
    }
}

uint32_t gpu_execute_pop_end(struct grt_gpu *gpu, struct context *context) {
    settle_ends(context);
    if (grt_event_top(&context->ends)->time == GRT_TIME_NEVER) {
        return NONE;
    }
    if (gpu->contended) {
        return gpu_clock_pop(gpu, context, clock_of(gpu, context));
    }
    uint32_t number = grt_event_slot(grt_event_top(&context->ends));
    grt_event_cancel(&context->ends, number);
    return number;
}

/* A cohort's blocks have been placed: it ends after `time`. */
static inline void start_cohort(struct grt_gpu *gpu, struct context *context, uint32_t number, grt_time clock,
                                grt_time time) {
    struct cohort *cohort = &context->cohorts[number];
    struct command *kernel = &gpu->commands[cohort->command];
    if (context->running_blocks == 0) {
        context->busy_since = clock;
    }
    context->running_blocks += cohort->count;
    kernel->next_block += cohort->count;
    kernel->running += cohort->count;
    cohort->time = time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
    add_end(gpu, context, number, clock);
    if (kernel->kernel->launches != NULL) {
        gpu_children_cohort_began(gpu, context, number);
    }
}

static inline void release(struct grt_gpu *gpu, struct context *context, const struct cohort *cohort,
                           uint32_t place, uint32_t count, grt_time clock) {
    const struct grt_gpu_kernel *kernel = gpu->commands[cohort->command].kernel;
    grt_placement_release(context->placement, kernel, place, count, clock);
    if (gpu->limited) {
        gpu_limit_released(gpu, process_of(gpu, cohort->command), place, count);
    }
}

static void release_places(struct grt_gpu *gpu, struct context *context, struct cohort *cohort,
                           grt_time clock) {
    if (cohort->place != NONE) {
        release(gpu, context, cohort, cohort->place, cohort->count, clock);
        return;
    }
    for (uint32_t place = 0; place < grt_placement_count(context->placement); place++) {
        if (cohort->per_place[place] > 0) {
            release(gpu, context, cohort, place, cohort->per_place[place], clock);
            cohort->per_place[place] = 0;
        }
    }
}

static inline void complete_kernel(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    context->resident_kernels--;
    if (gpu->has_launches) {
        gpu_children_blocks_ended(gpu, number);
        return;
    }
    gpu->kernels++;
    gpu_trace_kernel(gpu, number, gpu->commands[number].aborted ? GRT_TRACE_ABORTED : 0);
    gpu_command_complete(gpu, number);
}

/* Adds what a cohort's threads have had of the SMs until now. */
static void account(struct grt_gpu *gpu, const struct cohort *cohort, grt_time clock) {
    uint64_t threads = (uint64_t)cohort->count * gpu->commands[cohort->command].kernel->threads;
    gpu->thread_time += (grt_wide)threads * (uint64_t)(clock - cohort->began);
}

/* Blocks leave the SMs before their end. */
void gpu_execute_account(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                         uint8_t flags) {
    if (gpu->options.trace != NULL) {
        gpu_trace_cohort(gpu, context, cohort, flags);
    }
    account(gpu, cohort, clock_of(gpu, context));
}

static GRT_ALWAYS_INLINE void end_cohort(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                         grt_time clock) {
    struct cohort *cohort = &context->cohorts[number];
    struct command *command = &gpu->commands[cohort->command];
    if (command->kernel->launches != NULL) {
        gpu_children_cohort_ends(gpu, context, number);
        command = &gpu->commands[cohort->command]; /* the pool may have moved */
    } else if (gpu->options.trace != NULL) {
        gpu_trace_cohort(gpu, context, cohort, 0);
    }
    gpu->blocks += cohort->count;
    account(gpu, cohort, clock);
    release_places(gpu, context, cohort, clock);
    context->running_blocks -= cohort->count;
    if (context->running_blocks == 0) {
        context->busy += clock - context->busy_since;
    }
    command->running -= cohort->count;
    free_cohort(context, number);
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
    end_cohort(gpu, context, number, clock);
    return tied;
}

/* The same where speeds may change: an end, or launches by blocks. */
static GRT_APART bool end_first_of_clocks(struct grt_gpu *gpu, struct context *context, grt_time clock) {
    if (!gpu_clock_launch(gpu, context, clock)) {
        end_cohort(gpu, context, gpu_clock_pop(gpu, context, clock), clock);
    }
    return grt_event_top(&context->ends)->time == clock;
}

static void cohorts_ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    struct context *context = gpu->active;
    grt_time clock = now - context->lag;
    (void)index;
    if (gpu->contended) {
        while (end_first_of_clocks(gpu, context, clock)) {
        }
    } else {
        while (end_first(gpu, context, clock)) {
        }
    }
    context->undispatched = true;
    *gpu->options.changed = true;
}

/* ---- dispatch ---- */

/* Blocks that all take the same time: as many as find room, as one cohort. Returns how many. */
static GRT_APART uint32_t dispatch_together(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                            grt_time clock) {
    uint32_t slot = allocate_cohort(gpu, context);
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
    cohort->count =
        gpu->limited ? gpu_limit_take_many(gpu, process_of(gpu, number), command->kernel, left, cohort, clock)
                     : grt_placement_take_many(context->placement, command->kernel, left, cohort->per_place,
                                               cohort->places, clock);
    uint32_t count = cohort->count;
    if (count > 0) {
        start_cohort(gpu, context, slot, clock, command->block_time);
    } else {
        free_cohort(context, slot);
    }
    return count;
}

/* One block, with a time of its own unless the launch has one; false if no SM has room. */
static GRT_ALWAYS_INLINE bool dispatch_one(struct grt_gpu *gpu, struct context *context, uint32_t number,
                                           grt_time clock) {
    struct command *command = &gpu->commands[number];
    uint32_t place = grt_placement_take(context->placement, command->kernel, clock);
    if (place == GRT_NO_PLACE) {
        return false;
    }
    if (gpu->limited) {
        gpu_limit_took(gpu, process_of(gpu, number), place);
    }
    uint32_t slot = allocate_cohort(gpu, context);
    struct cohort *cohort = &context->cohorts[slot];
    cohort->command = number;
    cohort->first = command->next_block;
    cohort->count = 1;
    cohort->place = place;
    grt_time time = command->kernel->same_time
                        ? command->block_time
                        : grt_distribution_draw(&command->kernel->block_time, &command->random);
    start_cohort(gpu, context, slot, clock, time);
    return true;
}

/* Hands out blocks of the front kernel while they find room (R1 to R3); true once it is fully dispatched. */
static GRT_ALWAYS_INLINE bool dispatch(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct command *command = &gpu->commands[number];
    grt_time clock = clock_of(gpu, context);
    uint32_t left = command->block_end - command->next_block;
    if (command->kernel->together && left > 1 && !gpu->options.no_cohorts) {
        left -= dispatch_together(gpu, context, number, clock);
    } else {
        while (left > 0 && dispatch_one(gpu, context, number, clock)) {
            left--;
        }
    }
    if (command->state == COMMAND_QUEUED && command->running > 0) {
        context->resident_kernels++;
        gpu_command_begin(gpu, command);
        if (gpu->has_launches) {
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

/* What follows once a kernel is fully dispatched (G3), but for its queue. What a block launched never was in a stream. */
void gpu_execute_leave_queue(struct grt_gpu *gpu, uint32_t number) {
    if (gpu->queues_limited && !(gpu->has_launches && gpu->families[number].parent != NONE)) {
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
        if (!dispatch(gpu, context, number)) {
            return false;
        }
        gpu_execute_leave_queue(gpu, number);
        level->head = command->queue_next;
    }
    level->tail = NONE;
    return true;
}

/* ---- what gpu_apart.c needs ---- */

bool gpu_execute_dispatch(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    return dispatch(gpu, context, number);
}

bool gpu_execute_may_dispatch(const struct grt_gpu *gpu, const struct context *context,
                              const struct command *command) {
    return may_dispatch(gpu, context, command);
}

/* When the next of a context's events is, by the time of the run, if it is not switched out. */
grt_time gpu_execute_next(const struct grt_gpu *gpu, const struct context *context,
                          const struct grt_event_queue *queue) {
    grt_time end = grt_event_top(queue)->time;
    if (gpu->runlist_count == 0 || end == GRT_TIME_NEVER) {
        return end;
    }
    return context->paused_at == GRT_TIME_NEVER ? end + context->lag : GRT_TIME_NEVER;
}

/* Waits for the next end on the SMs. */
static inline void schedule(struct grt_gpu *gpu) {
    settle_ends(gpu->active);
    grt_time earliest = gpu_execute_next(gpu, gpu->active, &gpu->active->ends);
    if (earliest != grt_loop_pending(gpu->options.loop, gpu->source)) {
        grt_loop_schedule(gpu->options.loop, gpu->source, earliest);
    }
    if (gpu->has_launches) {
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
    if (gpu->apart) {
        gpu_apart_dispatch(gpu, context);
        level = end;
    }
    while (level < end && (level->head == NONE || dispatch_level(gpu, context, level))) {
        level++;
    }
    context->undispatched = false;
    schedule(gpu);
}

/* A kernel in the queue leaves it; if it has begun, its remaining blocks are dropped. */
void gpu_execute_drop(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    struct context *context = context_of(gpu, number);
    if (command->state == COMMAND_QUEUED || command->next_block < command->block_end) {
        uint32_t level = gpu->streams[command->stream].level;
        list_remove(&context->levels[level], gpu->commands, number, queue_link);
        command->block_end = command->next_block;
        context->undispatched = true;
        if (gpu->queues_limited && !(gpu->has_launches && gpu->families[number].parent != NONE)) {
            gpu_queue_dropped(gpu, number);
        }
    }
}

/* The same; what runs runs out. */
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t number) {
    const struct command *command = &gpu->commands[number];
    if (gpu->has_launches) {
        return gpu_family_cancel(gpu, number);
    }
    gpu_execute_drop(gpu, number);
    if (command->state == COMMAND_RUNNING &&
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

/* Blocks of a kernel have no end; nor has the kernel, once they are its last. */
static void finish_blocks(struct grt_gpu *gpu, const struct cohort *cohort) {
    struct command *command = &gpu->commands[cohort->command];
    command->running -= cohort->count;
    if (command->running == 0) {
        gpu_trace_kernel(gpu, cohort->command,
                         command->aborted ? GRT_TRACE_OPEN | GRT_TRACE_ABORTED : GRT_TRACE_OPEN);
    }
}

/* At the end of a run: open slices of what is still on the SMs, in the order in which it would have ended. */
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context) {
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        trace_between_waves(gpu, context->levels[level].head);
        context->levels[level] = (struct command_list){NONE, NONE};
    }
    if (gpu->contended && gpu->has_launches) {
        gpu_clocks_drop_moments(gpu, context);
    }
    for (uint32_t number; (number = gpu_execute_pop_end(gpu, context)) != NONE;) {
        gpu_execute_account(gpu, context, &context->cohorts[number], GRT_TRACE_OPEN);
        finish_blocks(gpu, &context->cohorts[number]);
    }
    for (uint32_t at = context->thrown; at != NONE; at = context->cohorts[at].next_free) {
        finish_blocks(gpu, &context->cohorts[at]);
    }
    if (context->running_blocks > 0) {
        context->busy += clock_of(gpu, context) - context->busy_since;
    }
}
