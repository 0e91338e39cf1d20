#include "cli/trace/gantt_window.h"

enum { RECORDS_KEPT = 1 << 23, JOBS_OF_THE_FASTEST = 30 };

static bool keep_names(void *sink, const struct grt_trace_name *names, size_t count) {
    struct grt_gantt_window *window = sink;
    window->kept.record_limit = RECORDS_KEPT;
    return grt_trace_memory_sink.names(&window->kept, names, count);
}

/* A release reaches to its deadline, a slice from its start to its end; a request, priority or share belongs to whatever follows. */
static bool overlaps(const struct grt_gantt_window *window, const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        return record->time <= window->to && (record->time >= window->from || record->other >= window->from);
    case GRT_TRACE_GPU_REQUEST:
    case GRT_TRACE_PRIORITY:
    case GRT_TRACE_SHARE:
        return record->time <= window->to;
    case GRT_TRACE_SKIP:
    case GRT_TRACE_MISS:
        return record->time <= window->to && record->time >= window->from;
    default:
        return record->other <= window->to && record->time >= window->from;
    }
}

static void note_miss(struct grt_gantt_window *window, const struct grt_trace_record *record) {
    if ((record->flags & GRT_TRACE_LATE) == 0 && record->kind != GRT_TRACE_MISS) {
        return;
    }
    if (overlaps(window, record)) {
        window->any_miss = true;
    } else if (window->later_miss.kind == 0 && record->kind != GRT_TRACE_MISS && record->time > window->to) {
        window->later_miss = *record;
    }
}

/* Passes runs of records on, so that a window over everything costs one call. */
static bool keep_records(void *sink, const struct grt_trace_record *records, size_t count) {
    struct grt_gantt_window *window = sink;
    bool done = true;
    for (size_t i = 0; i < count; i++) {
        note_miss(window, &records[i]);
    }
    for (size_t i = 0; i < count && done;) {
        size_t begin = i;
        while (i < count && overlaps(window, &records[i])) {
            i++;
        }
        done = i == begin || grt_trace_memory_sink.write(&window->kept, records + begin, i - begin);
        while (i < count && !overlaps(window, &records[i])) {
            i++;
        }
    }
    return done;
}

static bool end_records(void *sink) {
    struct grt_gantt_window *window = sink;
    return grt_trace_memory_sink.end == NULL || grt_trace_memory_sink.end(&window->kept);
}

const struct grt_trace_sink grt_gantt_window_sink = {
    .names = keep_names, .write = keep_records, .end = end_records};

grt_time grt_gantt_window_end(const struct grt_scenario *scenario) {
    grt_time longest = 0, shortest = GRT_TIME_NEVER, offset = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (task->period > 0) {
            longest = task->period > longest ? task->period : longest;
            shortest = task->period < shortest ? task->period : shortest;
            offset = task->offset > offset ? task->offset : offset;
        }
    }
    if (longest == 0) {
        return GRT_TIME_NEVER;
    }
    grt_time two = 2 * longest;
    grt_time readable = shortest < longest / JOBS_OF_THE_FASTEST ? longest : shortest * JOBS_OF_THE_FASTEST;
    return (offset >= longest ? offset : 0) + (two < readable ? two : readable);
}

bool grt_gantt_window_later_miss(const struct grt_gantt_window *window, grt_time *from, grt_time *to) {
    const struct grt_trace_record *miss = &window->later_miss;
    if (window->any_miss || miss->kind == 0) {
        return false;
    }
    grt_time response = miss->time - miss->other, unit = 1;
    while (unit < response / 10) {
        unit *= 10;
    }
    *from = miss->other > response ? (miss->other - response) / unit * unit : 0;
    *to = (miss->time + response + unit - 1) / unit * unit;
    return true;
}
