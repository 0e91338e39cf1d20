/* Small policies for tests of the host model, one for each way to have the host's side of GPU segments executed (enum
 * grt_host_by). All keep each GPU to one request at a time, the most urgent task's first, then the lower task's. */
#ifndef GRT_TESTS_SUPPORT_HOST_POLICIES_H
#define GRT_TESTS_SUPPORT_HOST_POLICIES_H

#include "models/policy.h"

/* GRT_HOST_BY_JOB: nothing but the order. */
extern const struct grt_policy_ops grt_test_job_policy;

/* GRT_HOST_BY_THREAD: a lock. Who has it runs at its priority plus `boost`, 0: its own, and busy-waits where `spins`. */
struct grt_test_lock_parameters {
    int64_t boost;
    bool spins;
};
extern const struct grt_policy_ops grt_test_lock_policy;

/* GRT_HOST_BY_POLICY: a thread of the policy's executes the host parts. */
struct grt_test_server_parameters {
    int64_t core, priority; /* core -1: of its own */
};
extern const struct grt_policy_ops grt_test_server_policy;

/* The parameters of any of them. */
union grt_test_host_parameters {
    struct grt_test_lock_parameters lock;
    struct grt_test_server_parameters server;
    uint64_t room[32]; /* for those of a test's own */
};

#endif
