/* Copy engines: one copy at a time each, first in first out.
 *
 * Source: Amert et al., RTSS 2017: rules C1 to C4, E1, E2. One engine serves both directions; of two or more, the
 * first serves host to device and the second device to host, the others peers that gpurt does not model. A copy takes
 * the device's copy latency plus its bytes over the link's bandwidth.
 *
 * Where processes share an engine, a copy is stopped at the end of a chunk when the turn passes, and goes on when it
 * comes back: J. Bakita, J. H. Anderson, "Demystifying NVIDIA GPU Internals to Enable Reliable GPU Management", RTAS
 * 2024 (E5). */
#include "models/gpu/copy.h"

#include "models/gpu/internal.h"

static void copy_ended(void *owner, uint32_t index, grt_time now);

void gpu_copy_create(struct grt_gpu *gpu) {
    const struct grt_device *device = gpu->device;
    gpu->engine_count = grt_device_engines(device);
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        struct engine *engine = &gpu->engines[i];
        engine->running = NONE;
        engine->source = grt_loop_add(gpu->options.loop, GRT_CLASS_COMPLETION, copy_ended, gpu, i);
        engine->h2d_rate = device->copy_engines > 0 ? device->h2d_bytes_per_second : 0;
        engine->d2h_rate = device->copy_engines > 0 ? device->d2h_bytes_per_second : 0;
    }
}

void gpu_copy_create_context(struct grt_gpu *gpu, struct context *context) {
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        context->copies[i] = (struct command_list){NONE, NONE};
        context->suspended[i] = NONE;
        gpu->engines[i].active = gpu->engines[i].active != NULL ? gpu->engines[i].active : context;
    }
}

/* E7: pageable memory goes through a pinned buffer. Multiplied in parts, which stay within 64 bits. */
static int64_t staged_rate(int64_t rate, int64_t percent) {
    int64_t staged = rate / 100 * percent + rate % 100 * percent / 100;
    return rate > 0 && staged == 0 ? 1 : staged;
}

static int64_t rate_of(const struct grt_gpu *gpu, const struct engine *engine, const struct command *copy) {
    int64_t rate = copy->kind == GRT_COMMAND_H2D ? engine->h2d_rate : engine->d2h_rate;
    return copy->pageable ? staged_rate(rate, gpu->device->pageable_percent) : rate;
}

/* Before its bytes. */
static grt_time latency_of(const struct grt_gpu *gpu, const struct command *copy) {
    return gpu->device->copy_latency + copy->extra;
}

static grt_time copy_time(const struct grt_gpu *gpu, const struct engine *engine,
                          const struct command *copy) {
    int64_t rate = rate_of(gpu, engine, copy);
    grt_time time = latency_of(gpu, copy) + (rate > 0 ? grt_time_of_work(copy->bytes, rate) : 0);
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t number) {
    struct command *copy = &gpu->commands[number];
    uint32_t engine = engine_of(gpu, copy);
    copy->remaining = copy_time(gpu, &gpu->engines[engine], copy);
    list_push(&context_of(gpu, number)->copies[engine], gpu->commands, number, queue_link);
    gpu->uncopied = true;
}

bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t number) {
    struct command *copy = &gpu->commands[number];
    if (copy->state != COMMAND_QUEUED) {
        return false;
    }
    list_remove(&context_of(gpu, number)->copies[engine_of(gpu, copy)], gpu->commands, number, queue_link);
    if (gpu->uses.hardware_queues) {
        gpu_queue_dropped(gpu, number);
    }
    return true;
}

/* The running copy leaves its engine when so much of it has been done since it went on. Where copies draw from the memory,
 * they do so from the end of their latency on. */
static void stop_copy_at(struct grt_gpu *gpu, struct engine *engine, grt_time work) {
    bool is_latent = gpu->uses.contention && engine->progress.done < engine->latency_ends;
    grt_time next = is_latent && engine->latency_ends < work ? engine->latency_ends : work;
    engine->stop_at = work;
    grt_loop_schedule(gpu->options.loop, engine->source, grt_progress_end(&engine->progress, next));
}

/* The copy that was stopped goes on, or the next one leaves its queue and begins (C2, C3). */
static void run_copy(struct grt_gpu *gpu, uint32_t index) {
    struct engine *engine = &gpu->engines[index];
    struct context *context = engine->active;
    grt_time now = gpu->options.loop->now;
    if (context->suspended[index] != NONE) {
        engine->running = context->suspended[index];
        context->suspended[index] = NONE;
    } else {
        engine->running = list_pop(&context->copies[index], gpu->commands, queue_link);
        if (gpu->uses.hardware_queues) {
            gpu_queue_dispatched(gpu, engine->running);
        }
        gpu_command_begin(gpu, &gpu->commands[engine->running]);
    }
    engine->since = now;
    engine->progress = grt_progress_start(now);
    const struct command *copy = &gpu->commands[engine->running];
    engine->latency_ends = latency_of(gpu, copy) - (copy_time(gpu, engine, copy) - copy->remaining);
    stop_copy_at(gpu, engine, gpu->commands[engine->running].remaining);
    gpu->unsettled = true;
}

