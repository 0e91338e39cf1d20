/* The engine on gpurt's own model of a GPU (models/gpu.h) with a clock of its own: what the host would do at an instant happens at this instant, and nothing else takes time. */
#include <stdlib.h>
#include <string.h>

#include "calib/pretend/model_internal.h"
#include "sim/check.h"

/* ---- the world ---- */

static void decide(void *owner, grt_time now) {
    struct model *model = owner;
    (void)now;
    do {
        model->changed = false;
        model_give(model);
        grt_gpu_decide(model->gpu);
    } while (model->dirty_count > 0);
}

static void nothing(void *owner, uint32_t index, grt_time now) {
    (void)owner, (void)index, (void)now;
}

void model_advance(struct model *model, grt_time instant) {
    if (instant > model->loop.now) {
        grt_loop_schedule(&model->loop, model->clock, instant);
        grt_loop_run(&model->loop, instant);
        grt_trace_flush(model->trace);
    }
}

/* Goes on to the next instant at which anything happens, but not beyond `until`; false: nothing will until then. */
static bool step(struct model *model, grt_time until) {
    uint64_t before = model->progress;
    grt_loop_run(&model->loop, model->loop.now); /* decides */
    grt_time next = grt_loop_next(&model->loop);
    if (model->progress != before) {
        return true;
    }
    if (next > until) {
        return false;
    }
    grt_loop_run(&model->loop, next);
    grt_trace_flush(model->trace);
    return true;
}

static void completed(void *owner, uint32_t number, grt_time now) {
    struct model *model = owner;
    (void)now;
    grt_trace_flush(model->trace); /* the records of its blocks */
    if (model->commands[number].kind == MODEL_TRANSFER) {
        grt_engine_move(&model->commands[number].transfer);
    }
    model_complete(model, number);
}

/* ---- the host's clock ---- */

/* The world is brought to the host's instant, and what the host has written is seen. */
static void catch_up(struct model *model) {
    model_advance(model, model->now);
    model_poll(model);
}

static grt_time now_of(void *state) {
    struct model *model = state;
    catch_up(model);
    return model->now;
}

static void wait_until(void *state, grt_time instant) {
    struct model *model = state;
    catch_up(model);
    model->now = instant > model->now ? instant : model->now;
    model_advance(model, model->now);
}

static void idle(void *state, grt_time instant) {
    struct model *model = state;
    uint64_t before = model->progress;
    catch_up(model);
    while (model->progress == before && model->now < instant) {
        if (!step(model, instant)) {
            model->now = instant < GRT_TIME_NEVER ? instant : model->now;
            model_advance(model, model->now);
            return;
        }
        model->now = model->loop.now > model->now ? model->loop.now : model->now;
    }
}

static void call(void *engine, enum grt_engine_call what) {
    struct model *model = engine;
    const struct grt_pretend_spec *spec = model->spec;
    catch_up(model);
    model->now += what == GRT_ENGINE_CALL_LAUNCH ? spec->launch_call
                  : what == GRT_ENGINE_CALL_COPY ? spec->copy_call
                                                 : spec->other_call;
    model->now += grt_distribution_draw(&spec->call_noise, &model->call_noise);
}

/* ---- streams and events ---- */

/* The first that is free: streams are told apart in the order in which they are made, as in scenarios. */
static bool make_stream(void *engine, int priority, const uint64_t *sms, uint32_t *stream) {
    struct model *model = engine;
    for (uint32_t i = 0; i < model->stream_count; i++) {
        struct model_stream *place = &model->streams[i];
        if (!place->used && place->ordered != model->loop.now) {
            place->used = true;
            place->places = model_places(model, sms, &place->first_sm);
            grt_gpu_stream_set_priority(model->gpu, i, priority < 0 ? priority : 0);
            *stream = i;
            return true;
        }
    }
    return false;
}

static void end_stream(void *engine, uint32_t stream) {
    struct model *model = engine;
    GRT_REQUIRE(model->streams[stream].head == MODEL_NONE, "end streams that are idle");
    model->streams[stream].used = false;
}

static bool make_event(void *engine, uint32_t *event) {
    struct model *model = engine;
    uint32_t number = 0;
    while (number < model->event_count && model->events[number].used) {
        number++;
    }
    if (number == model->event_count) {
        model->event_count++;
        model->events =
            grt_array_grow(model->events, &model->event_capacity, model->event_count, sizeof *model->events);
        model->events[number].gpu_event = MODEL_NONE;
    }
    model->events[number] = (struct model_event){.used = true, .gpu_event = model->events[number].gpu_event};
    *event = number;
    return true;
}

