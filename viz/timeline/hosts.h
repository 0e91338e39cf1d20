/* What jobs' threads did on cores, told apart while a timeline is made: computing of their own, host parts of GPU segments,
 * busy-waiting, overhead; and how long they had other priorities than their tasks'. Internal to viz/timeline/. */
#ifndef GRT_VIZ_TIMELINE_HOSTS_H
#define GRT_VIZ_TIMELINE_HOSTS_H

#include "viz/timeline/timeline.h"

/* Makes timeline->hosts, once the rows of the tasks are there. */
void timeline_hosts_start(struct grt_timeline *timeline);

/* Takes a record that concerns them: the request of a GPU segment, after which what the job's thread does under its number is a
 * host part; a priority; the end of a job, which has none any more. */
static inline bool timeline_concerns_hosts(const struct grt_trace_record *record) {
    static const uint32_t kinds = 1U << GRT_TRACE_GPU_REQUEST | 1U << GRT_TRACE_PRIORITY |
                                  1U << GRT_TRACE_FINISH | 1U << GRT_TRACE_ABORT | 1U << GRT_TRACE_UNFINISHED;
    return (kinds >> record->kind & 1) != 0;
}
void timeline_hosts_note(struct grt_timeline *timeline, const struct grt_trace_record *record);

/* The part that a GRT_TRACE_CPU or GRT_TRACE_THREAD plays. */
enum grt_track_part timeline_core_part(const struct grt_timeline *timeline,
                                       const struct grt_trace_record *record);

/* The trace has ended at an instant: so do all priorities. */
void timeline_hosts_end(struct grt_timeline *timeline, grt_time instant);

#endif
