#include "viz/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"

/* A kernel or call that the header names. */
struct grt_timeline_kernel {
    uint32_t task, place, weight;
    const char *name;
};

enum { WARP = 32, MOST_UNITS = 64 };

/* ---- rows ---- */

/* Which names make rows, with which tracks, in the order of the picture. */
static const struct row_form {
    enum grt_trace_name_kind name;
    uint32_t part_count;
    enum grt_track_part parts[GRT_ROW_TRACKS];
} row_forms[GRT_ROW_KINDS] = {
    [GRT_ROW_TASK] = {GRT_NAME_TASK,
                      9,
                      {GRT_PART_WINDOW, GRT_PART_JOB, GRT_PART_SUSPENDED, GRT_PART_BLOCKED, GRT_PART_CPU,
                       GRT_PART_COPY, GRT_PART_KERNEL, GRT_PART_MISS, GRT_PART_SIGN}},
    [GRT_ROW_CORE] = {GRT_NAME_CORE, 1, {GRT_PART_CPU}},
    [GRT_ROW_POLICY] = {GRT_NAME_ROW, 2, {GRT_PART_OWN, GRT_PART_OWN_MARK}},
    [GRT_ROW_PROCESS] = {GRT_NAME_CONTEXT, 1, {GRT_PART_TURN}},
    [GRT_ROW_STREAM] = {GRT_NAME_STREAM, 2, {GRT_PART_KERNEL, GRT_PART_CALL}},
    [GRT_ROW_ENGINE] = {GRT_NAME_ENGINE, 1, {GRT_PART_COPY}},
    [GRT_ROW_SM] = {GRT_NAME_SM, 1, {GRT_PART_BLOCK}},
};

struct grt_track *grt_row_track(const struct grt_row *row, enum grt_track_part part) {
    for (uint32_t i = 0; i < row->track_count; i++) {
        if (row->tracks[i].part == part) {
            return row->tracks[i].track;
        }
    }
    return NULL;
}

struct grt_row *grt_timeline_row(const struct grt_timeline *timeline, enum grt_row_kind kind,
                                 uint32_t index) {
    uint32_t first = timeline->first_rows[kind], end = timeline->first_rows[kind + 1];
    return index < end - first ? &timeline->rows[first + index] : NULL;
}

/* One more than the highest index of a kind of names. */
static uint32_t name_count(const struct grt_trace_name *names, size_t count, enum grt_trace_name_kind kind) {
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i].kind == kind && names[i].index >= most) {
            most = names[i].index + 1;
        }
    }
    return most;
}

static void create_rows(struct grt_timeline *timeline, const struct grt_trace_name *names, size_t count) {
    for (uint32_t kind = 0; kind < GRT_ROW_KINDS; kind++) {
        uint32_t rows = name_count(names, count, row_forms[kind].name);
        timeline->first_rows[kind + 1] = timeline->first_rows[kind] + rows;
        timeline->track_count += rows * row_forms[kind].part_count;
    }
    timeline->row_count = timeline->first_rows[GRT_ROW_KINDS];
    timeline->rows = grt_arena_array(&timeline->arena, timeline->row_count, sizeof *timeline->rows);
    timeline->tracks = grt_arena_array(&timeline->arena, timeline->track_count, sizeof *timeline->tracks);
    struct grt_track *track = timeline->tracks;
    for (uint32_t kind = 0; kind < GRT_ROW_KINDS; kind++) {
        for (uint32_t i = timeline->first_rows[kind]; i < timeline->first_rows[kind + 1]; i++) {
            struct grt_row *row = &timeline->rows[i];
            *row = (struct grt_row){.kind = (enum grt_row_kind)kind,
                                    .index = i - timeline->first_rows[kind],
                                    .name = "",
                                    .capacity = 1,
                                    .track_count = row_forms[kind].part_count};
            for (uint32_t j = 0; j < row->track_count; j++) {
                row->tracks[j].track = track++;
                row->tracks[j].part = row_forms[kind].parts[j];
            }
        }
    }
}

/* ---- names ---- */

