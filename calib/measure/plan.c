#include "calib/measure/plan.h"

#include <string.h>

#include "calib/raw/raw_lines.h"

const char *const grt_experiment_names[GRT_EXPERIMENTS] = {
    "clock", "launch",  "residency", "dispatch",  "coresidency", "waves", "split",
    "copy",  "engines", "priority",  "partition", "together",    "worst",
};

const char *const grt_experiment_help[GRT_EXPERIMENTS] = {
    "ticks of timer and events, the device's clock against the host's, frequency",
    "what launching costs: the call, an idle device, gaps in a stream, waiting for the end",
    "how many blocks an SM holds, by threads, registers and shared memory",
    "which SM gets which block, and when",
    "how long blocks take with others on their SM",
    "how long kernels take, by blocks",
    "what it costs to split a kernel",
    "copies by size, direction and memory, alone and beside others",
    "which copies go on at the same time",
    "how long urgent kernels wait for others",
    "how long kernels take on some of the SMs",
    "how much kernels slow each other down",
    "long series of a kernel's times, for worst cases",
};

struct grt_plan grt_plan_default(bool quick) {
    return (struct grt_plan){.seed = 1,
                             .budget_s = quick ? 30 : 300,
                             .least_samples = quick ? 10 : 30,
                             .most_samples = quick ? 30 : 300,
                             .precision = 0.01,
                             .worst_samples = quick ? 1000 : 10000,
                             .exchanges = quick ? 250 : 1000,
                             .warm_up_s = 0.5,
                             .slowness = 1,
                             .pin = true};
}

/* Of threads: each of them takes milliseconds on a busy machine. */
enum { MOST_EXCHANGES = 250 };

void grt_plan_for_threads(struct grt_plan *plan) {
    plan->slowness = 100;
    plan->pin = false;
    plan->exchanges = plan->exchanges < MOST_EXCHANGES ? plan->exchanges : MOST_EXCHANGES;
    if (plan->workload_count == 0) {
        plan->workloads[plan->workload_count++] = "fma";
        plan->workloads[plan->workload_count++] = "triad";
    }
}

static bool check_range(double value, double low, double high, const char *name, struct grt_errors *errors) {
    if (value >= low && value <= high) {
        return true;
    }
    grt_error_add(errors, NULL, "%s: must be between %g and %g (got %g)", name, low, high, value);
    return false;
}

static bool check_workload(const char *name, struct grt_errors *errors) {
    const char *known;
    name = name != NULL ? name : "";
    for (size_t i = 0; (known = grt_plan_workload(i)) != NULL; i++) {
        if (strcmp(known, name) == 0) {
            return true;
        }
    }
    grt_error_add(errors, NULL, "workloads: there is no \"%s\"", name);
    return false;
}

bool grt_plan_check(const struct grt_plan *plan, struct grt_errors *errors) {
    size_t before = errors->count;
    check_range((double)plan->seed, 0, (double)GRT_RAW_INTEGER_LIMIT, "seed", errors);
    check_range(plan->budget_s, GRT_PLAN_LEAST_BUDGET_S, GRT_PLAN_MOST_BUDGET_S, "budget in seconds", errors);
    check_range(plan->least_samples, 1, 1e6, "least samples", errors);
    check_range(plan->most_samples, plan->least_samples, 1e6, "most samples", errors);
    check_range(plan->worst_samples, 1, 1e7, "samples of worst", errors);
    check_range(plan->precision, 0, 1, "precision", errors);
    check_range(plan->exchanges, 1, 1e6, "exchanges", errors);
    check_range(plan->warm_up_s, 0, 600, "warm-up", errors);
    check_range(plan->slowness, 1, 1e4, "slowness", errors);
    check_range(plan->user_blocks, 0, GRT_PLAN_USER_BLOCKS, "blocks of the kernel", errors);
    check_range(plan->experiments, 0, (1u << GRT_EXPERIMENTS) - 1, "experiments", errors);
    check_range((double)plan->workload_count, 0, GRT_PLAN_WORKLOADS, "workloads", errors);
    for (size_t i = 0; i < plan->workload_count && i < GRT_PLAN_WORKLOADS; i++) {
        check_workload(plan->workloads[i], errors);
    }
    return errors->count == before;
}
