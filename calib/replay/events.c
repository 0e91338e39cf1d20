/* When events were. A driver only says how much time lies between two of them, as a float of milliseconds: exact to the nanosecond for a few
 * milliseconds. So there is a new mark, an event in a stream of its own, every now and then, and each event is timed by the mark
 * before the newest, which was done before the event was: events are read soon after they are done. The first mark is timed by
 * kernels, whose ends are known by the device's timer and after each of which an event is recorded. */
#include <math.h>

#include "calib/replay/internal.h"

enum { ANCHORS = 16, MARK_EVERY = 2 * GRT_MILLISECOND };

uint32_t replay_event_take(struct replay_run *run) {
    struct replay_events *events = &run->events;
    if (events->free_count == 0) {
        if (!run->is_stuck) {
            grt_error_add(run->errors, NULL, "more events are needed at a time than were planned");
        }
        run->is_stuck = true;
        return 0;
    }
    return events->free[--events->free_count];
}

void replay_event_give(struct replay_run *run, uint32_t event) {
    run->events.free[run->events.free_count++] = event;
}

/* By the device's timer; `from` is known and was before. */
static int64_t time_after(const struct replay_run *run, const struct replay_mark *from, uint32_t event) {
    return from->device + llround(grt_bench_elapsed_ns(run->bench, from->event, event));
}

int64_t replay_event_time(const struct replay_run *run, uint32_t event) {
    const struct replay_events *events = &run->events;
    uint32_t known = 0;
    for (uint32_t i = 0; i < events->mark_count; i++) {
        const struct replay_mark *mark = &events->marks[i];
        known += mark->device != NO_INSTANT;
        if (known == 2 || (known == 1 && i + 1 == events->mark_count)) {
            return time_after(run, mark, event);
        }
    }
    return NO_INSTANT;
}

static void add_mark(struct replay_run *run, uint32_t event, int64_t device) {
    struct replay_events *events = &run->events;
    if (events->mark_count == REPLAY_MARKS) {
        replay_event_give(run, events->marks[--events->mark_count].event);
    }
    for (uint32_t i = events->mark_count++; i > 0; i--) {
        events->marks[i] = events->marks[i - 1];
    }
    events->marks[0] = (struct replay_mark){event, device};
}

void replay_events_mark(struct replay_run *run) {
    struct replay_events *events = &run->events;
    if (!run->needs->times_events) {
        return;
    }
    struct replay_mark *newest = &events->marks[0];
    if (newest->device == NO_INSTANT && grt_bench_event_is_done(run->bench, newest->event)) {
        newest->device = time_after(run, &events->marks[1], newest->event);
        grt_time late = grt_bench_now(run->bench) - events->marked;
        events->latest = late > events->latest ? late : events->latest;
    }
    grt_time now = grt_bench_now(run->bench);
    if (now >= events->next_mark && newest->device != NO_INSTANT) {
        uint32_t event = replay_event_take(run);
        grt_bench_record(run->bench, events->stream, event);
        add_mark(run, event, NO_INSTANT);
        events->marked = now;
        events->next_mark = now + MARK_EVERY;
    }
}

/* The first mark and, by the kernel whose end and event are the closest, when it was. */
static void anchor(struct replay_run *run) {
    struct replay_events *events = &run->events;
    struct grt_bench *bench = run->bench;
    struct grt_bench_launch launch = {
        .kernel = GRT_KERNEL_SPIN_NS, .amount = 1000, .blocks = 1, .record = true};
    uint32_t first = replay_event_take(run), after = replay_event_take(run);
    int64_t best = INT64_MAX;
    grt_bench_record(bench, events->stream, first);
    for (int i = 0; i < ANCHORS; i++) {
        grt_bench_clear_records(bench, 0, 1);
        grt_bench_launch(bench, events->stream, &launch);
        grt_bench_record(bench, events->stream, after);
        grt_bench_sync_stream(bench, events->stream);
        const struct grt_block_record *record = grt_bench_records(bench, 0, 1);
        if (record == NULL) {
            return;
        }
        int64_t later = llround(grt_bench_elapsed_ns(bench, first, after)) - (int64_t)record->end_ns;
        best = later < best ? later : best;
    }
    replay_event_give(run, after);
    add_mark(run, first, -best);
}

void replay_events_stream(struct replay_run *run) {
    if (run->needs->times_events) {
        run->events.stream =
            grt_bench_stream(run->bench, NULL, grt_bench_device(run->bench)->priority_greatest);
    }
}

/* A float of milliseconds has 24 bits. */
static const grt_time exact_for = 16 * GRT_MILLISECOND;

void replay_events_note(struct replay_run *run) {
    char late[GRT_TIME_TEXT_SIZE];
    if (run->events.latest > exact_for) {
        replay_note(
            run->out,
            "warning: events by which copies and calls are timed were late, by up to %s, as behind other "
            "streams in a hardware queue: over so long a time the driver's answers are not exact to 1ns",
            grt_time_text(run->events.latest, late));
    }
}

void replay_events_start(struct replay_run *run) {
    struct replay_events *events = &run->events;
    uint32_t count = GRT_BENCH_EVENTS - run->needs->user_events;
    events->free = grt_arena_array(&run->arena, count, sizeof *events->free);
    for (uint32_t i = 0; i < count; i++) {
        events->free[events->free_count++] = GRT_BENCH_EVENTS - 1 - i;
    }
    if (run->needs->times_events) {
        anchor(run);
        for (int i = 0; i < 2 && !grt_bench_is_lost(run->bench); i++) {
            replay_events_mark(run);
            grt_bench_sync_stream(run->bench, events->stream);
        }
        events->next_mark = events->latest = 0;
    }
}
