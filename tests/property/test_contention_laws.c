/* labels: soak */
/* What must hold of contention in random worlds: who has nobody beside him is not slowed, contention in which nobody asks
 * for anything changes nothing, and runs are the same with and without cohorts. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/contended_world.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* Whether two runs of a world that differ in what `change` does to it are the same. */
static bool same_after(struct grt_builder *builder, void (*change)(struct grt_builder *), bool no_cohorts) {
    struct grt_built_run before, after;
    const struct grt_policy_ops *policy = grt_policy_find("hardware");
    grt_built_run_start(&before, &builder->scenario, policy, false);
    change(builder);
    grt_built_run_start(&after, &builder->scenario, policy, no_cohorts);
    bool good = before.world != NULL && after.world != NULL && grt_built_traces_equal(&before, &after);
    if (good) {
        struct grt_result changed = *after.result;
        changed.events = before.result->events; /* contention makes the end of a copy's latency an event */
        good = grt_built_results_equal(before.result, &changed);
    }
    grt_built_run_free(&before);
    grt_built_run_free(&after);
    return good;
}

static void check(struct grt_builder *(*make)(uint64_t), void (*change)(struct grt_builder *),
                  bool no_cohorts) {
    bool good = true;
    for (int i = 0, cases = grt_suite_cases(300, 5000); good && i < cases; i++) {
        struct grt_builder *builder = make((uint64_t)i);
        good = same_after(builder, change, no_cohorts);
        if (!good) {
            fprintf(stderr, "world %d\n", i);
        }
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

static void change_nothing(struct grt_builder *builder) {
    (void)builder;
}

static void end_contention(struct grt_builder *builder) {
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].bandwidth_sharing = GRT_BANDWIDTH_SHARING_NONE;
        builder->gpus[i].threads_per_core = 0;
        builder->gpus[i].slowdowns.count = 0;
    }
}

static struct grt_builder *make_one_task(uint64_t number) {
    struct grt_builder *builder = grt_contended_world(number);
    builder->scenario.task_count = 1;
    return builder;
}

/* Every kind of contention is on, but nobody draws bandwidth, no SM can be overloaded, and the table names nobody. */
static struct grt_builder *make_modest(uint64_t number) {
    static const struct grt_slowdown nobody[] = {
        {.class_name = "p", .beside = "q", .factor = 3, .same_sm = 4}};
    struct grt_builder *builder = grt_random_world(number);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        struct grt_device *device = &builder->gpus[i];
        device->memory_bytes_per_second = 100 * GRT_SECOND;
        device->bandwidth_sharing = (int64_t)(number % 3);
        device->integrated = i == 0;
        device->threads_per_core = number % 2 == 0 ? 1024 : 0;
        device->cores_per_sm = 64;
        device->slowdowns.count = number % 5 == 0;
        device->slowdowns.items = (void *)(uintptr_t)nobody;
    }
    return builder;
}

static void one_task_is_not_slowed(void) {
    check(make_one_task, end_contention, false);
}

static void modesty_changes_nothing(void) {
    check(make_modest, end_contention, false);
}

static void cohorts_change_nothing(void) {
    check(grt_contended_world, change_nothing, true);
}

static void cohorts_change_nothing_for_processes(void) {
    check(grt_contended_processes, change_nothing, true);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"one task is not slowed", one_task_is_not_slowed},
        {"contention in which nobody asks for anything changes nothing", modesty_changes_nothing},
        {"cohorts change nothing", cohorts_change_nothing},
        {"cohorts change nothing for processes", cohorts_change_nothing_for_processes},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("laws of contention", tests);
}