static int by_place(const void *a, const void *b) {
    const struct grt_timeline_kernel *left = a, *right = b;
    if (left->task != right->task) {
        return left->task < right->task ? -1 : 1;
    }
    return (left->place > right->place) - (left->place < right->place);
}

static const struct grt_timeline_kernel *find_kernel(const struct grt_timeline *timeline, uint16_t task,
                                                     uint32_t place) {
    struct grt_timeline_kernel key = {.task = task, .place = place};
    return bsearch(&key, timeline->kernels, timeline->kernel_count, sizeof key, by_place);
}

const char *grt_timeline_command(const struct grt_timeline *timeline, uint16_t task, uint32_t place) {
    const struct grt_timeline_kernel *kernel = find_kernel(timeline, task, place);
    return kernel != NULL ? kernel->name : NULL;
}

static const char **texts(struct grt_timeline *timeline, uint32_t count) {
    const char **all = grt_arena_array(&timeline->arena, count, sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = "";
    }
    return all;
}

/* SMs are drawn by the share of their threads in use: in warps, or in larger units if there are more than 64. */
static uint32_t unit_of(uint32_t sm_threads) {
    uint32_t unit = (sm_threads + MOST_UNITS - 1) / MOST_UNITS;
    return unit > WARP ? unit : WARP;
}

static void take_name(struct grt_timeline *timeline, const struct grt_trace_name *name) {
    const char *text = grt_arena_text(&timeline->arena, name->text);
    if (name->kind == GRT_NAME_RUN) {
        timeline->run = text;
    } else if (name->kind == GRT_NAME_LABEL) {
        timeline->labels[name->index] = text;
    } else if (name->kind == GRT_NAME_KERNEL || name->kind == GRT_NAME_CALL) {
        timeline->kernels[timeline->kernel_count++] = (struct grt_timeline_kernel){
            name->index, grt_trace_place(name->segment, name->command), name->weight, text};
    }
    for (uint32_t kind = 0; kind < GRT_ROW_KINDS; kind++) {
        if (row_forms[kind].name == name->kind) {
            struct grt_row *row = grt_timeline_row(timeline, (enum grt_row_kind)kind, name->index);
            row->name = text;
            if (kind == GRT_ROW_SM && name->weight > 0) {
                row->capacity = (name->weight + unit_of(name->weight) - 1) / unit_of(name->weight);
                row->unit = unit_of(name->weight);
            }
        }
    }
}

static bool take_names(void *sink, const struct grt_trace_name *names, size_t count) {
    struct grt_timeline *timeline = sink;
    timeline->run = "";
    create_rows(timeline, names, count);
    timeline->label_count = name_count(names, count, GRT_NAME_LABEL);
    timeline->labels = texts(timeline, timeline->label_count);
    timeline->kernels = grt_arena_array(&timeline->arena, count, sizeof *timeline->kernels);
    for (size_t i = 0; i < count; i++) {
        take_name(timeline, &names[i]);
    }
    qsort(timeline->kernels, timeline->kernel_count, sizeof *timeline->kernels, by_place);
    return true;
}

/* ---- records ---- */

