/* labels: soak */
/* Policies that run one GPU segment at a time, job by job, against the tick-by-tick reference: random task sets of
 * every arrival kind, constant and random times, every tie rule, loads up to 1.3. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/reference_np.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MAX_TASKS = 8, MAX_JOBS = 1024 };

/* A task set in both forms. The reference counts in ticks of `scale` ns. */
struct np_case {
    struct grt_builder *builder;
    grt_time scale;
    grt_reference_tick horizon;
    struct grt_random random; /* of the generator */
    struct grt_reference_np_task tasks[MAX_TASKS];
    size_t task_count;
    grt_reference_tick arrivals[MAX_TASKS][MAX_JOBS], exec[MAX_TASKS][MAX_JOBS];
    uint64_t tie_keys[MAX_TASKS][MAX_JOBS];
};

static int64_t pick(struct np_case *set, int64_t from, int64_t to) {
    return grt_pick(&set->random, from, to);
}

/* ---- arrivals: what the world draws is drawn again here, from the streams that sim/random.h promises ---- */

static void list_arrivals(struct np_case *set, size_t index, const struct grt_task *task) {
    struct grt_random jitter = grt_random_stream(set->builder->scenario.seed, "jitter", index, 0);
    struct grt_random gaps = grt_random_stream(set->builder->scenario.seed, "arrival", index, 0);
    grt_time arrival = task->offset / set->scale, release = 0;
    size_t count = 0;
    for (;; arrival += task->period / set->scale) {
        grt_time delayed = arrival;
        if (task->jitter > 0) {
            delayed += (grt_time)grt_random_below(&jitter, (uint64_t)task->jitter + 1);
        }
        release = delayed > release ? delayed : release;
        if (arrival >= set->horizon) {
            break;
        }
        set->arrivals[index][count++] = release;
        if (task->arrival == GRT_ARRIVAL_SPORADIC) {
            arrival += grt_distribution_draw(&task->extra_gap, &gaps);
        }
    }
    set->tasks[index].arrivals = set->arrivals[index];
    set->tasks[index].arrival_count = count;
}

static void list_times(struct np_case *set, size_t index, struct grt_task *task) {
    grt_time instants[MAX_JOBS];
    size_t count = (size_t)pick(set, 0, 30);
    grt_reference_tick at = pick(set, 0, 10);
    for (size_t i = 0; i < count; i++) {
        set->arrivals[index][i] = at;
        instants[i] = at * set->scale;
        at += pick(set, 0, 3) * pick(set, 0, set->horizon / 20);
    }
    grt_builder_times(set->builder, task, instants, count);
    task->period = 0;
    set->tasks[index].arrivals = set->arrivals[index];
    set->tasks[index].arrival_count = count;
}

static void make_arrivals(struct np_case *set, size_t index, struct grt_task *task,
                          grt_reference_tick period) {
    struct grt_reference_np_task *reference = &set->tasks[index];
    grt_builder_periodic(task, period * set->scale, pick(set, 0, 2) * pick(set, 0, period) * set->scale);
    reference->period = period;
    reference->offset = task->offset / set->scale;
    reference->deadline = pick(set, 1, 3) == 1 ? period : pick(set, 1, pick(set, 0, 1) ? period : 3 * period);
    task->deadline = reference->deadline * set->scale;
    task->deadline_from = pick(set, 0, 1) ? GRT_DEADLINE_FROM_RELEASE : GRT_DEADLINE_FROM_ARRIVAL;
    switch (pick(set, 0, 5)) {
    case 0:
        list_times(set, index, task);
        reference->period = reference->deadline; /* what np-rm takes where there is no period */
        break;
    case 1:
        if (set->scale == 1) {
            task->jitter = pick(set, 1, 2 * period);
            task->deadline_from = GRT_DEADLINE_FROM_RELEASE;
            list_arrivals(set, index, task);
        }
        break;
    case 2:
        if (set->scale == 1) {
            task->arrival = GRT_ARRIVAL_SPORADIC;
            task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .max = pick(set, 0, period)};
            list_arrivals(set, index, task);
        }
        break;
    default:
        break;
    }
}

/* ---- execution times ---- */

