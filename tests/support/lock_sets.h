/* Random task sets as H. Kim and others, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017, draw them (Table II). */
#ifndef GRT_TESTS_SUPPORT_LOCK_SETS_H
#define GRT_TESTS_SUPPORT_LOCK_SETS_H

#include "policies/analyses/lock.h"
#include "sim/random.h"

enum { LOCK_SETS_TASKS = 64 };

/* Table II, but for what an experiment changes. Shares in percent. */
struct lock_sets_rules {
    int cores;                   /* 4 or 8 */
    int least_tasks, most_tasks; /* per core: 3 to 5 */
    int least_gpu, most_gpu;     /* tasks that use the GPU: 10 to 30 */
};

struct lock_sets_set {
    struct grt_lock_task tasks[LOCK_SETS_TASKS];
    uint32_t count;
    int64_t server_core;
};

/* Draws a set. A core's load is split by UUniFast (E. Bini, G. C. Buttazzo, Real-Time Systems 30, 2005), a job's segments by uniform cuts; the
 * paper says neither. Priorities are rate-monotonic over all cores. */
void lock_sets_draw(struct lock_sets_set *set, const struct lock_sets_rules *rules,
                    struct grt_random *random);

#endif
