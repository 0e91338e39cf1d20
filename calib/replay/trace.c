/* From records and events to a trace: what the world told of tasks and cores, and what the device did meanwhile, in one order of time. */
#include <stdio.h>
#include <stdlib.h>

#include "calib/replay/internal.h"

enum { FETCH = 65536, ENGINES = 2, STATES = 2, OWN_NAMES = 4 };

/* Records in the making; those of an instant keep the order in which they were added. */
struct keyed {
    struct grt_trace_record record;
    uint64_t order;
};

struct making {
    struct replay_run *run;
    grt_time horizon;
    struct keyed *items;
    uint32_t count, capacity;
};

/* Blocks stand before the kernel that they belong to, and both before what the world says of the instant. */
enum { ORDER_BLOCK, ORDER_COMMAND, ORDER_WORLD };

static void add(struct making *making, struct grt_trace_record record, uint32_t order) {
    making->items =
        grt_array_grow(making->items, &making->capacity, making->count + 1, sizeof *making->items);
    making->items[making->count] = (struct keyed){record, (uint64_t)order << 32 | making->count};
    making->count++;
}

/* A slice of the device: not there where it begins after the run, open where it ends after it. */
static void add_slice(struct making *making, const struct replay_item *item, struct grt_trace_record record,
                      uint32_t order) {
    if (record.other >= making->horizon) {
        return;
    }
    if (record.time > making->horizon) {
        record.time = making->horizon;
        record.flags |= GRT_TRACE_OPEN;
    }
    record.task = item->task;
    record.job = item->job;
    add(making, record, order);
}

static grt_time instant_of(const struct making *making, int64_t device) {
    return replay_host_time(&making->run->clock, device) - making->run->origin;
}

/* --- kernels */

struct span {
    grt_time start, end;
};

static void add_block(struct making *making, const struct replay_item *item, uint32_t block,
                      const struct grt_block_record *record, struct span *kernel) {
    if (record->end_ns == 0) {
        making->run->out->missing_blocks++;
        return;
    }
    grt_time start = instant_of(making, (int64_t)record->start_ns);
    grt_time end = instant_of(making, (int64_t)record->end_ns);
    kernel->start = start < kernel->start ? start : kernel->start;
    kernel->end = end > kernel->end ? end : kernel->end;
    add_slice(making, item,
              (struct grt_trace_record){.time = end,
                                        .other = start,
                                        .detail = block,
                                        .row = grt_trace_grid_row(record->sm, 0),
                                        .kind = GRT_TRACE_BLOCK},
              ORDER_BLOCK);
}

/* Records are fetched in lots, which are the bench's until the next. */
static void add_blocks(struct making *making, const struct replay_item *item, struct span *kernel) {
    for (uint32_t first = 0; first < item->blocks; first += FETCH) {
        uint32_t count = item->blocks - first < FETCH ? item->blocks - first : FETCH;
        const struct grt_block_record *records =
            grt_bench_records(making->run->bench, item->records + first, count);
        for (uint32_t i = 0; records != NULL && i < count; i++) {
            add_block(making, item, first + i, &records[i], kernel);
        }
    }
}

static void add_kernel(struct making *making, const struct replay_item *item) {
    struct span kernel = {GRT_TIME_NEVER, 0};
    add_blocks(making, item, &kernel);
    if (kernel.start == GRT_TIME_NEVER) {
        return;
    }
    making->run->out->kernels++;
    making->run->out->blocks += item->blocks;
    add_slice(making, item,
              (struct grt_trace_record){.time = kernel.end,
                                        .other = kernel.start,
                                        .detail = item->place,
                                        .row = grt_trace_grid_row(making->run->streams[item->stream].row, 0),
                                        .kind = GRT_TRACE_KERNEL},
              ORDER_COMMAND);
}

/* --- copies and calls */

static uint32_t engine_of(const struct making *making, const struct replay_item *copy) {
    bool two = grt_bench_device(making->run->bench)->async_engines >= ENGINES;
    return two && copy->kind == GRT_COMMAND_D2H ? 1 : 0;
}

/* When a copy's turn came in its stream; its engine may have been busy. */
static grt_time head_of(const struct making *making, const struct replay_item *item) {
    return instant_of(making, item->before_device);
}

