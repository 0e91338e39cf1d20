#include "viz/export/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "viz/export/lanes.h"
#include "viz/export/order.h"

/* What is needed only while a plan is made. */
struct maker {
    struct grt_export_plan *plan;
    const struct grt_export_options *options;
    uint32_t *rows;               /* of each record that is an exported slice */
    struct grt_free_lanes *lanes; /* of each row */
    size_t ended;                 /* records before this one that are slices have ended */
};

static const struct grt_trace_record *record_of(const struct grt_export_plan *plan, size_t index) {
    return &plan->trace->records[index];
}

static bool is_open(const struct grt_trace_record *record) {
    return (record->flags & GRT_TRACE_OPEN) != 0 || record->kind == GRT_TRACE_UNFINISHED;
}

/* Whether the end of a record is told apart from its begin. */
static bool has_end(const struct grt_trace_record *record) {
    return record->other < record->time && !is_open(record);
}

/* ---- Order ---- */

static uint32_t rank_of(const struct grt_trace_record *record) {
    static const uint8_t ranks[GRT_TRACE_KINDS] = {
        [GRT_TRACE_FINISH] = 1,      [GRT_TRACE_ABORT] = 1, [GRT_TRACE_UNFINISHED] = 1,
        [GRT_TRACE_GPU_SEGMENT] = 2, [GRT_TRACE_COPY] = 4,  [GRT_TRACE_KERNEL] = 5,
        [GRT_TRACE_BLOCK] = 6};
    uint32_t rank = ranks[record->kind];
    return record->other == record->time ? 0 : rank > 0 ? rank : 3;
}

static void find_order(struct maker *maker) {
    struct grt_export_plan *plan = maker->plan;
    size_t count = plan->trace->record_count;
    struct grt_export_start *starts = grt_allocate(count * sizeof *starts);
    maker->rows = grt_allocate(count * sizeof *maker->rows);
    for (size_t i = 0; i < count; i++) {
        const struct grt_trace_record *record = record_of(plan, i);
        plan->places[i].lane = GRT_MAP_NONE;
        if (!grt_export_is_slice(record) || !grt_export_touches(maker->options, record)) {
            continue;
        }
        maker->rows[i] = grt_export_row_of(&plan->rows, record);
        if (plan->rows.items[maker->rows[i]].shown) {
            starts[plan->slice_count++] = (struct grt_export_start){
                .time = record->other, .record = (uint32_t)i, .rank = rank_of(record)};
        }
    }
    grt_export_sort(starts, plan->slice_count);
    plan->order = grt_allocate(plan->slice_count * sizeof *plan->order);
    for (uint32_t i = 0; i < plan->slice_count; i++) {
        plan->order[i] = starts[i].record;
    }
    free(starts);
}

/* ---- Flows ---- */

/* Whether a slice is a step of its job's flow. Of a kernel's blocks it is the one that starts first, which its kernel
 * remembers as its owner. */
static bool is_step(const struct grt_export_plan *plan, uint32_t record) {
    const uint32_t *owners = plan->labels.owners;
    switch ((enum grt_trace_kind)record_of(plan, record)->kind) {
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
    case GRT_TRACE_GPU_SEGMENT:
    case GRT_TRACE_COPY:
    case GRT_TRACE_KERNEL:
        return true;
    case GRT_TRACE_BLOCK:
        return owners[record] != GRT_MAP_NONE && owners[owners[record]] == record;
    default:
        return false;
    }
}

static void add_step(struct grt_export_plan *plan, uint32_t position) {
    uint32_t record = plan->order[position], *owners = plan->labels.owners;
    if (record_of(plan, record)->kind == GRT_TRACE_BLOCK && owners[record] != GRT_MAP_NONE &&
        owners[owners[record]] == GRT_MAP_NONE) {
        owners[owners[record]] = record;
    }
    if (is_step(plan, record)) {
        uint32_t number = grt_export_job_of(&plan->marks, record_of(plan, record));
        struct grt_export_job *job = &plan->marks.of[number];
        job->first = job->steps == 0 ? position : job->first;
        job->last = position;
        job->steps++;
    }
}

