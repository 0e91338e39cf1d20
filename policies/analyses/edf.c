/* Preemptive earliest deadline first, by demand. No policy of gpurt preempts a GPU: it is for comparison.
 *
 * Source: F. Zhang, A. Burns, "Schedulability Analysis for Real-Time Systems with EDF Scheduling", IEEE Transactions on Computers 58(9),
 * 2009: QPA.
 * Implements: the condition in demand.h without blocking.
 * Assumes: what requests_take checks, and deadlines that are met on the GPU (requests_refuse_cpu_after).
 * Deviates: 1. the search begins below the least of busy period and sum of (T - D) C / T / (1 - U), over tasks with D < T, which is at most
 * what the paper takes. 2. Release jitter and CPU segments ahead as in np_edf.c. */
#include "policies/analyses/demand.h"

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    demand_analyse(set, result, DEMAND_PREEMPTIVE);
}

static const char *const policies[] = {NULL};

static const char *const values[] = {"first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_edf_demand = {
    .name = "edf-demand",
    .summary = "demand under preemptive EDF in every span (QPA)",
    .source = "F. Zhang, A. Burns, Schedulability Analysis for Real-Time Systems with EDF Scheduling, IEEE "
              "TC 58(9), 2009",
    .deviation = "release jitter and CPU segments ahead bring deadlines closer to requests; it is then "
                 "sufficient only",
    .policies = policies,
    .exact = true,
    .covers = REQUESTS_COVERED,
    .values = values,
    .audsley_objection = "does not go by priorities",
    .run = run,
};
