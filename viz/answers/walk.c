#include "viz/answers/walk.h"

#include "viz/answers/chain.h"

enum { MOST_AT_ONCE = 65536 };

bool grt_place_job(const struct grt_timeline *timeline, struct grt_place place, uint32_t *task,
                   uint32_t *job) {
    if (!grt_place_exists(timeline, place) || grt_place_part(timeline, place) == GRT_PART_TURN) {
        return false;
    }
    struct grt_slice slice = grt_place_slice(timeline, place);
    *task = slice.task;
    *job = slice.job;
    return grt_timeline_row(timeline, GRT_ROW_TASK, slice.task) != NULL;
}

/* Steps that the walk goes to. A deadline's place is that of the release, an end's is the whole job, from which it would begin
 * again; a wait's is that of the request. */
static bool is_stop(const struct grt_chain_step *step) {
    switch (step->kind) {
    case GRT_STEP_DEADLINE:
    case GRT_STEP_FINISH:
    case GRT_STEP_ABORT:
    case GRT_STEP_UNFINISHED:
    case GRT_STEP_WAIT:
        return false;
    default:
        return step->kind != GRT_STEP_BLOCKS || step->lead;
    }
}

static struct grt_place stop_beside(const struct grt_chain *chain, uint32_t from, int step) {
    for (uint32_t i = from + (uint32_t)step; i < chain->count; i += (uint32_t)step) {
        if (is_stop(&chain->steps[i])) {
            return chain->steps[i].place;
        }
    }
    return grt_place_none();
}

/* From a job as a whole to what it did first. */
static struct grt_place next_stop(const struct grt_timeline *timeline, const struct grt_chain *chain,
                                  struct grt_place place, int step) {
    uint32_t from = grt_chain_step_at(timeline, chain, place);
    if (grt_place_is(place, chain->story.whole) || grt_place_is(place, chain->story.window)) {
        for (from = 0; from < chain->count && chain->steps[from].kind != GRT_STEP_RELEASE;) {
            from++;
        }
        from =
            from < chain->count ? from : UINT32_MAX; /* where the trace has no release, all come behind it */
        return step > 0 ? stop_beside(chain, from, step) : grt_place_none();
    }
    return from != GRT_NO_STEP ? stop_beside(chain, from, step) : grt_place_none();
}

struct grt_place grt_walk_along_job(const struct grt_timeline *timeline, struct grt_place place, int step) {
    struct grt_chain chain = {.count = 0};
    struct grt_place next = grt_place_none();
    uint32_t task, job;
    if (grt_place_job(timeline, place, &task, &job) && grt_chain_find(timeline, task, job, &chain)) {
        next = next_stop(timeline, &chain, place, step);
    }
    grt_chain_free(&chain);
    return next;
}

struct grt_place grt_walk_jobs(const struct grt_timeline *timeline, struct grt_place place, int step) {
    struct grt_job_story story;
    uint32_t task, job;
    if (!grt_place_job(timeline, place, &task, &job)) {
        return grt_place_none();
    }
    grt_time instant = grt_place_slice(timeline, place).end;
    if (!grt_job_story_near(timeline, task, job, instant, &story)) {
        return grt_place_none();
    }
    struct grt_place from = grt_place_is_some(&story.whole) ? story.whole : story.window;
    return grt_place_beside(timeline, from, step);
}

/* ---- misses ---- */

/* The first miss at or behind an instant. */
static uint32_t first_miss_from(const struct grt_timeline *timeline, grt_time instant) {
    uint32_t low = 0, high = timeline->miss_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->misses[middle].deadline < instant) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t miss_or_none(const struct grt_timeline *timeline, uint32_t miss) {
    return miss < timeline->miss_count ? miss : GRT_NO_SLICE;
}

uint32_t grt_miss_beside(const struct grt_timeline *timeline, grt_time instant, int step) {
    uint32_t miss =
        step > 0 ? first_miss_from(timeline, instant + 1) : first_miss_from(timeline, instant) - 1;
    return miss_or_none(timeline, miss);
}

struct grt_place grt_miss_place(const struct grt_timeline *timeline, uint32_t miss) {
    const struct grt_row *row = miss < timeline->miss_count
                                    ? grt_timeline_row(timeline, GRT_ROW_TASK, timeline->misses[miss].task)
                                    : NULL;
    if (row == NULL) {
        return grt_place_none();
    }
    grt_time deadline = timeline->misses[miss].deadline;
    const struct grt_track *track = grt_row_track(row, GRT_PART_MISS);
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, deadline - 1);
    for (uint32_t i = first;
         i < track->count && i - first < MOST_AT_ONCE && grt_track_end(track, i) == deadline; i++) {
        if (grt_track_at(track, i).detail == miss) {
            return grt_place_in(timeline, row, GRT_PART_MISS, i);
        }
    }
    return grt_place_none();
}

struct grt_place grt_walk_misses(const struct grt_timeline *timeline, struct grt_place place,
                                 grt_time instant, int step) {
    uint32_t miss;
    if (grt_place_exists(timeline, place) && grt_place_part(timeline, place) == GRT_PART_MISS) {
        miss = miss_or_none(timeline, grt_place_slice(timeline, place).detail + (uint32_t)step);
    } else {
        miss = grt_miss_beside(timeline, instant, step);
    }
    for (; miss < timeline->miss_count; miss += (uint32_t)step) { /* over those of tasks without a row */
        struct grt_place found = grt_miss_place(timeline, miss);
        if (grt_place_is_some(&found)) {
            return found;
        }
    }
    return grt_place_none();
}