static void take_flow(const struct grt_export_plan *plan, uint32_t position, struct grt_export_slice *slice) {
    if (!is_step(plan, plan->order[position])) {
        return;
    }
    slice->job_number = grt_map_find(&plan->marks.jobs, grt_export_job_key(slice->record));
    slice->job = &plan->marks.of[slice->job_number];
    if (slice->job->steps > 1) {
        slice->flow = position == slice->job->first  ? GRT_FLOW_START
                      : position == slice->job->last ? GRT_FLOW_END
                                                     : GRT_FLOW_STEP;
    }
}

/* ---- Lanes ---- */

/* Frees the lanes of all slices that have ended at an instant. All of them have begun before it. */
static void free_lanes_until(struct maker *maker, grt_time instant) {
    const struct grt_export_plan *plan = maker->plan;
    for (; maker->ended < plan->trace->record_count && record_of(plan, maker->ended)->time <= instant;
         maker->ended++) {
        uint32_t lane = plan->places[maker->ended].lane;
        if (lane != GRT_MAP_NONE && has_end(record_of(plan, maker->ended))) {
            grt_free_lanes_give(&maker->lanes[maker->rows[maker->ended]], lane);
        }
    }
}

/* What is no slice, too, is on a lane. */
static void open_lane(struct maker *maker, uint32_t row) {
    struct grt_free_lanes *lanes = &maker->lanes[row];
    lanes->opened = lanes->opened > 0 ? lanes->opened : 1;
}

static void take_lanes(struct maker *maker) {
    struct grt_export_plan *plan = maker->plan;
    maker->lanes = grt_arena_array(&plan->rows.arena, plan->rows.count, sizeof *maker->lanes);
    for (uint32_t i = 0; i < plan->slice_count; i++) {
        uint32_t index = plan->order[i];
        const struct grt_trace_record *record = record_of(plan, index);
        struct grt_free_lanes *lanes = &maker->lanes[maker->rows[index]];
        free_lanes_until(maker, record->other);
        plan->places[index].lane = grt_free_lanes_take(lanes);
        if (!has_end(record) && !is_open(record)) {
            grt_free_lanes_give(lanes, plan->places[index].lane);
        }
        plan->places[index].label = grt_export_label(&plan->labels, index);
        add_step(plan, i);
    }
    for (uint32_t i = 0; i < plan->marks.count; i++) {
        open_lane(maker, plan->marks.items[i].row);
    }
    for (uint32_t i = 0; i < plan->shares.count; i++) {
        open_lane(maker, plan->shares.items[i].row);
        plan->rows.items[plan->shares.items[i].row].has_shares = true;
    }
}

struct row_place {
    uint64_t key;
    uint32_t row;
};

static int compare_places(const void *first, const void *second) {
    const struct row_place *a = first, *b = second;
    return a->key < b->key ? -1 : a->key > b->key;
}

static void number_lanes_of(struct maker *maker, uint32_t row) {
    struct grt_export_plan *plan = maker->plan;
    uint32_t count = maker->lanes[row].opened;
    plan->first_lanes[row] = count > 0 ? plan->lane_count : GRT_MAP_NONE;
    for (uint32_t i = 0; i < count; i++) {
        plan->lanes[plan->lane_count++] = (struct grt_export_lane){.row = row, .number = i};
    }
}

