#include "calib/program/validate/pairs.h"

#include <stdlib.h>

const char *const grt_paired_names[GRT_PAIRED_KINDS] = {
    [GRT_PAIRED_RELEASE] = "release", [GRT_PAIRED_BLOCK] = "block", [GRT_PAIRED_KERNEL] = "kernel",
    [GRT_PAIRED_COPY] = "copy",       [GRT_PAIRED_CALL] = "call",   [GRT_PAIRED_SEGMENT] = "segment",
    [GRT_PAIRED_JOB] = "job",
};

/* --- what happened in a trace */

/* The kernel whose record comes next, of each task. */
struct next_kernel {
    bool known;
    uint32_t job, place;
};

struct events {
    struct grt_happened *items;
    size_t count, left_out;
};

static struct grt_happened from(const struct grt_trace_record *record, enum grt_paired_kind kind,
                                uint32_t place) {
    return (struct grt_happened){.kind = (uint8_t)kind,
                                 .is_open = (record->flags & GRT_TRACE_OPEN) != 0,
                                 .task = record->task,
                                 .job = record->job,
                                 .place = place,
                                 .row = grt_trace_row(record->row),
                                 .start = record->other,
                                 .end = record->time};
}

/* Blocks and kernels that blocks launched have a grid. */
static void add_block(struct events *events, const struct grt_trace_record *record,
                      const struct next_kernel *kernel) {
    bool known = grt_trace_grid(record->row) == 0 && kernel->known && kernel->job == record->job;
    if (!known) {
        events->left_out++;
        return;
    }
    struct grt_happened block = from(record, GRT_PAIRED_BLOCK, kernel->place);
    block.block = record->detail;
    events->items[events->count++] = block;
}

static void add_kernel(struct events *events, const struct grt_trace_record *record,
                       struct next_kernel *kernel) {
    if (grt_trace_grid(record->row) != 0) {
        events->left_out++;
        return;
    }
    *kernel = (struct next_kernel){true, record->job, record->detail};
    events->items[events->count++] = from(record, GRT_PAIRED_KERNEL, record->detail);
}

static void add(struct events *events, const struct grt_trace_record *record, struct next_kernel *kernels) {
    struct grt_happened happened;
    if (record->task == GRT_TRACE_NO_TASK) {
        return;
    }
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        happened = from(record, GRT_PAIRED_RELEASE, 0);
        happened.start = record->time;
        break;
    case GRT_TRACE_FINISH:
        happened = from(record, GRT_PAIRED_JOB, 0);
        break;
    case GRT_TRACE_GPU_SEGMENT:
        happened = from(record, GRT_PAIRED_SEGMENT, record->detail);
        break;
    case GRT_TRACE_COPY:
        happened = from(record, GRT_PAIRED_COPY, record->detail);
        break;
    case GRT_TRACE_CALL:
        happened = from(record, GRT_PAIRED_CALL, record->detail);
        break;
    case GRT_TRACE_BLOCK:
        add_block(events, record, &kernels[record->task]);
        return;
    case GRT_TRACE_KERNEL:
        add_kernel(events, record, &kernels[record->task]);
        return;
    default:
        return;
    }
    events->items[events->count++] = happened;
}

static int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

/* By what they are. */
static int compare_identities(const struct grt_happened *a, const struct grt_happened *b) {
    int order = compare_numbers(a->kind, b->kind);
    order = order != 0 ? order : compare_numbers(a->task, b->task);
    order = order != 0 ? order : compare_numbers(a->job, b->job);
    order = order != 0 ? order : compare_numbers(a->place, b->place);
    order = order != 0 ? order : compare_numbers(a->block, b->block);
    return order != 0 ? order : compare_numbers(a->order, b->order);
}

static int compare_in_time(const void *a, const void *b) {
    const struct grt_happened *left = a, *right = b;
    int order = compare_identities(left, right);
    return order != 0                    ? order
           : left->start != right->start ? (left->start < right->start ? -1 : 1)
                                         : (left->end < right->end ? -1 : left->end > right->end);
}

/* Backwards, since blocks stand before their kernel. */
static void collect(const struct grt_trace_memory *trace, struct events *events, struct grt_arena *arena) {
    struct next_kernel *kernels = grt_arena_array(arena, GRT_TRACE_NO_TASK, sizeof *kernels);
    events->items = grt_arena_array(arena, trace->record_count, sizeof *events->items);
    for (size_t i = trace->record_count; i > 0; i--) {
        add(events, &trace->records[i - 1], kernels);
    }
    qsort(events->items, events->count, sizeof *events->items, compare_in_time);
    for (size_t i = 1; i < events->count; i++) {
        struct grt_happened before = events->items[i - 1], *this = &events->items[i];
        before.order = this->order;
        this->order = compare_identities(&before, this) == 0 ? events->items[i - 1].order + 1 : 0;
    }
}

/* --- both */

static grt_time end_of(const struct grt_trace_memory *trace) {
    return trace->record_count > 0 ? trace->records[trace->record_count - 1].time : 0;
}

/* What was only begun at the end of the other side's run need not be there. */
static void add_single(const struct grt_happened *single, grt_time other_end,
                       const struct grt_happened **singles, size_t *count) {
    if (!single->is_open && single->end < other_end) {
        singles[(*count)++] = single;
    }
}

struct grt_pairing *grt_pair_traces(const struct grt_trace_memory *simulated,
                                    const struct grt_trace_memory *measured, struct grt_arena *arena) {
    struct events left = {0}, right = {0};
    collect(simulated, &left, arena);
    collect(measured, &right, arena);
    struct grt_pairing *out = grt_arena_new(arena, struct grt_pairing);
    struct grt_pair *pairs =
        grt_arena_array(arena, left.count < right.count ? left.count : right.count, sizeof *pairs);
    out->pairs = pairs;
    out->only_simulated = grt_arena_array(arena, left.count, sizeof *out->only_simulated);
    out->only_measured = grt_arena_array(arena, right.count, sizeof *out->only_measured);
    out->left_out = left.left_out + right.left_out;
    grt_time left_end = end_of(simulated), right_end = end_of(measured);
    size_t i = 0, j = 0;
    while (i < left.count || j < right.count) {
        int order = i == left.count    ? 1
                    : j == right.count ? -1
                                       : compare_identities(&left.items[i], &right.items[j]);
        if (order == 0) {
            pairs[out->pair_count++] = (struct grt_pair){&left.items[i++], &right.items[j++]};
        } else if (order < 0) {
            add_single(&left.items[i++], right_end, out->only_simulated, &out->only_simulated_count);
        } else {
            add_single(&right.items[j++], left_end, out->only_measured, &out->only_measured_count);
        }
    }
    return out;
}