static void add_call(struct making *making, const struct replay_item *item) {
    grt_time end = instant_of(making, item->after_device);
    grt_time start = item->before_device != NO_INSTANT ? head_of(making, item) : end;
    add_slice(making, item,
              (struct grt_trace_record){.time = end,
                                        .other = start < end ? start : end,
                                        .detail = item->place,
                                        .row = making->run->streams[item->stream].row,
                                        .kind = GRT_TRACE_CALL},
              ORDER_COMMAND);
}

struct copy {
    const struct replay_item *item;
    grt_time end;
};

static int compare_copies(const void *a, const void *b) {
    const struct copy *left = a, *right = b;
    return left->end != right->end     ? (left->end < right->end ? -1 : 1)
           : left->item == right->item ? 0
                                       : (left->item < right->item ? -1 : 1);
}

/* Copies of an engine are serial: one begins when its turn has come and the one before it has ended. */
static void add_copies(struct making *making) {
    const struct replay_run *run = making->run;
    struct grt_arena arena = {0};
    struct copy *copies = grt_arena_array(&arena, run->item_count, sizeof *copies);
    size_t count = 0;
    for (uint32_t i = 0; i < run->item_count; i++) {
        const struct replay_item *item = &run->items[i];
        bool is_copy = item->kind == GRT_COMMAND_H2D || item->kind == GRT_COMMAND_D2H;
        if (is_copy && item->after_device != NO_INSTANT) {
            copies[count++] = (struct copy){item, instant_of(making, item->after_device)};
        }
    }
    qsort(copies, count, sizeof *copies, compare_copies);
    grt_time free_from[ENGINES] = {INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < count; i++) {
        uint32_t engine = engine_of(making, copies[i].item);
        grt_time start = head_of(making, copies[i].item);
        start = start > free_from[engine] ? start : free_from[engine];
        free_from[engine] = copies[i].end;
        run->out->copies++;
        add_slice(
            making, copies[i].item,
            (struct grt_trace_record){.time = copies[i].end,
                                      .other = start,
                                      .detail = copies[i].item->place,
                                      .row = engine,
                                      .kind = GRT_TRACE_COPY,
                                      .flags = copies[i].item->kind == GRT_COMMAND_D2H ? GRT_TRACE_D2H : 0},
            ORDER_COMMAND);
    }
    grt_arena_clear(&arena);
}

/* --- all of it */