/* From numbers within rows to numbers over all rows. */
static void number_lanes(struct maker *maker) {
    struct grt_export_plan *plan = maker->plan;
    struct row_place *places = grt_arena_array(&plan->rows.arena, plan->rows.count, sizeof *places);
    size_t lane_count = 0;
    for (uint32_t i = 0; i < plan->rows.count; i++) {
        const struct grt_export_row *row = &plan->rows.items[i];
        places[i].key = (uint64_t)row->kind << 40 | (uint64_t)row->index << 4 | (uint64_t)row->part;
        places[i].row = i;
        lane_count += maker->lanes[i].opened;
    }
    qsort(places, plan->rows.count, sizeof *places, compare_places);
    plan->lanes = grt_allocate(lane_count * sizeof *plan->lanes);
    plan->first_lanes = grt_allocate(plan->rows.count * sizeof *plan->first_lanes);
    for (uint32_t i = 0; i < plan->rows.count; i++) {
        number_lanes_of(maker, places[i].row);
    }
    for (uint32_t i = 0; i < plan->slice_count; i++) {
        uint32_t index = plan->order[i];
        plan->places[index].lane += plan->first_lanes[maker->rows[index]];
    }
}

/* ---- The whole ---- */

static void name_marks(struct grt_export_plan *plan) {
    static const char *const texts[GRT_MARK_KINDS] = {[GRT_MARK_RELEASE] = "release",
                                                      [GRT_MARK_DEADLINE] = "deadline",
                                                      [GRT_MARK_MISS] = "miss",
                                                      [GRT_MARK_ABORT] = "abort",
                                                      [GRT_MARK_SKIP] = "skip"};
    uint32_t labels[GRT_MARK_KINDS];
    for (int kind = 0; kind < GRT_MARK_KINDS; kind++) {
        labels[kind] = GRT_MAP_NONE;
    }
    for (uint32_t i = 0; i < plan->marks.count; i++) {
        struct grt_export_mark *mark = &plan->marks.items[i];
        if (texts[mark->kind] == NULL) {
            mark->label = grt_export_label(&plan->labels, mark->record);
            continue;
        }
        if (labels[mark->kind] == GRT_MAP_NONE) {
            labels[mark->kind] = grt_export_label_of_text(&plan->labels, texts[mark->kind]);
        }
        mark->label = labels[mark->kind];
    }
}

void grt_export_plan_make(struct grt_export_plan *plan, const struct grt_trace_memory *trace,
                          const struct grt_export_options *options) {
    *plan = (struct grt_export_plan){.trace = trace};
    struct maker maker = {.plan = plan, .options = options};
    grt_export_rows_start(&plan->rows, trace, options->rows);
    plan->places = grt_allocate(trace->record_count * sizeof *plan->places);
    find_order(&maker);
    grt_export_labels_start(&plan->labels, &plan->rows);
    grt_export_marks_find(&plan->marks, &plan->rows, options);
    name_marks(plan);
    grt_export_shares_find(&plan->shares, &plan->rows, options);
    take_lanes(&maker);
    number_lanes(&maker);
    for (uint32_t i = 0; i < plan->rows.count; i++) {
        free(maker.lanes[i].items);
    }
    free(maker.rows);
}

void grt_export_plan_free(struct grt_export_plan *plan) {
    free(plan->places);
    free(plan->order);
    free(plan->lanes);
    free(plan->first_lanes);
    grt_export_marks_free(&plan->marks);
    grt_export_shares_free(&plan->shares);
    grt_export_labels_free(&plan->labels);
    grt_export_rows_free(&plan->rows);
}

struct playing {
    const struct grt_export_plan *plan;
    const struct grt_export_player *player;
    void *state;
    size_t ended; /* records before this one that have an end were told */
};

static void play_ends(struct playing *playing, grt_time instant) {
    const struct grt_export_plan *plan = playing->plan;
    for (; playing->ended < plan->trace->record_count && record_of(plan, playing->ended)->time <= instant;
         playing->ended++) {
        uint32_t lane = plan->places[playing->ended].lane;
        if (lane != GRT_MAP_NONE && has_end(record_of(plan, playing->ended))) {
            playing->player->end(playing->state, record_of(plan, playing->ended)->time, lane);
        }
    }
}

