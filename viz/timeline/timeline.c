#include "viz/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "viz/timeline/find.h"
#include "viz/timeline/hosts.h"
#include "viz/timeline/shares.h"

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
                      13,
                      {GRT_PART_WINDOW, GRT_PART_JOB, GRT_PART_SUSPENDED, GRT_PART_BLOCKED, GRT_PART_CPU,
                       GRT_PART_COPY, GRT_PART_KERNEL, GRT_PART_HOST, GRT_PART_SPIN, GRT_PART_OVERHEAD,
                       GRT_PART_BOOSTED, GRT_PART_MISS, GRT_PART_SIGN}},
    [GRT_ROW_CORE] = {GRT_NAME_CORE,
                      5,
                      {GRT_PART_CPU, GRT_PART_HOST, GRT_PART_THREAD, GRT_PART_SPIN, GRT_PART_OVERHEAD}},
    [GRT_ROW_POLICY] = {GRT_NAME_ROW, 2, {GRT_PART_OWN, GRT_PART_OWN_MARK}},
    [GRT_ROW_PROCESS] = {GRT_NAME_CONTEXT, 1, {GRT_PART_TURN}},
    [GRT_ROW_STREAM] = {GRT_NAME_STREAM, 3, {GRT_PART_KERNEL, GRT_PART_CALL, GRT_PART_SHARE}},
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

/* Names are numbered from 0 within their kind: those with higher numbers than there are names are left out, so that made-up
 * numbers take no memory. */
