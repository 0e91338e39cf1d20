/* The execution: what a world submits is called on the bench, and what has completed is found by polling events. */
#include <stdlib.h>

#include "calib/replay/internal.h"
#include "sim/check.h"

enum { LEAD = 2 * GRT_MILLISECOND, LATE = 100 * GRT_MICROSECOND };

static grt_time now(const struct replay_run *run) {
    return grt_bench_now(run->bench) - run->origin;
}

/* --- streams */

static void make_stream(void *state, uint32_t stream, int64_t priority, bool is_null, uint32_t row) {
    struct replay_run *run = state;
    (void)is_null;
    GRT_REQUIRE(stream == run->stream_count && stream < GRT_REPLAY_STREAMS,
                "streams are made one after the other, as many as were planned");
    run->streams[run->stream_count++] =
        (struct replay_stream){grt_bench_stream(run->bench, NULL, (int)priority), row};
}

/* --- commands */

/* What was not planned for is called no more. */
static bool has_room(struct replay_run *run, uint32_t blocks, uint32_t table) {
    const struct grt_replay_needs *needs = run->needs;
    bool room = run->item_count < needs->commands && blocks <= needs->records - run->record_count &&
                table <= needs->table - run->table_count;
    if (!room && !run->is_stuck) {
        grt_error_add(run->errors, NULL, "more blocks are executed than were planned");
        run->is_stuck = true;
    }
    return room;
}

static bool launch(struct replay_run *run, const struct grt_gpu_command *command, struct replay_item *item,
                   uint64_t random_key) {
    const struct imitation *imitation =
        &run->imitations[command->task][grt_trace_segment(command->place)][grt_trace_command(command->place)];
    uint32_t blocks = command->kernel->blocks;
    bool by_table = imitation->id == GRT_KERNEL_SPIN_TABLE && !imitation->real;
    if (!has_room(run, blocks, by_table ? blocks : 0)) {
        return false;
    }
    grt_gpu_block_times(command->kernel, command->random, random_key, run->block_times);
    struct grt_bench_launch launch = {
        .kernel = imitation->id,
        .amount = imitation->real ? imitation->amount : (uint64_t)run->block_times[0],
        .blocks = blocks,
        .threads = imitation->threads,
        .shared_bytes = imitation->shared_bytes,
        .record = true,
        .unordered = true,
        .record_base = run->record_count,
    };
    if (by_table) {
        launch.amount = run->table_count;
        for (uint32_t i = 0; i < blocks; i++) {
            run->table[run->table_count++] = (uint64_t)run->block_times[i];
        }
    }
    item->records = run->record_count;
    item->blocks = blocks;
    run->record_count += blocks;
    grt_bench_launch(run->bench, run->streams[item->stream].number, &launch);
    return true;
}

static uint32_t record_event(struct replay_run *run, uint32_t stream) {
    uint32_t event = replay_event_take(run);
    grt_bench_record(run->bench, stream, event);
    return event;
}

/* Copies and waits have an event in front and behind, records one behind. */
static void call(struct replay_run *run, const struct grt_gpu_command *command, struct replay_item *item) {
    uint32_t stream = run->streams[item->stream].number;
    if (command->kind != GRT_COMMAND_RECORD) {
        item->before = record_event(run, stream);
    }
    switch (command->kind) {
    case GRT_COMMAND_RECORD:
        grt_bench_record(run->bench, stream, command->event);
        break;
    case GRT_COMMAND_WAIT:
        grt_bench_wait(run->bench, stream, command->event);
        break;
    default:
        grt_bench_copy(run->bench, stream, command->kind == GRT_COMMAND_H2D ? GRT_BENCH_H2D : GRT_BENCH_D2H,
                       (size_t)command->bytes, false, 0);
    }
    item->after = record_event(run, stream);
}

static void submit(void *state, uint32_t stream, const struct grt_gpu_command *command, uint32_t job,
                   uint64_t random_key) {
    struct replay_run *run = state;
    if (run->is_stuck || grt_bench_is_lost(run->bench)) {
        return;
    }
    struct replay_item item = {
        .kind = (uint8_t)command->kind,
        .last = command->last,
        .waits = command->waits,
        .task = command->task,
        .job = job,
        .place = command->place,
        .owner = command->owner,
        .stream = stream,
        .before = NO_EVENT,
        .after = NO_EVENT,
        .before_device = NO_INSTANT,
        .after_device = NO_INSTANT,
        .called = now(run),
    };
    if (command->kind == GRT_COMMAND_KERNEL ? !launch(run, command, &item, random_key)
                                            : !has_room(run, 0, 0)) {
        return;
    }
    if (command->kind != GRT_COMMAND_KERNEL) {
        call(run, command, &item);
    } else if (command->last) {
        item.after = record_event(run, run->streams[stream].number);
    }
    if (item.after != NO_EVENT) {
        run->open[run->open_count++] = run->item_count;
    }
    run->items[run->item_count++] = item;
}

