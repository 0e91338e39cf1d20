/* The timeline of a trace that is written out in a test. */
#ifndef GRT_TESTS_SUPPORT_SMALL_TIMELINE_H
#define GRT_TESTS_SUPPORT_SMALL_TIMELINE_H

#include "viz/timeline/timeline.h"

/* Free the timeline with grt_timeline_free. */
static inline void grt_small_timeline(struct grt_timeline *timeline, const struct grt_trace_name *names,
                                      size_t name_count, const struct grt_trace_record *records,
                                      size_t record_count) {
    *timeline = (struct grt_timeline){0};
    grt_timeline_sink.names(timeline, names, name_count);
    grt_timeline_sink.write(timeline, records, record_count);
    grt_timeline_sink.end(timeline);
}

#endif
