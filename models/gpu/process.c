/* The processes of a GPU, and how they come together where an MPS server runs.
 *
 * Source: NVIDIA, "Multi-Process Service" guide; G. Gilman, R. J. Walls, "Characterizing Concurrency Mechanisms for NVIDIA
 * GPUs under Deep Learning Workloads", Performance Evaluation, 2021.
 *
 * Without MPS every process has a context of its own, and contexts take turns (runlist.c). The clients of an MPS server
 * share one: their kernels stand in the same queues, their blocks share the SMs, their copies the engines (M1). Streams, the
 * NULL stream and limits stay a process's own, as do hardware queues from Volta on (Q8). */
#include "models/gpu/process.h"

#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include "models/gpu/limit.h"

static struct context *create_context(struct grt_gpu *gpu, const struct grt_process_spec *spec,
                                      uint32_t label) {
    uint32_t number = gpu->context_count++;
    gpu->contexts =
        grt_array_grow(gpu->contexts, &gpu->context_capacity, gpu->context_count, sizeof *gpu->contexts);
    struct context *context = grt_arena_new(gpu->options.arena, struct context);
    struct grt_random random = grt_random_stream(gpu->options.seed, "placement", gpu->options.index, number);
    context->placement = grt_placement_create(gpu->device, gpu->options.arena, random);
    context->spec = *spec;
    context->label = label;
    context->paused_at = GRT_TIME_NEVER;
    gpu_execute_create_context(gpu, context);
    gpu_copy_create_context(gpu, context);
    gpu->contexts[number] = context;
    gpu->active = gpu->contexts[0];
    if (gpu->context_count > 1) {
        gpu_runlists_create(gpu);
    }
    return context;
}

/* Q8: before Volta all clients of a server share its hardware queues. */
static struct queue_pool *find_pool(struct grt_gpu *gpu) {
    bool one_for_all = gpu->device->mps && grt_device_is_before_volta(gpu->device);
    if (!gpu->uses.hardware_queues) {
        return NULL;
    }
    return one_for_all && gpu->process_count > 1 ? gpu->processes[0]->pool : gpu_queue_create_pool(gpu);
}

struct process *gpu_process_create(struct grt_gpu *gpu, const struct grt_process_spec *spec, uint32_t label) {
    uint32_t number = gpu->process_count++;
    bool joins = (gpu->device->mps || gpu->shares != NULL) && gpu->context_count > 0;
    gpu->processes =
        grt_array_grow(gpu->processes, &gpu->process_capacity, gpu->process_count, sizeof *gpu->processes);
    struct process *process = grt_arena_new(gpu->options.arena, struct process);
    gpu->processes[number] = process;
    process->context = joins ? gpu->contexts[0] : create_context(gpu, spec, label);
    process->null_stream = NONE;
    process->barrier = UINT64_MAX;
    process->callbacks = (struct command_list){NONE, NONE};
    process->pool = find_pool(gpu);
    if (gpu->device->mps && spec->active_thread_percentage > 0) {
        gpu_limit_create(gpu, process, spec->active_thread_percentage);
    }
    return process;
}

/* M2: in the one queue of all clients a kernel takes the place of the first less urgent one of its own client, which takes
 * the place of the next one of them, and so on; the last goes to the end. So the clients' places are those of first come,
 * first served, whatever the priorities, and a client's kernels of one priority stay in their order. */
void gpu_process_enqueue(struct grt_gpu *gpu, struct command_list *list, uint32_t number) {
    struct command *commands = gpu->commands;
    const struct process *process = process_of(gpu, number);
    uint32_t urgency = gpu->streams[commands[number].stream].urgency;
    if (!gpu->urgencies_differ) {
        list_push(list, commands, number, queue_link);
        return;
    }
    uint32_t carried = number, before = NONE;
    for (uint32_t at = list->head; at != NONE; before = at, at = commands[at].queue_next) {
        const struct stream *stream = &gpu->streams[commands[at].stream];
        if (stream->process != process || stream->urgency <= urgency) {
            continue;
        }
        uint32_t after = commands[at].queue_next, place = carried;
        commands[place].queue_next = after;
        if (before == NONE) {
            list->head = place;
        } else {
            commands[before].queue_next = place;
        }
        list->tail = after == NONE ? place : list->tail;
        carried = at;
        at = place;
    }
    list_push(list, commands, carried, queue_link);
}
