/* Reference for non-preemptive scheduling: jobs of one segment each on a GPU that executes one segment at a
 * time.
 *
 * In every instant: first completions, then releases, then one decision. The GPU is never idle while a job is
 * ready (work-conserving), and a started job runs to its end. Jobs of one task run strictly in order: job k+1
 * makes its request at max(its release, finish of job k) and is ready from that instant on. A missed deadline
 * changes nothing: the job runs on.
 *
 * The horizon H: jobs released at r < H are part of the run. A completion at exactly H counts; at H nothing
 * is released or started. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_NP_H
#define GRT_TESTS_SUPPORT_REFERENCE_NP_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/reference.h"

enum grt_reference_np_policy {
    GRT_REFERENCE_NP_FIFO, /* the earlier request */
    GRT_REFERENCE_NP_EDF,  /* the earlier absolute deadline, release + relative deadline */
    GRT_REFERENCE_NP_RM,   /* the shorter period */
    GRT_REFERENCE_NP_FP,   /* the larger priority number */
};

/* Returns the execution time (>= 1) of job `job` (0, 1, ...) of task `task`. `context` is the caller's. */
typedef grt_reference_tick grt_reference_np_exec(void *context, size_t task, size_t job);

/* Job k is released at arrivals[k], or, if `arrivals` is NULL, at offset + k * period without end. All arrays
 * belong to the caller. */
struct grt_reference_np_task {
    grt_reference_tick period;      /* >= 1 without `arrivals`; with them only the key of RM */
    grt_reference_tick offset;      /* >= 0; unused with `arrivals` */
    grt_reference_tick deadline;    /* relative to the release, >= 0 */
    int priority;                   /* larger = more urgent; only the key of FP */
    const grt_reference_tick *exec; /* job k takes exec[k % exec_count], each >= 1; NULL: ask exec_of */
    size_t exec_count;
    const grt_reference_tick *arrivals; /* not decreasing, each >= 0; NULL: periodic */
    size_t arrival_count;
};

struct grt_reference_np_set {
    const struct grt_reference_np_task *tasks; /* the caller's */
    size_t task_count;
    enum grt_reference_np_policy policy;
    enum grt_reference_tie tie;
    grt_reference_tick horizon;     /* >= 0 */
    grt_reference_np_exec *exec_of; /* NULL allowed if every task has an `exec` array */
    grt_reference_tie_key *tie_key; /* NULL allowed unless `tie` is SHUFFLE */
    void *context;                  /* handed to both callbacks, otherwise untouched */
};

struct grt_reference_np_job {
    size_t task;
    size_t job; /* 0, 1, ... within its task */
    grt_reference_tick release;
    grt_reference_tick request;  /* when it became ready, NEVER if not before the horizon */
    grt_reference_tick start;    /* NEVER if not before the horizon */
    grt_reference_tick finish;   /* NEVER if not by the horizon */
    grt_reference_tick deadline; /* absolute */
    grt_reference_tick exec;
    bool missed; /* deadline <= horizon and not finished by it; a finish at the deadline is in time */
};

/* Returns the number of jobs released before the horizon: the room that grt_reference_np_run() needs. */
size_t grt_reference_np_job_count(const struct grt_reference_np_set *set);

/* Simulates the set from tick 0 to the horizon and writes every job released before it into `jobs`, sorted by
 * task, then by job. Returns their number. `capacity` is the number of elements of `jobs`; aborts if that is
 * too few or if `set` breaks a condition above. */
size_t grt_reference_np_run(const struct grt_reference_np_set *set, struct grt_reference_np_job *jobs,
                            size_t capacity);

#endif
