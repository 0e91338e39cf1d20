/* One GPU segment at a time, and no idle GPU while one waits. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/support/job_checks.h"
#include "tests/support/seen_segments.h"

static bool apart(const struct grt_seen_segments *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t j = 0; j < all->count; j++) {
            const struct grt_seen_segment *a = &all->items[i], *b = &all->items[j];
            if (i != j && a->gpu == b->gpu && a->begin <= b->begin && b->begin < a->end &&
                b->begin != GRT_TIME_NEVER) {
                fprintf(stderr, "segments of task %u and task %u overlap at %" PRId64 "\n", a->task, b->task,
                        b->begin);
                return false;
            }
        }
    }
    return true;
}

/* From its request until it begins or is taken back, others keep the GPU busy. */
static bool waits_for_others(const struct grt_seen_segments *all, const struct grt_seen_segment *segment,
                             grt_time end) {
    grt_time at = segment->request, until = segment->begin < segment->end ? segment->begin : segment->end;
    until = until < end ? until : end;
    while (at < until) {
        grt_time next = at;
        for (uint32_t i = 0; i < all->count; i++) {
            const struct grt_seen_segment *other = &all->items[i];
            if (other->gpu == segment->gpu && other->begin <= at && other->end > next) {
                next = other->end;
            }
        }
        if (next == at) {
            fprintf(stderr, "task %u job %u waits at %" PRId64 " for an idle GPU\n", segment->task,
                    segment->job, at);
            return false;
        }
        at = next;
    }
    return true;
}

bool grt_job_checks_pass_one_at_a_time(const struct grt_scenario *scenario, const struct grt_built_run *run) {
    struct grt_seen_segments all;
    grt_seen_segments_read(&all, scenario, run);
    bool good = apart(&all);
    for (uint32_t i = 0; good && i < all.count; i++) {
        bool overhead = scenario->gpus[all.items[i].gpu].kernel_launch > 0;
        good = overhead || waits_for_others(&all, &all.items[i], run->result->end);
    }
    grt_seen_segments_free(&all);
    return good;
}
