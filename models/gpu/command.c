/* The commands of a GPU: called, waiting in their streams, taken back. */
#include "models/gpu/command.h"

#include "models/gpu/call.h"
#include "models/gpu/dependency.h"
#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include "sim/check.h"

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
 * takes its launch time. `kernel`: NULL: it is none. */
static grt_time arrival_after(const struct grt_gpu *gpu, grt_time previous,
                              const struct grt_gpu_kernel *kernel) {
    grt_time now = gpu->options.loop->now;
    grt_time issued = previous > now ? previous : now;
    if (issued <= GRT_TIME_LIMIT) { /* later than every horizon is late enough */
        issued += kernel != NULL ? kernel->launch : 0;
    }
    return issued;
}

void gpu_command_set_kernel(struct command *command, const struct grt_gpu_kernel *kernel, bool random,
                            uint64_t random_key) {
    command->kernel = kernel;
    command->running = 0;
    command->next_block = kernel->first_block;
    command->block_end = kernel->first_block + kernel->blocks;
    command->block_time = kernel->block_time.max;
    command->block_times = NULL;
    if (!random) {
        return;
    }
    command->random = kernel->times_from != NULL ? *kernel->times_from : grt_random_of_key(random_key);
    if (kernel->same_time) {
        command->block_time = grt_distribution_draw(&kernel->block_time, &command->random);
    }
}

void grt_gpu_block_times(const struct grt_gpu_kernel *kernel, bool random, uint64_t random_key,
                         grt_time *times) {
    struct command command;
    gpu_command_set_kernel(&command, kernel, random, random_key);
    for (uint32_t i = 0; i < kernel->blocks; i++) {
        grt_time time = kernel->same_time ? command.block_time
                                          : grt_distribution_draw(&kernel->block_time, &command.random);
        times[i] = time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
    }
}

void grt_gpu_submit(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *given, uint32_t job,
                    uint64_t random_key) {
    GRT_REQUIRE(stream < gpu->stream_count, "submit to a stream that was made on this GPU");
    if (gpu->options.elsewhere != NULL) {
        gpu->options.elsewhere->submit(gpu->options.elsewhere->state, stream, given, job, random_key);
        return;
    }
    gpu_stream_called(gpu, stream);
    if (gpu->uses.checks) {
        gpu_dependency_before(gpu, stream, given, job);
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
    command->arrival = arrival_after(gpu, gpu->streams[stream].last_arrival, given->kernel);
    gpu->streams[stream].last_arrival = command->arrival;
    if (given->kind == GRT_COMMAND_KERNEL) {
        gpu_command_set_kernel(command, given->kernel, given->random, random_key);
        command->block_times = given->block_times;
    } else if (!grt_command_is_call(given->kind)) {
        command->bytes = given->bytes;
        command->extra = given->extra;
        command->pageable = given->pageable;
    } else {
        gpu_call_submitted(gpu, number, given, random_key);
    }
    list_push(&gpu->streams[stream].commands, gpu->commands, number, stream_link);
    if (gpu->uses.launches) {
        gpu_children_submitted(gpu, number, random_key);
    }
    if (gpu->uses.hardware_queues) {
        gpu_queue_submitted(gpu, number);
    }
}

/* Removes one command unless it has begun; true if it is gone. */
static bool cancel_command(struct grt_gpu *gpu, struct stream *stream, uint32_t number) {
    struct command *command = &gpu->commands[number];
    command->aborted = true;
    if (command->state == COMMAND_WAITING && gpu->uses.hardware_queues) {
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
        grt_time arrival = arrival_after(gpu, stream->last_arrival,
                                         command->kind == GRT_COMMAND_KERNEL ? command->kernel : NULL);
        command->arrival = arrival < command->arrival ? arrival : command->arrival;
        stream->last_arrival = command->arrival;
    }
}

bool grt_gpu_cancel(struct grt_gpu *gpu, uint32_t stream_number, uint32_t owner) {
    struct stream *stream = &gpu->streams[stream_number];
    bool all_gone = !gpu->uses.calls || !gpu_call_cancel_telling(gpu, owner);
    uint32_t next, head = stream->commands.head;
    for (uint32_t number = stream->commands.head; number != NONE; number = next) {
        struct command *command = &gpu->commands[number];
        next = command->next;
        if (command->owner == owner && gpu_dependency_is_needed(gpu, command)) {
            continue; /* a check on which another owner's command relies */
        }
        if (command->owner == owner && !cancel_command(gpu, stream, number)) {
            command->last = true; /* streams are in order: only one command of an owner can have begun */
            all_gone = false;
        }
    }
    advance_calls(gpu, stream);
    if (gpu->uses.checks) {
        gpu_dependency_find(gpu, stream);
    }
    if (gpu->uses.hardware_queues) {
        gpu_queue_settle(gpu, stream_number, stream->commands.head != head);
    }
    if ((gpu->device->kernel_launch > 0 || gpu->device->device_launch > 0) &&
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
