/* Task sets for comparing ways to share a GPU among tasks on several cores, by the parameters of Table II of H. Kim, P. Patel, S.
 * Wang, R. Rajkumar, A Server-based Approach for Predictable GPU Access Control, RTCSA 2017. Times in nanoseconds.
 *
 * Each core gets some tasks that share its utilisation by UUniFast; some of all tasks use the GPU. Such a task computes and uses the GPU by
 * turns: c_0 G_1 c_1 ... G_eta c_eta, with the ratio of the sum of the G to that of the c as asked for. A GPU segment G is host work
 * before its commands, a kernel, and host work after it. Priorities are global and rate monotonic, ties by index (the paper: arbitrary).
 *
 *   struct grt_kim_spec spec = grt_kim_spec_default();
 *   struct grt_kim *kim = grt_kim_create(&spec, &errors);
 *   struct grt_kim_set set = {.tasks = grt_allocate(grt_kim_most_tasks(kim) * sizeof *set.tasks)};
 *   for (uint64_t number = 1; number <= 10000; number++) {
 *       grt_kim_make(kim, number, &set);
 *       struct grt_scenario scenario = grt_kim_scenario(&frame, &set, &arena);
 *       ...
 *       grt_arena_clear(&arena);
 *   }
 *   free(set.tasks);
 *   grt_kim_free(kim);
 *
 * As in generate.h a set depends on the seed, its number and the specification alone, each property is drawn from a stream of its own, and
 * all is the same on every machine. */
#ifndef GRT_SCENARIOS_GENERATE_KIM_H
#define GRT_SCENARIOS_GENERATE_KIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/task.h"
#include "scenarios/generate/generated_scenario.h"

enum { GRT_KIM_MOST_TASKS = 1024, GRT_KIM_MOST_SEGMENTS = 16 };

/* What the sets are like. Ranges are uniform. Start from grt_kim_spec_default. */
struct grt_kim_spec {
    uint64_t seed;
    int64_t cores;                    /* N_P; 1 to GRT_MAX_CORES */
    struct grt_generated_count tasks; /* of a core */
    /* the share of tasks that use the GPU, drawn for each set; their number is rounded */
    struct grt_generated_range gpu_tasks;
    struct grt_period_spec periods;         /* deadlines are the periods */
    struct grt_generated_range utilisation; /* of a core, at most 1 */
    struct grt_generated_range gpu_ratio;   /* G_i / C_i, drawn for each task; above 0 */
    struct grt_generated_count segments;    /* eta_i, 1 to GRT_KIM_MOST_SEGMENTS */
    struct grt_generated_range host_ratio;  /* G^m / G^e, drawn for each segment */
    grt_time epsilon; /* of the GPU server; not drawn, here so that all of Table II is together */
};

/* Table II: 4 cores with 3 to 5 tasks and 30 to 50 % each, 10 to 30 % of the tasks with 1 to 3 GPU segments, G / C of 10 to 30 %, G^m / G^e of
 * 10 to 20 %, periods uniform from 100 to 500 ms in steps of 1 ms, epsilon 50 us; seed 1. */
struct grt_kim_spec grt_kim_spec_default(void);

struct grt_kim_task {
    int64_t core;
    grt_time period;                            /* and deadline */
    double utilisation;                         /* as drawn: (C + G) / T */
    int64_t segments;                           /* eta; 0: it does not use the GPU */
    grt_time normal[GRT_KIM_MOST_SEGMENTS + 1]; /* c_0 to c_eta, each at least 1 */
    grt_time device[GRT_KIM_MOST_SEGMENTS];     /* G^e, each at least 1 */
    grt_time before[GRT_KIM_MOST_SEGMENTS];     /* the first half of G^m, not the smaller one */
    grt_time after[GRT_KIM_MOST_SEGMENTS];      /* the other half */
};

struct grt_kim_set {
    size_t count;
    int64_t cores;
    int64_t server_core; /* of the GPU server: any of them */
    grt_time epsilon;
    /* Core by core; the caller's, with room for grt_kim_most_tasks, at most GRT_KIM_MOST_TASKS. */
    struct grt_kim_task *tasks;
};

/* C: all normal segments; G: all GPU segments, with their host parts. */
grt_time grt_kim_normal(const struct grt_kim_task *task);
grt_time grt_kim_gpu(const struct grt_kim_task *task);

/* The maker of sets; opaque, read-only once made: threads may share it. */
struct grt_kim;

/* Adds an error, whose path is the option of `gpurt generate`, for each thing that is wrong; NULL after errors. */
struct grt_kim *grt_kim_create(const struct grt_kim_spec *spec, struct grt_errors *errors);
void grt_kim_free(struct grt_kim *kim); /* NULL is allowed */

/* How many tasks a set can have. */
size_t grt_kim_most_tasks(const struct grt_kim *kim);

/* Set number `number`, without allocating. */
void grt_kim_make(const struct grt_kim *kim, uint64_t number, struct grt_kim_set *set);

/* The scenario, with constant times and rate-monotonic priorities; its lists and strings are the arena's, its GPU is frame->gpu, which
 * has to stay. The horizon is ten periods of the slowest task. */
struct grt_scenario grt_kim_scenario(const struct grt_generated_frame *frame, const struct grt_kim_set *set,
                                     struct grt_arena *arena);

#endif
