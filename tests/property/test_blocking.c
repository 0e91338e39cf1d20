/* labels: soak */
/* Blocking and waiting times of random worlds against their definition, evaluated on the trace: a segment is blocked
 * from its request until its first kernel begins (or it is given up, or the run ends), or until all less urgent segments
 * that were on its GPU at the request are gone, whichever comes first. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/random_world.h"
#include "tests/support/seen_segments.h"
#include "tests/support/suite.h"

/* A device with n levels has the priorities 0 to 1 - n. */
static int64_t clamped(const struct grt_scenario *scenario, const struct grt_task *task) {
    int64_t priority = task->stream_priority;
    while (-priority >= scenario->gpus[task->gpu].priority_levels) {
        priority++;
    }
    return priority;
}

/* The order of a policy, written down again. */
static bool outranks(const char *policy, const struct grt_scenario *scenario,
                     const struct grt_seen_segment *a, const struct grt_seen_segment *b) {
    const struct grt_task *one = &scenario->tasks[a->task], *other = &scenario->tasks[b->task];
    if (strcmp(policy, "np-edf") == 0) {
        return a->deadline < b->deadline;
    }
    if (strcmp(policy, "np-rm") == 0) {
        return (one->period > 0 ? one->period : one->deadline) <
               (other->period > 0 ? other->period : other->deadline);
    }
    int64_t level = clamped(scenario, one), other_level = clamped(scenario, other);
    if (strcmp(policy, "hardware") == 0 && level != other_level) {
        return level < other_level;
    }
    return one->priority > other->priority;
}

/* When a segment stopped waiting. */
static grt_time wait_over(const struct grt_seen_segment *segment, grt_time end_of_run) {
    if (segment->begun != GRT_TIME_NEVER) {
        return segment->begun;
    }
    return segment->given_up != GRT_TIME_NEVER ? segment->given_up : end_of_run;
}

/* When a segment was handed to the device: at once under `hardware`, else when it began, launches taking no time. */
static grt_time submitted(const char *policy, const struct grt_seen_segment *segment) {
    return strcmp(policy, "hardware") == 0 ? segment->request : segment->begin;
}

static grt_time blocking_of(const char *policy, const struct grt_scenario *scenario,
                            const struct grt_seen_segments *all, const struct grt_seen_segment *segment,
                            grt_time over) {
    grt_time until = segment->request;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct grt_seen_segment *other = &all->items[i];
        bool was_there = other->gpu == segment->gpu && submitted(policy, other) < segment->request &&
                         other->end > segment->request;
        if (was_there && outranks(policy, scenario, segment, other)) {
            until = other->end > until ? other->end : until;
        }
    }
    return (until < over ? until : over) - segment->request;
}

static bool is_stats(const struct grt_stats *stats, uint64_t count, grt_time max, uint64_t sum) {
    return stats->count == count && stats->max == max && stats->sum_low == sum;
}

static bool task_agrees(const char *policy, const struct grt_scenario *scenario,
                        const struct grt_seen_segments *all, const struct grt_built_run *run, uint32_t task) {
    uint64_t count = 0, blocked_sum = 0, waited_sum = 0;
    grt_time blocked_max = 0, waited_max = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct grt_seen_segment *segment = &all->items[i];
        if (segment->task != task) {
            continue;
        }
        grt_time over = wait_over(segment, run->result->end);
        grt_time blocked = blocking_of(policy, scenario, all, segment, over),
                 waited = over - segment->request;
        count++;
        blocked_sum += (uint64_t)blocked;
        waited_sum += (uint64_t)waited;
        blocked_max = blocked > blocked_max ? blocked : blocked_max;
        waited_max = waited > waited_max ? waited : waited_max;
    }
    const struct grt_task_result *result = &run->result->tasks[task];
    bool good = is_stats(&result->blocking, count, blocked_max, blocked_sum) &&
                is_stats(&result->gpu_wait, count, waited_max, waited_sum);
    if (!good) {
        fprintf(stderr,
                "task %" PRIu32 ": blocked %" PRIu64 " in all, at most %" PRId64 "; the result says %" PRIu64
                " and %" PRId64 "\n",
                task, blocked_sum, blocked_max, result->blocking.sum_low, result->blocking.max);
    }
    return good;
}

static bool world_agrees(uint64_t number, const struct grt_policy_ops *policy) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    struct grt_seen_segments all;
    builder->scenario.ties = (int64_t)(number % 3);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].kernel_launch = 0;
    }
    grt_built_run_start(&run, &builder->scenario, policy, false);
    bool good = run.result != NULL;
    grt_seen_segments_read(&all, &builder->scenario, &run);
    for (uint32_t task = 0; good && task < builder->scenario.task_count; task++) {
        good = task_agrees(policy->name, &builder->scenario, &all, &run, task);
    }
    grt_seen_segments_free(&all);
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void results_agree_with_the_definition(void) {
    static const char *const names[] = {"hardware", "fifo", "np-edf", "np-rm", "np-fp"};
    int cases = grt_suite_cases(300, 5000);
    bool good = true;
    for (size_t policy = 0; policy < sizeof names / sizeof names[0]; policy++) {
        for (int i = 0; good && i < cases; i++) {
            good = world_agrees(3000000 + (uint64_t)i, grt_policy_find(names[policy]));
            if (!good) {
                fprintf(stderr, "world %d under %s\n", 3000000 + i, names[policy]);
            }
        }
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"results agree with the definition", results_agree_with_the_definition},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("blocking against its definition", tests);
}