static int compare(const void *a, const void *b) {
    const struct keyed *left = a, *right = b;
    if (left->record.time != right->record.time) {
        return left->record.time < right->record.time ? -1 : 1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

static void add_device(struct making *making) {
    const struct replay_run *run = making->run;
    for (uint32_t i = 0; i < run->item_count; i++) {
        const struct replay_item *item = &run->items[i];
        if (item->kind == GRT_COMMAND_KERNEL) {
            add_kernel(making, item);
        } else if (grt_command_is_call(item->kind) && item->after_device != NO_INSTANT) {
            add_call(making, item);
        }
    }
    add_copies(making);
}

/* What the world says of waiting for the device it does not know: a segment begins for it when it ends. */
static void add_world(struct making *making, const struct grt_trace_memory *world) {
    for (size_t i = 0; i < world->record_count; i++) {
        if (world->records[i].kind != GRT_TRACE_BLOCKED) {
            add(making, world->records[i], ORDER_WORLD);
        }
    }
}

/* Marks on rows that are not the scenario's: on that of `first` the device's state, before and after; then who made the trace. */
static void add_own_marks(struct making *making, struct grt_trace_record first) {
    const struct grt_replay_options *options = making->run->options;
    struct grt_trace_record mark = first;
    for (uint32_t i = 0; making->run->out->looked && i < STATES; i++) {
        mark.time = i == 0 ? 0 : making->horizon;
        add(making, mark, ORDER_WORLD);
        mark.detail++;
    }
    mark.time = 0;
    mark.row += making->run->out->looked;
    for (size_t i = 0; i < options->provenance_count; i++) {
        add(making, mark, ORDER_WORLD);
        mark.detail++;
    }
}

static void keep_records(struct making *making) {
    struct grt_replay *out = making->run->out;
    if (making->count > 0) {
        qsort(making->items, making->count, sizeof *making->items, compare);
    }
    out->records = grt_arena_array(&out->arena, making->count, sizeof *out->records);
    out->record_count = making->count;
    for (uint32_t i = 0; i < making->count; i++) {
        out->records[i] = making->items[i].record;
    }
}

static struct grt_trace_name numbered(struct grt_replay *out, enum grt_trace_name_kind kind, uint32_t index,
                                      uint32_t weight, const char *format) {
    char text[32];
    snprintf(text, sizeof text, format, index);
    return (struct grt_trace_name){
        .kind = kind, .index = index, .weight = weight, .text = grt_arena_text(&out->arena, text)};
}

static uint32_t count_names(const struct grt_trace_memory *world, enum grt_trace_name_kind kind) {
    uint32_t count = 0;
    for (size_t i = 0; i < world->name_count; i++) {
        count += world->names[i].kind == kind;
    }
    return count;
}

static void keep_name(struct grt_replay *out, enum grt_trace_name_kind kind, uint32_t index,
                      const char *text) {
    out->names[out->name_count++] =
        (struct grt_trace_name){.kind = kind, .index = index, .text = grt_arena_text(&out->arena, text)};
}

/* Of those rows, and of what is marked there. */
static void keep_own_names(const struct replay_run *run, uint32_t row, uint32_t label) {
    struct grt_replay *out = run->out;
    const struct grt_replay_options *options = run->options;
    const struct grt_replay_state *states[STATES] = {&out->before, &out->after};
    if (out->looked) {
        keep_name(out, GRT_NAME_ROW, row++, GRT_REPLAY_DEVICE);
    }
    for (uint32_t i = 0; out->looked && i < STATES; i++) {
        char state[GRT_REPLAY_STATE_SIZE], text[GRT_REPLAY_STATE_SIZE + 16];
        snprintf(text, sizeof text, "%s: %s", i == 0 ? "before" : "after",
                 grt_replay_state_text(states[i], state));
        keep_name(out, GRT_NAME_LABEL, label++, text);
    }
    if (options->provenance_count > 0) {
        keep_name(out, GRT_NAME_ROW, row, GRT_REPLAY_PROVENANCE);
    }
    for (size_t i = 0; i < options->provenance_count; i++) {
        keep_name(out, GRT_NAME_LABEL, label++, options->provenance[i]);
    }
}

/* Those of the world, but the device's SMs and copy engines. */
static void keep_names(const struct replay_run *run, const struct grt_trace_memory *world) {
    const struct grt_bench_device *device = grt_bench_device(run->bench);
    struct grt_replay *out = run->out;
    size_t most =
        world->name_count + (size_t)device->sm_count + ENGINES + OWN_NAMES + run->options->provenance_count;
    out->names = grt_arena_array(&out->arena, most, sizeof *out->names);
    for (size_t i = 0; i < world->name_count; i++) {
        const struct grt_trace_name *name = &world->names[i];
        if (name->kind != GRT_NAME_SM && name->kind != GRT_NAME_ENGINE) {
            out->names[out->name_count] = *name;
            out->names[out->name_count++].text = grt_arena_text(&out->arena, name->text);
        }
    }
    if (device->async_engines >= ENGINES) {
        out->names[out->name_count++] = numbered(out, GRT_NAME_ENGINE, 0, 0, "copy h2d");
        out->names[out->name_count++] = numbered(out, GRT_NAME_ENGINE, 1, 0, "copy d2h");
    } else {
        out->names[out->name_count++] = numbered(out, GRT_NAME_ENGINE, 0, 0, "copy");
    }
    for (uint32_t i = 0; i < (uint32_t)device->sm_count; i++) {
        out->names[out->name_count++] =
            numbered(out, GRT_NAME_SM, i, (uint32_t)device->max_threads_per_sm, "SM %u");
    }
}

void replay_make_trace(struct replay_run *run, const struct grt_trace_memory *world, grt_time horizon) {
    struct making making = {.run = run, .horizon = horizon};
    uint32_t row = count_names(world, GRT_NAME_ROW), label = count_names(world, GRT_NAME_LABEL);
    keep_names(run, world);
    keep_own_names(run, row, label);
    add_device(&making);
    add_world(&making, world);
    add_own_marks(&making,
                  (struct grt_trace_record){
                      .detail = label, .row = row, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_ROW_MARK});
    keep_records(&making);
    free(making.items);
    run->out->clock_error = replay_clock_error(&run->clock);
    run->out->clock_drift = replay_clock_drift(&run->clock);
}

bool grt_replay_write(const struct grt_replay *replay, const struct grt_trace_sink *sink, void *state) {
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, sink, state);
    grt_trace_names(trace, replay->names, replay->name_count);
    for (size_t i = 0; i < replay->record_count; i++) {
        grt_trace_add(trace, replay->records[i]);
    }
    bool good = grt_trace_finish(trace);
    grt_trace_free(trace);
    return good;
}
