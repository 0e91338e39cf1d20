/* Task sets of the ten Rodinia applications of Table 3 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive
 * Real-Time Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022, written down by tests, and their runs under policies. */
#ifndef GRT_TESTS_SUPPORT_RODINIA_SETS_H
#define GRT_TESTS_SUPPORT_RODINIA_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/simulation.h"
#include "sim/time.h"

enum { RODINIA_APPLICATIONS = 10 };

/* A row of Table 3. */
struct rodinia_application {
    const char *task;   /* the paper's abbreviation */
    const char *kernel; /* as the preset of its usage is called */
    grt_time worst;     /* WCET alone with the whole GPU */
    int64_t priority;
};

extern const struct rodinia_application rodinia_applications[RODINIA_APPLICATIONS];

/* Some of the applications, with deadlines at the ends of their periods. */
struct rodinia_set {
    size_t count;
    struct {
        size_t application;
        grt_time period;
    } items[RODINIA_APPLICATIONS];
};

/* For how long sets are simulated: twice the longest period, so that every application has two jobs at least, but 60 s at least and 300 s at most. A lower bound alone would let a
 * single period of an hour decide how long a run takes; beyond 300 s such an application has one job only. */
grt_time rodinia_set_horizon(const struct rodinia_set *set);

/* How a set is run. */
struct rodinia_setup {
    const char *name;   /* for errors */
    const char *policy; /* the scenario's "policy", as JSON */
    const char *gpu;    /* fields of its GPU, as JSON */
};

/* Simulates; everything is in `simulation`, which the caller frees. Asserts that it can be. */
void rodinia_run(const struct rodinia_set *set, const struct rodinia_setup *setup,
                 struct grt_simulation *simulation);

#endif