/* A record of it that is not done finds that it is not the event's any more. */
static void end_event(void *engine, uint32_t event) {
    struct model *model = engine;
    model->events[event] = (struct model_event){.gpu_event = model->events[event].gpu_event};
}

static void event_untimed(void *engine, uint32_t number) {
    struct model *model = engine;
    struct model_event *event = &model->events[number];
    event->untimed = true;
    event->gpu_event = event->gpu_event == MODEL_NONE ? grt_gpu_event(model->gpu) : event->gpu_event;
}

/* ---- commands: they reach the device at the beginning of the host's call ---- */

static void kernel(void *engine, uint32_t stream, const struct grt_engine_kernel *given) {
    struct model *model = engine;
    enum model_kind kind = given->id == GRT_KERNEL_LATCH ? MODEL_LATCH : MODEL_KERNEL;
    struct model_command *command = model_append(model, stream, kind, model->device.kernel_launch);
    command->kernel = *given;
    if (kind == MODEL_KERNEL) {
        model_kernel_called(model, command);
    } else {
        command->released = *given->go != 0;
    }
    model_give_called(model, stream);
}

static void transfer(void *engine, uint32_t stream, const struct grt_engine_transfer *given) {
    struct model *model = engine;
    struct model_command *command = model_append(model, stream, MODEL_TRANSFER, 0);
    command->transfer = *given;
    if (given->kind == GRT_ENGINE_H2D && given->pageable) {
        if (given->bytes > command->staged_room) {
            free(command->staged);
            command->staged = grt_allocate(given->bytes);
            command->staged_room = given->bytes;
        }
        memcpy(command->staged, given->from, given->bytes);
        command->transfer.from = command->staged;
    }
    model_give_called(model, stream);
}

static void record(void *engine, uint32_t stream, uint32_t event) {
    struct model *model = engine;
    struct model_event *recorded = &model->events[event];
    bool waits = model->streams[stream].next_to_give != MODEL_NONE; /* for something before it */
    struct model_command *command = model_append(model, stream, MODEL_RECORD, 0);
    command->event = event;
    recorded->command = (uint32_t)(command - model->commands);
    recorded->serial = command->serial;
    recorded->in_gpu = recorded->untimed && !waits;
    if (recorded->in_gpu) {
        model_give_call(model, recorded->command, GRT_COMMAND_RECORD, recorded->gpu_event);
    }
    model_appended(model, stream);
}

static void await_event(void *engine, uint32_t stream, uint32_t event) {
    struct model *model = engine;
    const struct model_event *awaited = &model->events[event];
    bool waits = model->streams[stream].next_to_give != MODEL_NONE;
    struct model_command *command = model_append(model, stream, MODEL_WAIT, 0);
    uint32_t place = (uint32_t)(command - model->commands);
    command->awaited = awaited->command;
    command->awaited_serial = awaited->serial;
    if (awaited->in_gpu && !waits) {
        model->streams[stream].next_to_give = MODEL_NONE;
        model_give_call(model, place, GRT_COMMAND_WAIT, awaited->gpu_event);
    }
    if (!model_event_is_done(model, awaited)) {
        struct model_command *record = &model->commands[command->awaited];
        command->waiters = record->waiters;
        record->waiters = place;
    }
    model_appended(model, stream);
}

/* ---- what the host asks, at its own instant ---- */

static bool event_done(void *engine, uint32_t event) {
    struct model *model = engine;
    catch_up(model);
    return model_event_is_done(model, &model->events[event]);
}

static double event_ns(void *engine, uint32_t event) {
    const struct model *model = engine;
    return model_event_clock(model->spec, model->events[event].time);
}

static bool stream_done(void *engine, uint32_t stream) {
    struct model *model = engine;
    catch_up(model);
    return model->streams[stream].head == MODEL_NONE;
}

static bool all_done(const struct model *model) {
    for (uint32_t i = 0; i < model->stream_count; i++) {
        if (model->streams[i].head != MODEL_NONE) {
            return false;
        }
    }
    return true;
}

/* The host has waited for what has just ended. */
static void resume(struct model *model) {
    model->now = model->loop.now > model->now ? model->loop.now : model->now;
    model->now += model->spec->sync_return;
}

