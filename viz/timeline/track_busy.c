/* How busy a track was until any instant: the sums at marks, which stand at every so many starts and ends, and at ticks, which
 * stand at equal distances of time. Marks answer for any instant in bounded time, however the slices lie; ticks answer at
 * once, where nearly any instant will do. */
#include "sim/memory.h"
#include "viz/timeline/track_internal.h"

enum { MARK = 64, TICK_SLICES = 5, LEAST_TICKS = 32 };

/* ---- settling ---- */

/* The sums while starts and ends are gone through in their order. */
struct sums {
    grt_time time;
    grt_wide busy;
    uint64_t running;
    uint32_t starts, ends;
};

/* A tick for at least 5 slices, 32 ticks at least. */
static void make_ticks(struct grt_track *track) {
    uint64_t span = (uint64_t)(track->end - track->begin);
    track->tick_bits = 0;
    while ((span >> track->tick_bits) + 2 > track->count / TICK_SLICES && track->tick_bits < 62) {
        track->tick_bits++;
    }
    uint64_t count = (span >> track->tick_bits) + 2;
    free(track->ticks);
    track->ticks = NULL;
    track->tick_count = 0;
    if (count >= LEAST_TICKS && count <= track->count / TICK_SLICES) {
        track->tick_count = (uint32_t)count;
        track->ticks = grt_allocate(count * sizeof *track->ticks);
    }
}

/* Busy times at ticks have 64 bits. */
static void drop_ticks(struct grt_track *track, grt_wide busy) {
    if (busy >> 64 != 0) {
        free(track->ticks);
        track->ticks = NULL;
        track->tick_count = 0;
    }
}

/* Answers the ticks that are before the next start or end. */
static inline uint32_t set_ticks_until(struct grt_track *track, const struct sums *sums, uint32_t tick,
                                       grt_time next) {
    for (; tick < track->tick_count && grt_track_tick_time(track, tick) < next; tick++) {
        uint64_t since = (uint64_t)(grt_track_tick_time(track, tick) - sums->time);
        uint64_t busy = (uint64_t)sums->busy + sums->running * since;
        track->ticks[tick] = (struct grt_track_tick){sums->ends, (uint32_t)busy, (uint32_t)(busy >> 32)};
    }
    return tick;
}

/* When the next start or end is; the start of a slice without time comes before its end. */
static inline grt_time next_time(const struct grt_track *track, const struct sums *sums, bool *is_start) {
    grt_time end = track_packed_at(track, sums->ends)->end;
    *is_start = false;
    if (sums->starts < track->count) {
        grt_time start = track_start_of(track, grt_track_started(track, sums->starts));
        *is_start = start <= end;
        return *is_start ? start : end;
    }
    return end;
}

static inline void take_next(const struct grt_track *track, struct sums *sums, grt_time time, bool is_start) {
    sums->busy += (grt_wide)sums->running * (uint64_t)(time - sums->time);
    sums->time = time;
    if (is_start) {
        sums->running += track_weight_of(track_packed_at(track, grt_track_started(track, sums->starts++)));
    } else {
        sums->running -= track_weight_of(track_packed_at(track, sums->ends++));
    }
}

static struct grt_track_mark mark_of(const struct sums *sums) {
    return (struct grt_track_mark){.time = sums->time,
                                   .busy_low = (uint64_t)sums->busy,
                                   .running = sums->running,
                                   .busy_high = (uint32_t)(sums->busy >> 64),
                                   .ends = sums->ends};
}

void track_set_sums(struct grt_track *track) {
    struct sums sums = {.time = track->begin};
    uint32_t marks = 0, tick = 0;
    make_ticks(track);
    track->mark_count = 2 * (track->count / MARK) + 2;
    track->marks = grt_reallocate(track->marks, track->mark_count * sizeof *track->marks);
    while (sums.ends < track->count) {
        bool is_start;
        grt_time next = next_time(track, &sums, &is_start);
        if (((uint64_t)sums.starts + sums.ends) % MARK == 0) {
            track->marks[marks++] = mark_of(&sums);
        }
        tick = set_ticks_until(track, &sums, tick, next);
        take_next(track, &sums, next, is_start);
    }
    set_ticks_until(track, &sums, tick, GRT_TIME_NEVER);
    drop_ticks(track, sums.busy);
    track->mark_count = marks;
}

/* ---- questions ---- */

