/* labels: soak */
/* Partitioned preemptive fixed priorities with constant suspensions, job by job, against the tick-by-tick reference.
 * The suspensions are GPU segments that never wait: small kernels on a device with room for all of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/reference_preemptive.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MAX_TASKS = 8, MAX_SEGMENTS = 5, MAX_JOBS = 512 };

/* A task set in both forms. The reference counts in ticks of `scale` ns. */
struct cpu_case {
    struct grt_builder *builder;
    grt_time scale;
    struct grt_random random; /* of the generator */
    struct grt_reference_preemptive_set reference;
    struct grt_reference_preemptive_task tasks[MAX_TASKS];
    struct grt_reference_preemptive_segment segments[MAX_TASKS][MAX_SEGMENTS];
    grt_reference_tick arrivals[MAX_TASKS][MAX_JOBS];
    uint64_t tie_keys[MAX_TASKS][MAX_JOBS];
};

static int64_t pick(struct cpu_case *set, int64_t from, int64_t to) {
    return grt_pick(&set->random, from, to);
}

static uint64_t tie_key(void *context, size_t task, size_t job) {
    const struct cpu_case *set = context;
    return set->tie_keys[task][job];
}

/* ---- generation ---- */

static void make_arrivals(struct cpu_case *set, size_t index, struct grt_task *task) {
    static const grt_reference_tick periods[] = {8, 10, 12, 15, 20, 20, 30, 40};
    struct grt_reference_preemptive_task *reference = &set->tasks[index];
    reference->period = periods[pick(set, 0, 7)];
    reference->offset = pick(set, 0, 1) * pick(set, 0, reference->period);
    grt_builder_periodic(task, reference->period * set->scale, reference->offset * set->scale);
    if (pick(set, 0, 4) > 0) {
        return;
    }
    grt_time instants[MAX_JOBS];
    grt_reference_tick at = pick(set, 0, 10);
    size_t count = (size_t)pick(set, 0, 20);
    for (size_t i = 0; i < count; i++) {
        set->arrivals[index][i] = at;
        instants[i] = at * set->scale;
        at += pick(set, 0, 2) * pick(set, 0, 20);
    }
    grt_builder_times(set->builder, task, instants, count);
    reference->arrivals = set->arrivals[index];
    reference->arrival_count = count;
}

/* Alternates between CPU time and suspensions, of one kernel or two; begins with either. */
static void make_segments(struct cpu_case *set, size_t index, struct grt_task *task) {
    struct grt_reference_preemptive_task *reference = &set->tasks[index];
    reference->segment_count = (size_t)pick(set, 1, MAX_SEGMENTS);
    reference->segments = set->segments[index];
    bool suspension = pick(set, 0, 1) == 1;
    for (size_t i = 0; i < reference->segment_count; i++, suspension = !suspension) {
        struct grt_reference_preemptive_segment *segment = &set->segments[index][i];
        *segment = (struct grt_reference_preemptive_segment){suspension, pick(set, 1, 6)};
        if (!suspension) {
            grt_builder_cpu(set->builder, task, segment->length * set->scale);
            continue;
        }
        grt_reference_tick first = segment->length > 1 ? pick(set, 1, segment->length) : 1;
        grt_builder_kernel(set->builder, task, pick(set, 1, 2), 32, first * set->scale);
        if (first < segment->length) {
            grt_builder_kernel(set->builder, task, 1, 32, (segment->length - first) * set->scale);
        }
    }
}