static void wait_event(void *engine, uint32_t event) {
    struct model *model = engine;
    if (event_done(model, event)) {
        return;
    }
    while (!model_event_is_done(model, &model->events[event]) && step(model, GRT_TIME_NEVER - 1)) {
    }
    resume(model);
}

static void wait_stream(void *engine, uint32_t stream) {
    struct model *model = engine;
    if (stream_done(model, stream)) {
        return;
    }
    while (model->streams[stream].head != MODEL_NONE && step(model, GRT_TIME_NEVER - 1)) {
    }
    resume(model);
}

static void wait_all(void *engine) {
    struct model *model = engine;
    catch_up(model);
    if (all_done(model)) {
        return;
    }
    while (!all_done(model) && step(model, GRT_TIME_NEVER - 1)) {
    }
    resume(model);
}

/* ---- creation ---- */

static bool no_names(void *sink, const struct grt_trace_name *names, size_t count) {
    (void)sink, (void)names, (void)count;
    return true;
}

static bool no_end(void *sink) {
    (void)sink;
    return true;
}

static const struct grt_trace_sink block_sink = {no_names, model_blocks_end, no_end};

static void not_told(void *state, uint32_t owner, grt_time now) {
    (void)state, (void)owner, (void)now;
}

static void create_gpu(struct model *model) {
    grt_loop_start(&model->loop, decide, model);
    model->trace = grt_trace_create();
    grt_trace_add_sink(model->trace, &block_sink, model);
    grt_bus_create(&model->bus, &model->device);
    struct grt_gpu_options options = {
        .loop = &model->loop,
        .arena = &model->arena,
        .trace = model->trace,
        .listener = {model, not_told, completed, not_told, model_block_begins},
        .changed = &model->changed,
        .seed = model->spec->seed,
        .bus = &model->bus,
    };
    model->gpu = grt_gpu_create(&model->device, &options);
    grt_gpu_use_partitions(model->gpu);
    grt_gpu_use_pins(model->gpu);
    grt_gpu_use_call(model->gpu, GRT_COMMAND_MEMSET);
    grt_gpu_use_call(model->gpu, GRT_COMMAND_D2D);
    grt_gpu_use_call(model->gpu, GRT_COMMAND_RECORD);
    grt_gpu_use_call(model->gpu, GRT_COMMAND_WAIT);
    grt_gpu_process_create(model->gpu, &(struct grt_process_spec){0}, 0);
    model->clock = grt_loop_add(&model->loop, GRT_CLASS_TIMER, nothing, model, 0);
}

static void destroy(void *engine) {
    struct model *model = engine;
    grt_gpu_free(model->gpu);
    grt_bus_free(&model->bus);
    grt_trace_free(model->trace);
    grt_loop_free(&model->loop);
    model_streams_free(model);
    grt_arena_clear(&model->arena);
    free(model);
}

static void *create(const struct grt_pretend_spec *spec, struct grt_errors *errors) {
    (void)errors; /* what could be wrong is checked before */
    struct model *model = grt_allocate(sizeof *model);
    *model = (struct model){.spec = spec, .device = spec->device, .now = MODEL_START};
    model->device.implicit_sync = GRT_IMPLICIT_SYNC_NONE;
    model->call_noise = grt_random_stream(spec->seed, "pretend calls", 0, 0);
    model->copy_noise = grt_random_stream(spec->seed, "pretend copies", 0, 0);
    model->keys = grt_random_stream(spec->seed, "pretend kernels", 0, 0);
    create_gpu(model);
    model_kernels_create(model);
    model_streams_create(model);
    model_advance(model, MODEL_START);
    return model;
}

const struct grt_engine_ops grt_engine_model = {
    .name = "sim",
    .create = create,
    .destroy = destroy,
    .clock = {.now = now_of, .wait_until = wait_until, .idle = idle},
    .call = call,
    .stream = make_stream,
    .stream_end = end_stream,
    .event = make_event,
    .event_untimed = event_untimed,
    .event_end = end_event,
    .kernel = kernel,
    .transfer = transfer,
    .record = record,
    .wait = await_event,
    .event_done = event_done,
    .event_ns = event_ns,
    .stream_done = stream_done,
    .wait_event = wait_event,
    .wait_stream = wait_stream,
    .wait_all = wait_all,
};
