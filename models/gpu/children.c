/* Kernels that are launched by the blocks of others (dynamic parallelism): the launches, the way of a launched grid to its
 * queue, and what completes when.
 *
 * Source: NVIDIA, CUDA C++ Programming Guide: rules D1 to D3; D5 is the model of GPGPU-Sim, whose configurations also give
 * the time of a launch.
 *
 * A launched grid is a command like any other, but of no stream's list: it stands in the queue of its ancestor's stream
 * priority. A grid is complete when its blocks have ended and all that they launched is complete; then it tells the one
 * that launched it, and the one that the host launched leaves its stream. */
#include "models/gpu/children.h"

#include "models/gpu/cohort.h"
#include "models/gpu/execute.h"
#include "models/gpu/family.h"
#include "models/gpu/internal.h"
#include "models/gpu/trace.h"
#include "models/gpu/waiting.h"
#include "sim/check.h"
#include "sim/hash.h"

static void moments_due(void *owner, uint32_t index, grt_time now);
static void launches_arrived(void *owner, uint32_t index, grt_time now);

void grt_gpu_use_launches(struct grt_gpu *gpu) {
    if (gpu->uses.launches) {
        return;
    }
    GRT_REQUIRE(gpu->context_count == 0, "say that blocks launch kernels before contexts are made");
    gpu->uses.launches = true;
    gpu->in_flight = (struct command_list){NONE, NONE};
    gpu->moment_source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, moments_due, gpu, 0);
    gpu->arrival_source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, launches_arrived, gpu, 0);
}

/* Makes room for what the cohorts launch. */
void gpu_children_reserve(struct context *context) {
    uint32_t count = context->cohort_count > 0 ? context->cohort_count : 1;
    grt_event_queue_reserve(&context->moments, count);
    context->launching =
        grt_array_grow(context->launching, &context->launching_capacity, count, sizeof *context->launching);
}

static struct family *new_family(struct grt_gpu *gpu, uint32_t command, uint32_t parent, uint64_t key) {
    gpu->families =
        grt_array_grow(gpu->families, &gpu->family_capacity, gpu->command_count, sizeof *gpu->families);
    gpu->families[command] = (struct family){.used = true,
                                             .parent = parent,
                                             .follower = NONE,
                                             .launcher = NONE,
                                             .tails = {NONE, NONE},
                                             .key = key};
    return &gpu->families[command];
}

void gpu_children_submitted(struct grt_gpu *gpu, uint32_t command, uint64_t random_key) {
    new_family(gpu, command, NONE, random_key);
}

void gpu_children_grid_began(struct grt_gpu *gpu, uint32_t command) {
    process_of(gpu, command)->pending_launches -= gpu->families[command].parent != NONE;
}

/* ---- from the launch to the queue ---- */

static void enter_queue(struct grt_gpu *gpu, uint32_t number) {
    struct command *command = &gpu->commands[number];
    command->state = COMMAND_QUEUED;
    gpu_execute_enqueue(gpu, &gpu->streams[command->stream], number);
    *gpu->options.changed = true;
}

/* Nothing before it in its stream is left: it goes to its queue once its launch has reached the device. */
static void release(struct grt_gpu *gpu, uint32_t number) {
    gpu->families[number].held = false;
    if (!gpu->families[number].in_flight) {
        enter_queue(gpu, number);
    }
}

void gpu_children_schedule_arrivals(struct grt_gpu *gpu) {
    uint32_t next = gpu->in_flight.head;
    grt_loop_schedule(gpu->options.loop, gpu->arrival_source,
                      next != NONE ? gpu->commands[next].arrival : GRT_TIME_NEVER);
}

/* All launches take equally long: they arrive in their order. */
static void launches_arrived(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    (void)index;
    while (gpu->in_flight.head != NONE && gpu->commands[gpu->in_flight.head].arrival <= now) {
        uint32_t number = list_pop(&gpu->in_flight, gpu->commands, queue_link);
        gpu->families[number].in_flight = false;
        if (!gpu->families[number].held) {
            enter_queue(gpu, number);
        }
    }
    gpu_children_schedule_arrivals(gpu);
}

/* D5: the launch takes its time. */
static void send(struct grt_gpu *gpu, uint32_t number) {
    struct family *family = &gpu->families[number];
    grt_time latency = gpu->device->device_launch;
    if (latency > 0) {
        gpu->commands[number].arrival = gpu->options.loop->now + latency;
        family->in_flight = true;
        list_push(&gpu->in_flight, gpu->commands, number, queue_link);
        gpu_children_schedule_arrivals(gpu);
    } else if (!family->held) {
        enter_queue(gpu, number);
    }
}

/* ---- one launch ---- */