static void make_case(struct cpu_case *set, uint64_t seed) {
    static const int64_t ties[] = {GRT_TIES_TASK, GRT_TIES_ARRIVAL, GRT_TIES_SHUFFLE};
    memset(set, 0, sizeof *set);
    set->random = grt_random_stream(seed, "cpu-case", 0, 0);
    set->scale = pick(set, 0, 1) ? 1 : 1000;
    set->reference = (struct grt_reference_preemptive_set){.tasks = set->tasks,
                                                           .task_count = (size_t)pick(set, 1, MAX_TASKS),
                                                           .tie = (enum grt_reference_tie)pick(set, 0, 2),
                                                           .preempted_first = false,
                                                           .horizon = pick(set, 1, 300),
                                                           .tie_key = tie_key,
                                                           .context = set};
    set->builder = grt_builder_create(set->reference.horizon * set->scale);
    set->builder->scenario.seed = seed;
    set->builder->scenario.ties = ties[set->reference.tie];
    set->builder->scenario.core_count = pick(set, 0, 3);
    grt_builder_gpu(set->builder, grt_built_device(1));
    for (size_t i = 0; i < set->reference.task_count; i++) {
        struct grt_task *task = grt_builder_task(set->builder, "t");
        struct grt_random tie_random = grt_random_stream(seed, "tie", i, 0);
        task->priority = set->tasks[i].priority = (int)pick(set, 0, 3);
        task->cpu =
            set->builder->scenario.core_count > 0 ? pick(set, 0, set->builder->scenario.core_count - 1) : -1;
        set->tasks[i].core = task->cpu >= 0 ? (size_t)task->cpu : i;
        make_arrivals(set, i, task);
        make_segments(set, i, task);
        for (size_t job = 0; job < MAX_JOBS; job++) {
            set->tie_keys[i][job] = grt_random_bits(&tie_random);
        }
    }
}

/* ---- comparison ---- */

/* The slices of each core add up to the time that the result says it was busy. */
static bool busy_adds_up(const struct cpu_case *set, const struct grt_built_run *run) {
    grt_time busy[MAX_TASKS] = {0};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_CPU && record->row < MAX_TASKS) {
            busy[record->row] += record->time - record->other;
        }
    }
    for (size_t core = 0; core < run->result->core_count; core++) {
        if (run->result->cores[core].busy != busy[core]) {
            return false;
        }
    }
    return run->result->core_count == (size_t)set->builder->scenario.core_count;
}

static bool same_job(const struct cpu_case *set, const struct grt_built_run *run,
                     const struct grt_reference_preemptive_job *job) {
    grt_time release = grt_built_run_release(run, (uint32_t)job->task, (uint32_t)job->job);
    grt_time finish = grt_built_run_finish(run, (uint32_t)job->task, (uint32_t)job->job);
    grt_time expected = job->finish == GRT_REFERENCE_NEVER ? GRT_TIME_NEVER : job->finish * set->scale;
    if (release != job->release * set->scale || finish != expected) {
        fprintf(stderr,
                "task %zu job %zu: released %" PRId64 ", finished %" PRId64 "; the reference says %" PRId64
                " and %" PRId64 " ticks of %" PRId64 "\n",
                job->task, job->job, release, finish, job->release, job->finish, set->scale);
        return false;
    }
    return true;
}

static bool check_case(const struct cpu_case *set) {
    static struct grt_reference_preemptive_job jobs[MAX_TASKS * MAX_JOBS];
    size_t count = grt_reference_preemptive_run(&set->reference, jobs, MAX_TASKS * MAX_JOBS), released = 0;
    struct grt_built_run run;
    grt_built_run_start(&run, &set->builder->scenario, grt_policy_find("hardware"), false);
    bool same = run.result != NULL;
    for (size_t i = 0; same && i < count; i++) {
        same = same_job(set, &run, &jobs[i]);
    }
    for (size_t i = 0; i < run.kept.record_count; i++) {
        released += run.kept.records[i].kind == GRT_TRACE_RELEASE &&
                    run.kept.records[i].time < set->builder->scenario.horizon;
    }
    same = same && released == count && busy_adds_up(set, &run);
    grt_built_run_free(&run);
    return same;
}

static void cores_agree_with_the_reference(void) {
    struct cpu_case *set = malloc(sizeof *set);
    bool same = set != NULL;
    int cases = grt_suite_cases(300, 5000);
    for (int i = 0; same && i < cases; i++) {
        make_case(set, (uint64_t)i);
        same = check_case(set);
        if (!same) {
            fprintf(stderr, "seed %d\n", i);
        }
        grt_builder_free(set->builder);
    }
    CU_ASSERT(same);
    free(set);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"cores agree with the reference", cores_agree_with_the_reference},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("preemptive cores against the reference", tests);
}
