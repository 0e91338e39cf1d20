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
    gpu->level_count = (uint32_t)gpu->device->priority_levels;
    gpu->levels = grt_arena_array(gpu->options.arena, gpu->level_count, sizeof *gpu->levels);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        gpu->levels[level] = (struct command_list){NONE, NONE};
    }
    gpu->source = grt_loop_add_front(gpu->options.loop, GRT_CLASS_COMPLETION, cohorts_ended, gpu, 0);
    grt_event_queue_reserve(&gpu->ends, 1);
}

/* A1: a kernel enters the queue of its stream's priority. */
void gpu_execute_enqueue(struct grt_gpu *gpu, uint32_t number) {
    uint32_t level = gpu->streams[gpu->commands[number].stream].level;
    list_push(&gpu->levels[level], gpu->commands, number, queue_link);
    gpu->undispatched = true;
}

/* ---- cohorts ---- */

static uint32_t allocate_cohort(struct grt_gpu *gpu) {
    uint32_t number = gpu->free_cohort;
    if (number != NONE) {
        gpu->free_cohort = gpu->cohorts[number].next_free;
        return number;
    }
    number = gpu->cohort_count++;
    gpu->cohorts =
        grt_array_grow(gpu->cohorts, &gpu->cohort_capacity, gpu->cohort_count, sizeof *gpu->cohorts);
    grt_event_queue_reserve(&gpu->ends, gpu->cohort_count);
    return number;
}

/* A cohort's blocks have been placed: it ends after `time`. */
static void start_cohort(struct grt_gpu *gpu, uint32_t number, grt_time time) {
    struct cohort *cohort = &gpu->cohorts[number];
    struct command *kernel = &gpu->commands[cohort->command];
    grt_time now = gpu->options.loop->now;
    if (gpu->running_blocks == 0) {
        gpu->busy_since = now;
    }
    gpu->running_blocks += cohort->count;
    kernel->next_block += cohort->count;
    kernel->running += cohort->count;
    cohort->start = now;
    time = time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
    grt_event_set(&gpu->ends, number, now + time, grt_event_order(gpu->starts++, number));
}

static void trace_block(struct grt_gpu *gpu, const struct cohort *cohort, uint32_t offset, uint32_t place,
                        uint8_t flags) {
    const struct command *kernel = &gpu->commands[cohort->command];
    grt_trace_add(gpu->options.trace,
                  (struct grt_trace_record){
                      .time = gpu->options.loop->now,
                      .other = cohort->start,
                      .job = kernel->job,
                      .detail = cohort->first + offset,
                      .row = gpu->options.first_sm_row + grt_placement_sm(gpu->placement, place),
                      .task = kernel->task,
                      .kind = GRT_TRACE_BLOCK,
                      .flags = flags,
                  });
}

static void trace_cohort(struct grt_gpu *gpu, const struct cohort *cohort, uint8_t flags) {
    for (uint32_t i = 0; i < cohort->count; i++) {
        trace_block(gpu, cohort, i, cohort->place != NONE ? cohort->place : cohort->places[i], flags);
    }
}

static void trace_kernel(struct grt_gpu *gpu, const struct command *kernel, uint8_t flags) {
    grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                          .time = gpu->options.loop->now,
                                          .other = kernel->start,
                                          .job = kernel->job,
                                          .detail = kernel->place,
                                          .row = gpu->streams[kernel->stream].row,
                                          .task = kernel->task,
                                          .kind = GRT_TRACE_KERNEL,
                                          .flags = flags,
                                      });
}

static void release_places(struct grt_gpu *gpu, struct cohort *cohort, const struct grt_gpu_kernel *kernel) {
    grt_time now = gpu->options.loop->now;
    if (cohort->place != NONE) {
        grt_placement_release(gpu->placement, kernel, cohort->place, cohort->count, now);
        return;
    }
    for (uint32_t place = 0; place < grt_placement_count(gpu->placement); place++) {
        if (cohort->per_place[place] > 0) {
            grt_placement_release(gpu->placement, kernel, place, cohort->per_place[place], now);
            cohort->per_place[place] = 0;
        }
    }
}

