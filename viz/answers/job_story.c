#include "viz/answers/job_story.h"

/* What is looked at where a search does not find it at once. */
enum { LOOKED_AT_NEAR = 4096, LOOKED_AT_BESIDE = 256 };

const struct grt_track *grt_task_track(const struct grt_timeline *timeline, uint32_t task,
                                       enum grt_track_part part) {
    return grt_row_track(grt_timeline_row(timeline, GRT_ROW_TASK, task), part);
}

/* ---- one slice of a job ---- */

/* As if the jobs were in order; GRT_NO_SLICE if that does not lead to the job. */
static uint32_t search_job(const struct grt_track *track, uint32_t job) {
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (grt_track_at(track, middle).job < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < track->count && grt_track_at(track, low).job == job ? low : GRT_NO_SLICE;
}

/* Among those that end before or behind an instant. */
static uint32_t look_near(const struct grt_track *track, uint32_t job, grt_time instant) {
    struct grt_track_cursor cursor = {0};
    uint32_t middle = grt_track_first_after(track, &cursor, instant - 1);
    for (uint32_t i = 0; i < LOOKED_AT_NEAR; i++) {
        if (i < track->count - middle && grt_track_at(track, middle + i).job == job) {
            return middle + i;
        }
        if (i < middle && grt_track_at(track, middle - 1 - i).job == job) {
            return middle - 1 - i;
        }
    }
    return GRT_NO_SLICE;
}

static uint32_t look_everywhere(const struct grt_track *track, uint32_t job) {
    for (uint32_t i = 0; i < track->count; i++) {
        if (grt_track_at(track, i).job == job) {
            return i;
        }
    }
    return GRT_NO_SLICE;
}

/* `near`: an instant, or GRT_TIME_NEVER to look everywhere. */
static uint32_t find_job(const struct grt_track *track, uint32_t job, grt_time near) {
    uint32_t number = search_job(track, job);
    if (number != GRT_NO_SLICE) {
        return number;
    }
    return near != GRT_TIME_NEVER ? look_near(track, job, near) : look_everywhere(track, job);
}

/* ---- the story ---- */

static void take_window(struct grt_job_story *story, const struct grt_slice *window) {
    bool reversed = (window->flags & GRT_WINDOW_REVERSED) != 0,
         endless = (window->flags & GRT_WINDOW_ENDLESS) != 0;
    story->release = reversed ? window->end : window->start;
    story->deadline = endless ? GRT_TIME_NEVER : reversed ? window->start : window->end;
}

static void take_whole(struct grt_job_story *story, const struct grt_slice *whole) {
    story->arrival = whole->start;
    story->end = whole->end;
    story->kind = (uint8_t)whole->detail;
    story->late = (whole->flags & GRT_TRACE_LATE) != 0;
}

static bool find_story(const struct grt_timeline *timeline, uint32_t task, uint32_t job, grt_time near,
                       struct grt_job_story *story) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    *story = (struct grt_job_story){.task = task,
                                    .job = job,
                                    .window = grt_place_none(),
                                    .whole = grt_place_none(),
                                    .deadline = GRT_TIME_NEVER,
                                    .end = timeline->end};
    if (row == NULL) {
        return false;
    }
    uint32_t window = find_job(grt_row_track(row, GRT_PART_WINDOW), job, near),
             whole = find_job(grt_row_track(row, GRT_PART_JOB), job, near);
    story->window = grt_place_in(timeline, row, GRT_PART_WINDOW, window);
    story->whole = grt_place_in(timeline, row, GRT_PART_JOB, whole);
    if (window != GRT_NO_SLICE) {
        struct grt_slice slice = grt_place_slice(timeline, story->window);
        take_window(story, &slice);
        story->arrival = story->release;
    }
    if (whole != GRT_NO_SLICE) {
        struct grt_slice slice = grt_place_slice(timeline, story->whole);
        take_whole(story, &slice);
        story->release = window == GRT_NO_SLICE ? story->arrival : story->release;
    }
    story->late = story->late || (story->kind == GRT_TRACE_ABORT && story->end >= story->deadline);
    return window != GRT_NO_SLICE || whole != GRT_NO_SLICE;
}

bool grt_job_story_find(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                        struct grt_job_story *story) {
    return find_story(timeline, task, job, GRT_TIME_NEVER, story);
}

bool grt_job_story_near(const struct grt_timeline *timeline, uint32_t task, uint32_t job, grt_time instant,
                        struct grt_job_story *story) {
    return find_story(timeline, task, job, instant, story);
}

/* ---- what a job did about an instant ---- */

uint32_t grt_track_last_of(const struct grt_track *track, uint32_t task, uint32_t job, grt_time instant) {
    struct grt_track_cursor cursor = {0};
    uint32_t end = grt_track_first_after(track, &cursor, instant);
    for (uint32_t i = end; i > 0 && end - i < LOOKED_AT_BESIDE; i--) {
        struct grt_slice slice = grt_track_at(track, i - 1);
        if (grt_slice_is_of(&slice, task, job)) {
            return i - 1;
        }
    }
    return GRT_NO_SLICE;
}

uint32_t grt_track_around(const struct grt_track *track, uint32_t task, uint32_t job, grt_time instant) {
    struct grt_track_cursor cursor = {0};
    uint32_t i = grt_track_first_after(track, &cursor, instant - 1), best = GRT_NO_SLICE;
    grt_time start = 0;
    for (uint32_t looks = 0; looks < LOOKED_AT_BESIDE; looks++, i++) {
        i = grt_track_next_before(track, i, instant + 1);
        if (i == GRT_NO_SLICE) {
            break;
        }
        struct grt_slice slice = grt_track_at(track, i);
        if (grt_slice_is_of(&slice, task, job) && (best == GRT_NO_SLICE || slice.start > start)) {
            best = i;
            start = slice.start;
        }
    }
    return best;
}
