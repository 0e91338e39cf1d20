#include "viz/answers/others.h"

#include <string.h>

/* Beyond these an answer would take too long for the pointer that asks. */
enum { MOST_TASKS = 1024, MOST_LOOKS = 1024, MOST_WORKERS = 16 };

static const struct grt_other nobody = {.task = GRT_TRACE_NO_TASK};

struct workers {
    struct grt_other items[MOST_WORKERS];
    uint32_t count;
};

/* Where slices overlap, a worker has had no more than all of the span. */
static bool add_time(struct workers *workers, uint32_t task, grt_time time, grt_time span) {
    uint32_t i = 0;
    while (i < workers->count && workers->items[i].task != task) {
        i++;
    }
    if (i == MOST_WORKERS) {
        return false;
    }
    if (i == workers->count) {
        workers->items[workers->count++] = (struct grt_other){.task = task};
    }
    struct grt_other *worker = &workers->items[i];
    worker->time = time < span - worker->time ? worker->time + time : span;
    return true;
}

static struct grt_other longest(const struct workers *workers) {
    struct grt_other best = nobody;
    for (uint32_t i = 0; i < workers->count; i++) {
        if (workers->items[i].time > best.time) {
            best = workers->items[i];
        }
    }
    return best;
}

struct grt_other grt_other_in_track(const struct grt_track *track, uint32_t task, uint32_t job, grt_time from,
                                    grt_time to) {
    struct workers workers = {.count = 0};
    struct grt_track_cursor cursor = {0};
    uint32_t i = grt_track_first_after(track, &cursor, from);
    for (uint32_t looks = 0;; looks++, i++) {
        i = grt_track_next_before(track, i, to);
        if (i == GRT_NO_SLICE) {
            return longest(&workers);
        }
        struct grt_slice slice = grt_track_at(track, i);
        grt_time start = slice.start > from ? slice.start : from, end = slice.end < to ? slice.end : to;
        bool own = slice.task == task && slice.job == job;
        if (looks == MOST_LOOKS || (!own && !add_time(&workers, slice.task, end - start, to - from))) {
            return nobody;
        }
    }
}

grt_time grt_track_time_in(const struct grt_track *track, grt_time from, grt_time to) {
    struct grt_track_cursor cursor = {0};
    grt_wide before = grt_track_busy(track, &cursor, from);
    grt_wide time = grt_track_busy(track, &cursor, to) - before;
    return time < (grt_wide)(uint64_t)(to - from) ? (grt_time)time : to - from;
}

struct grt_other grt_other_on_gpu(const struct grt_timeline *timeline, enum grt_track_part part,
                                  uint32_t task, grt_time from, grt_time to) {
    uint32_t tasks = timeline->first_rows[GRT_ROW_TASK + 1];
    struct grt_other best = nobody;
    for (uint32_t i = 0; i < tasks && tasks <= MOST_TASKS && from < to; i++) {
        const struct grt_track *track = grt_row_track(&timeline->rows[i], part);
        grt_time time = i != task ? grt_track_time_in(track, from, to) : 0;
        if (time > best.time) {
            best = (struct grt_other){.task = i, .time = time};
        }
    }
    return best;
}

static bool names_a_gpu(const struct grt_timeline *timeline, enum grt_row_kind kind) {
    uint32_t first = timeline->first_rows[kind], end = timeline->first_rows[kind + 1];
    const char *last = first < end ? timeline->rows[end - 1].name : "";
    return strncmp(last, "gpu", 3) == 0 && last[3] >= '0' && last[3] <= '9';
}

enum grt_gpu_use grt_gpu_use(const struct grt_timeline *timeline) {
    if (names_a_gpu(timeline, GRT_ROW_SM) || names_a_gpu(timeline, GRT_ROW_ENGINE)) {
        return GRT_IS_ON_SOME_GPU;
    }
    bool turns = timeline->first_rows[GRT_ROW_PROCESS] < timeline->first_rows[GRT_ROW_PROCESS + 1];
    return turns ? GRT_IS_ON_THE_GPU : GRT_USES_THE_GPU;
}

struct grt_users grt_users_none(void) {
    return (struct grt_users){.longest = {nobody, nobody, nobody}};
}

void grt_users_add(struct grt_users *users, struct grt_other user) {
    users->count += user.time > 0;
    for (uint32_t i = 0; i < GRT_USERS; i++) {
        if (user.time > users->longest[i].time) {
            struct grt_other shorter = users->longest[i];
            users->longest[i] = user;
            user = shorter;
        }
    }
}

grt_time grt_time_on_gpu(const struct grt_timeline *timeline, uint32_t task, bool copies, grt_time from,
                         grt_time to) {
    const struct grt_row *row = &timeline->rows[task];
    grt_time kernels = grt_track_time_in(grt_row_track(row, GRT_PART_KERNEL), from, to);
    grt_time copying = copies ? grt_track_time_in(grt_row_track(row, GRT_PART_COPY), from, to) : 0;
    return kernels < to - from - copying ? kernels + copying : to - from;
}

struct grt_users grt_users_of_gpu(const struct grt_timeline *timeline, uint32_t task, grt_time from,
                                  grt_time to) {
    uint32_t tasks = timeline->first_rows[GRT_ROW_TASK + 1];
    struct grt_users users = grt_users_none();
    for (uint32_t i = 0; i < tasks && tasks <= MOST_TASKS && from < to; i++) {
        if (i != task) {
            grt_users_add(&users, (struct grt_other){i, grt_time_on_gpu(timeline, i, true, from, to)});
        }
    }
    return users;
}

uint32_t grt_track_only_in(const struct grt_track *track, grt_time from, grt_time to) {
    struct grt_track_cursor cursor = {0};
    uint32_t first = grt_track_first_after(track, &cursor, from);
    first = grt_track_next_before(track, first, to);
    return first != GRT_NO_SLICE && grt_track_next_before(track, first + 1, to) == GRT_NO_SLICE
               ? first
               : GRT_NO_SLICE;
}
