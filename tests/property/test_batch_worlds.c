/* labels: soak */
/* The batch schedulers in random worlds whose jobs are aborted at any moment, with calls in their segments, or with kernels that launch kernels, on up to two GPUs, with any
 * parameters: every job comes to an end, a job that comes long after all others finds everything free, the auditor accepts the trace, and equal
 * runs are equal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/batch/parameters.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/job_checks.h"
#include "tests/support/launching_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { LATE = 1000000000, POLICIES = 6 };

static const char *const names[POLICIES] = {"cpu-traditional", "cpu-interleave",  "cpu-concurrent",
                                            "cpu-order",       "gpu-synchronize", "gpu-atomics"};

struct tally {
    uint64_t runs[POLICIES], jobs, aborted, refused, on_device;
};

/* ---- scenarios ---- */

/* A few jobs early, as a list: nothing comes later. */
static void end_arrivals(struct grt_builder *builder, struct grt_random *random) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        grt_time times[6], at = 0;
        for (int j = 0; j < 6; j++) {
            times[j] = at += grt_pick(random, 0, 2) * grt_pick(random, 0, 100);
        }
        if (task->arrival != GRT_ARRIVAL_AFTER) {
            grt_builder_times(builder, task, times, 6);
        }
        task->on_miss = task->on_miss == GRT_MISS_STOP ? GRT_MISS_ABORT : task->on_miss;
        task->separation = grt_pick(random, 0, 2) == 0 ? grt_pick(random, 1, 200) : 0;
    }
}

/* Kernels that fill the device find no room beside a scheduler's. */
static void make_grids(struct grt_builder *builder) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            for (size_t k = 0; k < builder->segments[i][j].command_count; k++) {
                /* the builder's own copy: it lives in its arena */
                struct grt_kernel *kernel =
                    (struct grt_kernel *)(uintptr_t)&builder->segments[i][j].commands[k].kernel;
                if (kernel->whole_device) {
                    kernel->whole_device = false;
                    kernel->blocks = 2;
                    kernel->needs.threads = 64;
                }
            }
        }
    }
}

/* A job for each GPU when all others have long ended. */
static void add_late_tasks(struct grt_builder *builder) {
    for (size_t gpu = 0; gpu < builder->scenario.gpu_count; gpu++) {
        struct grt_task *task = grt_builder_task(builder, gpu == 0 ? "late 0" : "late 1");
        grt_builder_at(builder, task, LATE);
        task->cpu = 0;
        task->gpu = (int64_t)gpu;
        grt_builder_kernel(builder, task, 1, 32, 1);
    }
}

static struct batch_parameters draw_parameters(struct grt_random *random,
                                               const struct grt_scenario *scenario) {
    struct batch_parameters given = batch_permissive;
    bool costs = grt_pick(random, 0, 2) > 0;
    bool core = scenario->core_count >= (int64_t)scenario->gpu_count && grt_pick(random, 0, 1) == 1;
    given.batch = grt_pick(random, 1, 5);
    given.issue_time = costs * grt_pick(random, 0, 5);
    given.decision_time = costs * grt_pick(random, 0, 20);
    given.poll_interval = costs * grt_pick(random, 0, 10);
    given.atomic_time = costs * grt_pick(random, 0, 1);
    given.core = core ? 0 : -1;
    given.scheduler_blocks = grt_pick(random, 0, 2);
    given.scheduler_threads = grt_pick(random, 1, 256);
    given.device_issue_time = costs * grt_pick(random, 0, 5);
    given.device_decision_time = costs * grt_pick(random, 0, 20);
    given.message_time = costs * grt_pick(random, 0, 10);
    given.synchronize_time = costs * grt_pick(random, 0, 10);
    given.zero_copy_percent = 100 + costs * grt_pick(random, 0, 100);
    return given;
}

static void prepare_devices(struct grt_builder *builder, struct grt_random *random) {
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].max_pending_launches += builder->gpus[i].max_pending_launches == 0 ? 100 : 0;
        builder->gpus[i].max_resident_grids += 2;
        builder->gpus[i].device_launch = grt_pick(random, 0, 5);
    }
    if (builder->scenario.core_count > 0) {
        builder->scenario.context_switch = grt_pick(random, 0, 1) * grt_pick(random, 0, 5);
        builder->scenario.wake_up = grt_pick(random, 0, 1) * grt_pick(random, 0, 5);
    }
}

