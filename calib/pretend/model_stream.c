/* Streams of the engine on gpurt's model: what stands in them until it has completed, events, and latches. Events are the engine's own: one is done at the instant at which what was
 * before it has completed, and what waits for it goes on to the GPU at this instant. Latches take no room on SMs: what is behind one is kept from the GPU until it ends. */
#include <stdlib.h>

#include "calib/pretend/model_internal.h"
#include "sim/check.h"

enum { MOST_STREAMS = 512 };

/* A latch's call has arrived, or it has waited long enough. */
static void due(void *owner, uint32_t stream, grt_time now) {
    (void)now;
    model_stream_touch(owner, stream);
}

/* Streams of a GPU are made before it begins; they get their priorities when they are handed out. */
void model_streams_create(struct model *model) {
    model->stream_count = MOST_STREAMS;
    model->streams = grt_arena_array(&model->arena, model->stream_count, sizeof *model->streams);
    model->dirty = grt_arena_array(&model->arena, model->stream_count, sizeof *model->dirty);
    model->free_command = MODEL_NONE;
    for (uint32_t i = 0; i < model->stream_count; i++) {
        uint32_t number = grt_gpu_stream_create(model->gpu, 0, 0, false, i);
        GRT_REQUIRE(number == i, "streams of the GPU are those of the engine");
        model->streams[i] = (struct model_stream){
            .head = MODEL_NONE, .tail = MODEL_NONE, .next_to_give = MODEL_NONE, .ordered = -1};
        model->streams[i].source = grt_loop_add(&model->loop, GRT_CLASS_COMPLETION, due, model, i);
    }
}

enum { MOST_KEPT = 1 << 20 }; /* bytes that a place keeps for the next copy */

/* Frees all of a command that its place does not keep. */
static void free_command(struct model_command *command) {
    if (command->staged_room > MOST_KEPT) {
        free(command->staged);
        command->staged = NULL;
        command->staged_room = 0;
    }
    free(command->blocks);
    free(command->block_times);
    command->blocks = NULL;
    command->block_times = NULL;
    command->serial = 0;
}

void model_streams_free(struct model *model) {
    for (uint32_t i = 0; i < model->command_count; i++) {
        free_command(&model->commands[i]);
        free(model->commands[i].staged);
    }
    free(model->commands);
    free(model->events);
    free(model->woken);
}

void model_stream_touch(struct model *model, uint32_t stream) {
    if (!model->streams[stream].dirty) {
        model->streams[stream].dirty = true;
        model->dirty[model->dirty_count++] = stream;
    }
}

/* ---- the list of a stream ---- */

/* A place, with zeros at first. No more streams are woken at a time than there are waits. */
static uint32_t allocate(struct model *model) {
    uint32_t number = model->free_command;
    if (number != MODEL_NONE) {
        model->free_command = model->commands[number].next;
        return number;
    }
    number = model->command_count++;
    model->commands = grt_array_grow(model->commands, &model->command_capacity, model->command_count,
                                     sizeof *model->commands);
    model->woken =
        grt_array_grow(model->woken, &model->woken_capacity, model->command_count, sizeof *model->woken);
    return number;
}

struct model_command *model_append(struct model *model, uint32_t number, enum model_kind kind,
                                   grt_time launch) {
    uint32_t place = allocate(model);
    struct model_stream *stream = &model->streams[number];
    struct model_command *command = &model->commands[place];
    grt_time now = model->loop.now;
    stream->last_arrival = (stream->last_arrival > now ? stream->last_arrival : now) + launch;
    *command = (struct model_command){.serial = ++model->serials,
                                      .kind = kind,
                                      .next = MODEL_NONE,
                                      .waiters = MODEL_NONE,
                                      .stream = number,
                                      .arrival = stream->last_arrival,
                                      .staged = command->staged,
                                      .staged_room = command->staged_room};
    if (stream->head == MODEL_NONE) {
        stream->head = place;
    } else {
        model->commands[stream->tail].next = place;
    }
    stream->tail = place;
    if (stream->next_to_give == MODEL_NONE && kind != MODEL_RECORD) { /* not given, or at once */
        stream->next_to_give = place;
    }
    stream->latches += kind == MODEL_LATCH;
    model->latches += kind == MODEL_LATCH;
    return command;
}

