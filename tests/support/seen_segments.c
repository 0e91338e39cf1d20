#include "tests/support/seen_segments.h"

#include <stdlib.h>

static struct grt_seen_segment *present(struct grt_seen_segments *all,
                                        const struct grt_trace_record *record) {
    uint32_t index = all->present[record->task];
    if (index == 0 || all->items[index - 1].job != record->job) {
        return NULL;
    }
    return &all->items[index - 1];
}

static bool has_kernel(const struct grt_scenario *scenario, const struct grt_trace_record *record) {
    const struct grt_segment *segment =
        &scenario->tasks[record->task].segments[grt_trace_segment(record->detail)];
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            return true;
        }
    }
    return false;
}

static void read_begin(struct grt_seen_segment *segment, const struct grt_scenario *scenario,
                       const struct grt_trace_record *record) {
    segment->begin = record->other < segment->begin ? record->other : segment->begin;
    if ((record->kind == GRT_TRACE_KERNEL || !has_kernel(scenario, record)) &&
        record->other < segment->begun) {
        segment->begun = record->other;
    }
}

static void read_record(struct grt_seen_segments *all, const struct grt_scenario *scenario,
                        const struct grt_trace_record *record) {
    struct grt_seen_segment *segment = present(all, record);
    switch (record->kind) {
    case GRT_TRACE_GPU_REQUEST:
        all->items = grt_array_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
        all->items[all->count++] = (struct grt_seen_segment){
            .task = record->task,
            .job = record->job,
            .gpu = (uint32_t)scenario->tasks[record->task].gpu,
            .request = record->time,
            .begin = GRT_TIME_NEVER,
            .begun = GRT_TIME_NEVER,
            .given_up = GRT_TIME_NEVER,
            .end = GRT_TIME_NEVER,
        };
        all->present[record->task] = all->count;
        break;
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_COPY:
        if (segment != NULL) {
            read_begin(segment, scenario, record);
        }
        break;
    case GRT_TRACE_GPU_SEGMENT:
        if (segment != NULL && !(record->flags & GRT_TRACE_OPEN)) {
            segment->end = record->time;
        }
        break;
    case GRT_TRACE_ABORT: /* later records of what still runs on the device come after it, and correct it */
        if (segment != NULL && segment->end == GRT_TIME_NEVER) {
            segment->given_up = segment->end = record->time;
        }
        break;
    default:
        break;
    }
}

/* A job that was aborted while it was on the device keeps the GPU until the device is rid of it. The segments that
 * never came off the device have no end. */
static void find_draining(struct grt_seen_segments *all, const struct grt_built_run *run) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        struct grt_seen_segment *segment = present(all, record);
        bool open = (record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_COPY) &&
                    (record->flags & GRT_TRACE_OPEN);
        if (open && segment != NULL) {
            segment->end = GRT_TIME_NEVER;
        }
    }
}

void grt_seen_segments_read(struct grt_seen_segments *all, const struct grt_scenario *scenario,
                            const struct grt_built_run *run) {
    *all = (struct grt_seen_segments){0};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        read_record(all, scenario, &run->kept.records[i]);
    }
    find_draining(all, run);
    for (uint32_t i = 0; i < all->count; i++) {
        struct grt_seen_segment *segment = &all->items[i];
        segment->deadline = grt_built_run_find(run, GRT_TRACE_RELEASE, segment->task, segment->job, 0)->other;
    }
}

void grt_seen_segments_free(struct grt_seen_segments *all) {
    free(all->items);
    *all = (struct grt_seen_segments){0};
}
