/* Non-preemptive earliest deadline first, by demand.
 *
 * Source: K. Jeffay, D. F. Stanat, C. U. Martel, "On Non-Preemptive Scheduling of Periodic and Sporadic Tasks", RTSS 1991;
 * L. George, N. Rivierre, M. Spuri, "Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling", INRIA research report
 * 2966, 1996: deadlines of any length.
 * Implements: the condition in demand.h.
 * Assumes: what requests_take checks, and deadlines that are met on the GPU (requests_refuse_cpu_after).
 * Deviates: 1. spans are searched downwards as by QPA, once for every value of the blocking term, which is constant between two
 * deadlines. 2. Release jitter and CPU segments ahead bring deadlines closer to requests; it is then sufficient only.
 * 3. np-edf-continuous takes C_j in place of C_j - 1, which is for clocks without ticks. */
#include "policies/analyses/demand.h"

static void run_exact(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    demand_analyse(set, result, DEMAND_WHOLE);
}

static void run_continuous(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    demand_analyse(set, result, DEMAND_CONTINUOUS);
}

static const char *const policies[] = {"np-edf", "pruda-single", NULL};

#define SOURCE                                                                                               \
    "K. Jeffay, D. F. Stanat, C. U. Martel, On Non-Preemptive Scheduling of Periodic and Sporadic Tasks, "   \
    "RTSS 1991; "                                                                                            \
    "L. George, N. Rivierre, M. Spuri, Preemptive and Non-Preemptive Real-Time Uniprocessor Scheduling, "    \
    "INRIA RR-2966, 1996"

static const char *const values[] = {"first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_np_edf_exact = {
    .name = "np-edf-exact",
    .summary = "demand and blocking under non-preemptive EDF in every span, in whole nanoseconds",
    .source = SOURCE,
    .deviation =
        "spans are searched downwards as by QPA; with release jitter or CPU segments it is sufficient only",
    .policies = policies,
    .order = GRT_ORDER_DEADLINE,
    .exact = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .audsley_objection = "does not go by priorities",
    .run = run_exact,
};

const struct grt_analysis_ops grt_analysis_np_edf_continuous = {
    .name = "np-edf-continuous",
    .summary = "the same for clocks without ticks: sufficient, a nanosecond of blocking stricter",
    .source = SOURCE,
    .deviation = "the whole blocking request counts, where releases come any time after its start",
    .policies = policies,
    .order = GRT_ORDER_DEADLINE,
    .covers = REQUESTS_COVERED,
    .values = values,
    .audsley_objection = "does not go by priorities",
    .run = run_continuous,
};
