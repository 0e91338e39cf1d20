/* labels: soak */
/* Analyses against the equations they come from, tried at every tick: random sets of small numbers, which are the hard cases. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"
#include "tests/support/reference_analysis.h"
#include "tests/support/reference_preemptive.h"
#include "tests/support/suite.h"

static struct analysis_case it;
static struct grt_reference_demand tasks[ANALYSIS_CASE_TASKS];

static void make_case(struct grt_random *random, int number) {
    *random = grt_random_stream((uint64_t)number, "analyses", 0, 0);
    size_t count = (size_t)grt_pick(random, 1, 6);
    int64_t load = grt_pick(random, 30, 125), longest = grt_pick(random, 8, 60);
    analysis_case_random(&it, random, count, longest, load);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (struct grt_reference_demand){analysis_case_cost(&it, i), it.tasks[i].period,
                                                 it.tasks[i].deadline};
    }
}

static bool complain(int number, const char *what) {
    fprintf(stderr, "set %d: %s\n", number, what);
    for (size_t i = 0; i < it.set.count; i++) {
        fprintf(stderr, "  C %" PRId64 " T %" PRId64 " D %" PRId64 " response %" PRId64 "\n", tasks[i].cost,
                tasks[i].period, tasks[i].deadline, it.response[i]);
    }
    return false;
}

/* ---- earliest deadline first ---- */

static bool same_edf(int number, int *schedulable) {
    size_t count = it.set.count;
    bool exact = grt_reference_np_edf(tasks, count, 1);
    bool continuous = grt_reference_np_edf(tasks, count, 0);
    enum grt_verdict verdict = analysis_case_run(&it, "np-edf-exact");
    *schedulable += exact;
    if (verdict != (exact ? GRT_VERDICT_SCHEDULABLE : GRT_VERDICT_UNSCHEDULABLE) ||
        it.result.has_witness == exact) {
        return complain(number, "np-edf-exact differs");
    }
    verdict = analysis_case_run(&it, "np-edf-continuous");
    bool overload = grt_reference_overload(tasks, count);
    if (verdict != (continuous ? GRT_VERDICT_SCHEDULABLE
                    : overload ? GRT_VERDICT_UNSCHEDULABLE
                               : GRT_VERDICT_UNKNOWN)) {
        return complain(number, "np-edf-continuous differs");
    }
    return true;
}

static void demand_of_edf(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(20000, 100000), schedulable = 0;
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        make_case(&random, i);
        same = same_edf(i, &schedulable);
    }
    CU_ASSERT(same);
    CU_ASSERT(schedulable > cases / 5 && schedulable < cases * 4 / 5);
}

/* Of preemptive EDF, which no policy here has: the least remaining deadline at every tick. All released at 0. */
static bool misses_by(int64_t end) {
    int64_t left[ANALYSIS_CASE_TASKS] = {0}, done[ANALYSIS_CASE_TASKS] = {0};
    for (int64_t tick = 0; tick < end; tick++) {
        size_t next = SIZE_MAX;
        int64_t earliest = INT64_MAX;
        for (size_t i = 0; i < it.set.count; i++) {
            left[i] += tick % tasks[i].period == 0 ? tasks[i].cost : 0;
            int64_t deadline = done[i] / tasks[i].cost * tasks[i].period + tasks[i].deadline;
            if (left[i] > 0 && deadline < earliest) {
                next = i;
                earliest = deadline;
            }
        }
        if (next < SIZE_MAX) {
            left[next]--;
            done[next]++;
        }
        for (size_t i = 0; i < it.set.count; i++) { /* what is due at the end of this tick */
            int64_t deadline = done[i] / tasks[i].cost * tasks[i].period + tasks[i].deadline;
            if (left[i] > 0 && deadline <= tick + 1) {
                return true;
            }
        }
    }
    return false;
}

static bool same_preemptive_edf(int number, int *schedulable) {
    bool exact = grt_reference_edf(tasks, it.set.count);
    enum grt_verdict verdict = analysis_case_run(&it, "edf-demand");
    *schedulable += exact;
    if (verdict != (exact ? GRT_VERDICT_SCHEDULABLE : GRT_VERDICT_UNSCHEDULABLE)) {
        return complain(number, "edf-demand differs");
    }
    if (exact ? misses_by(500) : !misses_by(analysis_case_time(&it, "first_miss_by"))) {
        return complain(number, "edf-demand is not what happens");
    }
    return true;
}

static void demand_of_preemptive_edf(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(20000, 100000), schedulable = 0;
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        make_case(&random, i);
        same = same_preemptive_edf(i, &schedulable);
    }
    CU_ASSERT(same);
    CU_ASSERT(schedulable > cases / 5 && schedulable < cases * 4 / 5);
}

