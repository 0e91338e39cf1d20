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
    case GRT_TRACE_UNFINISHED:
        happened = from(record, GRT_PAIRED_JOB, 0);
        happened.is_open = true;
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

/* One more than the last task's number. */
static size_t count_tasks(const struct grt_trace_memory *trace) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        size_t task = trace->records[i].task;
        count = task != GRT_TRACE_NO_TASK && task >= count ? task + 1 : count;
    }
    return count;
}

/* Backwards, since blocks stand before their kernel. */
static void collect(const struct grt_trace_memory *trace, struct events *events, struct grt_arena *arena) {
    struct next_kernel *kernels = grt_arena_array(arena, count_tasks(trace), sizeof *kernels);
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

/* --- the ends */

static struct grt_run_end end_of(const struct grt_trace_memory *trace) {
    struct grt_run_end end = {0};
    for (size_t i = trace->record_count; i > 0; i--) {
        const struct grt_trace_record *record = &trace->records[i - 1];
        end.at = i == trace->record_count ? record->time : end.at;
        if (record->time < end.at) {
            break;
        }
        end.is_open |= record->kind == GRT_TRACE_UNFINISHED || (record->flags & GRT_TRACE_OPEN) != 0;
    }
    return end;
}

/* When a run ended at the latest: GRT_TIME_NEVER where its trace and what the other run has alone do not say. */
static grt_time latest_end(const struct grt_run_end *end, const struct grt_happened *const *only_other,
                           size_t count) {
    grt_time latest = end->is_open ? end->at : GRT_TIME_NEVER;
    for (size_t i = 0; i < count && !end->is_open; i++) {
        bool later = only_other[i]->kind == GRT_PAIRED_RELEASE && only_other[i]->start >= end->at;
        latest = later && only_other[i]->start < latest ? only_other[i]->start : latest;
    }
    return latest;
}

/* Whether a run that ended at `latest` has less than the other one. */
static bool is_short(const struct grt_run_end *end, grt_time latest, const struct grt_run_end *other,
                     grt_time other_latest) {
    return latest < other_latest && (!end->is_open || other->at > latest);
}

static void find_end(struct grt_pairing *out) {
    const struct grt_run_end *simulated = &out->simulated_end, *measured = &out->measured_end;
    grt_time left = latest_end(simulated, out->only_measured, out->only_measured_count);
    grt_time right = latest_end(measured, out->only_simulated, out->only_simulated_count);
    out->until = left < right ? left : right;
    if (out->until == GRT_TIME_NEVER) {
        out->until = simulated->at > measured->at ? simulated->at : measured->at;
    } else if (is_short(simulated, left, measured, right)) {
        out->short_run = GRT_SHORT_SIMULATED;
    } else if (is_short(measured, right, simulated, left)) {
        out->short_run = GRT_SHORT_MEASURED;
    }
}

/* --- both */

static void add_open_error(struct grt_pairing *out, grt_time since) {
    out->open_error = out->until - since > out->open_error ? out->until - since : out->open_error;
}

/* Keeps of what one run has alone what the other one, which ended so, should have had; returns how many. */
static size_t keep_singles(struct grt_pairing *out, const struct grt_happened **singles, size_t count,
                           const struct grt_run_end *other) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct grt_happened *single = singles[i];
        if (single->start >= out->until) {
            out->beyond++;
        } else if (single->is_open || (other->is_open && single->end >= out->until)) {
            add_open_error(out, single->start);
        } else {
            singles[kept++] = single;
        }
    }
    return kept;
}

static void look_at_open(struct grt_pairing *out, const struct grt_pair *pair) {
    if (pair->simulated->is_open != pair->measured->is_open) {
        add_open_error(out, pair->simulated->is_open ? pair->measured->end : pair->simulated->end);
    }
}

static void pair_up(const struct events *left, const struct events *right, struct grt_pairing *out,
                    struct grt_pair *pairs) {
    size_t i = 0, j = 0;
    while (i < left->count || j < right->count) {
        int order = i == left->count    ? 1
                    : j == right->count ? -1
                                        : compare_identities(&left->items[i], &right->items[j]);
        if (order == 0) {
            pairs[out->pair_count++] = (struct grt_pair){&left->items[i++], &right->items[j++]};
        } else if (order < 0) {
            out->only_simulated[out->only_simulated_count++] = &left->items[i++];
        } else {
            out->only_measured[out->only_measured_count++] = &right->items[j++];
        }
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
    out->simulated_end = end_of(simulated);
    out->measured_end = end_of(measured);
    pair_up(&left, &right, out, pairs);
    find_end(out);
    out->only_simulated_count =
        keep_singles(out, out->only_simulated, out->only_simulated_count, &out->measured_end);
    out->only_measured_count =
        keep_singles(out, out->only_measured, out->only_measured_count, &out->simulated_end);
    for (size_t i = 0; i < out->pair_count; i++) {
        look_at_open(out, &pairs[i]);
    }
    return out;
}
