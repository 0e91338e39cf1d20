/* GPU-TDMh: the parameters of the reservation server, and how long a job takes at most with them.
 *
 * Source: V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017.
 * Implements: section 3.2, by policies/tdm/assignment.h, where the deviations of the parameters stand; the response bound is not in the paper.
 * Assumes: sporadic tasks of one GPU segment, with CPU segments before and after it on a core of their own; nothing overruns (what `covers`
 *   leaves out is all but the last). Tasks without a GPU segment have a core of their own, too, or nothing is proven. */
#include <stdlib.h>

#include "policies/tdm/tdm.h"

static void say_parameters(const struct tdm_assignment *found, struct grt_analysis_result *result) {
    grt_analysis_add_time(result, "server_period", GRT_ANALYSIS_NO_TASK, found->period);
    grt_analysis_add_time(result, "server_budget", GRT_ANALYSIS_NO_TASK, found->budget);
    grt_analysis_add_number(result, "load", GRT_ANALYSIS_NO_TASK, found->load);
}

/* From the arrival: the jitter and what the job computes on its core come on top. */
static int64_t response_of(const struct grt_analysis_task *task, int64_t slots) {
    return slots == GRT_STEP_NEVER ? GRT_ANALYSIS_NEVER
                                   : grt_span_sum(slots, grt_span_sum(task->jitter, tdm_cpu_time(task)));
}

static void say_tasks(const struct grt_analysis_set *set, const struct tdm_task *tasks, const uint32_t *order,
                      size_t count, const struct tdm_rule *rule, const struct tdm_slot *slots, int64_t period,
                      struct grt_analysis_result *result) {
    for (uint32_t i = 0; i < count; i++) {
        int64_t pieces =
            grt_steps_pieces(tasks[i].steps, tasks[i].step_count, slots[i].length - tasks[i].overhead);
        grt_analysis_add_number(result, "slots", order[i], (double)slots[i].count);
        grt_analysis_add_number(result, "slots_needed", order[i], (double)pieces);
        grt_analysis_add_time(result, "slot_length", order[i], slots[i].length);
        grt_analysis_add_time(result, "slot_offset", order[i], slots[i].offset);
        result->response[order[i]] =
            response_of(&set->tasks[order[i]], tdm_response(tasks, i, rule, slots, period));
    }
}

static bool has_slot(const struct grt_analysis_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].on_gpu) {
            return true;
        }
    }
    return false;
}

/* Whether a job that only computes is always done in time, on a core of its own. One that comes late ends by the jitter and its own time after its
 * arrival all the same, because the one before it does; one that is not delayed by that ends by its own time after its release. */
static bool meets_alone(const struct grt_analysis_task *task, int64_t *response) {
    int64_t time = tdm_cpu_time(task);
    if (task->shares_core || task->after_others || time > task->period) {
        return task->deadline == GRT_ANALYSIS_NEVER;
    }
    *response = grt_span_sum(task->jitter, time);
    bool apart = task->deadline_from_release && *response <= task->period;
    return (apart ? time : *response) <= task->deadline;
}

/* Tasks without GPU segments have no slots, but deadlines. */
static void judge_others(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (!has_slot(&set->tasks[i]) && !meets_alone(&set->tasks[i], &result->response[i]) &&
            result->verdict == GRT_VERDICT_SCHEDULABLE) {
            grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, i,
                              "task %s, which has no slot, may miss its deadlines on its core",
                              set->tasks[i].name);
        }
    }
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct tdm_parameters defaults = tdm_default_parameters();
    const struct tdm_parameters *given = set->parameters != NULL ? set->parameters : &defaults;
    if (tdm_period_refusal(given, result->reason)) {
        result->verdict = GRT_VERDICT_INAPPLICABLE;
        return;
    }
    struct tdm_task *tasks = grt_analysis_memory(set->count + 1, sizeof *tasks);
    struct tdm_slot *slots = grt_analysis_memory(set->count + 1, sizeof *slots);
    uint32_t *order = grt_analysis_memory(set->count + 1, sizeof *order);
    struct tdm_assignment found = {0};
    size_t count = tdm_tasks_of(set, tasks, order);
    if (count == 0) {
        grt_analysis_refuse(result, "no task has a GPU segment");
    } else if (tdm_assign(tasks, count, &given->rule, slots, &found)) {
        result->verdict = GRT_VERDICT_SCHEDULABLE;
        if (given->rule.count == TDM_COUNT_UNSOUND) {
            grt_analysis_fail(result, GRT_VERDICT_SCHEDULABLE, GRT_ANALYSIS_NO_TASK,
                              "jobs are counted one slot more than is sure");
            result->unsound = true;
        }
        say_parameters(&found, result);
        say_tasks(set, tasks, order, count, &given->rule, slots, found.period, result);
        judge_others(set, result);
    } else {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN,
                          found.failing < count ? order[found.failing] : GRT_ANALYSIS_NO_TASK, "%s",
                          found.reason);
    }
    result->steps = found.steps + (int64_t)set->count;
    free(tasks);
    free(slots);
    free(order);
}

static const char *const policies[] = {"tdm", NULL};

static const char *const values[] = {"server_period", "server_budget", "load",        "slots",
                                     "slots_needed",  "slot_length",   "slot_offset", NULL};

const struct grt_analysis_ops grt_analysis_tdm = {
    .name = "tdm",
    .summary = "the period and the slots of the reservation server, and response times with them",
    .source = "V. Golyanik, M. Nasri, D. Stricker, Towards Scheduling Hard Real-Time Image Processing Tasks "
              "on a Single GPU, ICIP 2017, "
              "equations (1) to (13)",
    .deviation = "jitter shortens the window of a job, kernels are cut between blocks, and the cubic accepts "
                 "the interval between its roots; "
                 "see the document tdm.md",
    .policies = policies,
    .bounds = true,
    .covers = GRT_COVERS_JITTER | GRT_COVERS_CPU_SEGMENTS | GRT_COVERS_LATE_DEADLINES |
              GRT_COVERS_DEADLINES_FROM_RELEASES | GRT_COVERS_UNKNOWN_TIMES | GRT_COVERS_CPU_ONLY,
    .values = values,
    .audsley_objection = "does not go by priorities",
    .run = run,
};
