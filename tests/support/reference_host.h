/* A second, slow way to schedule cores and one GPU, nanosecond by nanosecond, written from what docs/host-model.md says: for tests.
 * It has no events and no queues; it shares no code with models/. */
#ifndef GRT_TESTS_SUPPORT_REFERENCE_HOST_H
#define GRT_TESTS_SUPPORT_REFERENCE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRT_REFERENCE_HOST_TASKS = 8, GRT_REFERENCE_HOST_SEGMENTS = 5 };

/* Who executes the host parts. */
enum grt_reference_host_by { GRT_REFERENCE_BY_JOB, GRT_REFERENCE_BY_THREAD, GRT_REFERENCE_BY_SERVER };

struct grt_reference_host_segment {
    bool gpu, asynchronous;
    int64_t time; /* computing, or the commands; above 0 */
    int64_t before, after;
};

struct grt_reference_host_task {
    size_t core;
    int64_t priority, offset, period, deadline; /* jobs that reach the deadline are given up where `aborts` */
    bool aborts;
    struct grt_reference_host_segment segments[GRT_REFERENCE_HOST_SEGMENTS];
    size_t segment_count;
};

/* One GPU, which one request has at a time: the most urgent task's, then the lower task's. */
struct grt_reference_host_set {
    struct grt_reference_host_task tasks[GRT_REFERENCE_HOST_TASKS];
    size_t task_count, core_count;
    enum grt_reference_host_by by;
    int64_t boost; /* BY_THREAD: who has the GPU has so much more priority, */
    bool spins;    /* and busy-waits for it */
    size_t server_core;
    int64_t server_priority; /* BY_SERVER */
    int64_t context_switch, wake_up, horizon;
};

/* What a core did. */
enum grt_reference_host_kind { GRT_REFERENCE_WORK, GRT_REFERENCE_SPIN, GRT_REFERENCE_OVERHEAD };

struct grt_reference_host_slice {
    size_t core, task; /* task_count: the server */
    int64_t job;       /* of the server: whom it serves, as `task` does not say it */
    size_t segment;
    enum grt_reference_host_kind kind;
    int64_t from, to;
};

/* Writes the slices in the order in which they end; returns their number, or SIZE_MAX where there are more than `capacity`. */
size_t grt_reference_host_run(const struct grt_reference_host_set *set,
                              struct grt_reference_host_slice *slices, size_t capacity);

#endif
