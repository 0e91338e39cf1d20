/* A small trace to ask questions about, and makers of records like its own. */
#ifndef GRT_TESTS_SUPPORT_ANSWER_TRACE_H
#define GRT_TESTS_SUPPORT_ANSWER_TRACE_H

#include "viz/answers/place.h"

/* Its tasks. */
enum { DETECT, MAP, TRACK };

/* Times in microseconds. */
#define GRT_RECORD_AT(t, kind_, task_, job_, other_)                                                         \
    { .time = (t)*1000, .other = (other_)*1000, .job = job_, .task = task_, .kind = GRT_TRACE_##kind_ }
#define GRT_RECORD_FROM(from_, to_, kind_, task_, job_, row_, detail_, flags_)                               \
    {                                                                                                        \
        .time = (to_)*1000, .other = (from_)*1000, .job = job_, .detail = detail_, .row = row_,              \
        .task = task_, .kind = GRT_TRACE_##kind_, .flags = flags_                                            \
    }
#define GRT_COMMAND(segment, command) ((segment) << 16 | (command))

/* Job 0 of detect arrives at 0, may start at 1 ms, waits for the core until 2 ms, is blocked from 3 to 6 ms, copies, waits for
 * 0.5 ms, runs its kernel from 7.5 to 11 ms, 1 ms of it beside one of map, copies back, and waits 0.5 ms for the core, which
 * it takes from map. Job 1 is not finished at the end. The third task has no name; its job 2 is given up on a core that nobody
 * has named. Free it with grt_timeline_free. */
void grt_answer_trace_build(struct grt_timeline *timeline);

/* A place in a row by its index within its kind, and in the row of a task. */
struct grt_place grt_place_at(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t index,
                              enum grt_track_part part, uint32_t number);
struct grt_place grt_task_place_at(const struct grt_timeline *timeline, uint32_t task,
                                   enum grt_track_part part, uint32_t number);

/* Says both where they differ, and fails the test. */
void grt_expect_text(const char *got, const char *expected);

#endif
