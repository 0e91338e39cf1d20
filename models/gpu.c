/* The outside of a GPU: its creation, its commands, its result. */
#include "models/gpu.h"

#include <stdlib.h>

#include "models/gpu_internal.h"
#include "models/occupancy.h"
#include "sim/check.h"
#include "sim/random.h"

/* What a kernel's blocks do to others that run beside them (B1, B3), where `per_sm` of them fit on an SM. It is so little
 * that they do nothing to each other, because what they do is in their times. */
static void prepare_contention(const struct grt_device *device, const struct grt_kernel *kernel,
                               int64_t per_sm, struct grt_gpu_kernel *prepared) {
    int64_t blocks = prepared->blocks, threads = prepared->threads;
    int64_t together = blocks < per_sm * device->sm_count ? blocks : per_sm * device->sm_count;
    int64_t most_issue =
        device->cores_per_sm * device->threads_per_core / (blocks < per_sm ? blocks : per_sm);
    prepared->class_number =
        gpu_class_of(device, kernel->class_name != NULL ? kernel->class_name : kernel->name);
    prepared->demand = (uint64_t)(kernel->bandwidth / together);
    prepared->issue_threads = (uint32_t)(threads < most_issue ? threads : most_issue);
}

/* T4s: the bytes of a block's registers, 4 each, and shared memory. Where registers are not known, those that its warps have
 * if all of an SM's warps share the registers equally. */
static int64_t state_of_block(const struct grt_device *device, const struct grt_gpu_kernel *kernel) {
    int64_t warps = device->max_threads_per_sm / device->warp_size;
    int64_t registers =
        kernel->registers > 0 ? kernel->registers : device->registers_per_sm * kernel->warps / warps;
    return 4 * registers + kernel->shared_memory;
}

const char *grt_gpu_kernel_prepare(const struct grt_device *device, const struct grt_kernel *kernel,
                                   struct grt_gpu_kernel *prepared) {
    bool same_time =
        kernel->draw_per == GRT_DRAW_PER_KERNEL || grt_distribution_is_constant(&kernel->block_time);
    *prepared = (struct grt_gpu_kernel){
        .block_time = kernel->block_time,
        .same_time = same_time,
        .together = same_time,
    };
    if (kernel->whole_device) { /* one block per SM, which takes all its warps */
        prepared->blocks = (uint32_t)device->sm_count;
        prepared->threads = (uint32_t)device->max_threads_per_sm;
        prepared->warps = (int32_t)(device->max_threads_per_sm / device->warp_size);
        prepared->same_time = prepared->together = true;
        prepared->state_bytes = state_of_block(device, prepared);
        prepare_contention(device, kernel, 1, prepared);
        return NULL;
    }
    struct grt_occupancy occupancy = grt_occupancy_of(device, &kernel->needs);
    if (occupancy.refusal != NULL) {
        return occupancy.refusal;
    }
    prepared->blocks = (uint32_t)kernel->blocks;
    prepared->threads = (uint32_t)kernel->needs.threads;
    prepared->warps = (int32_t)occupancy.warps;
    prepared->registers = (int32_t)occupancy.registers;
    prepared->shared_memory = (int32_t)occupancy.shared_memory;
    prepared->state_bytes = state_of_block(device, prepared);
    prepare_contention(device, kernel, occupancy.blocks_per_sm, prepared);
    return NULL;
}

const char *grt_gpu_kernel_restrict(const struct grt_device *device, const struct grt_number_list *tpcs,
                                    struct grt_arena *arena, struct grt_gpu_kernel *prepared) {
    int64_t tpc_count = (device->sm_count + device->sms_per_tpc - 1) / device->sms_per_tpc;
    uint16_t *order = grt_arena_array(arena, (size_t)device->sm_count, sizeof *order);
    uint64_t *places = grt_arena_array(arena, GRT_PLACE_WORDS, sizeof *places);
    grt_device_sm_order(device, order);
    for (size_t i = 0; i < tpcs->count; i++) {
        if (tpcs->items[i] < 0 || tpcs->items[i] >= tpc_count) {
            return "it is kept to a TPC that the device does not have";
        }
        for (uint32_t place = 0; place < device->sm_count; place++) {
            if (order[place] / device->sms_per_tpc == tpcs->items[i]) {
                places[place / 64] |= UINT64_C(1) << place % 64;
            }
        }
    }
    prepared->places = places;
    return NULL;
}

struct grt_gpu *grt_gpu_create(const struct grt_device *device, const struct grt_gpu_options *options) {
    struct grt_gpu *gpu = grt_arena_new(options->arena, struct grt_gpu);
    gpu->device = device;
    gpu->options = *options;
    gpu->free_command = NONE;
    gpu->queues_limited = device->hardware_queues > 0;
    gpu_speeds_create(gpu);
    gpu->own_places = device->mps && device->mps_priorities == GRT_MPS_PRIORITIES_CLIENT;
    gpu->checks_dependency =
        gpu->queues_limited && device->queue_model == GRT_QUEUE_MODEL_SINGLE && device->dependency_check;
    gpu_execute_create(gpu);
    gpu_copy_create(gpu);
    return gpu;
}

