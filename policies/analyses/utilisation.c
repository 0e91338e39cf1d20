/* The GPU's utilisation. A load above one misses deadlines under every policy that keeps the GPU to one segment at a time; for preemptive
 * rate-monotonic priorities there are loads below which none is missed.
 *
 * Source: C. L. Liu, J. W. Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", Journal of the ACM 20(1),
 * 1973: U <= 1 is necessary, theorem 5: U <= n (2^(1/n) - 1) suffices; E. Bini, G. C. Buttazzo, G. M. Buttazzo, "Rate Monotonic Analysis: the
 * Hyperbolic Bound", IEEE Transactions on Computers 52(7), 2003: the product of u_i + 1 up to 2 suffices.
 * Assumes: every task with a GPU segment has a least distance between arrivals, and known longest times; the two bounds: what
 * requests_take checks, and D >= T without jitter and CPU segments.
 * Deviates: both bounds are compared in floating point, with a margin. */
#include <math.h>
#include <stdlib.h>

#include "policies/analyses/requests.h"

/* Sums and products of 4096 terms err by less, relatively. */
static const double margin = 1e-11;

/* ---- at most one ---- */

/* Without the host parts, during which the GPU is free for others. */
static int64_t gpu_time(const struct grt_analysis_task *task) {
    int64_t time = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        time = grt_span_sum(time, task->segments[i].device_longest);
    }
    return time;
}

/* Adds what the task asks for; false after refusing it. */
static bool add_task(struct requests *requests, const struct grt_analysis_task *task, uint32_t index,
                     struct grt_analysis_result *result) {
    int64_t time = gpu_time(task);
    if (time == 0) {
        return true;
    }
    if (task->period <= 0 || time == GRT_ANALYSIS_NEVER) {
        grt_analysis_refuse(result, "task %s has no %s", task->name,
                            task->period <= 0 ? "period" : "known longest time");
        return false;
    }
    requests->streams[requests->count++] =
        (struct request_stream){.cost = time, .period = task->period, .task = index};
    grt_analysis_add_number(result, "utilisation", index, (double)time / (double)task->period);
    return true;
}

/* Of all tasks with a GPU segment, added up without rounding. */
static void judge(const struct requests *requests, const struct grt_analysis_set *set,
                  struct grt_analysis_result *result) {
    double sum = 0.0;
    bool deadlines = true;
    for (size_t i = 0; i < requests->count; i++) {
        const struct request_stream *stream = &requests->streams[i];
        sum += (double)stream->cost / (double)stream->period;
        deadlines &= set->tasks[stream->task].deadline < GRT_ANALYSIS_NEVER;
    }
    grt_analysis_add_number(result, "utilisation", GRT_ANALYSIS_NO_TASK, sum);
    if (requests_load(requests->streams, requests->count) > 0 && deadlines) {
        requests_overload(requests, set, result);
    } else {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK,
                          "utilisation up to one says nothing about deadlines");
    }
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    struct requests requests = {.streams = grt_analysis_memory(set->count + 1, sizeof *requests.streams)};
    bool taken = true;
    for (uint32_t i = 0; taken && i < set->count; i++) {
        taken = add_task(&requests, &set->tasks[i], i, result);
    }
    if (taken) {
        judge(&requests, set, result);
    }
    free(requests.streams);
    result->steps = (int64_t)set->count;
}

/* ---- bounds for rate-monotonic priorities ---- */

static bool liu_layland(const struct requests *requests, struct grt_analysis_result *result) {
    double sum = 0.0, count = (double)requests->count;
    for (size_t i = 0; i < requests->count; i++) {
        sum += (double)requests->streams[i].cost / (double)requests->streams[i].period;
    }
    double bound = count > 0.0 ? count * (exp2(1.0 / count) - 1.0) : 1.0;
    grt_analysis_add_number(result, "utilisation", GRT_ANALYSIS_NO_TASK, sum);
    grt_analysis_add_number(result, "bound", GRT_ANALYSIS_NO_TASK, bound);
    return sum <= bound - margin;
}

static bool hyperbolic(const struct requests *requests, struct grt_analysis_result *result) {
    double product = 1.0;
    for (size_t i = 0; i < requests->count; i++) {
        product *= (double)requests->streams[i].cost / (double)requests->streams[i].period + 1.0;
    }
    grt_analysis_add_number(result, "product", GRT_ANALYSIS_NO_TASK, product);
    grt_analysis_add_number(result, "bound", GRT_ANALYSIS_NO_TASK, 2.0);
    return product <= 2.0 - margin;
}

