/* Task sets of the ten Rodinia applications of Table 3 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive
 * Real-Time Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022, as section 6.1 draws them, and their runs under policies. */
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

/* Draws set number `number`: `count` of the applications, all equally likely, with utilisations by UUniFast with the sum `utilisation`, of which vectors with a value above 1 are thrown
 * away. The set depends on count, utilisation and number alone. */
void rodinia_set_draw(struct rodinia_set *set, size_t count, double utilisation, uint64_t number);

/* For how long sets are simulated: twice the longest period, so that every application has two jobs at least, but 60 s at least and 300 s at most. A lower bound alone would let a
 * single period of an hour decide how long a run takes; beyond 300 s such an application has one job only. */
grt_time rodinia_set_horizon(const struct rodinia_set *set);

/* How a set is run. */
struct rodinia_setup {
    const char *name;   /* for tables */
    const char *policy; /* the scenario's "policy", as JSON */
    const char *gpu;    /* fields of its GPU, as JSON */
    bool networks;      /* with trained networks (tests/support/wamp2s_models.h) */
};

/* What figure 14 compares, and more. The figure's are RODINIA_SOFNN and RODINIA_TIME_SLICING. */
enum rodinia_policy {
    RODINIA_SOFNN,
    RODINIA_PERFECT,
    RODINIA_NONE,
    RODINIA_PAPER,
    RODINIA_TOKENS,
    RODINIA_STATIC,
    RODINIA_TIME_SLICING,
    RODINIA_LEFT_OVER,
    RODINIA_CONCURRENT,
    RODINIA_STRICT_PERFECT, /* with max-min contention */
    RODINIA_STRICT_CONCURRENT,
    RODINIA_POLICIES
};
extern const struct rodinia_setup rodinia_setups[RODINIA_POLICIES];

/* Simulates; everything is in `simulation`, which the caller frees. Asserts that it can be. `stops`: at the first deadline that is missed. */
void rodinia_run(const struct rodinia_set *set, const struct rodinia_setup *setup, bool stops,
                 struct grt_simulation *simulation);

/* Whether no job of the set misses its deadline. */
bool rodinia_is_schedulable(const struct rodinia_set *set, const struct rodinia_setup *setup);

#endif
