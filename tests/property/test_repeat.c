/* labels: soak branches */
/* Runs of horizon "auto" against long runs: where one stopped because its state repeats, the long run does after that
 * instant again what it did in the last one, two, three, ... hyperperiods before it. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/contended_world.h"
#include "tests/support/host_policies.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

static const struct grt_process processes[] = {{.name = "p", .spec.active_thread_percentage = 60},
                                               {.name = "q", .spec.interleave = GRT_INTERLEAVE_HIGH}};

/* Two processes and few hardware queues, under `hardware`. */
static void share_gpus(struct grt_builder *builder, struct grt_random *random) {
    builder->scenario.processes = processes;
    builder->scenario.process_count = 2;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        struct grt_device *device = &builder->gpus[i];
        grt_random_turns(random, device);
        device->mps = grt_random_below(random, 4) == 0;
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = (int64_t)grt_random_below(random, 2);
    }
}

/* Makes the random world one that may repeat: constant times, few hyperperiods, less load. */
static struct grt_builder *make_world(uint64_t number, const struct grt_policy_ops *policy) {
    static const grt_time periods[] = {120, 120, 240, 360};
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "repeat", 0, 0);
    struct grt_scenario *scenario = &builder->scenario;
    scenario->horizon_kind = GRT_HORIZON_AUTO;
    scenario->task_count = scenario->task_count > 4 ? 4 : scenario->task_count;
    for (size_t i = 0; i < scenario->task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        if (task->arrival != GRT_ARRIVAL_AFTER) {
            task->arrival = GRT_ARRIVAL_PERIODIC;
            task->period = periods[grt_random_below(&random, 4)];
        }
        task->jitter = 0;
        task->gpu = policy->host == GRT_HOST_BY_THREAD ? 0 : task->gpu; /* the test's lock is of one */
        task->on_miss = task->on_miss == GRT_MISS_STOP ? GRT_MISS_SKIP_NEXT : task->on_miss;
        for (size_t j = 0; j < task->segment_count; j++) {
            builder->segments[i][j].cpu_time.kind = GRT_CONSTANT;
            builder->segments[i][j].cpu_time.min = builder->segments[i][j].cpu_time.max;
        }
    }
    if (number % 2 == 1 && policy->gpu_piece_done == NULL) {
        grt_random_world_add_host(builder, number);
    }
    if (number % 5 < 2 && policy->gpu_piece_done == NULL) {
        grt_random_world_pin(builder, number);
    }
    grt_random_world_fix_times(builder);
    if (policy->many_processes && number % 2 == 0) {
        share_gpus(builder, &random);
    }
    if (number % 3 == 0) {
        grt_random_world_add_calls(builder, number);
        grt_contend(builder, number);
    }
    return builder;
}

static void start(struct grt_built_run *run, const struct grt_builder *builder,
                  const struct grt_policy_ops *policy) {
    const union grt_test_host_parameters lock = {
        .lock = {.boost = builder->scenario.wake_up % 3, .spins = builder->scenario.context_switch % 2 == 0}};
    bool by_thread = policy->host == GRT_HOST_BY_THREAD;
    grt_built_run_start_with(run, &builder->scenario, policy, by_thread ? &lock : NULL, false);
}

/* Places in the long run's trace: the first record later than an instant. */
static size_t first_after(const struct grt_built_run *run, grt_time instant) {
    size_t i = 0;
    while (i < run->kept.record_count && run->kept.records[i].time <= instant) {
        i++;
    }
    return i;
}

static bool other_is_an_instant(const struct grt_trace_record *record) {
    return record->other != GRT_TIME_NEVER && record->kind != GRT_TRACE_GPU_REQUEST &&
           record->kind != GRT_TRACE_PRIORITY && record->kind != GRT_TRACE_LOST_ITEMS &&
           record->kind != GRT_TRACE_SHARE;
}

/* Whether `later` is `earlier` once more, `shift` later, of jobs whose numbers are `jobs` larger; fills in `jobs`, by
 * task, at the task's first record. */