/* Where the slices of a kind of records go. */
static const struct destination {
    bool in_task; /* into a track of the task's row */
    enum grt_track_part task_part;
    bool in_row; /* and into one of the row that the record names */
    enum grt_row_kind kind;
    enum grt_track_part part;
    bool instant;
} destinations[GRT_TRACE_KINDS] = {
    [GRT_TRACE_RELEASE] = {.in_task = true, .task_part = GRT_PART_WINDOW},
    [GRT_TRACE_FINISH] = {.in_task = true, .task_part = GRT_PART_JOB},
    [GRT_TRACE_ABORT] = {.in_task = true, .task_part = GRT_PART_JOB},
    [GRT_TRACE_UNFINISHED] = {.in_task = true, .task_part = GRT_PART_JOB},
    [GRT_TRACE_SKIP] = {.in_task = true, .task_part = GRT_PART_SIGN, .instant = true},
    [GRT_TRACE_LAUNCH_FAILED] = {.in_task = true, .task_part = GRT_PART_SIGN, .instant = true},
    [GRT_TRACE_CPU] = {true, GRT_PART_CPU, true, GRT_ROW_CORE, GRT_PART_CPU, false},
    [GRT_TRACE_GPU_SEGMENT] = {.in_task = true, .task_part = GRT_PART_SUSPENDED},
    [GRT_TRACE_BLOCKED] = {.in_task = true, .task_part = GRT_PART_BLOCKED},
    [GRT_TRACE_KERNEL] = {true, GRT_PART_KERNEL, true, GRT_ROW_STREAM, GRT_PART_KERNEL, false},
    [GRT_TRACE_CALL] = {.in_row = true, .kind = GRT_ROW_STREAM, .part = GRT_PART_CALL},
    [GRT_TRACE_COPY] = {true, GRT_PART_COPY, true, GRT_ROW_ENGINE, GRT_PART_COPY, false},
    [GRT_TRACE_BLOCK] = {.in_row = true, .kind = GRT_ROW_SM, .part = GRT_PART_BLOCK},
    [GRT_TRACE_CONTEXT] = {.in_row = true, .kind = GRT_ROW_PROCESS, .part = GRT_PART_TURN},
    [GRT_TRACE_ROW_SLICE] = {.in_row = true, .kind = GRT_ROW_POLICY, .part = GRT_PART_OWN},
    [GRT_TRACE_ROW_MARK] = {.in_row = true,
                            .kind = GRT_ROW_POLICY,
                            .part = GRT_PART_OWN_MARK,
                            .instant = true},
};

static struct grt_slice slice_of(const struct grt_trace_record *record, bool instant) {
    struct grt_slice slice = {.start = instant ? record->time : record->other,
                              .end = record->time,
                              .job = record->job,
                              .detail = record->detail,
                              .task = record->task,
                              .weight = 1,
                              .flags = record->flags};
    switch (record->kind) {
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_BLOCK:
        slice.grid = (uint16_t)grt_trace_grid(record->row);
        break;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
    case GRT_TRACE_SKIP:
    case GRT_TRACE_LAUNCH_FAILED:
        slice.detail = record->kind;
        slice.flags |= record->kind == GRT_TRACE_ABORT ? GRT_TRACE_ABORTED : 0;
        slice.flags |= record->kind == GRT_TRACE_UNFINISHED ? GRT_TRACE_OPEN : 0;
        break;
    case GRT_TRACE_BLOCKED:
    case GRT_TRACE_CONTEXT:
        slice.detail = record->row;
        break;
    default:
        break;
    }
    return slice;
}

static struct grt_slice window_of(const struct grt_trace_record *record) {
    grt_time deadline = record->other;
    bool endless = deadline == GRT_TIME_NEVER, reversed = deadline < record->time;
    return (struct grt_slice){
        .start = reversed ? deadline : record->time,
        .end = endless || reversed ? record->time : deadline,
        .job = record->job,
        .task = record->task,
        .weight = 1,
        .flags = (uint8_t)((endless ? GRT_WINDOW_ENDLESS : 0) | (reversed ? GRT_WINDOW_REVERSED : 0))};
}

static void add_miss(struct grt_timeline *timeline, struct grt_miss miss) {
    timeline->misses = grt_array_grow(timeline->misses, &timeline->miss_capacity, timeline->miss_count + 1,
                                      sizeof *timeline->misses);
    timeline->misses[timeline->miss_count++] = miss;
}

/* The deadline of a late job is found later. */
static void note_miss(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    if (record->kind == GRT_TRACE_MISS) {
        add_miss(timeline, (struct grt_miss){.deadline = record->other,
                                             .end = record->time,
                                             .job = record->job,
                                             .task = record->task});
    } else if ((record->flags & GRT_TRACE_LATE) != 0 &&
               (record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_UNFINISHED ||
                record->kind == GRT_TRACE_ABORT)) {
        add_miss(timeline, (struct grt_miss){.deadline = GRT_TIME_NEVER,
                                             .end = record->time,
                                             .job = record->job,
                                             .task = record->task,
                                             .kind = record->kind});
    }
}

