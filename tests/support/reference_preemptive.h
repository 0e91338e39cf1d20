/* Reference for partitioned preemptive fixed-priority scheduling of self-suspending jobs on several cores.
 *
 * A job is a sequence of segments, alternately CPU time on the core of its task and suspensions of constant
 * length (use of an uncontended GPU, say). Suspensions need no core and all run at the same time. On every
 * core the ready job with the largest priority runs; the running job goes on unless a ready job has a
 * strictly larger priority. A core without running job takes the ready job with the largest priority, ties by
 * the tie rule. In every instant: first completions of segments, then releases, then one decision on every
 * core.
 *
 * Jobs of one task run strictly in order: job k+1 begins its first segment at max(its release, finish of job
 * k) at the earliest.
 *
 * The horizon H: jobs released at r < H are part of the run. A completion at exactly H counts; at H nothing
 * is released or started. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_PREEMPTIVE_H
#define GRT_TESTS_SUPPORT_REFERENCE_PREEMPTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/reference.h"

struct grt_reference_preemptive_segment {
    bool suspension;           /* false: CPU time */
    grt_reference_tick length; /* >= 1 */
};

/* Job k is released at arrivals[k], or, if `arrivals` is NULL, at offset + k * period without end. All arrays
 * belong to the caller. */
struct grt_reference_preemptive_task {
    size_t core;                        /* any number; tasks with the same number share a core */
    int priority;                       /* larger = more urgent; equal priorities do not preempt each other */
    grt_reference_tick period;          /* >= 1 without `arrivals`, unused with them */
    grt_reference_tick offset;          /* >= 0; unused with `arrivals` */
    const grt_reference_tick *arrivals; /* not decreasing, each >= 0; NULL: periodic */
    size_t arrival_count;
    /* No two neighbours of one kind; may begin and end with either. */
    const struct grt_reference_preemptive_segment *segments;
    size_t segment_count; /* >= 1 */
};

struct grt_reference_preemptive_set {
    const struct grt_reference_preemptive_task *tasks; /* the caller's */
    size_t task_count;
    enum grt_reference_tie tie;
    /* What a preempted job is when the core becomes free, among ready jobs of its own priority.
     * false: a ready job like any other, the tie rule decides; true: it goes first (it stood at the head of
     * its priority's queue). */
    bool preempted_first;
    grt_reference_tick horizon;     /* >= 0 */
    grt_reference_tie_key *tie_key; /* NULL allowed unless `tie` is SHUFFLE */
    void *context;                  /* handed to tie_key, otherwise untouched */
};

struct grt_reference_preemptive_job {
    size_t task;
    size_t job; /* 0, 1, ... within its task */
    grt_reference_tick release;
    grt_reference_tick finish; /* end of its last segment, NEVER if not by the horizon */
};

/* Returns the number of jobs released before the horizon: the room that the run needs. */
size_t grt_reference_preemptive_job_count(const struct grt_reference_preemptive_set *set);

/* Simulates the set from tick 0 to the horizon and writes every job released before it into `jobs`, sorted by
 * task, then by job. Returns their number. `capacity` is the number of elements of `jobs`; aborts if that is
 * too few or if `set` breaks a condition above. */
size_t grt_reference_preemptive_run(const struct grt_reference_preemptive_set *set,
                                    struct grt_reference_preemptive_job *jobs, size_t capacity);

#endif
