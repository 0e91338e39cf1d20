/* Task sets for tests of analyses: one GPU segment per task. */
#ifndef GRT_TESTS_SUPPORT_ANALYSIS_CASE_H
#define GRT_TESTS_SUPPORT_ANALYSIS_CASE_H

#include "models/analysis.h"
#include "sim/random.h"
#include "tests/support/world_builder.h"

enum { ANALYSIS_CASE_TASKS = 64 };

/* A set and what an analysis says of it, at a fixed place. Tasks have falling priorities, all in one segment on the GPU. */
struct analysis_case {
    struct grt_analysis_set set;
    struct grt_analysis_task tasks[ANALYSIS_CASE_TASKS];
    struct grt_analysis_segment segments[ANALYSIS_CASE_TASKS][8];
    struct grt_analysis_result result;
    int64_t response[ANALYSIS_CASE_TASKS], first_release[ANALYSIS_CASE_TASKS];
    struct grt_analysis_value values[16 + 8 * ANALYSIS_CASE_TASKS];
};

/* An empty set. */
void analysis_case_start(struct analysis_case *it);

/* Adds a task of cost C, period T, deadline D and no jitter; change what is returned for more. */
struct grt_analysis_task *analysis_case_add(struct analysis_case *it, int64_t cost, int64_t period,
                                            int64_t deadline);

/* Adds a segment to the task that was added last. */
void analysis_case_segment(struct analysis_case *it, bool on_gpu, int64_t shortest, int64_t longest);

/* Runs the analysis of that name; returns the verdict. */
enum grt_verdict analysis_case_run(struct analysis_case *it, const char *analysis);

/* The value of that name, a time; -1: there is none. */
int64_t analysis_case_time(const struct analysis_case *it, const char *name);

/* The cost of a task's only segment. */
int64_t analysis_case_cost(const struct analysis_case *it, size_t task);

/* Random tasks, as many as that, C and T below `longest` ns, with a load of about `load` percent: constrained, implicit
 * or longer deadlines, which are drawn, too. */
void analysis_case_random(struct analysis_case *it, struct grt_random *random, size_t count, int64_t longest,
                          int64_t load);

/* ---- the same sets, simulated ---- */

/* How the releases of a simulation are made, and how long segments take. */
struct analysis_pattern {
    const int64_t *first_release; /* of each task; GRT_ANALYSIS_NEVER: it does not come at all */
    grt_time horizon;
    uint64_t seed;
    bool sporadic;          /* gaps of up to half a period more */
    bool shorter;           /* segments take any time from 1 ns to their longest */
    const void *parameters; /* of the policy; NULL: the defaults */
};

/* What came out. */
struct analysis_simulation {
    uint64_t missed;
    int64_t response[ANALYSIS_CASE_TASKS]; /* the longest of each task's finished jobs */
};

/* Makes a scenario of the case, on a device without overheads, and takes the set of that scenario, so that what lies between the
 * two is tried as well. The builder has to be freed after the last use of the case. */
struct grt_builder *analysis_case_build(struct analysis_case *it);

/* Takes the set of a builder's scenario, on GPU 0. The same goes for the builder. */
void analysis_case_take(struct analysis_case *it, struct grt_builder *builder);

/* Simulates it under the policy of that name. */
void analysis_case_simulate(struct grt_builder *builder, const char *policy,
                            const struct analysis_pattern *pattern, struct analysis_simulation *simulation);

#endif
