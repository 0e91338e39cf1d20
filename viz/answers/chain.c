#include <stdlib.h>

#include "sim/memory.h"
#include "viz/answers/chain_internal.h"

/* How many slices are looked at: at a wish, and for who points at a miss. */
enum { MOST_LOOKS = 1 << 18, MOST_LOOKS_OF_OUTLINES = 1 << 15, MOST_LATE_SEGMENTS = 256 };

struct search {
    const struct grt_timeline *timeline;
    struct grt_chain *chain;
    uint32_t task, job;
    uint32_t looks, most_looks;
};

struct grt_chain_step *chain_add_step(struct grt_chain *chain, enum grt_chain_step_kind kind,
                                      struct grt_place place, grt_time begin, grt_time end) {
    if (chain->count == GRT_CHAIN_STEPS) {
        chain->cut = true;
        return NULL;
    }
    chain->steps = grt_array_grow(chain->steps, &chain->capacity, chain->count + 1, sizeof *chain->steps);
    struct grt_chain_step *step = &chain->steps[chain->count++];
    *step = (struct grt_chain_step){.kind = kind,
                                    .place = place,
                                    .home = place,
                                    .begin = begin,
                                    .end = end,
                                    .after = GRT_NO_STEP,
                                    .count = 1};
    return step;
}

/* Counts what is looked at; false if that was enough. */
static bool may_look(struct search *search) {
    if (search->looks >= search->most_looks) {
        search->chain->cut = true;
        return false;
    }
    search->looks++;
    return true;
}

/* ---- slices of the job ---- */

/* All slices of the job in a track of a row that end in [from, until], the last first: before them may lie those of many
 * earlier jobs of a task that is behind. */
static void collect(struct search *search, const struct grt_row *row, enum grt_track_part part,
                    enum grt_chain_step_kind kind, grt_time from, grt_time until) {
    const struct grt_track *track = grt_row_track(row, part);
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, from - 1),
             i = grt_track_first_after(track, &cursor, until);
    while (i > first && may_look(search)) {
        struct grt_slice slice = grt_track_at(track, --i);
        if (grt_slice_is_of(&slice, search->task, search->job)) {
            struct grt_place place = grt_place_in(search->timeline, row, part, i);
            chain_add_step(search->chain, kind, place, slice.start, slice.end);
        }
    }
}

/* GPU segments that were asked for before the end of the job, even if the device was rid of them later; returns the last end. */
static grt_time collect_segments(struct search *search, const struct grt_row *row) {
    const struct grt_job_story *story = &search->chain->story;
    const struct grt_track *track = grt_row_track(row, GRT_PART_SUSPENDED);
    struct grt_track_cursor cursor = {0};
    grt_time last = story->end;
    collect(search, row, GRT_PART_SUSPENDED, GRT_STEP_REQUEST, story->arrival, story->end);
    uint32_t i = grt_track_first_after(track, &cursor, story->end);
    for (uint32_t looks = 0; looks < MOST_LATE_SEGMENTS && may_look(search); looks++, i++) {
        i = grt_track_next_before(track, i, story->end + 1);
        if (i == GRT_NO_SLICE) {
            break;
        }
        struct grt_slice slice = grt_track_at(track, i);
        if (grt_slice_is_of(&slice, search->task, search->job)) {
            struct grt_place place = grt_place_in(search->timeline, row, GRT_PART_SUSPENDED, i);
            chain_add_step(search->chain, GRT_STEP_REQUEST, place, slice.start, slice.end);
            last = slice.end > last ? slice.end : last;
        }
    }
    for (uint32_t j = 0; j < search->chain->count; j++) {
        search->chain->steps[j].end = search->chain->steps[j].begin;
    }
    return last;
}

/* Steps on the row of the task are shown where they happened. */
static void place_steps(struct search *search) {
    const struct grt_timeline *timeline = search->timeline;
    static const enum grt_row_kind kinds[GRT_STEP_KINDS] = {
        [GRT_STEP_CPU] = GRT_ROW_CORE,    [GRT_STEP_HOST] = GRT_ROW_CORE,
        [GRT_STEP_SPIN] = GRT_ROW_CORE,   [GRT_STEP_OVERHEAD] = GRT_ROW_CORE,
        [GRT_STEP_COPY] = GRT_ROW_ENGINE, [GRT_STEP_KERNEL] = GRT_ROW_STREAM};
    for (uint32_t i = 0; i < search->chain->count; i++) {
        struct grt_chain_step *step = &search->chain->steps[i];
        enum grt_row_kind kind = kinds[step->kind];
        if (kind == GRT_ROW_TASK || search->looks >= search->most_looks) {
            continue;
        }
        struct grt_place twin = grt_place_twin(timeline, step->home);
        search->looks += timeline->first_rows[kind + 1] - timeline->first_rows[kind];
        step->place = grt_place_is_some(&twin) ? twin : step->home;
    }
}