/* The last mark that is not behind an instant, from one that is not: steps that double, then halves. */
static uint32_t find_mark(const struct grt_track *track, uint32_t from, grt_time instant) {
    uint32_t step = 1, low = from;
    while (step < track->mark_count - low && track->marks[low + step].time <= instant) {
        low += step;
        step *= 2;
    }
    uint32_t high = step < track->mark_count - low ? low + step : track->mark_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (track->marks[middle].time <= instant) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Goes to the last mark before an instant, unless the cursor is behind it already. */
static inline void skip_to_mark(const struct grt_track *track, struct grt_track_cursor *cursor,
                                grt_time instant) {
    uint32_t next = cursor->mark + 1;
    if (next >= track->mark_count || track->marks[next].time > instant) {
        return;
    }
    cursor->mark = find_mark(track, next, instant);
    const struct grt_track_mark *mark = &track->marks[cursor->mark];
    uint64_t happened = (uint64_t)cursor->mark * MARK;
    if (happened > (uint64_t)cursor->starts + cursor->ends) {
        cursor->starts = (uint32_t)(happened - mark->ends);
        cursor->ends = mark->ends;
        cursor->time = mark->time;
        cursor->running = mark->running;
        cursor->busy = (grt_wide)mark->busy_high << 64 | mark->busy_low;
    }
}

/* Moves on to an instant: what runs, and what starts until then, but for what those have not had that end before it. */
static void move_on(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant) {
    grt_wide busy = cursor->busy + (grt_wide)cursor->running * (uint64_t)(instant - cursor->time);
    uint64_t running = cursor->running;
    uint32_t starts = cursor->starts, ends = cursor->ends;
    for (; starts < track->count; starts++) {
        uint32_t number = grt_track_started(track, starts);
        grt_time start = track_start_of(track, number);
        if (start > instant) {
            break;
        }
        uint32_t weight = track_weight_of(track_packed_at(track, number));
        busy += (grt_wide)(uint64_t)(instant - start) * weight;
        running += weight;
    }
    for (; ends < track->count; ends++) {
        const struct track_packed *slice = track_packed_at(track, ends);
        if (slice->end > instant) {
            break;
        }
        uint32_t weight = track_weight_of(slice);
        busy -= (grt_wide)(uint64_t)(instant - slice->end) * weight;
        running -= weight;
    }
    cursor->starts = starts;
    cursor->ends = ends;
    cursor->time = instant;
    cursor->running = running;
    cursor->busy = busy;
}

grt_wide grt_track_reach(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant,
                         uint32_t *first_after) {
    *first_after = 0;
    if (track->count == 0 || instant < track->begin) {
        return 0;
    }
    skip_to_mark(track, cursor, instant);
    move_on(track, cursor, instant);
    *first_after = cursor->ends;
    return cursor->busy;
}

grt_wide grt_track_busy(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant) {
    uint32_t first_after;
    return grt_track_reach(track, cursor, instant, &first_after);
}

grt_wide grt_track_reach_tick(const struct grt_track *track, uint32_t tick, uint32_t *first_after) {
    const struct grt_track_tick *answers = &track->ticks[tick];
    *first_after = answers->first;
    return (uint64_t)answers->busy_high << 32 | answers->busy_low;
}

static void expect_nodes(const struct grt_track *track, uint32_t slice) {
    uint32_t node = slice / TRACK_FAN_OUT;
    for (uint32_t i = node; i < track->level_counts[0] && i <= node + 4; i += 4) { /* a line of the cache */
        __builtin_prefetch(&track->nodes[i]);
    }
}

void grt_track_expect(const struct grt_track *track, uint64_t tick, uint64_t summed_tick) {
    if (tick < track->tick_count) {
        __builtin_prefetch(&track->ticks[tick]);
    }
    if (summed_tick < track->tick_count) {
        expect_nodes(track, track->ticks[summed_tick].first);
    }
}

void grt_track_expect_slices(const struct grt_track *track, uint64_t from, uint64_t end) {
    end = end < track->count ? end : track->count;
    for (uint64_t i = from; i < end; i += 2) { /* a line of the cache holds two and a half */
        __builtin_prefetch(track_packed_at(track, (uint32_t)i));
    }
}

void grt_track_expect_instant(const struct grt_track *track, struct grt_track_cursor *cursor,
                              grt_time instant) {
    if (track->count == 0 || instant < track->begin) {
        return;
    }
    cursor->mark = find_mark(track, cursor->mark, instant);
    uint32_t ends = track->marks[cursor->mark].ends;
    grt_track_expect_slices(track, ends, (uint64_t)ends + MARK / 2);
    expect_nodes(track, ends);
    if (track->moves != NULL) {
        __builtin_prefetch(&track->moves[ends]);
    }
}