uint32_t grt_gpu_process_create(struct grt_gpu *gpu, const struct grt_context_spec *spec, uint32_t label) {
    gpu_share_create_process(gpu, spec, label);
    return gpu->process_count - 1;
}

bool grt_gpu_takes_turns(const struct grt_gpu *gpu) {
    return gpu->runlist_count > 0;
}

void grt_gpu_use_partitions(struct grt_gpu *gpu) {
    gpu->apart = true;
}

uint32_t gpu_command_allocate(struct grt_gpu *gpu) {
    uint32_t command = gpu->free_command;
    if (command != NONE) {
        gpu->free_command = gpu->commands[command].next;
        return command;
    }
    command = gpu->command_count++;
    gpu->commands =
        grt_array_grow(gpu->commands, &gpu->command_capacity, gpu->command_count, sizeof *gpu->commands);
    return command;
}

/* When a call that is made now, or once the one before it has reached the device, reaches the device itself: a kernel's
 * takes the device's launch time. */
static grt_time arrival_after(const struct grt_gpu *gpu, grt_time previous, uint8_t kind) {
    grt_time now = gpu->options.loop->now;
    grt_time issued = previous > now ? previous : now;
    if (issued <= GRT_TIME_LIMIT) { /* later than every horizon is late enough */
        issued += kind == GRT_COMMAND_KERNEL ? gpu->device->kernel_launch : 0;
    }
    return issued;
}

void gpu_command_set_kernel(struct command *command, const struct grt_gpu_kernel *kernel, bool random,
                            uint64_t random_key) {
    command->kernel = kernel;
    command->next_block = command->running = 0;
    command->block_end = kernel->blocks;
    command->block_time = kernel->block_time.max;
    if (!random) {
        return;
    }
    command->random = grt_random_of_key(random_key);
    if (kernel->same_time) {
        command->block_time = grt_distribution_draw(&kernel->block_time, &command->random);
    }
}

void grt_gpu_submit(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *given, uint32_t job,
                    uint64_t random_key) {
    GRT_REQUIRE(stream < gpu->stream_count, "submit to a stream that was made on this GPU");
    if (gpu->checks_dependency) {
        gpu_call_before(gpu, stream, given, job);
    }
    uint32_t number = gpu_command_allocate(gpu);
    struct command *command = &gpu->commands[number];
    command->stream = stream;
    command->owner = given->owner;
    command->kind = (uint8_t)given->kind;
    command->state = COMMAND_WAITING;
    command->begins = given->begins;
    command->last = given->last;
    command->waits = given->waits;
    command->aborted = false;
    command->task = given->task;
    command->job = job;
    command->place = given->place;
    command->launch = gpu->launches++;
    command->arrival = arrival_after(gpu, gpu->streams[stream].last_arrival, command->kind);
    gpu->streams[stream].last_arrival = command->arrival;
    if (given->kind == GRT_COMMAND_KERNEL) {
        gpu_command_set_kernel(command, given->kernel, given->random, random_key);
    } else if (!grt_command_is_call(given->kind)) {
        command->bytes = given->bytes;
        command->pageable = given->pageable;
    } else {
        gpu_call_submitted(gpu, number, given, random_key);
    }
    list_push(&gpu->streams[stream].commands, gpu->commands, number, stream_link);
    if (gpu->has_launches) {
        gpu_children_submitted(gpu, number, random_key);
    }
    if (gpu->queues_limited) {
        gpu_queue_submitted(gpu, number);
    }
    gpu_stream_touch(gpu, stream);
}

/* Removes one command unless it has begun; true if it is gone. */
static bool cancel_command(struct grt_gpu *gpu, struct stream *stream, uint32_t number) {
    struct command *command = &gpu->commands[number];
    command->aborted = true;
    if (command->state == COMMAND_WAITING && gpu->queues_limited) {
        gpu_queue_cancelled(gpu, number);
    }
    if (grt_command_is_call(command->kind)) {
        if (!gpu_call_cancel(gpu, number)) {
            return false;
        }
    } else if (command->state != COMMAND_WAITING &&
               !(command->kind == GRT_COMMAND_KERNEL ? gpu_execute_cancel(gpu, number)
                                                     : gpu_copy_cancel(gpu, number))) {
        return false;
    }
    list_remove(&stream->commands, gpu->commands, number, stream_link);
    gpu_command_free(gpu, number);
    return true;
}