/* Two published conditions for the same question. */
static void jeffay_and_george_agree(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(20000, 100000), schedulable = 0;
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        make_case(&random, i);
        for (size_t j = 0; j < it.set.count; j++) {
            it.tasks[j].deadline = tasks[j].deadline = tasks[j].period;
        }
        bool reference = grt_reference_jeffay(tasks, it.set.count);
        bool ours = analysis_case_run(&it, "np-edf-exact") == GRT_VERDICT_SCHEDULABLE;
        schedulable += reference;
        same = ours == reference || complain(i, "Jeffay's condition says otherwise");
    }
    CU_ASSERT(same);
    CU_ASSERT(schedulable > cases / 5 && schedulable < cases * 4 / 5);
}

static bool same_np_edf_responses(int number) {
    if (grt_reference_overload(tasks, it.set.count)) {
        return true;
    }
    analysis_case_run(&it, "np-edf-response");
    for (size_t i = 0; i < it.set.count; i++) {
        int64_t response = grt_reference_np_edf_response(tasks, it.set.count, i);
        if (response != it.response[i]) {
            fprintf(stderr, "task %zu: %" PRId64 " in the reference\n", i, response);
            return complain(number, "np-edf-response differs");
        }
    }
    return true;
}

static void responses_of_np_edf(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(1000, 100000);
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        make_case(&random, i);
        same = same_np_edf_responses(i);
    }
    CU_ASSERT(same);
}

/* ---- fixed priorities ---- */

static bool same_responses(int number, const char *analysis, bool preemptive) {
    bool late = false;
    enum grt_verdict verdict = analysis_case_run(&it, analysis);
    for (size_t i = 0; i < it.set.count; i++) {
        int64_t response = grt_reference_response(tasks, it.set.count, i, preemptive, false, NULL);
        late |= response > tasks[i].deadline;
        if (response < INT64_MAX && response != it.response[i]) {
            fprintf(stderr, "task %zu: %" PRId64 " in the reference\n", i, response);
            return complain(number, analysis);
        }
    }
    return verdict == (late ? GRT_VERDICT_UNSCHEDULABLE : GRT_VERDICT_SCHEDULABLE) ||
           complain(number, analysis);
}

static void responses(const char *analysis, bool preemptive) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(5000, 100000);
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        make_case(&random, i);
        same = same_responses(i, analysis, preemptive);
    }
    CU_ASSERT(same);
}

static void responses_of_np_fp(void) {
    responses("np-fp-response", false);
}

static void responses_of_fp(void) {
    responses("fp-response", true);
}

/* ---- the unit of time ---- */

/* In a unit 10^16 times as small, what has no tick is the same; only nothing may overflow. */
static void times_of_years_give_the_same(void) {
    static const char *const analyses[] = {"np-edf-continuous", "edf-demand", "fp-response"};
    static const int64_t unit = INT64_C(10000000000000000);
    struct grt_random random = {0};
    int cases = grt_suite_cases(2000, 100000), compared = 0;
    bool same = true;
    for (int i = 0; same && i < cases; i++) {
        const char *analysis = analyses[i % 3];
        int64_t response[ANALYSIS_CASE_TASKS];
        make_case(&random, i);
        enum grt_verdict verdict = analysis_case_run(&it, analysis);
        const size_t count = it.set.count;
        for (size_t j = 0; j < count; j++) {
            response[j] = it.response[j] < GRT_ANALYSIS_NEVER ? it.response[j] * unit : it.response[j];
            it.segments[j][0].longest *= unit;
            it.tasks[j].period *= unit;
            it.tasks[j].deadline *= unit;
        }
        bool fits = true; /* into 31 years, and busy periods into four times that */
        for (size_t j = 0; j < count; j++) {
            fits &= it.tasks[j].deadline <= 100 * unit && it.segments[j][0].longest <= 100 * unit &&
                    (response[j] <= 300 * unit || response[j] == GRT_ANALYSIS_NEVER);
        }
        enum grt_verdict wide = analysis_case_run(&it, analysis);
        for (size_t j = 0; fits && j < count; j++) {
            same &= it.response[j] == response[j] || it.response[j] == GRT_ANALYSIS_NEVER;
        }
        same &= !fits || wide == verdict || wide == GRT_VERDICT_UNKNOWN;
        compared += fits && wide != GRT_VERDICT_UNKNOWN;
        same = same || complain(i, analysis);
    }
    CU_ASSERT(same);
    CU_ASSERT(compared > cases / 2);
}

/* ---- rate-monotonic bounds ---- */

