/* labels: soak */
/* Analyses against the equations they come from, tried at every tick: random sets of small numbers, which are the hard cases. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"
#include "tests/support/reference_analysis.h"
#include "tests/support/suite.h"

static struct analysis_case it;
static struct grt_reference_demand tasks[ANALYSIS_CASE_TASKS];

static void make_case(struct grt_random *random, int number) {
    *random = grt_random_stream((uint64_t)number, "analyses", 0, 0);
    size_t count = (size_t)grt_pick(random, 1, 6);
    analysis_case_random(&it, random, count, grt_pick(random, 8, 60), grt_pick(random, 30, 125));
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

int main(void) {
    CU_TestInfo tests[] = {
        {"demand of EDF", demand_of_edf},
        {"Jeffay and George agree", jeffay_and_george_agree},
        {"responses of np-fp", responses_of_np_fp},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analyses against their equations", tests);
}
