#include "viz/answers/core_users.h"

/* Beyond these an answer would take too long for the pointer that asks. */
enum { MOST_LOOKS = 1024, MOST_USERS = 16 };

struct users {
    struct grt_core_user items[MOST_USERS];
    uint32_t count, looks;
};

static bool is_used(enum grt_track_part part) {
    return part == GRT_PART_CPU || part == GRT_PART_HOST || part == GRT_PART_SPIN || part == GRT_PART_THREAD;
}

static bool add_time(struct users *users, const struct grt_core_user *one, grt_time span) {
    uint32_t i = 0;
    while (i < users->count && (users->items[i].task != one->task || users->items[i].thread != one->thread)) {
        i++;
    }
    if (i == MOST_USERS) {
        return false;
    }
    if (i == users->count) {
        users->items[users->count++] = (struct grt_core_user){.task = one->task, .thread = one->thread};
    }
    struct grt_core_user *user = &users->items[i];
    user->time = one->time < span - user->time ? user->time + one->time : span;
    user->spinning = one->spinning < span - user->spinning ? user->spinning + one->spinning : span;
    return true;
}

/* False if there is too much to look at. */
static bool add_track(struct users *users, const struct grt_track *track, enum grt_track_part part,
                      const struct grt_slice *wanted) {
    struct grt_track_cursor cursor = {0};
    uint32_t i = grt_track_first_after(track, &cursor, wanted->start);
    for (;; i++) {
        i = grt_track_next_before(track, i, wanted->end);
        if (i == GRT_NO_SLICE) {
            return true;
        }
        struct grt_slice slice = grt_track_at(track, i);
        grt_time start = slice.start > wanted->start ? slice.start : wanted->start,
                 end = slice.end < wanted->end ? slice.end : wanted->end;
        bool thread = part == GRT_PART_THREAD,
             own = !thread && slice.task == wanted->task && slice.job == wanted->job;
        struct grt_core_user one = {.task = thread ? GRT_TRACE_NO_TASK : slice.task,
                                    .thread = thread ? grt_trace_thread_of(slice.detail) : GRT_NO_THREAD,
                                    .time = end - start,
                                    .spinning = part == GRT_PART_SPIN ? end - start : 0};
        if (users->looks++ == MOST_LOOKS || (!own && !add_time(users, &one, wanted->end - wanted->start))) {
            return false;
        }
    }
}

struct grt_core_user grt_core_user(const struct grt_row *core, uint32_t task, uint32_t job, grt_time from,
                                   grt_time to) {
    const struct grt_core_user nobody = {.task = GRT_TRACE_NO_TASK, .thread = GRT_NO_THREAD};
    const struct grt_slice wanted = {.start = from, .end = to, .task = (uint16_t)task, .job = job};
    struct users users = {.count = 0};
    struct grt_core_user best = nobody;
    for (uint32_t i = 0; i < core->track_count && from < to; i++) {
        if (is_used(core->tracks[i].part) &&
            !add_track(&users, core->tracks[i].track, core->tracks[i].part, &wanted)) {
            return nobody;
        }
    }
    for (uint32_t i = 0; i < users.count; i++) {
        best = users.items[i].time > best.time ? users.items[i] : best;
    }
    return best;
}

bool grt_core_next(const struct grt_row *core, uint32_t track, uint32_t number, struct grt_slice *next,
                   enum grt_track_part *part) {
    grt_time end = grt_track_end(core->tracks[track].track, number);
    bool found = false;
    for (uint32_t i = 0; i < core->track_count; i++) {
        const struct grt_track *one = core->tracks[i].track;
        struct grt_track_cursor cursor = {0};
        uint32_t at = i == track ? number + 1 : grt_track_first_after(one, &cursor, end);
        if (at < one->count) {
            struct grt_slice slice = grt_track_at(one, at);
            bool first = slice.start >= end && (!found || slice.start < next->start);
            *next = first ? slice : *next;
            *part = first ? core->tracks[i].part : *part;
            found |= first;
        }
    }
    return found;
}
