/* Who had a core: jobs that computed or busy-waited on it, and threads of the policy's own. */
#ifndef GRT_VIZ_ANSWERS_CORE_USERS_H
#define GRT_VIZ_ANSWERS_CORE_USERS_H

#include "viz/timeline/timeline.h"

#define GRT_NO_THREAD UINT32_MAX

/* The one that had a core longest in a span: a task, or a thread of the policy's own. */
struct grt_core_user {
    /* of jobs; GRT_TRACE_NO_TASK if it is a thread, if there was nobody, or it would take too long to find out */
    uint32_t task;
    uint32_t thread;         /* or GRT_NO_THREAD */
    grt_time time, spinning; /* ns that it had the core, and of that busy-waited for the GPU */
};

/* Of everything but one job: another job of its task counts. Overhead is nobody's. */
struct grt_core_user grt_core_user(const struct grt_row *core, uint32_t task, uint32_t job, grt_time from,
                                   grt_time to);

/* What came next on a core behind slice `number` of its track number `track`: the slice that starts first, with the part that it plays; false if
 * there is none. */
bool grt_core_next(const struct grt_row *core, uint32_t track, uint32_t number, struct grt_slice *next,
                   enum grt_track_part *part);

#endif