static void complete_kernel(struct grt_gpu *gpu, uint32_t number) {
    struct command *kernel = &gpu->commands[number];
    gpu->kernels++;
    gpu->resident_kernels--;
    if (gpu->options.trace != NULL) {
        trace_kernel(gpu, kernel, kernel->aborted ? GRT_TRACE_ABORTED : 0);
    }
    gpu_command_complete(gpu, number);
}

static void end_cohort(struct grt_gpu *gpu, uint32_t number) {
    struct cohort *cohort = &gpu->cohorts[number];
    struct command *command = &gpu->commands[cohort->command];
    grt_time now = gpu->options.loop->now;
    if (gpu->options.trace != NULL) {
        trace_cohort(gpu, cohort, 0);
    }
    gpu->blocks += cohort->count;
    gpu->thread_time +=
        (grt_wide)((uint64_t)cohort->count * command->kernel->threads) * (uint64_t)(now - cohort->start);
    release_places(gpu, cohort, command->kernel);
    gpu->running_blocks -= cohort->count;
    if (gpu->running_blocks == 0) {
        gpu->busy += now - gpu->busy_since;
    }
    command->running -= cohort->count;
    cohort->next_free = gpu->free_cohort;
    gpu->free_cohort = number;
    if (command->running == 0 && command->next_block == command->block_end) {
        complete_kernel(gpu, cohort->command);
    }
}

static void cohorts_ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    (void)index;
    do {
        uint32_t number = grt_event_slot(grt_event_top(&gpu->ends));
        grt_event_cancel(&gpu->ends, number);
        end_cohort(gpu, number);
    } while (grt_event_top(&gpu->ends)->time == now);
    gpu->undispatched = true;
    *gpu->options.changed = true;
}

/* ---- dispatch ---- */

/* Blocks that all take the same time: as many as find room, as one cohort. Returns how many. */
static uint32_t dispatch_together(struct grt_gpu *gpu, uint32_t number) {
    uint32_t slot = allocate_cohort(gpu);
    struct cohort *cohort = &gpu->cohorts[slot];
    struct command *command = &gpu->commands[number];
    if (cohort->per_place == NULL) {
        uint32_t sms = grt_placement_count(gpu->placement);
        uint32_t most = sms * (uint32_t)gpu->device->max_blocks_per_sm;
        cohort->per_place = grt_arena_array(gpu->options.arena, sms, sizeof *cohort->per_place);
        cohort->places = gpu->options.trace == NULL
                             ? NULL
                             : grt_arena_array(gpu->options.arena, most, sizeof *cohort->places);
    }
    cohort->command = number;
    cohort->first = command->next_block;
    cohort->place = NONE;
    cohort->count =
        grt_placement_take_many(gpu->placement, command->kernel, command->block_end - command->next_block,
                                cohort->per_place, cohort->places, gpu->options.loop->now);
    if (cohort->count > 0) {
        start_cohort(gpu, slot, command->block_time);
    } else {
        cohort->next_free = gpu->free_cohort;
        gpu->free_cohort = slot;
    }
    return cohort->count;
}

/* One block, with a time of its own unless the launch has one; false if no SM has room. */
static bool dispatch_one(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    uint32_t place = grt_placement_take(gpu->placement, command->kernel, gpu->options.loop->now);
    if (place == GRT_NO_PLACE) {
        return false;
    }
    uint32_t slot = allocate_cohort(gpu);
    struct cohort *cohort = &gpu->cohorts[slot];
    cohort->command = number;
    cohort->first = command->next_block;
    cohort->count = 1;
    cohort->place = place;
    grt_time time = command->kernel->same_time
                        ? command->block_time
                        : grt_distribution_draw(&command->kernel->block_time, &command->random);
    start_cohort(gpu, slot, time);
    return true;
}

/* Hands out blocks of the front kernel while they find room (R1 to R3); true once it is fully dispatched. */
static bool dispatch(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    uint32_t left = command->block_end - command->next_block;
    if (command->kernel->same_time && left > 1 && !gpu->options.no_cohorts) {
        left -= dispatch_together(gpu, number);
    } else {
        while (left > 0 && dispatch_one(gpu, number)) {
            left--;
        }
    }
    command = &gpu->commands[number];
    if (command->state == COMMAND_QUEUED && command->running > 0) {
        gpu->resident_kernels++;
        gpu_command_begin(gpu, command);
    }
    return left == 0;
}

