/* labels: soak wrap-malloc */
/* mpcp, fmlp+ and gpu-server in random scenarios whose jobs are aborted at any moment, by missed deadlines and by budgets: no lock and no server stays
 * taken, equal runs are equal, nothing is allocated while they run. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/count_allocations.h"
#include "tests/support/lock_release.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { HORIZON = 1500, LATE = 1000000 };

static struct lock_world it;

/* ---- scenarios ---- */

/* A set under a policy with any parameters, and deadlines that many jobs miss. */
static void draw_scenario(struct grt_reference_lock *set, struct grt_random *random) {
    lock_release_draw_set(&it, set, random);
    set->protocol = (enum grt_reference_protocol)grt_pick(random, 0, 2);
    set->suspends = grt_pick(random, 0, 1) == 1;
    set->boosts_own = grt_pick(random, 0, 1) == 1;
    it.charged = grt_pick(random, 0, 1) == 1;
    int64_t gpus = grt_pick(random, 1, 2);
    for (int i = 0; i < set->count; i++) {
        set->tasks[i].gpu = grt_pick(random, 0, gpus - 1);
    }
    lock_world_make(&it, set);
    it.lock.budget = it.server.budget =
        grt_pick(random, 0, 1) * grt_pick(random, 10, 20); /* of 1 ns and costs it is enough */
    for (int i = 0; i < set->count; i++) {
        struct grt_task *task = &it.builder->tasks[i];
        bool aborts = grt_pick(random, 0, 2) > 0;
        task->times = NULL;
        task->delays = NULL;
        task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .max = task->period / 2};
        task->offset = grt_pick(random, 0, task->period);
        task->deadline = aborts ? grt_pick(random, 1, task->period) : task->period;
        task->on_miss = aborts ? GRT_MISS_ABORT : grt_pick(random, GRT_MISS_CONTINUE, GRT_MISS_SKIP_NEXT);
    }
    it.builder->scenario.ties = grt_pick(random, GRT_TIES_TASK, GRT_TIES_SHUFFLE);
}

/* One more task for each GPU, the least urgent: its only job comes when all others have long ended, and needs the GPU. */
static void add_late_tasks(const struct grt_reference_lock *set) {
    struct grt_scenario *scenario = &it.builder->scenario;
    for (size_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        struct grt_task *task = grt_builder_task(it.builder, gpu == 0 ? "late 0" : "late 1");
        grt_builder_at(it.builder, task, LATE);
        task->cpu = set->tasks[0].core;
        task->gpu = (int64_t)gpu;
        task->priority = -INT64_C(1000000) - (int64_t)gpu;
        grt_builder_whole(it.builder, task, 1);
    }
}

/* What tasks of the set have to have released by HORIZON, as lists: nothing comes later. */
static void end_arrivals(const struct grt_reference_lock *set, struct grt_random *random) {
    for (int i = 0; i < set->count; i++) {
        struct grt_task *task = &it.builder->tasks[i];
        size_t count = 0;
        for (int64_t at = task->offset; at < HORIZON && count < LOCK_WORLD_ARRIVALS; count++) {
            it.arrivals[i][count] = at;
            it.delays[i][count] = grt_pick(random, 0, task->jitter);
            at += task->period + grt_pick(random, 0, 1) * grt_pick(random, 0, task->period);
        }
        task->times = it.arrivals[i];
        task->delays = task->jitter > 0 ? it.delays[i] : NULL;
        task->time_count = count;
    }
}

/* ---- what must hold ---- */

struct tally {
    uint64_t jobs, aborted;
    int wrong;
};

static bool is_right(const struct grt_built_run *run, const struct grt_reference_lock *set, int number,
                     struct tally *tally) {
    bool right = run->result != NULL;
    for (size_t i = 0; right && i < run->result->task_count; i++) {
        const struct grt_task_result *task = &run->result->tasks[i];
        bool late = i >= (size_t)set->count;
        right = task->unfinished == 0 && (!late || task->finished == 1);
        tally->jobs += task->released;
        tally->aborted += task->aborted;
        if (!right) {
            printf("    set %d under %s: task %zu has %" PRIu64 " unfinished jobs, %" PRIu64 " of %" PRIu64
                   " finished\n",
                   number, it.policy->name, i, task->unfinished, task->finished, task->released);
        }
    }
    return right;
}

static bool try_scenario(int number, struct tally *tally) {
    struct grt_random random = grt_random_stream((uint64_t)number, "locks aborted", 0, 0);
    struct grt_reference_lock set;
    struct grt_built_run runs[2];
    draw_scenario(&set, &random);
    end_arrivals(&set, &random);
    add_late_tasks(&set);
    it.builder->scenario.horizon = 2 * LATE;
    it.builder->scenario.seed = (uint64_t)number;
    for (int i = 0; i < 2; i++) {
        grt_built_run_start_with(&runs[i], &it.builder->scenario, it.policy, it.parameters, i == 1);
        grt_errors_print(&runs[i].errors, stdout, "    ");
    }
    bool right = is_right(&runs[0], &set, number, tally) && grt_built_traces_equal(&runs[0], &runs[1]) &&
                 grt_built_results_equal(runs[0].result, runs[1].result);
    grt_built_run_free(&runs[0]);
    grt_built_run_free(&runs[1]);
    return right;
}

static void nothing_stays_taken(void) {
    struct tally tally = {0};
    int cases = grt_suite_cases(400, 100000);
    for (int i = 0; i < cases && tally.wrong < 3; i++) {
        tally.wrong += !try_scenario(i, &tally);
    }
    CU_ASSERT_EQUAL(tally.wrong, 0);
    CU_ASSERT_TRUE(tally.aborted > tally.jobs / 20);
    printf("\n    %d scenarios: %" PRIu64 " jobs, %" PRIu64 " of them aborted\n", cases, tally.jobs,
           tally.aborted);
}

/* ---- allocations ---- */

static long allocations_of(grt_time horizon) {
    struct grt_errors errors = {0};
    it.builder->scenario.horizon = horizon;
    struct grt_world *world = grt_world_create(&it.builder->scenario, it.policy, it.parameters,
                                               &(struct grt_world_options){0}, &errors);
    if (world == NULL) {
        return -1;
    }
    long before = allocations;
    grt_world_run(world);
    long during = allocations - before;
    grt_world_free(world);
    return during;
}

/* A few scenarios: in one of some hundred a statistic (sim/stats.h) meets a response that is rarer, and for which it has no bins yet, in the
 * longer run only. */
static void nothing_is_allocated(void) {
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "locks allocate", 0, 0);
        struct grt_reference_lock set;
        draw_scenario(&set, &random);
        for (int j = 0; j < set.count; j++) {
            it.builder->tasks[j].on_miss = GRT_MISS_ABORT; /* no backlog grows */
            it.builder->tasks[j].deadline = set.tasks[j].period;
            it.builder->tasks[j].jitter = 0;
        }
        long shorter = allocations_of(100000), longer = allocations_of(300000);
        if (shorter < 0 || longer > shorter) {
            printf("    scenario %d under %s: %ld allocations, %ld in a longer run\n", i, it.policy->name,
                   shorter, longer);
            wrong++;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"no lock and no server stays taken", nothing_stays_taken},
        {"nothing is allocated", nothing_is_allocated},
        CU_TEST_INFO_NULL,
    };
    int failed = grt_suite_run("locks, aborted", tests);
    lock_world_free(&it);
    return failed;
}