/* A number for the trace; the last one stands for all that there are beyond. */
static uint16_t take_number(struct grt_gpu *gpu) {
    if (gpu->free_number_count > 0) {
        return gpu->free_numbers[--gpu->free_number_count];
    }
    if (gpu->number_count == GRT_DEVICE_MAX_LAUNCHES - 1) {
        return GRT_DEVICE_MAX_LAUNCHES;
    }
    gpu->number_count++;
    gpu->free_numbers = grt_array_grow(gpu->free_numbers, &gpu->number_capacity, gpu->number_count,
                                       sizeof *gpu->free_numbers);
    return (uint16_t)gpu->number_count;
}

static void launch_failed(struct grt_gpu *gpu, uint32_t parent, const struct grt_gpu_launch *launch) {
    const struct command *command = &gpu->commands[parent];
    gpu->failed_launches++;
    if (gpu->options.trace != NULL) {
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                              .time = gpu->options.loop->now,
                                              .job = command->job,
                                              .detail = launch->place,
                                              .row = grt_trace_grid_row(gpu->streams[command->stream].row,
                                                                        gpu->families[parent].number),
                                              .task = command->task,
                                              .kind = GRT_TRACE_LAUNCH_FAILED,
                                          });
    }
}

/* The block times of what block `block` launches depend on nothing but who it is. */
static uint32_t create_child(struct grt_gpu *gpu, uint32_t parent, const struct grt_gpu_launch *launch,
                             uint32_t block) {
    uint32_t number = gpu_command_allocate(gpu);
    const struct command *from = &gpu->commands[parent];
    struct command *child = &gpu->commands[number];
    uint64_t key = grt_hash_add(grt_hash_add(gpu->families[parent].key, block), launch->place);
    *child = (struct command){.next = NONE,
                              .stream = from->stream,
                              .owner = from->owner,
                              .kind = GRT_COMMAND_KERNEL,
                              .state = COMMAND_WAITING,
                              .task = from->task,
                              .job = from->job,
                              .place = launch->place,
                              .launch = gpu->launches++};
    gpu_command_set_kernel(child, &launch->kernel, launch->random, key);
    new_family(gpu, number, parent, key);
    return number;
}

/* D3: a block's own stream goes on when what was launched before is complete. */
static void enter_block_stream(struct grt_gpu *gpu, struct block_stream *stream, uint32_t number) {
    uint32_t last = stream->command;
    if (last != NONE && gpu->families[last].used && gpu->commands[last].launch == stream->launch) {
        gpu->families[last].follower = number;
        gpu->families[number].held = true;
    }
    *stream = (struct block_stream){number, gpu->commands[number].launch};
}

/* D3: a tail goes on when the grid that launched it, and all else that it launched, is complete. */
static void enter_tail_stream(struct grt_gpu *gpu, uint32_t parent, uint32_t number) {
    gpu->families[number].held = gpu->families[number].is_tail = true;
    list_push(&gpu->families[parent].tails, gpu->commands, number, stream_link);
}

/* One block of a cohort makes one launch of its kernel, unless it is not its turn. */
static void launch_one(struct grt_gpu *gpu, struct context *context, uint32_t cohort, uint32_t offset,
                       uint32_t index) {
    uint32_t parent = context->cohorts[cohort].command, block = context->cohorts[cohort].first + offset;
    const struct grt_gpu_launch *launch = &gpu->commands[parent].kernel->launches[index];
    if (launch->first_block_only && block != 0) {
        return;
    }
    struct process *process = process_of(gpu, parent);
    if (process->pending_launches >= gpu->device->max_pending_launches) { /* D1 */
        launch_failed(gpu, parent, launch);
        return;
    }
    uint32_t number = create_child(gpu, parent, launch, block);
    gpu->families[number].number = take_number(gpu);
    process->pending_launches++;
    if (launch->stream == GRT_LAUNCH_STREAM_TAIL) {
        enter_tail_stream(gpu, parent, number);
    } else {
        gpu->families[parent].live++;
        if (gpu->commands[parent].kernel->waits) {
            gpu->families[number].launcher = cohort;
            context->launching[cohort].live++;
        }
        if (launch->stream == GRT_LAUNCH_STREAM_BLOCK) {
            enter_block_stream(gpu, &context->launching[cohort].streams[offset], number);
        }
    }
    send(gpu, number);
}

/* ---- when blocks launch ---- */

static const struct grt_gpu_kernel *kernel_of(const struct grt_gpu *gpu, const struct context *context,
                                              uint32_t cohort) {
    return gpu->commands[context->cohorts[cohort].command].kernel;
}

