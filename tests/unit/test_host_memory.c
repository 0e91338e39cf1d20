/* labels: wrap-malloc */
/* Host parts, busy-waiting, servers and costs allocate nothing in the event loop after warm-up: a run twenty times as long calls malloc
 * as often. */
#include "tests/support/count_allocations.h"
#include "tests/support/host_case.h"
#include "tests/support/suite.h"

static long allocations_of(const struct grt_policy_ops *policy, grt_time horizon) {
    const union grt_test_host_parameters lock = {.lock = {.boost = 3, .spins = true}},
                                         server = {.server = {.core = 0, .priority = 9}};
    const struct grt_world_options options = {0};
    struct grt_builder *builder = host_world(2, horizon);
    struct grt_errors errors = {0};
    builder->scenario.context_switch = builder->scenario.wake_up = 1;
    for (int i = 0; i < 4; i++) {
        struct grt_task *task = host_task(builder, i % 2, i, 0);
        grt_builder_periodic(task, 200 + 20 * i, 0);
        grt_builder_cpu(builder, task, 5);
        host_segment(builder, task, 4, 10, 6, i % 2);
        builder->segments[i][1].host_part[GRT_HOST_AFTER].kind = GRT_UNIFORM;
    }
    long before = allocations;
    struct grt_world *world = grt_world_create(
        &builder->scenario, policy, policy->host == GRT_HOST_BY_THREAD ? &lock : &server, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    CU_ASSERT(grt_world_result(world)->tasks[0].finished > (uint64_t)horizon / 300);
    CU_ASSERT(grt_world_result(world)->cores[0].overhead > 0);
    grt_world_free(world);
    long made = allocations - before;
    grt_builder_free(builder);
    return made;
}

static void longer_runs_allocate_no_more(void) {
    const struct grt_policy_ops *const policies[] = {&grt_test_job_policy, &grt_test_lock_policy,
                                                     &grt_test_server_policy};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        CU_ASSERT_EQUAL(allocations_of(policies[i], 100000), allocations_of(policies[i], 2000000));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"longer runs allocate no more", longer_runs_allocate_no_more},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("memory of the host model", tests);
}
