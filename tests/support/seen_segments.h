/* The GPU segments of a run, put together again from its trace. */
#ifndef GRT_TESTS_SUPPORT_SEEN_SEGMENTS_H
#define GRT_TESTS_SUPPORT_SEEN_SEGMENTS_H

#include "tests/support/world_builder.h"

/* A request and what became of it; GRT_TIME_NEVER: not before the end of the run. */
struct grt_seen_segment {
    uint32_t task, job, gpu;
    grt_time request;
    grt_time begin;    /* of its first command */
    grt_time begun;    /* of its first kernel, or of its first copy where it has no kernel */
    grt_time given_up; /* its job was aborted */
    grt_time end;      /* it is off the device, or was taken back */
    grt_time deadline; /* of its job */
};

struct grt_seen_segments {
    struct grt_seen_segment *items; /* in the order of the requests */
    uint32_t count, capacity;
    uint32_t present[GRT_BUILDER_TASKS]; /* index of each task's latest, plus 1 */
};

/* Free the segments with grt_seen_segments_free. */
void grt_seen_segments_read(struct grt_seen_segments *all, const struct grt_scenario *scenario,
                            const struct grt_built_run *run);
void grt_seen_segments_free(struct grt_seen_segments *all);

#endif