static const struct request_stream *early_deadline(const struct requests *requests) {
    for (size_t i = 0; i < requests->count; i++) {
        if (requests->streams[i].deadline < requests->streams[i].period) {
            return &requests->streams[i];
        }
    }
    return NULL;
}

static void run_bound(const struct grt_analysis_set *set, struct grt_analysis_result *result,
                      bool (*holds)(const struct requests *requests, struct grt_analysis_result *result)) {
    struct requests requests;
    if (!requests_take(&requests, set, result)) {
        return;
    }
    const struct request_stream *early = early_deadline(&requests);
    if (early != NULL) {
        grt_analysis_refuse(result, "task %s has a deadline before the end of its period",
                            set->tasks[early->task].name);
    } else if (requests_load(requests.streams, requests.count) > 0) {
        requests_overload(&requests, set, result);
    } else if (holds(&requests, result)) {
        result->verdict = GRT_VERDICT_SCHEDULABLE;
    } else {
        grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, GRT_ANALYSIS_NO_TASK, "the load is above the bound");
    }
    requests_free(&requests);
}

static void run_liu_layland(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    run_bound(set, result, liu_layland);
}

static void run_hyperbolic(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    run_bound(set, result, hyperbolic);
}

/* What the GPU is asked for in the long run is missing to others whatever else there is. Periods of tasks that use it are looked at above. */
#define ALL_THAT_GPUS_HAVE                                                                                   \
    (GRT_COVERS_AFTER_OTHERS | GRT_COVERS_NO_PERIOD | GRT_COVERS_NO_DEADLINE | GRT_COVERS_SEVERAL_SEGMENTS | \
     GRT_COVERS_SHARED_CORES | GRT_COVERS_OUTSIDE_CORES | GRT_COVERS_HOST_PARTS | GRT_COVERS_JITTER |        \
     GRT_COVERS_CPU_SEGMENTS | GRT_COVERS_LATE_DEADLINES | GRT_COVERS_DEADLINES_FROM_RELEASES |              \
     GRT_COVERS_INTERFERENCE | GRT_COVERS_HOST_COSTS)

static const char *const one_at_a_time[] = {"fifo", "np-edf", "np-rm", "np-fp", "pruda-single", NULL};
static const char *const none[] = {NULL};

static const char *const of_load[] = {"utilisation", "first_miss_by", NULL};
static const char *const of_liu_layland[] = {"utilisation", "bound", "first_miss_by", NULL};
static const char *const of_hyperbolic[] = {"product", "bound", "first_miss_by", NULL};

#define LIU_LAYLAND                                                                                          \
    "C. L. Liu, J. W. Layland, Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment, " \
    "JACM 20(1), 1973"

const struct grt_analysis_ops grt_analysis_utilisation = {
    .name = "utilisation",
    .summary = "how much of the GPU's time the tasks ask for in the long run",
    .source = LIU_LAYLAND,
    .policies = one_at_a_time,
    .covers = ALL_THAT_GPUS_HAVE,
    .values = of_load,
    .audsley_objection = "does not go by priorities",
    .run = run,
};

const struct grt_analysis_ops grt_analysis_rm_utilisation = {
    .name = "rm-utilisation",
    .summary = "the utilisation that preemptive rate-monotonic priorities always schedule",
    .source = LIU_LAYLAND ", theorem 5",
    .policies = none,
    .covers = GRT_COVERS_LATE_DEADLINES,
    .values = of_liu_layland,
    .audsley_objection = "goes by periods, not by priorities",
    .run = run_liu_layland,
};

const struct grt_analysis_ops grt_analysis_rm_hyperbolic = {
    .name = "rm-hyperbolic",
    .summary = "the product of utilisations that preemptive rate-monotonic priorities always schedule",
    .source = "E. Bini, G. C. Buttazzo, G. M. Buttazzo, Rate Monotonic Analysis: the Hyperbolic Bound, IEEE "
              "TC 52(7), 2003",
    .policies = none,
    .covers = GRT_COVERS_LATE_DEADLINES,
    .values = of_hyperbolic,
    .audsley_objection = "goes by periods, not by priorities",
    .run = run_hyperbolic,
};