/* The calls of what is gone are not made: those behind them are made earlier. */
static void advance_calls(struct grt_gpu *gpu, struct stream *stream) {
    stream->last_arrival = 0;
    for (uint32_t number = stream->commands.head; number != NONE; number = gpu->commands[number].next) {
        struct command *command = &gpu->commands[number];
        grt_time arrival = arrival_after(gpu, stream->last_arrival, command->kind);
        command->arrival = arrival < command->arrival ? arrival : command->arrival;
        stream->last_arrival = command->arrival;
    }
}

bool grt_gpu_cancel(struct grt_gpu *gpu, uint32_t stream_number, uint32_t owner) {
    struct stream *stream = &gpu->streams[stream_number];
    bool all_gone = true;
    uint32_t next, head = stream->commands.head;
    for (uint32_t number = stream->commands.head; number != NONE; number = next) {
        struct command *command = &gpu->commands[number];
        next = command->next;
        if (command->owner == owner && gpu_call_is_needed(gpu, command)) {
            continue; /* a check on which another owner's command relies */
        }
        if (command->owner == owner && !cancel_command(gpu, stream, number)) {
            command->last = true; /* streams are in order: only one command of an owner can have begun */
            all_gone = false;
        }
    }
    advance_calls(gpu, stream);
    if (gpu->checks_dependency) {
        gpu_call_find_unchecked(gpu, stream);
    }
    if (gpu->queues_limited) {
        gpu_queue_settle(gpu, stream_number, stream->commands.head != head);
    }
    if (gpu->device->kernel_launch > 0 &&
        !gpu_call_is_running(gpu, stream)) { /* the call that was under way may be gone */
        grt_loop_cancel(gpu->options.loop, stream->source);
    }
    gpu_stream_touch(gpu, stream_number);
    return all_gone;
}

void list_remove(struct command_list *list, struct command *commands, uint32_t command,
                 uint32_t *(*link)(struct command *)) {
    uint32_t before = NONE;
    for (uint32_t at = list->head; at != command; at = *link(&commands[at])) {
        GRT_ASSERT(at != NONE, "remove only what is in the list");
        before = at;
    }
    uint32_t after = *link(&commands[command]);
    if (before == NONE) {
        list->head = after;
    } else {
        *link(&commands[before]) = after;
    }
    if (after == NONE) {
        list->tail = before;
    }
}

/* Again where a command that was dispatched has freed a hardware queue. */
GRT_APART void grt_gpu_decide(struct grt_gpu *gpu) {
    do {
        if (gpu->touched_count > 0) {
            gpu_streams_advance(gpu);
        }
        if (gpu->runlist_count > 0) {
            gpu_runlists_decide(gpu);
        }
        if (gpu->uncopied) {
            gpu_copy_decide(gpu);
        }
        if (gpu->active->undispatched) {
            gpu_execute_decide(gpu);
        }
    } while (gpu->touched_count > 0);
    if (gpu->contended) {
        gpu_speeds_settle(gpu);
    }
}

void grt_gpu_finish(struct grt_gpu *gpu, struct grt_gpu_result *result) {
    grt_time *engine_busy = grt_arena_array(gpu->options.arena, gpu->engine_count, sizeof *engine_busy);
    *result = (struct grt_gpu_result){
        .device = gpu->device->name,
        .sm_count = (uint32_t)gpu->device->sm_count,
        .engine_count = gpu->engine_count,
        .engine_busy = engine_busy,
        .kernels = gpu->kernels,
        .blocks = gpu->blocks,
        .copies = gpu->copies,
    };
    gpu_runlists_finish(gpu);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        struct context *context = gpu->contexts[i];
        gpu_execute_finish(gpu, context);
        result->busy += context->busy;
        result->sm_busy += grt_placement_busy(context->placement, clock_of(gpu, context));
    }
    if (gpu->has_launches) {
        gpu_family_finish(gpu);
        result->launches = true;
        result->failed_launches = gpu->failed_launches;
    }
    gpu_copy_finish(gpu);
    gpu_call_finish(gpu);
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        engine_busy[i] = gpu->engines[i].busy;
    }
    result->thread_time = (double)gpu->thread_time / (double)gpu->device->max_threads_per_sm;
}

void grt_gpu_free(struct grt_gpu *gpu) {
    free(gpu->commands);
    free(gpu->streams);
    free(gpu->touched);
    free(gpu->events);
    for (uint32_t i = 0; i < gpu->context_count; i++) {
        free(gpu->contexts[i]->cohorts);
        free(gpu->contexts[i]->clocks);
        grt_event_queue_free(&gpu->contexts[i]->ends);
        grt_event_queue_free(&gpu->contexts[i]->moments);
        free(gpu->contexts[i]->launching);
    }
    for (uint32_t i = 0; i < gpu->process_count; i++) {
        struct queue_pool *pool = gpu->processes[i]->pool;
        if (pool != NULL && (i == 0 || pool != gpu->processes[0]->pool)) {
            free(pool->waiting);
        }
    }
    free(gpu->families);
    free(gpu->free_numbers);
    free(gpu->contexts);
    free(gpu->processes);
}