/* What they accept, response times accept, and Liu and Layland's is the stricter one. */
static void bounds_are_below_response_times(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(5000, 100000), accepted = 0, hyperbolic = 0;
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        make_case(&random, i);
        for (size_t j = 0; j < it.set.count; j++) {
            it.tasks[j].deadline = it.tasks[j].period;
            it.tasks[j].priority = -it.tasks[j].period;
        }
        bool by_utilisation = analysis_case_run(&it, "rm-utilisation") == GRT_VERDICT_SCHEDULABLE;
        bool by_product = analysis_case_run(&it, "rm-hyperbolic") == GRT_VERDICT_SCHEDULABLE;
        bool by_response = analysis_case_run(&it, "fp-response") == GRT_VERDICT_SCHEDULABLE;
        accepted += by_utilisation;
        hyperbolic += by_product;
        right = by_utilisation <= by_product && by_product <= by_response;
    }
    CU_ASSERT(right);
    CU_ASSERT(accepted > cases / 20 && hyperbolic > accepted);
}

/* ---- self-suspension ---- */

enum { MOST_PARTS = 4, MOST_JOBS = 4096 };

static struct grt_reference_preemptive_segment parts[ANALYSIS_CASE_TASKS][MOST_PARTS];
static struct grt_reference_preemptive_task suspending[ANALYSIS_CASE_TASKS];

/* The case's tasks, cut into parts that begin with either kind. */
static void make_suspending_case(struct grt_random *random, int number) {
    make_case(random, number);
    size_t count = it.set.count;
    analysis_case_start(&it);
    for (size_t i = 0; i < count; i++) {
        bool gpu = grt_pick(random, 0, 1) == 1;
        struct grt_analysis_task *task = analysis_case_add(&it, 0, tasks[i].period, tasks[i].deadline);
        task->priority = grt_pick(random, 0, 12);
        size_t part_count = (size_t)grt_pick(random, gpu ? 1 : 2, MOST_PARTS);
        for (size_t j = 0; j < part_count; j++, gpu = !gpu) {
            int64_t length = grt_pick(random, 1, tasks[i].period / 12 + 1);
            analysis_case_segment(&it, gpu, length, length);
            parts[i][j] = (struct grt_reference_preemptive_segment){.suspension = !gpu, .length = length};
        }
        suspending[i] = (struct grt_reference_preemptive_task){.priority = (int)task->priority,
                                                               .period = task->period,
                                                               .segments = parts[i],
                                                               .segment_count = part_count};
    }
}

/* The part of the GPU plays a core of the reference, which preempts. */
static bool keeps_bounds(int number, struct grt_random *random, int64_t *closest) {
    static struct grt_reference_preemptive_job jobs[MOST_JOBS];
    struct grt_reference_preemptive_set set = {
        .tasks = suspending, .task_count = it.set.count, .horizon = 600};
    for (size_t i = 0; i < it.set.count; i++) {
        suspending[i].offset = grt_pick(random, 0, 1) * grt_pick(random, 0, suspending[i].period - 1);
    }
    size_t count = grt_reference_preemptive_run(&set, jobs, MOST_JOBS);
    for (size_t i = 0; i < count; i++) {
        int64_t response = jobs[i].finish - jobs[i].release, bound = it.response[jobs[i].task];
        if (jobs[i].finish == GRT_REFERENCE_NEVER) {
            continue;
        }
        *closest += response == bound;
        if (response > bound) {
            return complain(number, "a suspending task exceeds its bound");
        }
    }
    return true;
}

static void suspending_tasks_keep_bounds(void) {
    struct grt_random random = {0};
    int cases = grt_suite_cases(1000, 100000), accepted = 0;
    int64_t attained = 0;
    bool right = true;
    for (int i = 0; right && i < cases; i++) {
        make_suspending_case(&random, i);
        if (analysis_case_run(&it, "fp-suspension") == GRT_VERDICT_SCHEDULABLE) {
            accepted++;
            for (int run = 0; right && run < 4; run++) {
                right = keeps_bounds(i, &random, &attained);
            }
        }
    }
    CU_ASSERT(right);
    CU_ASSERT(accepted > cases / 20 && attained > 0);
    printf("\n    fp-suspension: %d accepted of %d, bounds attained by %" PRId64 " jobs\n", accepted, cases,
           attained);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"demand of EDF", demand_of_edf},
        {"demand of preemptive EDF", demand_of_preemptive_edf},
        {"Jeffay and George agree", jeffay_and_george_agree},
        {"responses of np-edf", responses_of_np_edf},
        {"responses of np-fp", responses_of_np_fp},
        {"responses of fp", responses_of_fp},
        {"times of years give the same", times_of_years_give_the_same},
        {"bounds are below response times", bounds_are_below_response_times},
        {"suspending tasks keep bounds", suspending_tasks_keep_bounds},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analyses against their equations", tests);
}