/* --- completions */

static bool read_event(struct replay_run *run, uint32_t *event, int64_t *device) {
    if (*event != NO_EVENT) {
        if (!grt_bench_event_is_done(run->bench, *event)) {
            return false;
        }
        *device = replay_event_time(run, *event);
        replay_event_give(run, *event);
        *event = NO_EVENT;
    }
    return true;
}

/* Whether an item has completed; its stream's later ones have not where it has not. */
static bool is_done(struct replay_run *run, struct replay_item *item) {
    return read_event(run, &item->before, &item->before_device) &&
           read_event(run, &item->after, &item->after_device);
}

/* A call that takes no time is heard of 1 ns later: decision 2 of the simulator. */
static void tell(struct replay_run *run, struct grt_world *world, const struct replay_item *item) {
    grt_time instant = now(run) + (grt_command_is_call(item->kind) ? 1 : 0);
    if (item->last || item->waits) {
        grt_world_complete(world, item->owner, item->last, instant);
    }
}

/* Reads the events that are done; true if somebody was told. `world` NULL: nobody is told any more. */
static bool poll(struct replay_run *run, struct grt_world *world) {
    bool busy[GRT_REPLAY_STREAMS] = {false}, told = false;
    uint32_t still_open = 0;
    for (uint32_t i = 0; i < run->open_count; i++) {
        struct replay_item *item = &run->items[run->open[i]];
        if (busy[item->stream] || !is_done(run, item)) {
            busy[item->stream] = true;
            run->open[still_open++] = run->open[i];
        } else if (world != NULL) {
            tell(run, world, item);
            told |= item->last || item->waits;
        }
    }
    run->open_count = still_open;
    replay_events_mark(run);
    return told;
}

static void idle(struct replay_run *run, grt_time until) {
    struct grt_host_clock *clock = &grt_bench_driver(run->bench)->clock;
    grt_time instant =
        run->needs->times_events && run->events.next_mark < until ? run->events.next_mark : until;
    clock->idle(clock->state, instant);
}

/* Whether the run is to end now. */
static bool is_interrupted(struct replay_run *run) {
    const struct grt_replay_options *options = run->options;
    run->out->interrupted =
        run->out->interrupted || (options->is_interrupted != NULL && options->is_interrupted(options->state));
    return run->out->interrupted;
}

/* A device that is lost takes no time any more: the world runs to its end with nothing completing. */
static bool wait(void *state, struct grt_world *world, grt_time next) {
    struct replay_run *run = state;
    while (!grt_bench_is_lost(run->bench) && !run->is_stuck) {
        if (poll(run, world)) {
            return false;
        }
        if (is_interrupted(run)) {
            grt_world_stop_waiting(world);
            return false;
        }
        grt_time late = now(run) - next;
        if (late >= 0) {
            run->out->latest = late > run->out->latest ? late : run->out->latest;
            run->out->late_count += late > LATE;
            return true;
        }
        idle(run, run->origin + next);
    }
    return true;
}

/* What was called before the horizon ends after it. */
static void drain(struct replay_run *run) {
    while (run->open_count > 0 && !grt_bench_is_lost(run->bench)) {
        poll(run, NULL);
        if (run->open_count > 0) {
            idle(run, grt_bench_now(run->bench) + GRT_MILLISECOND);
        }
    }
    grt_bench_sync(
        run->bench); /* all is done by now, but a device that failed behind the last event says so here */
}

/* --- the run */

static uint32_t most_blocks(const struct grt_scenario *scenario) {
    int64_t most = scenario->gpus[0].sm_count;
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &scenario->tasks[i].segments[j];
            for (size_t k = 0; segment->kind == GRT_SEGMENT_GPU && k < segment->command_count; k++) {
                int64_t blocks = segment->commands[k].kernel.blocks;
                most = blocks > most ? blocks : most;
            }
        }
    }
    return (uint32_t)most;
}