static void play_slice(const struct playing *playing, uint32_t position) {
    const struct grt_export_plan *plan = playing->plan;
    uint32_t index = plan->order[position];
    struct grt_export_slice slice = {.record = record_of(plan, index),
                                     .open = is_open(record_of(plan, index)),
                                     .lane = plan->places[index].lane,
                                     .label = plan->places[index].label};
    take_flow(plan, position, &slice);
    playing->player->begin(playing->state, &slice);
    if (playing->player->end != NULL && slice.record->other == slice.record->time && !slice.open) {
        playing->player->end(playing->state, slice.record->time, slice.lane);
    }
}

/* What is told next: of equal times a slice before a mark before a share. */
enum what { A_SLICE, A_MARK, A_SHARE, NOTHING };
struct next {
    enum what what;
    grt_time time;
};

static void offer(struct next *next, enum what what, bool is_left, grt_time time) {
    if (is_left && (next->what == NOTHING || time < next->time)) {
        *next = (struct next){what, time};
    }
}

static struct next choose(const struct grt_export_plan *plan, uint32_t slice, uint32_t mark, uint32_t share) {
    struct next next = {NOTHING, 0};
    bool slices = slice < plan->slice_count, marks = mark < plan->marks.count,
         shares = share < plan->shares.count;
    offer(&next, A_SLICE, slices, slices ? record_of(plan, plan->order[slice])->other : 0);
    offer(&next, A_MARK, marks, marks ? plan->marks.items[mark].time : 0);
    offer(&next, A_SHARE, shares, shares ? plan->shares.items[share].time : 0);
    return next;
}

void grt_export_plan_play(struct grt_export_plan *plan, const struct grt_export_player *player, void *state) {
    struct playing playing = {.plan = plan, .player = player, .state = state};
    uint32_t slice = 0, mark = 0, share = 0;
    for (;;) {
        struct next next = choose(plan, slice, mark, share);
        if (player->end != NULL) {
            play_ends(&playing, next.what == NOTHING ? GRT_TIME_NEVER : next.time);
        }
        if (next.what == NOTHING) {
            return;
        }
        if (next.what == A_MARK) {
            player->mark(state, &plan->marks.items[mark], plan->first_lanes[plan->marks.items[mark].row]);
            mark++;
        } else if (next.what == A_SHARE) {
            const struct grt_export_share *item = &plan->shares.items[share++];
            player->share(state, item, plan->first_lanes[item->row]);
        } else {
            play_slice(&playing, slice++);
        }
    }
}

bool grt_export_has_shares(const struct grt_export_plan *plan, uint32_t lane) {
    return plan->lanes[lane].number == 0 && plan->rows.items[plan->lanes[lane].row].has_shares;
}

const char *grt_export_lane_name(const struct grt_export_plan *plan, uint32_t lane,
                                 char text[GRT_LANE_NAME_SIZE]) {
    static const char *const parts[] = {
        [GRT_PART_WHOLE] = "", [GRT_PART_SEGMENTS] = ": GPU segments", [GRT_PART_BLOCKING] = ": blocked"};
    const struct grt_export_row *row = &plan->rows.items[plan->lanes[lane].row];
    char number[24] = "";
    if (plan->lanes[lane].number > 0) {
        snprintf(number, sizeof number, " (%u)", plan->lanes[lane].number + 1);
    }
    snprintf(text, GRT_LANE_NAME_SIZE, "%s%s%s", row->name, parts[row->part], number);
    return text;
}

grt_time grt_export_lateness(const struct grt_export_slice *slice) {
    const struct grt_trace_record *record = slice->record;
    bool may = record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_UNFINISHED;
    bool late = may && (record->flags & GRT_TRACE_LATE) != 0 && slice->job != NULL;
    return late && slice->job->deadline >= 0 && slice->job->deadline < record->time
               ? record->time - slice->job->deadline
               : 0;
}

const char *grt_export_how_ended(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_ABORT || (record->flags & GRT_TRACE_ABORTED) != 0 ? "aborted"
           : (record->flags & GRT_TRACE_PREEMPTED) != 0                                ? "preempted"
                                                                                       : NULL;
}
