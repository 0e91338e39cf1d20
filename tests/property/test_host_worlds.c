/* labels: soak */
/* Random worlds with host parts and costs under every policy that takes them: with and without cohorts one and the same, the limits
 * of the device are kept, no core does two things at a time, every job is accounted for, and the results add up. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/gpu_checks.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

enum { CORES = 2 * GRT_BUILDER_TASKS };

static bool device_is_kept(const struct grt_scenario *scenario, const struct grt_built_run *run) {
    struct grt_launches all;
    bool good = grt_launches_read(&all, scenario, run) && grt_gpu_checks_pass(&all, run);
    grt_launches_free(&all);
    return good;
}

static bool cores_are_kept(const struct grt_built_run *run) {
    grt_time until[CORES] = {0}, busy[CORES] = {0}, overhead[CORES] = {0};
    bool good = true;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if ((record->kind != GRT_TRACE_CPU && record->kind != GRT_TRACE_THREAD) || record->row >= CORES) {
            continue;
        }
        good = good && record->other >= until[record->row] && record->time > record->other;
        until[record->row] = record->time;
        busy[record->row] += record->time - record->other;
        overhead[record->row] += record->flags & GRT_TRACE_OVERHEAD ? record->time - record->other : 0;
    }
    for (size_t i = 0; i < run->result->core_count; i++) {
        good = good && busy[i] == run->result->cores[i].busy && overhead[i] == run->result->cores[i].overhead;
    }
    return good;
}

static bool jobs_are_accounted_for(const struct grt_result *result) {
    for (size_t i = 0; i < result->task_count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        if (task->released != task->finished + task->aborted + task->unfinished) {
            return false;
        }
    }
    return true;
}

/* How many runs had host parts, and overhead. */
struct tally {
    int runs, overheads;
};

static bool world_is_right(uint64_t number, const struct grt_policy_ops *policy, struct tally *tally) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run, other;
    grt_random_world_add_host(builder, number);
    grt_built_run_start(&run, &builder->scenario, policy, false);
    grt_built_run_start(&other, &builder->scenario, policy, true);
    bool good = run.result != NULL && other.result != NULL;
    if (good) {
        good = grt_built_traces_equal(&run, &other) && grt_built_results_equal(run.result, other.result) &&
               device_is_kept(&builder->scenario, &run) && cores_are_kept(&run) &&
               jobs_are_accounted_for(run.result);
        tally->runs++;
        tally->overheads += builder->scenario.context_switch + builder->scenario.wake_up > 0;
    }
    if (!good) {
        grt_errors_print(&run.errors, stderr, "refused: ");
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy->name);
    }
    grt_built_run_free(&run);
    grt_built_run_free(&other);
    grt_builder_free(builder);
    return good;
}

static void worlds_with_host_parts(void) {
    struct tally tally = {0};
    bool good = true;
    int cases = grt_suite_cases(150, 3000);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        bool takes_parts = (*policy)->gpu_piece_done == NULL && (*policy)->gpu_submission_done == NULL &&
                           !(*policy)->sets_shares; /* the limits of their GPUs are others */
        for (int i = 0; good && i < cases && takes_parts; i++) {
            good = world_is_right(7000000 + (uint64_t)i, *policy, &tally);
        }
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.runs >= 5 * cases && tally.overheads > 2 * cases);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"worlds with host parts", worlds_with_host_parts},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("host parts under every policy", tests);
}
