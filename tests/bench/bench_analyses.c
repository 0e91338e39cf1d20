/* Analyses per second: sets of 20 tasks with log-uniform periods of 10 to 100 ms, under
 * rate-monotonic priorities, as they come out, schedulable or not. The reference is what a test of the response of each task needs at
 * least: one sum of 20 divisions for each task. */
#include <math.h>
#include <stdio.h>

#include "policies/analyses/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"

enum { SETS = 200, TASKS = 20 };

struct analysing {
    struct analysis_case cases[SETS];
    const char *name;
    int64_t divide_by[TASKS];
    uint64_t rounds, accepted;
};

static double uniform(struct grt_random *random) {
    return ((double)grt_random_below(random, UINT64_C(1) << 53) + 0.5) * 0x1p-53;
}

/* Shares of a load as UUniFast (E. Bini, G. C. Buttazzo, Real-Time Systems 30, 2005) makes them. */
static void make_case(struct analysis_case *it, struct grt_random *random, double load, double deadline) {
    analysis_case_start(it);
    for (int i = 0; i < TASKS; i++) {
        double rest = i + 1 < TASKS ? load * pow(uniform(random), 1.0 / (TASKS - 1 - i)) : 0.0;
        int64_t period = (int64_t)(1e7 * pow(10.0, uniform(random)));
        int64_t cost = (int64_t)((double)period * (load - rest));
        cost = cost > 0 ? cost : 1;
        int64_t due = (int64_t)((double)period * (1.0 - uniform(random) * (1.0 - deadline)));
        analysis_case_add(it, cost, period, due > cost ? due : cost)->priority = -period;
        load = rest;
    }
}

static uint64_t analyse(void *state) {
    struct analysing *self = state;
    self->accepted = 0;
    for (uint64_t round = 0; round < self->rounds; round++) {
        for (int i = 0; i < SETS; i++) {
            self->accepted += analysis_case_run(&self->cases[i], self->name) == GRT_VERDICT_SCHEDULABLE;
        }
    }
    return self->rounds * SETS;
}

static uint64_t divide(void *state) {
    struct analysing *self = state;
    int64_t sum = 0;
    for (uint64_t round = 0; round < self->rounds * SETS; round++) {
        for (int i = 0; i < TASKS * TASKS; i++) {
            sum += (int64_t)(round * 1000000) / self->divide_by[i % TASKS];
        }
    }
    bench_use((uint64_t)sum);
    return self->rounds * SETS;
}

void bench_analyses(void) {
    static const struct {
        const char *name, *target;
        uint64_t rounds;
        double load, deadline;
    } lines[] = {
        {"np-fp-response", "<= 16667 ns", 50, 0.7, 1.0},
        {"np-fp-response", "<= 16667 ns", 50, 0.9, 1.0},
        {"fp-response", "", 50, 0.9, 1.0},
        {"np-edf-exact", "", 50, 0.9, 1.0},
        {"np-edf-exact", "", 50, 0.98, 1.0},
        {"edf-demand", "", 50, 0.9, 0.8},
        {"edf-demand", "", 50, 0.98, 0.9},
        {"np-edf-response", "", 1, 0.9, 1.0},
    };
    static struct analysing analysing;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct grt_random random = grt_random_stream(1, "bench", 0, 0);
        char title[64];
        analysing.name = lines[i].name;
        analysing.rounds = lines[i].rounds;
        for (int j = 0; j < SETS; j++) {
            make_case(&analysing.cases[j], &random, lines[i].load, lines[i].deadline);
        }
        for (int j = 0; j < TASKS; j++) {
            analysing.divide_by[j] = analysing.cases[0].tasks[j].period;
        }
        double reference = bench_ns_per_unit(divide, &analysing, 3);
        double ours = bench_ns_per_unit(analyse, &analysing, 3);
        snprintf(title, sizeof title, "%s, 20 tasks, U %.2f, %d %% pass", lines[i].name, lines[i].load,
                 (int)(100 * analysing.accepted / (analysing.rounds * SETS)));
        bench_report(title, ours, "400 divisions", reference, lines[i].target);
    }
}