static bool may_begin(const struct grt_gpu *gpu, const struct command *command) {
    return command->state == COMMAND_RUNNING || gpu->resident_kernels < gpu->device->max_resident_grids;
}

/* X1: only the front kernel of a queue hands out blocks, even if a later one would fit. G3: it leaves the queue once it
 * is fully dispatched. False if a kernel has blocks left that found no room. */
static bool dispatch_level(struct grt_gpu *gpu, struct command_list *level) {
    while (level->head != NONE && may_begin(gpu, &gpu->commands[level->head])) {
        if (!dispatch(gpu, level->head)) {
            return false;
        }
        level->head = gpu->commands[level->head].queue_next;
        if (level->head == NONE) {
            level->tail = NONE;
        }
    }
    return true;
}

/* A2: the most urgent queue goes first. A front kernel that waits for a place among the resident grids does not hold
 * back the less urgent ones that have theirs, which could otherwise never give it up. */
void gpu_execute_decide(struct grt_gpu *gpu) {
    uint32_t level = 0;
    while (level < gpu->level_count && dispatch_level(gpu, &gpu->levels[level])) {
        level++;
    }
    gpu->undispatched = false;
    grt_time earliest = grt_event_top(&gpu->ends)->time;
    if (earliest != grt_loop_pending(gpu->options.loop, gpu->source)) {
        grt_loop_schedule(gpu->options.loop, gpu->source, earliest);
    }
}

/* A kernel in the queue leaves it; if it has begun, its remaining blocks are dropped and what runs runs out. */
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    if (command->state == COMMAND_QUEUED || command->next_block < command->block_end) {
        list_remove(&gpu->levels[gpu->streams[command->stream].level], gpu->commands, number, queue_link);
        command->block_end = command->next_block;
        gpu->undispatched = true;
    }
    if (command->state == COMMAND_RUNNING &&
        command->running == 0) { /* its blocks ended, the rest found no room */
        gpu->resident_kernels--;
        if (gpu->options.trace != NULL) {
            trace_kernel(gpu, command, GRT_TRACE_ABORTED);
        }
    }
    return command->running == 0;
}

/* Kernels whose dispatched blocks have all ended while the others wait for room: only their own slice is open. */
static void trace_between_waves(struct grt_gpu *gpu, uint32_t first) {
    for (uint32_t number = first; number != NONE; number = gpu->commands[number].queue_next) {
        const struct command *kernel = &gpu->commands[number];
        if (gpu->options.trace != NULL && kernel->state == COMMAND_RUNNING && kernel->running == 0) {
            trace_kernel(gpu, kernel, GRT_TRACE_OPEN);
        }
    }
}

/* At the end of a run: open slices of what is still on the SMs, in the order in which it would have ended. */
void gpu_execute_finish(struct grt_gpu *gpu) {
    grt_time now = gpu->options.loop->now;
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        trace_between_waves(gpu, gpu->levels[level].head);
        gpu->levels[level] = (struct command_list){NONE, NONE};
    }
    while (grt_event_top(&gpu->ends)->time != GRT_TIME_NEVER) {
        uint32_t number = grt_event_slot(grt_event_top(&gpu->ends));
        const struct cohort *cohort = &gpu->cohorts[number];
        struct command *command = &gpu->commands[cohort->command];
        gpu->thread_time +=
            (grt_wide)((uint64_t)cohort->count * command->kernel->threads) * (uint64_t)(now - cohort->start);
        command->running -= cohort->count;
        if (gpu->options.trace != NULL) {
            trace_cohort(gpu, cohort, GRT_TRACE_OPEN);
        }
        if (gpu->options.trace != NULL && command->running == 0) {
            trace_kernel(gpu, command,
                         command->aborted ? GRT_TRACE_OPEN | GRT_TRACE_ABORTED : GRT_TRACE_OPEN);
        }
        grt_event_cancel(&gpu->ends, number);
    }
}