/* Takes the first of a stream out. */
static void pop(struct model *model, struct model_stream *stream) {
    uint32_t place = stream->head;
    struct model_command *command = &model->commands[place];
    stream->head = command->next;
    stream->tail = stream->head == MODEL_NONE ? MODEL_NONE : stream->tail;
    stream->next_to_give = stream->next_to_give == place ? command->next : stream->next_to_give;
    stream->latches -= command->kind == MODEL_LATCH;
    model->latches -= command->kind == MODEL_LATCH;
    stream->ordered = command->in_gpu ? model->loop.now : stream->ordered;
    free_command(command);
    command->next = model->free_command;
    model->free_command = place;
    model->progress++;
}

static bool is_over(const struct model *model, uint32_t command, uint64_t serial) {
    return serial == 0 || model->commands[command].serial != serial;
}

bool model_event_is_done(const struct model *model, const struct model_event *event) {
    return is_over(model, event->command, event->serial);
}

/* An event is done: who waits for it may go on, the last to wait first, as on the GPU (models/gpu/call.c). */
static void record_done(struct model *model, const struct model_command *record) {
    struct model_event *event = &model->events[record->event];
    if (event->serial == record->serial) {
        event->time = model->loop.now;
    }
    for (uint32_t at = record->waiters; at != MODEL_NONE; at = model->commands[at].waiters) {
        if (!model->commands[at].in_gpu) {
            model_stream_touch(model, model->commands[at].stream);
        }
        model->woken[model->woken_count++] = model->commands[at].stream;
    }
}

/* Records and waits at the head of a stream pass at once. */
static void settle(struct model *model, uint32_t number) {
    struct model_stream *stream = &model->streams[number];
    while (stream->head != MODEL_NONE) {
        const struct model_command *head = &model->commands[stream->head];
        bool passes = head->kind == MODEL_RECORD ||
                      (head->kind == MODEL_WAIT && is_over(model, head->awaited, head->awaited_serial));
        if (!passes) {
            break;
        }
        struct model_command passed = *head;
        pop(model, stream); /* before others look whether it is over */
        if (passed.kind == MODEL_RECORD) {
            record_done(model, &passed);
        }
    }
    if (stream->head != MODEL_NONE && model->commands[stream->head].kind == MODEL_LATCH) {
        model_stream_touch(model, number);
    }
}

/* The same for all that may follow from it. */
static void settle_all(struct model *model, uint32_t number) {
    model->woken_count = 0;
    settle(model, number);
    for (uint32_t i = 0; i < model->woken_count; i++) {
        settle(model, model->woken[i]);
    }
}

void model_appended(struct model *model, uint32_t stream) {
    settle_all(model, stream);
}

void model_complete(struct model *model, uint32_t command) {
    uint32_t number = model->commands[command].stream;
    GRT_REQUIRE(model->streams[number].head == command, "the commands of a stream complete in their order");
    pop(model, &model->streams[number]);
    if (model->streams[number].next_to_give != MODEL_NONE) {
        model_stream_touch(model, number); /* it goes on before those that wait for it */
    }
    settle_all(model, number);
}

/* ---- latches ---- */

void model_poll(struct model *model) {
    for (uint32_t i = 0; model->latches > 0 && i < model->stream_count; i++) {
        uint32_t at = model->streams[i].latches > 0 ? model->streams[i].head : MODEL_NONE;
        for (; at != MODEL_NONE; at = model->commands[at].next) {
            struct model_command *command = &model->commands[at];
            if (command->kind == MODEL_LATCH && !command->released && *command->kernel.go != 0) {
                command->released = true;
                model_stream_touch(model, i);
            }
        }
    }
}

static void begin_latch(struct model *model, struct model_command *latch) {
    latch->begun = true;
    latch->begin = model->loop.now;
    *latch->kernel.ready = 1;
    model->progress++;
}

