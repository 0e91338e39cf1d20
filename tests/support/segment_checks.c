/* One GPU segment at a time, and no idle GPU while one waits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/job_checks.h"

/* A request and what became of it; GRT_TIME_NEVER: not before the end of the run. */
struct seen_segment {
    uint32_t task, job, gpu;
    grt_time request;
    grt_time begin; /* of its first command */
    grt_time end;   /* it is off the device, or was taken back */
};

struct seen_segments {
    struct seen_segment *items;
    uint32_t count, capacity;
    uint32_t present[GRT_BUILDER_TASKS]; /* index of each task's latest, plus 1 */
};

static struct seen_segment *present(struct seen_segments *all, const struct grt_trace_record *record) {
    uint32_t index = all->present[record->task];
    if (index == 0 || all->items[index - 1].job != record->job) {
        return NULL;
    }
    return &all->items[index - 1];
}

static void read_record(struct seen_segments *all, const struct grt_scenario *scenario,
                        const struct grt_trace_record *record) {
    struct seen_segment *segment = present(all, record);
    switch (record->kind) {
    case GRT_TRACE_GPU_REQUEST:
        all->items = grt_array_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
        all->items[all->count++] = (struct seen_segment){
            record->task, record->job, (uint32_t)scenario->tasks[record->task].gpu, record->time, GRT_TIME_NEVER,
            GRT_TIME_NEVER};
        all->present[record->task] = all->count;
        break;
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_COPY:
        if (segment != NULL && record->other < segment->begin) {
            segment->begin = record->other;
        }
        break;
    case GRT_TRACE_GPU_SEGMENT:
        if (segment != NULL) {
            segment->end = record->time;
        }
        break;
    case GRT_TRACE_ABORT: /* later records of what still runs on the device come after it, and correct it */
        if (segment != NULL && segment->end == GRT_TIME_NEVER) {
            segment->end = record->time;
        }
        break;
    default:
        break;
    }
}

/* A job that was aborted while it was on the device keeps the GPU until the device is rid of it. The segments that
 * never came off the device have no end. */
static void find_draining(struct seen_segments *all, const struct grt_built_run *run) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        struct seen_segment *segment = present(all, record);
        bool open = (record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_COPY) &&
                    (record->flags & GRT_TRACE_OPEN);
        if (open && segment != NULL) {
            segment->end = GRT_TIME_NEVER;
        }
    }
}

static bool apart(const struct seen_segments *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t j = 0; j < all->count; j++) {
            const struct seen_segment *a = &all->items[i], *b = &all->items[j];
            if (i != j && a->gpu == b->gpu && a->begin <= b->begin && b->begin < a->end &&
                b->begin != GRT_TIME_NEVER) {
                fprintf(stderr, "segments of task %u and task %u overlap at %" PRId64 "\n", a->task, b->task, b->begin);
                return false;
            }
        }
    }
    return true;
}

/* From its request until it begins or is taken back, others keep the GPU busy. */
static bool waits_for_others(const struct seen_segments *all, const struct seen_segment *segment, grt_time end) {
    grt_time at = segment->request, until = segment->begin < segment->end ? segment->begin : segment->end;
    until = until < end ? until : end;
    while (at < until) {
        grt_time next = at;
        for (uint32_t i = 0; i < all->count; i++) {
            const struct seen_segment *other = &all->items[i];
            if (other->gpu == segment->gpu && other->begin <= at && other->end > next) {
                next = other->end;
            }
        }
        if (next == at) {
            fprintf(stderr, "task %u job %u waits at %" PRId64 " for an idle GPU\n", segment->task, segment->job, at);
            return false;
        }
        at = next;
    }
    return true;
}

bool grt_job_checks_pass_one_at_a_time(const struct grt_scenario *scenario, const struct grt_built_run *run) {
    struct seen_segments all = {0};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        read_record(&all, scenario, &run->kept.records[i]);
    }
    find_draining(&all, run);
    bool good = apart(&all);
    for (uint32_t i = 0; good && i < all.count; i++) {
        bool overhead = scenario->gpus[all.items[i].gpu].kernel_launch > 0;
        good = overhead || waits_for_others(&all, &all.items[i], run->result->end);
    }
    free(all.items);
    return good;
}