static bool is_the_same(const struct grt_trace_record *earlier, const struct grt_trace_record *later,
                        grt_time shift, int64_t *jobs) {
    int64_t further = (int64_t)later->job - (int64_t)earlier->job;
    if (later->kind == GRT_TRACE_CONTEXT) { /* when the first stay began is history */
        return earlier->kind == later->kind && later->time == earlier->time + shift &&
               later->detail == earlier->detail;
    }
    jobs[later->task] = jobs[later->task] < 0 ? further : jobs[later->task];
    return later->time == earlier->time + shift && later->kind == earlier->kind &&
           later->task == earlier->task && later->row == earlier->row && later->detail == earlier->detail &&
           later->flags == earlier->flags && further == jobs[later->task] &&
           later->other == earlier->other + (other_is_an_instant(earlier) ? shift : 0);
}

/* Whether the long run does in (instant, instant + cycle] what it did in (instant - cycle, instant]. */
static bool repeats(const struct grt_built_run *run, grt_time instant, grt_time cycle) {
    int64_t jobs[GRT_BUILDER_TASKS];
    size_t earlier = first_after(run, instant - cycle), middle = first_after(run, instant),
           end = first_after(run, instant + cycle);
    bool same = end - middle == middle - earlier;
    for (int i = 0; i < GRT_BUILDER_TASKS; i++) {
        jobs[i] = -1;
    }
    for (size_t i = middle; same && i < end; i++) {
        same = is_the_same(&run->kept.records[earlier + i - middle], &run->kept.records[i], cycle, jobs);
    }
    return same;
}

/* Whether a long run goes on after the instant at which the other one stopped as it did before. */
static bool goes_on_as_before(struct grt_builder *builder, const struct grt_policy_ops *policy,
                              grt_time stopped) {
    struct grt_built_run run;
    grt_time offset = grt_scenario_largest_offset(&builder->scenario);
    grt_time hyperperiod = grt_scenario_hyperperiod(&builder->scenario) - offset;
    bool found = false;
    builder->scenario.horizon_kind = GRT_HORIZON_FIXED;
    builder->scenario.horizon = 2 * stopped + hyperperiod;
    start(&run, builder, policy);
    for (grt_time cycle = hyperperiod; !found && offset + cycle <= stopped; cycle += hyperperiod) {
        found = repeats(&run, stopped, cycle);
    }
    grt_built_run_free(&run);
    return found;
}

/* Checks one world; counts those that repeat. */
static bool world_is_right(uint64_t number, const struct grt_policy_ops *policy, int *repeating) {
    struct grt_builder *builder = make_world(number, policy);
    struct grt_built_run run;
    bool good = true;
    builder->scenario.ties = number % 2 == 0 ? GRT_TIES_TASK : GRT_TIES_ARRIVAL;
    start(&run, builder, policy);
    if (run.result != NULL && run.result->stopped_by_repeat) {
        ++*repeating;
        good = goes_on_as_before(builder, policy, run.result->end);
    }
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s: what follows the repeated state is new\n", number,
                policy->name);
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void repeated_states_repeat(void) {
    const struct grt_policy_ops *const policies[] = {grt_policy_find("hardware"), grt_policy_find("np-edf"),
                                                     grt_policy_find("np-fp"), &grt_test_lock_policy};
    int cases = grt_suite_cases(900, 5000), repeating = 0;
    bool good = true;
    for (size_t policy = 0; policy < sizeof policies / sizeof policies[0]; policy++) {
        for (int i = 0; good && i < cases; i++) {
            good = world_is_right(5000000 + (uint64_t)i, policies[policy], &repeating);
        }
    }
    CU_ASSERT(good);
    CU_ASSERT(repeating > cases); /* a third of the worlds under each policy, the others are overloaded */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"repeated states repeat", repeated_states_repeat},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("horizon auto against long runs", tests);
}