/* Which row of its kind a record names. */
static uint32_t row_of(const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_BLOCK:
        return grt_trace_row(record->row);
    case GRT_TRACE_CONTEXT:
        return record->detail;
    default:
        return record->row;
    }
}

static void take_record(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    const struct destination *to = &destinations[record->kind];
    struct grt_slice slice =
        record->kind == GRT_TRACE_RELEASE ? window_of(record) : slice_of(record, to->instant);
    bool placed = record->kind == GRT_TRACE_MISS || record->kind == GRT_TRACE_GPU_REQUEST;
    note_miss(timeline, record);
    if (to->in_task) {
        struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, record->task);
        if (row != NULL) {
            grt_track_add(grt_row_track(row, to->task_part), &slice);
            placed = true;
        }
    }
    if (to->in_row) {
        struct grt_row *row = grt_timeline_row(timeline, to->kind, row_of(record));
        if (row != NULL) {
            grt_track_add(grt_row_track(row, to->part), &slice);
            placed = true;
        }
    }
    timeline->left_out += !placed;
    timeline->end = record->time > timeline->end ? record->time : timeline->end;
}

static bool take_records(void *sink, const struct grt_trace_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        take_record(sink, &records[i]);
    }
    ((struct grt_timeline *)sink)->record_count += count;
    return true;
}

/* ---- the end ---- */

uint32_t grt_timeline_find_job(const struct grt_track *track, uint32_t job) {
    uint32_t low = 0, high = track->count; /* jobs are mostly numbered in the order of their ends */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (grt_track_at(track, middle).job < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < track->count && grt_track_at(track, low).job == job) {
        return low;
    }
    for (uint32_t i = 0; i < track->count; i++) {
        if (grt_track_at(track, i).job == job) {
            return i;
        }
    }
    return GRT_NO_SLICE;
}

uint32_t grt_timeline_kernel_of(const struct grt_timeline *timeline, const struct grt_slice *block) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, block->task);
    if (row == NULL) {
        return GRT_NO_SLICE;
    }
    const struct grt_track *kernels = grt_row_track(row, GRT_PART_KERNEL);
    struct grt_track_cursor cursor = {0};
    uint32_t at = grt_track_first_after(kernels, &cursor, block->end - 1);
    for (; (at = grt_track_next_before(kernels, at, block->start + 1)) != GRT_NO_SLICE; at++) {
        struct grt_slice kernel = grt_track_at(kernels, at);
        if (kernel.job == block->job && kernel.grid == block->grid) {
            return at;
        }
    }
    return GRT_NO_SLICE;
}

/* The weights of an SM's blocks follow from their kernels. */
static void weigh_blocks(const struct grt_timeline *timeline, const struct grt_row *sm) {
    struct grt_track *track = grt_row_track(sm, GRT_PART_BLOCK);
    for (uint32_t i = 0; i < track->count && sm->unit > 0; i++) {
        struct grt_slice block = grt_track_at(track, i);
        uint32_t number = grt_timeline_kernel_of(timeline, &block);
        if (number == GRT_NO_SLICE) {
            continue;
        }
        const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, block.task);
        uint32_t place = grt_track_at(grt_row_track(task, GRT_PART_KERNEL), number).detail;
        const struct grt_timeline_kernel *kernel = find_kernel(timeline, block.task, place);
        uint32_t weight = kernel != NULL ? (kernel->weight + sm->unit - 1) / sm->unit : 1;
        grt_track_set_weight(track, i, (uint8_t)(weight < 1 ? 1 : weight > MOST_UNITS ? MOST_UNITS : weight));
    }
}

static int by_job(const void *a, const void *b) {
    const struct grt_miss *left = a, *right = b;
    if (left->task != right->task) {
        return left->task < right->task ? -1 : 1;
    }
    if (left->job != right->job) {
        return left->job < right->job ? -1 : 1;
    }
    return (left->kind > right->kind) - (left->kind < right->kind);
}

static int by_deadline(const void *a, const void *b) {
    const struct grt_miss *left = a, *right = b;
    if (left->deadline != right->deadline) {
        return left->deadline < right->deadline ? -1 : 1;
    }
    return by_job(a, b);
}