/* A latch at the head of its stream begins, or ends: true if it has ended. */
static bool try_latch(struct model *model, struct model_stream *stream) {
    uint32_t number = stream->head;
    struct model_command *latch = &model->commands[number];
    if (!latch->begun && latch->arrival > model->loop.now) {
        grt_loop_schedule(&model->loop, stream->source, latch->arrival);
        return false;
    }
    if (!latch->begun) {
        begin_latch(model, latch);
    }
    grt_time end = latch->begin + (grt_time)latch->kernel.amount;
    if (!latch->released && end > model->loop.now) {
        grt_loop_schedule(&model->loop, stream->source, end);
        return false;
    }
    grt_loop_cancel(&model->loop, stream->source);
    model_latch_record(model, latch);
    *latch->kernel.ready = 2;
    model_complete(model, number);
    return true;
}

/* ---- what the GPU is given ---- */

/* How much of its launch a kernel has not had by now, as the GPU counts: the time that it stood behind a latch or a wait has been of use. */
static grt_time launch_left(const struct model *model, struct model_stream *stream, grt_time arrival) {
    grt_time now = model->loop.now;
    grt_time from = stream->gpu_arrival > now ? stream->gpu_arrival : now;
    stream->gpu_arrival = arrival > from ? arrival : from;
    return stream->gpu_arrival - from;
}

static void give_transfer(struct model *model, uint32_t number) {
    static const enum grt_command_kind kinds[] = {[GRT_ENGINE_H2D] = GRT_COMMAND_H2D,
                                                  [GRT_ENGINE_D2H] = GRT_COMMAND_D2H,
                                                  [GRT_ENGINE_D2D] = GRT_COMMAND_D2D,
                                                  [GRT_ENGINE_MEMSET] = GRT_COMMAND_MEMSET};
    const struct model_command *command = &model->commands[number];
    const struct grt_engine_transfer *transfer = &command->transfer;
    struct grt_gpu_command given = {
        .kind = kinds[transfer->kind],
        .bytes = (int64_t)transfer->bytes,
        .pageable = transfer->pageable,
        .extra = grt_distribution_draw(&model->spec->copy_noise, &model->copy_noise),
        .owner = number,
        .last = true,
    };
    grt_gpu_submit(model->gpu, command->stream, &given, number, 0);
}

void model_give_call(struct model *model, uint32_t number, enum grt_command_kind kind, uint32_t event) {
    struct model_command *command = &model->commands[number];
    struct grt_gpu_command given = {.kind = kind, .event = event, .owner = number};
    command->in_gpu = true;
    grt_gpu_submit(model->gpu, command->stream, &given, number, 0);
}

/* As much of a stream as may go on. */
static void give(struct model *model, uint32_t number) {
    struct model_stream *stream = &model->streams[number];
    while (stream->head != MODEL_NONE && model->commands[stream->head].kind == MODEL_LATCH) {
        if (!try_latch(model, stream)) {
            return;
        }
    }
    for (uint32_t at = stream->next_to_give; at != MODEL_NONE; at = model->commands[at].next) {
        const struct model_command *command = &model->commands[at];
        stream->next_to_give = at;
        if (command->kind == MODEL_LATCH ||
            (command->kind == MODEL_WAIT && !is_over(model, command->awaited, command->awaited_serial))) {
            return;
        }
        if (command->kind == MODEL_KERNEL) {
            model_kernel_give(model, at, launch_left(model, stream, command->arrival));
        } else if (command->kind == MODEL_TRANSFER) {
            launch_left(model, stream, command->arrival);
            give_transfer(model, at);
        }
    }
    stream->next_to_give = MODEL_NONE;
}

/* In the order in which they were touched. */
void model_give(struct model *model) {
    for (uint32_t i = 0; i < model->dirty_count; i++) {
        model->streams[model->dirty[i]].dirty = false;
        give(model, model->dirty[i]);
    }
    model->dirty_count = 0;
}

void model_give_called(struct model *model, uint32_t stream) {
    model_give(model); /* what completions of this instant set free comes before what is called at it */
    give(model, stream);
}
