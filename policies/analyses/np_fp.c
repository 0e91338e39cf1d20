/* Response times under non-preemptive fixed priorities.
 *
 * Source: R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, "Controller Area Network (CAN) Schedulability Analysis: Refuted, Revisited and
 * Revised", Real-Time Systems 35, 2007: all requests in the level-i busy period.
 * Implements: the revised analysis, for whole nanoseconds: B_i = max of C_k - 1 over lower k, and the interference
 * floor((w + J_k) / T_k) + 1 in place of ceil((w + J_k + tau_bit) / T_k). (fixed_priority.h)
 * Assumes: what requests_take checks.
 * Deviates: 1. Tasks of equal priority count as higher ones. 2. CPU segments around the GPU segment are jitter and tail. */
#include "policies/analyses/fixed_priority.h"

static int64_t priority_key(const struct grt_analysis_task *task) {
    return -task->priority;
}

static int64_t rate_key(const struct grt_analysis_task *task) {
    return task->period; /* as policies/np_rm.c, whose other keys are for tasks without one */
}

static void run_fp(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    fixed_priority_analyse(&(struct fixed_priority){.key = priority_key}, set, result);
}

static void run_rm(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    fixed_priority_analyse(&(struct fixed_priority){.key = rate_key}, set, result);
}

static const char *const np_fp[] = {"np-fp", "pruda-single", NULL};
static const char *const np_rm[] = {"np-rm", NULL};

#define SOURCE                                                                                               \
    "R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, Controller Area Network (CAN) Schedulability "        \
    "Analysis: Refuted, "                                                                                    \
    "Revisited and Revised, Real-Time Systems 35, 2007"
#define DEVIATION                                                                                            \
    "a request blocks for a nanosecond less than it takes; tasks of equal priority count as higher ones; "   \
    "CPU segments "                                                                                          \
    "around the GPU segment count as jitter and tail"

static const char *const values[] = {"first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_np_fp_response = {
    .name = "np-fp-response",
    .summary = "response times under non-preemptive fixed priorities",
    .source = SOURCE,
    .deviation = DEVIATION,
    .policies = np_fp,
    .order = GRT_ORDER_PRIORITY,
    .exact = true,
    .bounds = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .suits_audsley = true,
    .run = run_fp,
};

const struct grt_analysis_ops grt_analysis_np_rm_response = {
    .name = "np-rm-response",
    .summary = "response times under non-preemptive rate-monotonic priorities",
    .source = SOURCE,
    .deviation = DEVIATION,
    .policies = np_rm,
    .exact = true,
    .bounds = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .audsley_objection = "goes by periods, not by priorities",
    .run = run_rm,
};