static void make_room(struct replay_run *run) {
    const struct grt_replay_needs *needs = run->needs;
    run->items = grt_arena_array(&run->arena, needs->commands, sizeof *run->items);
    run->open = grt_arena_array(&run->arena, needs->commands, sizeof *run->open);
    run->block_times =
        grt_arena_array(&run->arena, most_blocks(run->options->scenario), sizeof *run->block_times);
    run->table = needs->table > 0 ? grt_bench_table(run->bench) : NULL;
}

/* The world's own trace, with records of everything but what the device does. */
static bool run_world(struct replay_run *run, struct grt_world *world, struct grt_trace *trace) {
    struct grt_host_clock *clock = &grt_bench_driver(run->bench)->clock;
    replay_look_before(run);
    replay_events_start(run);
    grt_bench_clear_records(run->bench, 0, run->needs->records);
    run->clock.first = replay_exchange(run->bench);
    run->origin = grt_bench_now(run->bench) + LEAD;
    clock->wait_until(clock->state, run->origin);
    grt_world_run(world);
    drain(run);
    run->clock.last = replay_exchange(run->bench);
    replay_look_after(run);
    grt_trace_finish(trace);
    return !grt_bench_is_lost(run->bench) && !run->is_stuck;
}

/* Streams beyond the device's connections wait for others. The bench has a stream of its own, the events' marks another one. */
static void note_connections(struct replay_run *run, const struct grt_trace_memory *names) {
    uint32_t connections = (uint32_t)grt_bench_driver(run->bench)->connections;
    uint32_t own = run->needs->times_events ? 2 : 1;
    if (connections == 0 || run->stream_count + own <= connections) {
        return;
    }
    uint32_t first = connections > own ? connections - own : 0;
    const char *name = grt_trace_memory_name(names, GRT_NAME_STREAM, run->streams[first].row, 0, 0);
    replay_note(
        run->out,
        "warning: %u streams, and %u that trace needs, share %u connections of the device "
        "(CUDA_DEVICE_MAX_CONNECTIONS, 32 at most): from stream \"%s\" on, number %u, commands can wait "
        "for those of other streams in the same hardware queue: have tasks share streams",
        run->stream_count, own, connections, name != NULL ? name : "?", first + 1);
}

/* With a trace that a sink keeps. */
static bool run_traced(struct replay_run *run, struct grt_trace *trace, const struct grt_trace_memory *kept) {
    struct grt_elsewhere executor = {run, make_stream, submit, wait};
    struct grt_world_options options = {.trace = trace, .elsewhere = &executor};
    replay_events_stream(run);
    struct grt_world *world = grt_world_create(run->options->scenario, run->options->policy,
                                               run->options->parameters, &options, run->errors);
    if (world == NULL) {
        return false;
    }
    bool good = run_world(run, world, trace);
    if (good) {
        run->out->end = grt_world_result(world)->end;
        note_connections(run, kept);
        replay_events_note(run);
        replay_make_trace(run, kept, run->out->end);
        good = !grt_bench_is_lost(run->bench);
    }
    grt_world_free(world);
    return good;
}

static bool has_buffers(const struct replay_run *run) {
    size_t bytes = grt_bench_buffer_bytes(run->bench);
    if (run->needs->copy_bytes > bytes) {
        grt_error_add(run->errors, NULL,
                      "a copy of %zu bytes is wanted, and there is memory for %zu at a time",
                      run->needs->copy_bytes, bytes);
    }
    return run->needs->copy_bytes <= bytes;
}

bool grt_replay_run(const struct grt_replay_options *options, const struct grt_replay_needs *needs,
                    struct grt_bench *bench, struct grt_replay *replay, struct grt_errors *errors) {
    struct replay_run run = {
        .options = options, .needs = needs, .bench = bench, .out = replay, .errors = errors};
    bool good = replay_imitate(&run) && has_buffers(&run);
    if (good) {
        make_room(&run);
        struct grt_trace *trace = grt_trace_create();
        struct grt_trace_memory kept = {0};
        grt_trace_add_sink(trace, &grt_trace_memory_sink, &kept);
        good = run_traced(&run, trace, &kept);
        grt_trace_free(trace);
        grt_trace_memory_free(&kept);
    }
    for (uint32_t i = 0; i < run.stream_count && !grt_bench_is_lost(bench); i++) {
        grt_bench_stream_end(bench, run.streams[i].number);
    }
    grt_arena_clear(&run.arena);
    return good;
}

void grt_replay_free(struct grt_replay *replay) {
    grt_arena_clear(&replay->arena);
    *replay = (struct grt_replay){0};
}
