/* The parameters of the batch schedulers. All of them take all: what one has no use for changes nothing, so that one scenario does for all. */
#ifndef GRT_POLICIES_BATCH_PARAMETERS_H
#define GRT_POLICIES_BATCH_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/task.h"
#include "sim/field.h"
#include "sim/time.h"

/* The average runtime of the GPU segments of a task, as the user gives it. */
struct batch_average {
    const char *task;
    grt_time time;
};

struct batch_parameters {
    int64_t batch;          /* jobs in a batch, at most */
    grt_time issue_time;    /* what a call takes the scheduler's thread */
    grt_time decision_time; /* what it takes to choose a batch */
    /* of the thread of GPU 0's scheduler, the next ones on the next cores; -1: each has its own */
    int64_t core;
    int64_t profile_runs;           /* from which average runtimes are computed */
    struct grt_field_list averages; /* of struct batch_average: those that are given */
    grt_time poll_interval;         /* what it takes to look at the counters once */
    grt_time atomic_time; /* what it takes a thread of a kernel to count itself, one after the other */

    /* schedulers on the device */
    int64_t scheduler_blocks,
        scheduler_threads; /* of the scheduler's kernel; no blocks: it has none, and takes no room */
    grt_time device_issue_time, device_decision_time; /* in place of those above */
    grt_time message_time;                            /* of a message between host and device */
    grt_time synchronize_time; /* until the device's synchronisation with a kernel that has ended returns */
    int64_t zero_copy_percent; /* of its bytes that a copy takes */
};

enum {
    BATCH_MOST = 16,
    BATCH_MOST_PROFILED = 1 << 24 /* blocks that profiling a task executes, at most: some seconds' work */
};

/* Two records of the same fields: of schedulers with a thread on a core, and of those on the device. */
extern const struct grt_record batch_parameters_record, batch_device_parameters_record;

/* Whether every scheduler that is not on the device has a thread: what it does takes time. */
static inline bool batch_has_threads(const struct batch_parameters *given) {
    return given->issue_time > 0 || given->decision_time > 0 || given->poll_interval > 0;
}

/* Whether profiling a task executes at most BATCH_MOST_PROFILED blocks. */
bool batch_can_be_profiled(const struct grt_scenario *scenario, uint32_t task,
                           const struct batch_parameters *given);

/* What holds where no parameters are given. */
struct batch_parameters batch_default_parameters(void);

/* Schedulers whose work takes no time. */
extern const struct batch_parameters batch_permissive;

#endif