static void find_deadline(const struct grt_timeline *timeline, struct grt_miss *miss) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, miss->task);
    const struct grt_track *windows = row != NULL ? grt_row_track(row, GRT_PART_WINDOW) : NULL;
    uint32_t number = windows != NULL ? grt_timeline_find_job(windows, miss->job) : GRT_NO_SLICE;
    miss->deadline = miss->end; /* if the trace does not have it */
    if (number != GRT_NO_SLICE) {
        struct grt_slice window = grt_track_at(windows, number);
        miss->deadline = (window.flags & GRT_WINDOW_REVERSED) != 0 ? window.start : window.end;
    }
}

/* A job may be told to be late twice: when its deadline passed and at its end. */
static void merge_misses(struct grt_timeline *timeline) {
    uint32_t kept = 0;
    qsort(timeline->misses, timeline->miss_count, sizeof *timeline->misses, by_job);
    for (uint32_t i = 0; i < timeline->miss_count; i++) {
        struct grt_miss *miss = &timeline->misses[i], *last = kept > 0 ? &timeline->misses[kept - 1] : NULL;
        if (last != NULL && last->task == miss->task && last->job == miss->job) {
            last->end = miss->end;
            last->kind = miss->kind;
            continue;
        }
        if (miss->deadline == GRT_TIME_NEVER) {
            find_deadline(timeline, miss);
        }
        timeline->misses[kept++] = *miss;
    }
    timeline->miss_count = kept;
    qsort(timeline->misses, kept, sizeof *timeline->misses, by_deadline);
}

/* Aborted jobs end where they were given up, which their miss does not say. */
static void complete_miss(const struct grt_timeline *timeline, struct grt_miss *miss) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, miss->task);
    const struct grt_track *jobs = row != NULL && miss->kind == 0 ? grt_row_track(row, GRT_PART_JOB) : NULL;
    uint32_t number = jobs != NULL ? grt_timeline_find_job(jobs, miss->job) : GRT_NO_SLICE;
    if (number != GRT_NO_SLICE) {
        struct grt_slice job = grt_track_at(jobs, number);
        miss->end = job.end;
        miss->kind = (uint8_t)job.detail;
    }
}

static void draw_misses(struct grt_timeline *timeline) {
    for (uint32_t i = 0; i < timeline->miss_count; i++) {
        struct grt_miss *miss = &timeline->misses[i];
        const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, miss->task);
        struct grt_slice sign = {.start = miss->deadline,
                                 .end = miss->deadline,
                                 .job = miss->job,
                                 .detail = i,
                                 .task = miss->task,
                                 .weight = 1,
                                 .flags = GRT_TRACE_LATE};
        complete_miss(timeline, miss);
        if (row != NULL) {
            grt_track_add(grt_row_track(row, GRT_PART_MISS), &sign);
        }
    }
}

static bool finish(void *sink) {
    struct grt_timeline *timeline = sink;
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        grt_track_settle(&timeline->tracks[i]);
    }
    for (uint32_t i = timeline->first_rows[GRT_ROW_SM]; i < timeline->first_rows[GRT_ROW_SM + 1]; i++) {
        weigh_blocks(timeline, &timeline->rows[i]);
        grt_track_settle(grt_row_track(&timeline->rows[i], GRT_PART_BLOCK));
    }
    merge_misses(timeline);
    draw_misses(timeline);
    for (uint32_t i = 0; i < timeline->first_rows[GRT_ROW_TASK + 1]; i++) {
        grt_track_settle(grt_row_track(&timeline->rows[i], GRT_PART_MISS));
    }
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct grt_track *track = &timeline->tracks[i];
        timeline->begin = track->begin < timeline->begin ? track->begin : timeline->begin;
        timeline->end = track->end > timeline->end ? track->end : timeline->end;
    }
    return true;
}

void grt_timeline_free(struct grt_timeline *timeline) {
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        grt_track_free(&timeline->tracks[i]);
    }
    free(timeline->misses);
    grt_arena_clear(&timeline->arena);
    *timeline = (struct grt_timeline){0};
}

const struct grt_trace_sink grt_timeline_sink = {take_names, take_records, finish};