void gpu_copy_decide(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        const struct engine *engine = &gpu->engines[i];
        const struct context *context = engine->active;
        if (engine->running == NONE && !engine->held &&
            (context->copies[i].head != NONE || context->suspended[i] != NONE)) {
            run_copy(gpu, i);
        }
    }
    gpu->uncopied = false;
}

/* The copy leaves its engine, complete or not. */
static void account(struct grt_gpu *gpu, uint32_t index, grt_time now, uint8_t flags) {
    struct engine *engine = &gpu->engines[index];
    const struct command *copy = &gpu->commands[engine->running];
    engine->busy += now - engine->since;
    if (gpu->options.trace != NULL) {
        uint8_t direction = copy->kind == GRT_COMMAND_D2H ? GRT_TRACE_D2H : 0;
        uint8_t aborted = copy->aborted ? GRT_TRACE_ABORTED : 0;
        grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                              .time = now,
                                              .other = engine->since,
                                              .job = copy->job,
                                              .detail = copy->place,
                                              .row = gpu->options.first_engine_row + index,
                                              .task = copy->task,
                                              .kind = GRT_TRACE_COPY,
                                              .flags = (uint8_t)(flags | direction | aborted),
                                          });
    }
}

static void suspend(struct grt_gpu *gpu, uint32_t index, grt_time now) {
    struct engine *engine = &gpu->engines[index];
    account(gpu, index, now, GRT_TRACE_PREEMPTED);
    context_of(gpu, engine->running)->suspended[index] = engine->running;
    engine->running = NONE;
    gpu->uncopied = true;
}

static void copy_ended(void *owner, uint32_t index, grt_time now) {
    struct grt_gpu *gpu = owner;
    struct engine *engine = &gpu->engines[index];
    uint32_t number = engine->running;
    struct command *copy = &gpu->commands[number];
    grt_progress_advance(&engine->progress, now);
    gpu->unsettled = true;
    *gpu->options.changed = true;
    if (engine->progress.done < engine->stop_at) { /* its latency is over */
        stop_copy_at(gpu, engine, engine->stop_at);
        return;
    }
    copy->remaining -= engine->progress.done;
    if (copy->remaining > 0) {
        suspend(gpu, index, now);
        return;
    }
    account(gpu, index, now, 0);
    engine->running = NONE;
    gpu->uncopied = true;
    gpu->copies++;
    gpu_command_complete(gpu, number);
}

/* How long a copy that has had `done` of its time goes on until it can be stopped: until the end of its chunk. The
 * latency comes first and cannot be cut. */
static grt_time until_chunk_ends(const struct grt_gpu *gpu, const struct command *copy, int64_t rate,
                                 grt_time done) {
    grt_time latency = latency_of(gpu, copy);
    if (done < latency) {
        return latency - done;
    }
    if (gpu->device->copy_chunk == 0 || rate == 0) {
        return 0;
    }
    grt_time chunk = grt_time_of_work(gpu->device->copy_chunk, rate);
    grt_time into = (done - latency) % chunk;
    return into > 0 ? chunk - into : 0;
}

bool gpu_copy_stop(struct grt_gpu *gpu, uint32_t index) {
    struct engine *engine = &gpu->engines[index];
    if (engine->running == NONE) {
        return true;
    }
    struct command *copy = &gpu->commands[engine->running];
    grt_time now = gpu->options.loop->now;
    grt_progress_advance(&engine->progress, now);
    grt_time left = copy->remaining - engine->progress.done;
    grt_time more =
        until_chunk_ends(gpu, copy, rate_of(gpu, engine, copy), copy_time(gpu, engine, copy) - left);
    if (more > 0) {
        stop_copy_at(gpu, engine, engine->progress.done + (more < left ? more : left));
        return false;
    }
    copy->remaining = left;
    grt_loop_cancel(gpu->options.loop, engine->source);
    suspend(gpu, index, now);
    gpu->unsettled = true;
    return true;
}

/* What the copy on an engine draws from the device's memory at full speed (B1): every byte passes once, and twice where
 * that is also the memory at the other end. Nothing where no copy runs, or copies take no time for their bytes. */
uint64_t gpu_copy_demand(const struct grt_gpu *gpu, uint32_t index) {
    const struct engine *engine = &gpu->engines[index];
    if (engine->running == NONE || engine->progress.done < engine->latency_ends) {
        return 0;
    }
    uint64_t rate = (uint64_t)rate_of(gpu, engine, &gpu->commands[engine->running]);
    uint64_t demand = gpu->device->integrated ? 2 * rate : rate;
    uint64_t most = (uint64_t)gpu->device->memory_bytes_per_second;
    return demand < most ? demand : most;
}

void gpu_copy_set_speed(struct grt_gpu *gpu, uint32_t index, uint64_t speed) {
    struct engine *engine = &gpu->engines[index];
    if (engine->running != NONE && engine->progress.speed != speed) {
        grt_progress_change(&engine->progress, gpu->options.loop->now, speed);
        stop_copy_at(gpu, engine, engine->stop_at);
    }
}

void gpu_copy_finish(struct grt_gpu *gpu) {
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        if (gpu->engines[i].running != NONE) {
            account(gpu, i, gpu->options.loop->now, GRT_TRACE_OPEN);
        }
    }
}