static void collect_calls(struct search *search, grt_time until) {
    const struct grt_timeline *timeline = search->timeline;
    for (uint32_t i = timeline->first_rows[GRT_ROW_STREAM]; i < timeline->first_rows[GRT_ROW_STREAM + 1];
         i++) {
        collect(search, &timeline->rows[i], GRT_PART_CALL, GRT_STEP_CALL, search->chain->story.arrival,
                until);
    }
}

/* What threads of the policy's own did for the job. */
static void collect_threads(struct search *search, grt_time until) {
    const struct grt_timeline *timeline = search->timeline;
    for (uint32_t i = timeline->first_rows[GRT_ROW_CORE]; i < timeline->first_rows[GRT_ROW_CORE + 1]; i++) {
        if (grt_row_track(&timeline->rows[i], GRT_PART_THREAD)->count > 0) {
            collect(search, &timeline->rows[i], GRT_PART_THREAD, GRT_STEP_THREAD,
                    search->chain->story.arrival, until);
        }
    }
}

/* ---- blocks ---- */

/* The blocks of a kernel on one SM, as one step. */
static void collect_blocks(struct search *search, const struct grt_row *sm, struct grt_place home) {
    const struct grt_timeline *timeline = search->timeline;
    struct grt_slice kernel = grt_place_slice(timeline, home);
    const struct grt_track *track = grt_row_track(sm, GRT_PART_BLOCK);
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, kernel.start - 1),
             end = grt_track_first_after(track, &cursor, kernel.end), last = GRT_NO_SLICE;
    struct grt_chain_step blocks = {.begin = kernel.end, .end = kernel.start};
    for (uint32_t i = end; i > first && may_look(search); i--) {
        struct grt_slice block = grt_track_at(track, i - 1);
        if (grt_slice_is_of(&block, kernel.task, kernel.job) && block.grid == kernel.grid &&
            grt_timeline_kernel_of(timeline, &block) == home.number) {
            last = i - 1;
            blocks.count += (block.flags & GRT_BLOCK_GOES_ON) == 0;
            blocks.begin = block.start < blocks.begin ? block.start : blocks.begin;
            blocks.end = block.end > blocks.end ? block.end : blocks.end;
        }
    }
    if (last != GRT_NO_SLICE) {
        struct grt_place place = grt_place_in(timeline, sm, GRT_PART_BLOCK, last);
        struct grt_chain_step *step =
            chain_add_step(search->chain, GRT_STEP_BLOCKS, place, blocks.begin, blocks.end);
        if (step != NULL) {
            step->home = home;
            step->count = blocks.count > 0 ? blocks.count : 1; /* or it goes on beyond the trace */
        }
    }
}

static void collect_all_blocks(struct search *search) {
    const struct grt_timeline *timeline = search->timeline;
    uint32_t steps = search->chain->count;
    for (uint32_t i = 0; i < steps; i++) {
        if (search->chain->steps[i].kind != GRT_STEP_KERNEL) {
            continue;
        }
        for (uint32_t row = timeline->first_rows[GRT_ROW_SM];
             row < timeline->first_rows[GRT_ROW_SM + 1] && may_look(search); row++) {
            collect_blocks(search, &timeline->rows[row], search->chain->steps[i].home);
        }
    }
}

/* ---- the beginning and the end ---- */

static void add_bounds(struct search *search, const struct grt_row *row) {
    struct grt_chain *chain = search->chain;
    const struct grt_job_story *story = &chain->story;
    if (grt_place_is_some(&story->window)) {
        chain_add_step(chain, GRT_STEP_RELEASE, story->window, story->release, story->release);
    }
    if (grt_place_is_some(&story->window) && story->deadline != GRT_TIME_NEVER) {
        chain_add_step(chain, GRT_STEP_DEADLINE, story->window, story->deadline, story->deadline);
        collect(search, row, GRT_PART_MISS, GRT_STEP_MISS, story->deadline, story->deadline);
    }
    if (grt_place_is_some(&story->whole)) {
        enum grt_chain_step_kind kind = story->kind == GRT_TRACE_FINISH  ? GRT_STEP_FINISH
                                        : story->kind == GRT_TRACE_ABORT ? GRT_STEP_ABORT
                                                                         : GRT_STEP_UNFINISHED;
        chain_add_step(chain, kind, story->whole, story->end, story->end);
    }
}

