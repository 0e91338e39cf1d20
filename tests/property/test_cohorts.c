/* labels: soak */
/* Random scenarios run with and without cohorts: the same records and results, and a trace that keeps every rule of the
 * device, judged by code of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/gpu_checks.h"
#include "tests/support/job_checks.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

static bool refused(const struct grt_built_run *run) {
    if (run->world == NULL) {
        grt_errors_print(&run->errors, stderr, "refused: ");
    }
    return run->world == NULL;
}

static bool trace_is_lawful(const struct grt_scenario *scenario, const struct grt_built_run *run,
                            bool rules) {
    struct grt_launches all;
    bool good = grt_launches_read(&all, scenario, run) && grt_gpu_checks_pass(&all, run) &&
                (!rules || grt_gpu_checks_pass_rules(&all, run)) && grt_job_checks_pass(scenario, run);
    grt_launches_free(&all);
    return good;
}

/* Cohorts, no cohorts, and cohorts again: one and the same. */
static bool same_three_times(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                             bool rules) {
    struct grt_built_run runs[3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        grt_built_run_start(&runs[i], scenario, policy, i == 1);
        good = good && !refused(&runs[i]);
    }
    for (int i = 1; good && i < 3; i++) {
        good = grt_built_traces_equal(&runs[0], &runs[i]) &&
               grt_built_results_equal(runs[0].result, runs[i].result);
    }
    good = good && (policy->gpu_piece_done != NULL /* its kernels are in pieces: property/test_pieces.c */
                    || trace_is_lawful(scenario, &runs[0], rules));
    for (int i = 0; i < 3; i++) {
        grt_built_run_free(&runs[i]);
    }
    return good;
}

static void check(int cases, uint64_t first, const struct grt_policy_ops *policy, bool rules) {
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        struct grt_builder *builder = grt_random_world(first + (uint64_t)i);
        builder->scenario.ties = rules ? GRT_TIES_TASK : i % 3;
        good = same_three_times(&builder->scenario, policy, rules);
        grt_builder_free(builder);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 " under %s\n", first + (uint64_t)i, policy->name);
        }
    }
    CU_ASSERT(good);
}

static void hardware_keeps_the_rules(void) {
    check(grt_suite_cases(500, 10000), 0, grt_policy_find("hardware"), true);
}

static void all_policies_keep_the_limits(void) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        if (!(*policy)->sets_shares) { /* there are no cohorts on their GPUs */
            check(grt_suite_cases(150, 2000), 1000000, *policy, false);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"hardware keeps the rules of the device", hardware_keeps_the_rules},
        {"all policies keep the limits of the device", all_policies_keep_the_limits},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("cohorts and rules of the device", tests);
}
