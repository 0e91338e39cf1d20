/* Response times under preemptive fixed priorities. No policy of gpurt preempts a GPU: it is for comparison.
 *
 * Source: M. Joseph, P. Pandya, "Finding Response Times in a Real-Time System", The Computer Journal 29(5), 1986; K. Tindell, A. Burns,
 * A. J. Wellings, "An Extendible Approach for Analyzing Fixed Priority Hard Real-Time Tasks", Real-Time Systems 6, 1994: release jitter, and
 * all requests in the busy period where responses exceed periods.
 * Implements: the equations in fixed_priority.h.
 * Assumes: what requests_take checks.
 * Deviates: tasks of equal priority count as higher ones; CPU segments around the GPU segment count as jitter and tail. */
#include "policies/analyses/fixed_priority.h"

static int64_t priority_key(const struct grt_analysis_task *task) {
    return -task->priority;
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    fixed_priority_analyse(&(struct fixed_priority){.key = priority_key, .preemptive = true}, set, result);
}

static const char *const policies[] = {NULL};

static const char *const values[] = {"first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_fp_response = {
    .name = "fp-response",
    .summary = "response times under preemptive fixed priorities",
    .source = "M. Joseph, P. Pandya, Finding Response Times in a Real-Time System, The Computer Journal "
              "29(5), 1986; K. Tindell, A. "
              "Burns, A. J. Wellings, An Extendible Approach for Analyzing Fixed Priority Hard Real-Time "
              "Tasks, Real-Time Systems "
              "6, 1994",
    .deviation = "tasks of equal priority count as higher ones; CPU segments around the GPU segment count as "
                 "jitter and tail",
    .policies = policies,
    .exact = true,
    .bounds = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .suits_audsley = true,
    .run = run,
};
