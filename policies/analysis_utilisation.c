/* The GPU's utilisation: a load above one misses deadlines under every policy that keeps the GPU to one segment at a time.
 *
 * Source: C. L. Liu, J. W. Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", Journal of the ACM 20(1),
 * 1973: U <= 1 is necessary.
 * Assumes: every task with a GPU segment has a least distance between arrivals, and known longest times. */
#include "models/analysis.h"

static int64_t gpu_time(const struct grt_analysis_task *task) {
    int64_t time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].on_gpu) {
            int64_t longest = task->segments[i].longest;
            time = longest < GRT_ANALYSIS_NEVER - time ? time + longest : GRT_ANALYSIS_NEVER;
        }
    }
    return time;
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    double sum = 0.0;
    for (uint32_t i = 0; i < set->count; i++) {
        int64_t time = gpu_time(&set->tasks[i]);
        if (time == 0) {
            continue;
        }
        if (set->tasks[i].period == 0 || time == GRT_ANALYSIS_NEVER) {
            grt_analysis_refuse(result, "task %s has no %s", set->tasks[i].name,
                                set->tasks[i].period == 0 ? "period" : "known longest time");
            return;
        }
        double utilisation = (double)time / (double)set->tasks[i].period;
        grt_analysis_add_number(result, "utilisation", i, utilisation);
        sum += utilisation;
    }
    grt_analysis_add_number(result, "utilisation", GRT_ANALYSIS_NO_TASK, sum);
    grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK,
                      "utilisation says nothing about deadlines");
}

static const char *const policies[] = {"fifo", "np-edf", "np-rm", "np-fp", NULL};

const struct grt_analysis_ops grt_analysis_utilisation = {
    .name = "utilisation",
    .summary = "how much of the GPU's time the tasks ask for in the long run",
    .source = "C. L. Liu, J. W. Layland, Scheduling Algorithms for Multiprogramming in a Hard-Real-Time "
              "Environment, JACM 1973",
    .policies = policies,
    .run = run,
};
