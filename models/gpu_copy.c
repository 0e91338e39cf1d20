/* Copy engines: one copy at a time each, first in first out.
 *
 * Source: Amert et al., RTSS 2017: rules C1 to C4, E1, E2. One engine serves both directions; of two or more, the
 * first serves host to device and the second device to host, the others peers that gpurt does not model. A copy takes
 * the device's copy latency plus its bytes over the link's bandwidth. */
#include "models/gpu_internal.h"

static void copy_ended(void *owner, uint32_t index, grt_time now);

void gpu_copy_create(struct grt_gpu *gpu) {
    const struct grt_device *device = gpu->device;
    gpu->engine_count = grt_device_engines(device);
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        struct engine *engine = &gpu->engines[i];
        engine->queue = (struct command_list){NONE, NONE};
        engine->running = NONE;
        engine->source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, copy_ended, gpu, i);
        engine->h2d_rate = device->copy_engines > 0 ? device->h2d_bytes_per_second : 0;
        engine->d2h_rate = device->copy_engines > 0 ? device->d2h_bytes_per_second : 0;
    }
}

static uint32_t engine_of(const struct grt_gpu *gpu, const struct command *copy) {
    return gpu->engine_count == 2 && copy->kind == GRT_COMMAND_D2H ? 1 : 0;
}

void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t number) {
    struct engine *engine = &gpu->engines[engine_of(gpu, &gpu->commands[number])];
    list_push(&engine->queue, gpu->commands, number, queue_link);
    gpu->uncopied = true;
}

bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t number) {
    struct command *copy = &gpu->commands[number];
    if (copy->state != COMMAND_QUEUED) {
        return false;
    }
    list_remove(&gpu->engines[engine_of(gpu, copy)].queue, gpu->commands, number, queue_link);
    return true;
}

static grt_time copy_time(const struct grt_gpu *gpu, const struct engine *engine,
                          const struct command *copy) {
    int64_t rate = copy->kind == GRT_COMMAND_H2D ? engine->h2d_rate : engine->d2h_rate;
    grt_time time = gpu->device->copy_latency + (rate > 0 ? grt_time_of_work(copy->bytes, rate) : 0);
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

/* C2, C3: the front copy leaves the queue when the engine takes it. */
static void start_copy(struct grt_gpu *gpu, struct engine *engine) {
    uint32_t number = engine->queue.head;
    struct command *copy = &gpu->commands[number];
    engine->queue.head = copy->queue_next;
    if (copy->queue_next == NONE) {
        engine->queue.tail = NONE;
    }
    engine->running = number;
    gpu_command_begin(gpu, copy);
    grt_loop_schedule(gpu->options.loop, engine->source, copy->start + copy_time(gpu, engine, copy));
}

void gpu_copy_decide(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        struct engine *engine = &gpu->engines[i];
        if (engine->running == NONE && engine->queue.head != NONE) {
            start_copy(gpu, engine);
        }
    }
    gpu->uncopied = false;
}

static void account(struct grt_gpu *gpu, uint32_t index, grt_time now, uint8_t flags) {
    struct engine *engine = &gpu->engines[index];
    const struct command *copy = &gpu->commands[engine->running];
    engine->busy += now - copy->start;
    if (gpu->options.trace != NULL) {
        uint8_t direction = copy->kind == GRT_COMMAND_D2H ? GRT_TRACE_D2H : 0;
        uint8_t aborted = copy->aborted ? GRT_TRACE_ABORTED : 0;
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                              .time = now,
                                              .other = copy->start,
                                              .job = copy->job,
                                              .detail = copy->place,
                                              .row = gpu->options.first_engine_row + index,
                                              .task = copy->task,
                                              .kind = GRT_TRACE_COPY,
                                              .flags = (uint8_t)(flags | direction | aborted),
                                          });
    }
}

static void copy_ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    uint32_t number = gpu->engines[index].running;
    account(gpu, index, now, 0);
    gpu->engines[index].running = NONE;
    gpu->uncopied = true;
    gpu->copies++;
    gpu_command_complete(gpu, number);
}

void gpu_copy_finish(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        if (gpu->engines[i].running != NONE) {
            account(gpu, i, gpu->options.loop->now, GRT_TRACE_OPEN);
        }
    }
}