/* One kernel that fills the device, or two in a row; random ones are only drawn where a tick is a nanosecond. */
static void make_times(struct np_case *set, size_t index, struct grt_task *task, grt_reference_tick worst) {
    struct grt_kernel *kernels[2];
    size_t count = worst > 1 ? (size_t)pick(set, 1, 2) : 1;
    grt_reference_tick first = count == 2 ? pick(set, 1, worst - 1) : worst;
    for (size_t i = 0; i < count; i++) {
        grt_reference_tick longest = i == 0 ? first : worst - first;
        kernels[i] = grt_builder_whole(set->builder, task, longest * set->scale);
        if (set->scale == 1 && pick(set, 0, 2) == 0) {
            kernels[i]->block_time.kind = GRT_UNIFORM;
            kernels[i]->block_time.min = pick(set, 1, longest);
        }
    }
    struct grt_random times = grt_random_stream(set->builder->scenario.seed, "time", index, 0);
    for (size_t job = 0; job < MAX_JOBS; job++) {
        set->exec[index][job] = 0;
        for (size_t i = 0; i < count; i++) {
            const struct grt_distribution *time = &kernels[i]->block_time;
            grt_time drawn = time->max;
            if (!grt_distribution_is_constant(time)) {
                struct grt_random of_kernel = grt_random_of_key(grt_random_bits(&times));
                drawn = grt_distribution_draw(time, &of_kernel);
            }
            set->exec[index][job] += drawn / set->scale;
        }
    }
    set->tasks[index].exec = set->exec[index];
    set->tasks[index].exec_count = MAX_JOBS;
}

static void make_ties(struct np_case *set, size_t index) {
    struct grt_random ties = grt_random_stream(set->builder->scenario.seed, "tie", index, 0);
    for (size_t job = 0; job < MAX_JOBS; job++) {
        set->tie_keys[index][job] = grt_random_bits(&ties);
    }
}

static uint64_t tie_key(void *context, size_t task, size_t job) {
    const struct np_case *set = context;
    return set->tie_keys[task][job];
}

/* ---- the set ---- */

static void make_case(struct np_case *set, uint64_t seed) {
    static const grt_time scales[] = {1, 1, 1, 1000, 12345678};
    static const grt_reference_tick periods[] = {5, 6, 8, 10, 10, 12, 15, 20, 20, 24, 30, 40};
    set->random = grt_random_stream(seed, "np-case", 0, 0);
    set->scale = scales[pick(set, 0, 4)];
    set->horizon = pick(set, 1, 300);
    set->builder = grt_builder_create(set->horizon * set->scale);
    set->builder->scenario.seed = seed;
    grt_builder_gpu(set->builder,
                    pick(set, 0, 1) ? grt_built_exclusive() : grt_built_device(pick(set, 1, 3)));
    const size_t count = (size_t)pick(set, 1, MAX_TASKS);
    set->task_count = count;
    int64_t load_percent = pick(set, 20, 130), weights[MAX_TASKS], sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i] = pick(set, 1, 100);
    }
    for (size_t i = 0; i < count; i++) {
        struct grt_task *task = grt_builder_task(set->builder, "t");
        grt_reference_tick period = periods[pick(set, 0, 11)];
        grt_reference_tick worst = period * load_percent * weights[i] / (100 * sum);
        set->tasks[i] = (struct grt_reference_np_task){.priority = (int)pick(set, -2, 2)};
        task->priority = set->tasks[i].priority;
        make_arrivals(set, i, task, period);
        make_times(set, i, task, worst > 1 ? worst : 1);
        make_ties(set, i);
    }
}

/* ---- comparison ---- */

/* What the world did with a job, in ticks. */
struct seen {
    grt_reference_tick release, request, start, finish;
    bool missed;
};

