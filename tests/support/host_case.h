/* What tests of the host model share: worlds on cores, GPU segments with host parts, and all that a core did. */
#ifndef GRT_TESTS_SUPPORT_HOST_CASE_H
#define GRT_TESTS_SUPPORT_HOST_CASE_H

#include "tests/support/host_policies.h"
#include "tests/support/world_builder.h"

/* A stay, or a part of one, on a core. `task`: GRT_TRACE_NO_TASK: a thread of the policy's. */
struct host_slice {
    uint32_t task;
    grt_time from, to;
    uint8_t flags;
};

/* A world with one exclusive GPU, on which commands take their time and nothing else. */
struct grt_builder *host_world(int64_t cores, grt_time horizon);

/* A task with one job at an instant, on a core. */
struct grt_task *host_task(struct grt_builder *builder, int64_t core, int64_t priority, grt_time at);

/* A GPU segment of one kernel; `mode`: enum grt_host_mode. */
struct grt_segment *host_segment(struct grt_builder *builder, struct grt_task *task, grt_time before,
                                 grt_time device, grt_time after, int64_t mode);

/* Runs under one of the test policies with parameters, NULL: none; the world must be accepted. */
void host_run(struct grt_built_run *run, const struct grt_builder *builder,
              const struct grt_policy_ops *policy, const union grt_test_host_parameters *parameters);

/* Asserts that a core did exactly that, and prints what it did if it did not. */
void host_check_core(const struct grt_built_run *run, uint32_t core, const struct host_slice *slices,
                     size_t count);
#define HOST_CORE(run, core, ...)                                                                            \
    host_check_core((run), (core), (const struct host_slice[]){__VA_ARGS__},                                 \
                    sizeof((const struct host_slice[]){__VA_ARGS__}) / sizeof(struct host_slice))

#endif