/* ---- what must hold ---- */

static bool all_ended(const struct grt_audited_run *audited, const struct grt_scenario *scenario,
                      struct tally *tally) {
    bool good = true;
    for (size_t i = 0; i < scenario->task_count; i++) { /* without the kernels of schedulers */
        const struct grt_task_result *task = &audited->run.result->tasks[i];
        bool late = strncmp(scenario->tasks[i].name, "late", 4) == 0;
        good &= task->unfinished == 0 && (!late || task->finished == 1);
        tally->jobs += task->released;
        tally->aborted += task->aborted;
    }
    return good;
}

static bool is_accepted(const struct grt_audited_run *audited) {
    return grt_audit_records(audited->scenario, &audited->promise, audited->run.kept.records,
                             audited->run.kept.record_count, NULL, false) == 0 &&
           grt_job_checks_pass(audited->scenario, &audited->run);
}

/* Some with calls, some with kernels that launch kernels, task slots and TPCs; all in one process. */
static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = number / POLICIES % 3 == 0   ? grt_audited_world(number, GRT_AUDITED_CALLS)
                                  : number / POLICIES % 3 == 1 ? grt_launching_world(number)
                                                               : grt_audited_world(number, GRT_AUDITED_PLAIN);
    builder->scenario.process_count = 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = 0;
    }
    return builder;
}

static bool is_right(uint64_t number, struct tally *tally) {
    struct grt_random random = grt_random_stream(number, "batch worlds", 0, 0);
    uint64_t which = number % POLICIES;
    struct grt_builder *builder = make_world(number);
    const struct grt_policy_ops *policy = grt_policy_find(names[which]);
    struct batch_parameters given = draw_parameters(&random, &builder->scenario);
    struct grt_audited_run audited, again;
    builder->scenario.horizon = 2 * (grt_time)LATE;
    end_arrivals(builder, &random);
    prepare_devices(builder, &random);
    make_grids(builder);
    add_late_tasks(builder);
    grt_audited_run_start(&audited, &builder->scenario, policy, &given);
    grt_audited_run_start(&again, &builder->scenario, policy, &given);
    bool refused = audited.run.result == NULL, may_refuse = which >= 4 && given.scheduler_blocks > 0;
    bool good = refused ? may_refuse
                        : all_ended(&audited, &builder->scenario, tally) && is_accepted(&audited) &&
                              grt_built_traces_equal(&audited.run, &again.run);
    tally->refused += refused;
    tally->runs[which] += !refused;
    tally->on_device += !refused && may_refuse;
    if (!good) {
        grt_errors_print(&audited.run.errors, stderr, "refused: ");
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, names[which]);
    }
    grt_audited_run_free(&audited);
    grt_audited_run_free(&again);
    grt_builder_free(builder);
    return good;
}

static void worlds_come_to_an_end(void) {
    struct tally tally = {0};
    uint64_t cases = (uint64_t)grt_suite_cases(1200, 100000), bad = 0;
    for (uint64_t i = 0; i < cases && bad < 5; i++) {
        bad += !is_right(i, &tally);
    }
    CU_ASSERT_EQUAL(bad, 0);
    for (int i = 0; i < POLICIES; i++) {
        CU_ASSERT(tally.runs[i] > cases / 12);
    }
    CU_ASSERT(tally.aborted > tally.jobs / 20 && tally.on_device > cases / 12);
    fprintf(stderr,
            "%" PRIu64 " jobs, %" PRIu64 " aborted; %" PRIu64 " worlds refused, %" PRIu64
            " with a scheduler's kernel\n",
            tally.jobs, tally.aborted, tally.refused, tally.on_device);
}

/* Worlds in which a scheduler with a core of its own is woken up, and switched to, before it decides: so a batch is formed later, and who has asked by then is
 * in it. */
static void woken_schedulers_are_accepted(void) {
    static const uint64_t numbers[] = {3165, 3205, 12897, 20845, 21746};
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        CU_ASSERT(is_right(numbers[i], &tally));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"woken schedulers are accepted", woken_schedulers_are_accepted},
        {"worlds come to an end", worlds_come_to_an_end},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("batches in random worlds", tests);
}
