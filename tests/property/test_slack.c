/* labels: soak */
/* Slack in random worlds under every policy, with separations, jitter, deadlines from releases and jobs that are lost: what the results say is
 * what a trace says, read by code of its own; and so does what their slack would ideally be. */
#include <inttypes.h>
#include <stdio.h>

#include "models/result/ideal.h"
#include "policies/registry.h"
#include "tests/support/random_world.h"
#include "tests/support/shared_world.h"
#include "tests/support/slack_checks.h"
#include "tests/support/suite.h"

/* How many tasks had slacks of each kind, and some that were late. */
struct tally {
    int kinds[3], late, not_finished, ideals;
};

static void give_wants(struct grt_builder *builder, uint64_t number) {
    struct grt_random random = grt_random_stream(number, "slack", 0, 0);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        uint64_t kind = grt_random_below(&random, 4);
        if (kind < 2) {
            task->separation = 1 + (grt_time)grt_random_below(&random, 150);
        }
        if (kind == 1 || kind == 2) {
            task->deadline_from = GRT_DEADLINE_FROM_RELEASE;
        } else if (grt_random_below(&random, 2) == 0) {
            task->deadline = GRT_TIME_NEVER;
            task->on_miss = GRT_MISS_CONTINUE;
        }
    }
}

static void count(const struct grt_result *result, struct tally *tally) {
    for (size_t i = 0; i < result->task_count; i++) {
        tally->kinds[result->tasks[i].slack.kind]++;
        tally->late += result->tasks[i].slack.late > 0;
        tally->not_finished += result->tasks[i].slack.not_finished > 0;
    }
}

/* ---- the ideal ---- */

/* When a job of an ideal system ends: what its task takes after its release; `release`: of the record of its job. */
static const struct grt_trace_record *release_of(const struct grt_built_run *run, uint32_t task,
                                                 uint32_t job) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_RELEASE && record->task == task && record->job == job) {
            return record;
        }
    }
    return NULL;
}

/* The ideal slack of a task whose jobs wait for none, or count from their release: job by job. */
static grt_signed_wide ideal_slack_of(const struct grt_task *task, const struct grt_built_run *run,
                                      uint32_t number, grt_time time) {
    grt_signed_wide sum = 0;
    grt_time before = -1;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind != GRT_TRACE_FINISH || record->task != number) {
            continue;
        }
        const struct grt_trace_record *release = release_of(run, number, record->job);
        grt_time end = release->time + time;
        if (task->separation == 0) {
            sum += end - release->other;
        } else if (before >= 0) {
            sum += end - before - task->separation;
        }
        before = end;
    }
    return sum;
}

/* With times that have nothing to do with what the segments take. */
static bool ideal_is_right(const struct grt_scenario *scenario, const struct grt_built_run *run,
                           uint64_t number, struct tally *tally) {
    grt_time times[GRT_BUILDER_TASKS];
    const struct grt_ideal_times ideal = {GRT_IDEAL_ALONE, times};
    struct grt_random random = grt_random_stream(number, "ideal", 0, 0);
    for (size_t i = 0; i < scenario->task_count; i++) {
        times[i] = (grt_time)grt_random_below(&random, 200);
    }
    bool good = true;
    for (uint32_t i = 0; good && i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        bool from_release = task->separation == 0 && task->deadline_from == GRT_DEADLINE_FROM_RELEASE;
        grt_signed_wide sum;
        if (run->result->tasks[i].slack.kind != GRT_SLACK_NONE &&
            (task->arrival != GRT_ARRIVAL_AFTER || from_release)) {
            good = grt_ideal_slack(scenario, &ideal, run->result, i, &sum) &&
                   sum == ideal_slack_of(task, run, i, times[i]);
            tally->ideals += run->result->tasks[i].slack.count > 0;
        }
    }
    return good;
}

static bool world_is_right(uint64_t number, const struct grt_policy_ops *policy, struct tally *tally) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    give_wants(builder, number);
    const struct grt_scenario *scenario =
        policy->sets_shares ? grt_shared_world(builder) : &builder->scenario;
    grt_built_run_start(&run, scenario, policy, false);
    bool good = run.result != NULL && grt_slack_checks_pass(scenario, &run) &&
                ideal_is_right(scenario, &run, number, tally);
    if (run.result != NULL) {
        count(run.result, tally);
    }
    if (!good) {
        grt_errors_print(&run.errors, stderr, "refused: ");
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy->name);
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void worlds(void) {
    struct tally tally = {0};
    bool good = true;
    int cases = grt_suite_cases(250, 20000);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        for (int i = 0; good && i < cases; i++) {
            good = world_is_right(9100000 + (uint64_t)i, *policy, &tally);
        }
    }
    CU_ASSERT(good);
    CU_ASSERT(tally.kinds[GRT_SLACK_NONE] > cases && tally.kinds[GRT_SLACK_LATENCY] > cases &&
              tally.kinds[GRT_SLACK_THROUGHPUT] > cases && tally.late > cases && tally.not_finished > cases &&
              tally.ideals > cases);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"worlds", worlds},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("slack in random worlds", tests);
}