/* The next launch of a cohort's blocks has a moment of its own if it comes before their end. */
void gpu_children_set_moment(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    const struct cohort *cohort = &context->cohorts[number];
    const struct grt_gpu_kernel *kernel = gpu->commands[cohort->command].kernel;
    uint32_t next = context->launching[number].next;
    if (next == kernel->launch_count) {
        return;
    }
    grt_time at = kernel->launches[next].at - context->launching[number].had;
    if (at >= cohort->time) {
        return;
    }
    gpu_cohort_set_moment(gpu, context, number, at);
}

/* The blocks of a cohort have begun; when they end is set. */
void gpu_children_cohort_began(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    struct launching *launching = &context->launching[number];
    uint32_t count = context->cohorts[number].count;
    launching->next = launching->live = 0;
    launching->had = 0;
    if (count > launching->capacity) {
        launching->capacity = 2 * count;
        launching->streams =
            grt_arena_array(gpu->options.arena, launching->capacity, sizeof *launching->streams);
    }
    for (uint32_t i = 0; i < count; i++) {
        launching->streams[i].command = NONE;
    }
    gpu_children_set_moment(gpu, context, number);
}

/* The blocks of a cohort make the launches that are due: block by block, so that it is the same if each is a cohort of its
 * own. */
void gpu_children_launch(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    const struct grt_gpu_kernel *kernel = kernel_of(gpu, context, number);
    uint32_t from = context->launching[number].next, to = from;
    bool aborted = gpu->commands[context->cohorts[number].command].aborted;
    while (to < kernel->launch_count && kernel->launches[to].at == kernel->launches[from].at) {
        to++;
    }
    for (uint32_t i = 0; !aborted && i < context->cohorts[number].count; i++) {
        for (uint32_t k = from; k < to; k++) {
            launch_one(gpu, context, number, i, k);
        }
    }
    context->launching[number].next = to;
    if (aborted || !kernel->waits || !gpu_waiting_leave(gpu, context, number, from, to)) {
        gpu_children_set_moment(gpu, context, number);
    }
}

static void moments_due(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    struct context *context = gpu->active;
    grt_time clock = now - context->lag;
    (void)index;
    do {
        uint32_t number = grt_event_slot(grt_event_top(&context->moments));
        grt_event_cancel(&context->moments, number);
        gpu_children_launch(gpu, context, number);
    } while (grt_event_top(&context->moments)->time == clock);
    context->undispatched = true;
    *gpu->options.changed = true;
}

/* The blocks of a cohort end: they go into the trace, and launch what they have not launched before. */
void gpu_children_cohort_ends(struct grt_gpu *gpu, struct context *context, uint32_t number) {
    const struct cohort *cohort = &context->cohorts[number];
    const struct grt_gpu_kernel *kernel = kernel_of(gpu, context, number);
    bool aborted = gpu->commands[cohort->command].aborted;
    for (uint32_t i = 0; i < cohort->count; i++) {
        if (gpu->options.trace != NULL) {
            gpu_trace_block(gpu, context, cohort, i, 0);
        }
        for (uint32_t k = context->launching[number].next; !aborted && k < kernel->launch_count; k++) {
            launch_one(gpu, context, number, i, k);
        }
    }
    context->launching[number].since = gpu->launches;
}

void gpu_children_schedule(struct grt_gpu *gpu, const struct context *context) {
    grt_time earliest = gpu_execute_next(gpu, context, &context->moments);
    if (earliest != grt_loop_pending(gpu->options.loop, gpu->moment_source)) {
        grt_loop_schedule(gpu->options.loop, gpu->moment_source, earliest);
    }
}

/* ---- completion ---- */

/* D2: a grid is complete when its blocks have ended and all that it launched is complete, the tails last. That may
 * complete the one that launched it. */
static void settle(struct grt_gpu *gpu, uint32_t number) {
    while (gpu->families[number].ended && gpu->families[number].live == 0) {
        struct family *family = &gpu->families[number];
        uint32_t parent = family->parent, follower = family->follower;
        if (family->tails.head != NONE) {
            family->live++;
            release(gpu, list_pop(&family->tails, gpu->commands, stream_link));
            return;
        }
        gpu->kernels++;
        gpu_trace_kernel(gpu, number, gpu->commands[number].aborted ? GRT_TRACE_ABORTED : 0);
        if (parent == NONE) {
            gpu_command_complete(gpu, number);
            return;
        }
        gpu_waiting_completed(gpu, number);
        gpu_family_remove(gpu, number);
        gpu->families[parent].live--;
        if (follower != NONE) {
            release(gpu, follower);
        }
        number = parent;
    }
}

/* No block of a grid is on the SMs or has not begun. */
void gpu_children_blocks_ended(struct grt_gpu *gpu, uint32_t number) {
    if (gpu->families[number].waiting > 0) {
        gpu->families[number].away = true;
        return;
    }
    gpu->families[number].ended = true;
    settle(gpu, number);
}