static uint32_t name_count(const struct grt_trace_name *names, size_t count, enum grt_trace_name_kind kind) {
    uint32_t most = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += names[i].kind == kind;
    }
    for (size_t i = 0; i < count; i++) {
        if (names[i].kind == kind && names[i].index < sum && names[i].index >= most) {
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

const char *grt_timeline_named(const struct grt_timeline *timeline, uint32_t number, uint32_t *task,
                               uint32_t *place) {
    *task = timeline->kernels[number].task;
    *place = timeline->kernels[number].place;
    return timeline->kernels[number].name;
}

uint32_t grt_timeline_command_number(const struct grt_timeline *timeline, uint16_t task, uint32_t place) {
    const struct grt_timeline_kernel *kernel = find_kernel(timeline, task, place);
    return kernel != NULL ? (uint32_t)(kernel - timeline->kernels) : UINT32_MAX;
}

static const char **texts(struct grt_timeline *timeline, uint32_t count) {
    const char **all = grt_arena_array(&timeline->arena, count, sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = "";
    }
    return all;
}

/* How many units hold so many threads; no sum, which might be too large. */
static uint32_t units_of(uint32_t threads, uint32_t unit) {
    return threads / unit + (threads % unit != 0);
}

/* SMs are drawn by the share of their threads in use: in warps, or in larger units if there are more than 64. */
static uint32_t unit_of(uint32_t sm_threads) {
    uint32_t unit = units_of(sm_threads, MOST_UNITS);
    return unit > WARP ? unit : WARP;
}

static void take_name(struct grt_timeline *timeline, const struct grt_trace_name *name) {
    const char *text = grt_arena_text(&timeline->arena, name->text);
    if (name->kind == GRT_NAME_RUN) {
        timeline->run = text;
        timeline->has_host_parts = name->weight != 0;
    } else if (name->kind == GRT_NAME_LABEL && name->index < timeline->label_count) {
        timeline->labels[name->index] = text;
    } else if (name->kind == GRT_NAME_THREAD && name->index < timeline->thread_count) {
        timeline->threads[name->index] = text;
    } else if (name->kind == GRT_NAME_KERNEL || name->kind == GRT_NAME_CALL) {
        timeline->kernels[timeline->kernel_count++] = (struct grt_timeline_kernel){
            name->index, grt_trace_place(name->segment, name->command), name->weight, text};
    }
    for (uint32_t kind = 0; kind < GRT_ROW_KINDS; kind++) {
        if (row_forms[kind].name == name->kind) {
            struct grt_row *row = grt_timeline_row(timeline, (enum grt_row_kind)kind, name->index);
            if (row == NULL) {
                continue;
            }
            row->name = text;
            if (kind == GRT_ROW_SM && name->weight > 0) {
                row->unit = unit_of(name->weight);
                row->capacity = units_of(name->weight, row->unit);
            }
        }
    }
}

static bool take_names(void *sink, const struct grt_trace_name *names, size_t count) {
    struct grt_timeline *timeline = sink;
    timeline->run = "";
    create_rows(timeline, names, count);
    timeline_hosts_start(timeline);
    timeline_shares_start(timeline);
    timeline->label_count = name_count(names, count, GRT_NAME_LABEL);
    timeline->labels = texts(timeline, timeline->label_count);
    timeline->thread_count = name_count(names, count, GRT_NAME_THREAD);
    timeline->threads = texts(timeline, timeline->thread_count);
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
    [GRT_TRACE_LOST_ITEMS] = {.in_task = true, .task_part = GRT_PART_SIGN, .instant = true},
    [GRT_TRACE_CPU] = {true, GRT_PART_CPU, true, GRT_ROW_CORE, GRT_PART_CPU, false}, /* or see hosts.h */
    [GRT_TRACE_THREAD] = {.in_row = true, .kind = GRT_ROW_CORE, .part = GRT_PART_THREAD},
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

/* What others say is said by the part that a slice plays. */
enum {
    FLAGS_OF_SLICES =
        GRT_TRACE_LATE | GRT_TRACE_PREEMPTED | GRT_TRACE_ABORTED | GRT_TRACE_D2H | GRT_TRACE_OPEN
};

static struct grt_slice slice_of(const struct grt_trace_record *record, bool instant) {
    struct grt_slice slice = {.start = instant ? record->time : record->other,
                              .end = record->time,
                              .job = record->job,
                              .detail = record->detail,
                              .task = record->task,
                              .weight = 1,
                              .flags = record->flags & FLAGS_OF_SLICES};
    switch (record->kind) {
    case GRT_TRACE_THREAD:
        slice.flags |= (record->flags & GRT_TRACE_OVERHEAD) != 0 ? GRT_OVERHEAD_OF_THREAD : 0;
        break;
    case GRT_TRACE_BLOCK:
        slice.flags |= (record->flags & GRT_TRACE_EXITED) != 0 ? GRT_EXIT_OF_BLOCK : 0;
        slice.flags |= (record->flags & GRT_TRACE_GOES_ON) != 0 ? GRT_BLOCK_GOES_ON : 0;
        slice.grid = (uint16_t)grt_trace_grid(record->row);
        break;
    case GRT_TRACE_KERNEL:
        slice.grid = (uint16_t)grt_trace_grid(record->row);
        break;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
    case GRT_TRACE_SKIP:
    case GRT_TRACE_LAUNCH_FAILED:
    case GRT_TRACE_LOST_ITEMS:
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

/* Times that a run can have, so that differences of them are times too. */
static bool is_in_time(const struct grt_trace_record *record) {
    bool other = (record->other >= -GRT_TIME_LIMIT && record->other <= 2 * GRT_TIME_LIMIT) ||
                 record->kind == GRT_TRACE_PRIORITY ||
                 record->kind == GRT_TRACE_SHARE; /* whose other is no time */
    return record->time >= -GRT_TIME_LIMIT && record->time <= GRT_TIME_LIMIT &&
           (other || record->other == GRT_TIME_NEVER);
}

static void take_record(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    const struct destination *to = &destinations[record->kind];
    enum grt_track_part task_part = to->task_part, part = to->part;
    if (!is_in_time(record)) {
        timeline->beyond++;
        return;
    }
    struct grt_slice slice =
        record->kind == GRT_TRACE_RELEASE ? window_of(record) : slice_of(record, to->instant);
    bool placed = record->kind == GRT_TRACE_MISS || record->kind == GRT_TRACE_GPU_REQUEST ||
                  record->kind == GRT_TRACE_PRIORITY ||
                  (record->kind == GRT_TRACE_SHARE && timeline_shares_note(timeline, record));
    note_miss(timeline, record);
    if (timeline_concerns_hosts(record)) {
        timeline_hosts_note(timeline, record);
    } else if (record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD) {
        task_part = part = timeline_core_part(timeline, record);
    }
    if (to->in_task) {
        struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, record->task);
        if (row != NULL) {
            grt_track_add(grt_row_track(row, task_part), &slice);
            placed = true;
        }
    }
    if (to->in_row) {
        struct grt_row *row = grt_timeline_row(timeline, to->kind, row_of(record));
        if (row != NULL) {
            grt_track_add(grt_row_track(row, part), &slice);
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
        uint32_t weight = kernel != NULL ? units_of(kernel->weight, sm->unit) : 1;
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

/* One track of the tasks after the other, for misses in the order of their tasks. */
struct job_finder {
    const struct grt_timeline *timeline;
    enum grt_track_part part;
    const struct grt_track *track; /* of the task of the last question */
    struct grt_job_index index;
};

/* The slice of a miss's job; false if the trace does not have it. */
static bool find_job(struct job_finder *finder, const struct grt_miss *miss, struct grt_slice *slice) {
    const struct grt_row *row = grt_timeline_row(finder->timeline, GRT_ROW_TASK, miss->task);
    const struct grt_track *track = row != NULL ? grt_row_track(row, finder->part) : NULL;
    if (track != finder->track) {
        grt_job_index_free(&finder->index);
        finder->track = track;
        finder->index = track != NULL ? grt_job_index_of(track) : (struct grt_job_index){NULL};
    }
    uint32_t number = track != NULL ? grt_job_index_find(&finder->index, track, miss->job) : GRT_NO_SLICE;
    if (number != GRT_NO_SLICE) {
        *slice = grt_track_at(track, number);
    }
    return number != GRT_NO_SLICE;
}

static void find_deadline(struct job_finder *windows, struct grt_miss *miss) {
    struct grt_slice window;
    miss->deadline = miss->end; /* if the trace does not have it */
    if (find_job(windows, miss, &window)) {
        miss->deadline = (window.flags & GRT_WINDOW_REVERSED) != 0 ? window.start : window.end;
    }
}

/* Aborted jobs end where they were given up, which their miss does not say. */
static void complete_miss(struct job_finder *jobs, struct grt_miss *miss) {
    struct grt_slice job;
    if (miss->kind == 0 && find_job(jobs, miss, &job)) {
        miss->end = job.end;
        miss->kind = (uint8_t)job.detail;
    }
}

/* A job may be told to be late twice: when its deadline passed and at its end. */
static void merge_misses(struct grt_timeline *timeline) {
    struct job_finder windows = {.timeline = timeline, .part = GRT_PART_WINDOW},
                      jobs = {.timeline = timeline, .part = GRT_PART_JOB};
    uint32_t kept = 0;
    if (timeline->miss_count == 0) {
        return;
    }
    qsort(timeline->misses, timeline->miss_count, sizeof *timeline->misses, by_job);
    for (uint32_t i = 0; i < timeline->miss_count; i++) {
        struct grt_miss *miss = &timeline->misses[i], *last = kept > 0 ? &timeline->misses[kept - 1] : NULL;
        if (last != NULL && last->task == miss->task && last->job == miss->job) {
            last->end = miss->end;
            last->kind = miss->kind;
            continue;
        }
        if (miss->deadline == GRT_TIME_NEVER) {
            find_deadline(&windows, miss);
        }
        timeline->misses[kept++] = *miss;
    }
    timeline->miss_count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        complete_miss(&jobs, &timeline->misses[i]);
    }
    grt_job_index_free(&windows.index);
    grt_job_index_free(&jobs.index);
    qsort(timeline->misses, kept, sizeof *timeline->misses, by_deadline);
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
        if (row != NULL) {
            grt_track_add(grt_row_track(row, GRT_PART_MISS), &sign);
        }
    }
}

static bool finish(void *sink) {
    struct grt_timeline *timeline = sink;
    timeline_hosts_end(timeline, timeline->end);
    timeline_shares_end(timeline, timeline->end);
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        grt_track_settle(&timeline->tracks[i]);
    }
    grt_timeline_index_kernels(timeline);
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
    free(timeline->kernel_keys);
    free(timeline->priorities);
    grt_arena_clear(&timeline->arena);
    *timeline = (struct grt_timeline){0};
}

const struct grt_trace_sink grt_timeline_sink = {take_names, take_records, finish};

bool grt_timeline_is_drawable(const struct grt_timeline *timeline, struct grt_errors *errors) {
    if (timeline->beyond > 0 || timeline->begin < 0 || timeline->end > GRT_TIME_LIMIT) {
        grt_error_add(errors, NULL, "the trace has times beyond what gpurt simulates, and cannot be drawn");
        return false;
    }
    if (timeline->row_count == 0) {
        grt_error_add(errors, NULL,
                      "the trace names no tasks or resources, so that there is nothing to draw");
        return false;
    }
    return true;
}