static void see(struct seen seen[MAX_TASKS][MAX_JOBS], const struct np_case *set,
                const struct grt_trace_record *record) {
    if (record->job >= MAX_JOBS) {
        return;
    }
    struct seen *job = &seen[record->task][record->job];
    grt_reference_tick time = record->time / set->scale, other = record->other / set->scale;
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        *job = (struct seen){time, GRT_REFERENCE_NEVER, GRT_REFERENCE_NEVER, GRT_REFERENCE_NEVER, false};
        break;
    case GRT_TRACE_GPU_REQUEST:
        job->request = time < set->horizon ? time : GRT_REFERENCE_NEVER;
        break;
    case GRT_TRACE_KERNEL:
        if (record->detail == 0) {
            job->start = other < set->horizon ? other : GRT_REFERENCE_NEVER;
        }
        break;
    case GRT_TRACE_FINISH:
        job->finish = time;
        job->missed = (record->flags & GRT_TRACE_LATE) != 0;
        break;
    case GRT_TRACE_UNFINISHED:
        job->missed = (record->flags & GRT_TRACE_LATE) != 0;
        break;
    default:
        break;
    }
}

static bool same_job(const struct grt_reference_np_job *job, const struct seen *seen) {
    return job->release == seen->release && job->request == seen->request && job->start == seen->start &&
           job->finish == seen->finish && job->missed == seen->missed;
}

static bool same_jobs(const struct np_case *set, const struct grt_built_run *run,
                      const struct grt_reference_np_job *jobs, size_t count) {
    static struct seen seen[MAX_TASKS][MAX_JOBS];
    memset(seen, 0xff, sizeof seen);
    size_t released = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        released += record->kind == GRT_TRACE_RELEASE && record->time < set->builder->scenario.horizon;
        see(seen, set, record);
    }
    for (size_t i = 0; i < count; i++) {
        const struct seen *job = &seen[jobs[i].task][jobs[i].job];
        if (!same_job(&jobs[i], job)) {
            fprintf(stderr,
                    "task %zu job %zu, reference/world: release %" PRId64 "/%" PRId64 " request %" PRId64
                    "/%" PRId64 " start %" PRId64 "/%" PRId64 " finish %" PRId64 "/%" PRId64
                    " missed %d/%d\n",
                    jobs[i].task, jobs[i].job, jobs[i].release, job->release, jobs[i].request, job->request,
                    jobs[i].start, job->start, jobs[i].finish, job->finish, jobs[i].missed, job->missed);
            return false;
        }
    }
    return released == count;
}

static bool check_run(struct np_case *set, enum grt_reference_np_policy policy, enum grt_reference_tie tie) {
    static const char *const names[] = {"fifo", "np-edf", "np-rm", "np-fp"};
    static const int64_t ties[] = {GRT_TIES_TASK, GRT_TIES_ARRIVAL, GRT_TIES_SHUFFLE};
    static struct grt_reference_np_job jobs[MAX_TASKS * MAX_JOBS];
    struct grt_reference_np_set reference = {.tasks = set->tasks,
                                             .task_count = set->task_count,
                                             .policy = policy,
                                             .tie = tie,
                                             .horizon = set->horizon,
                                             .tie_key = tie_key,
                                             .context = set};
    size_t count = grt_reference_np_run(&reference, jobs, MAX_TASKS * MAX_JOBS);
    struct grt_built_run run;
    set->builder->scenario.ties = ties[tie];
    grt_built_run_start(&run, &set->builder->scenario, grt_policy_find(names[policy]), false);
    bool same = run.result != NULL && same_jobs(set, &run, jobs, count);
    if (!same) {
        fprintf(stderr, "seed %" PRIu64 ", %s, tie rule %d\n", set->builder->scenario.seed, names[policy],
                tie);
    }
    grt_built_run_free(&run);
    return same;
}

static void worlds_agree_with_the_reference(void) {
    struct np_case *set = malloc(sizeof *set);
    bool same = set != NULL;
    int cases = grt_suite_cases(500, 10000);
    for (int i = 0; same && i < cases; i++) {
        make_case(set, (uint64_t)i);
        for (int run = 0; same && run < 12; run++) { /* four policies under three tie rules */
            same = check_run(set, (enum grt_reference_np_policy)(run / 3), (enum grt_reference_tie)(run % 3));
        }
        grt_builder_free(set->builder);
    }
    CU_ASSERT(same);
    free(set);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"worlds agree with the reference", worlds_agree_with_the_reference},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("non-preemptive policies against the reference", tests);
}