/* Signs of the job: a launch that failed, work that was lost, or that it was skipped. */
static void collect_signs(struct search *search, const struct grt_row *row, grt_time until) {
    uint32_t first = search->chain->count;
    collect(search, row, GRT_PART_SIGN, GRT_STEP_LAUNCH_FAILED, search->chain->story.arrival, until);
    for (uint32_t i = first; i < search->chain->count; i++) {
        struct grt_slice sign = grt_place_slice(search->timeline, search->chain->steps[i].place);
        if (sign.detail == GRT_TRACE_SKIP) {
            search->chain->steps[i].kind = GRT_STEP_SKIP;
        } else if (sign.detail == GRT_TRACE_LOST_ITEMS) {
            search->chain->steps[i].kind = GRT_STEP_LOST_ITEMS;
        }
    }
}

/* ---- all ---- */

static bool find(const struct grt_timeline *timeline, uint32_t task, uint32_t job, bool with_blocks,
                 struct grt_chain *chain) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    struct search search = {.timeline = timeline,
                            .chain = chain,
                            .task = task,
                            .job = job,
                            .most_looks = with_blocks ? MOST_LOOKS : MOST_LOOKS_OF_OUTLINES};
    chain->count = 0;
    chain->cut = false;
    bool found = grt_job_story_find(timeline, task, job, &chain->story);
    if (row == NULL) {
        return false;
    }
    if (!found) { /* it may have been skipped */
        chain->story.arrival = timeline->begin;
        collect_signs(&search, row, timeline->end);
        return chain->count > 0;
    }
    grt_time until = collect_segments(&search, row), from = chain->story.arrival;
    add_bounds(&search, row);
    collect(&search, row, GRT_PART_BLOCKED, GRT_STEP_BLOCKED, from, until);
    collect(&search, row, GRT_PART_CPU, GRT_STEP_CPU, from, until);
    collect(&search, row, GRT_PART_HOST, GRT_STEP_HOST, from, until);
    collect(&search, row, GRT_PART_SPIN, GRT_STEP_SPIN, from, until);
    collect(&search, row, GRT_PART_OVERHEAD, GRT_STEP_OVERHEAD, from, until);
    collect(&search, row, GRT_PART_COPY, GRT_STEP_COPY, from, until);
    collect(&search, row, GRT_PART_KERNEL, GRT_STEP_KERNEL, from, until);
    collect_signs(&search, row, until);
    place_steps(&search);
    collect_calls(&search, until);
    collect_threads(&search, until);
    if (with_blocks) {
        collect_all_blocks(&search);
    }
    chain_order(chain, with_blocks);
    if (with_blocks) {
        chain_add_waits(timeline, chain);
    }
    return true;
}

bool grt_chain_find(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                    struct grt_chain *chain) {
    return find(timeline, task, job, true, chain);
}

bool grt_chain_outline(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                       struct grt_chain *chain) {
    return find(timeline, task, job, false, chain);
}

void grt_chain_free(struct grt_chain *chain) {
    free(chain->steps);
    *chain = (struct grt_chain){.count = 0};
}

/* ---- the way back ---- */

uint32_t grt_chain_step_at(const struct grt_timeline *timeline, const struct grt_chain *chain,
                           struct grt_place place) {
    if (!grt_place_exists(timeline, place)) {
        return GRT_NO_STEP;
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        bool here = grt_place_is(step->place, place) ||
                    (step->kind != GRT_STEP_BLOCKS && grt_place_is(step->home, place));
        if (here && step->kind != GRT_STEP_DEADLINE) {
            return i;
        }
    }
    struct grt_slice slice = grt_place_slice(timeline, place);
    if (grt_place_part(timeline, place) != GRT_PART_BLOCK ||
        !grt_slice_is_of(&slice, chain->story.task, chain->story.job)) {
        return GRT_NO_STEP;
    }
    uint32_t kernel = grt_timeline_kernel_of(timeline, &slice);
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (step->kind == GRT_STEP_BLOCKS && step->place.row == place.row && step->home.number == kernel) {
            return i;
        }
    }
    return GRT_NO_STEP;
}
