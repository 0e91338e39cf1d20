/* Statistics of a span of time that a person has selected: how often, how long and how late, for each task. */
#ifndef GRT_VIZ_ANSWERS_SPAN_STATISTICS_H
#define GRT_VIZ_ANSWERS_SPAN_STATISTICS_H

#include <stdbool.h>

#include "viz/timeline/timeline.h"

/* What is measured. */
enum grt_measure {
    GRT_MEASURE_RESPONSE, /* of jobs that finish in the span, from arrival to finish, whole */
    GRT_MEASURE_GAP, /* of the same jobs, from the finish of the task's job that finished before, also before the span */
    GRT_MEASURE_CPU, /* from here on: of slices that touch the span, the part inside it */
    GRT_MEASURE_KERNEL,
    GRT_MEASURE_COPY,
    GRT_MEASURE_BLOCK,
    GRT_MEASURE_SUSPENDED,
    GRT_MEASURE_BLOCKED,
    GRT_MEASURE_OWN,
    GRT_MEASURE_HOST, /* from here on only where the timeline has such slices: see grt_measure_applies */
    GRT_MEASURE_SPIN,
    GRT_MEASURE_OVERHEAD,
    GRT_MEASURE_THREAD,
    GRT_MEASURES
};

/* Whether a measure has something to say of a timeline: few have busy-waiting. */
bool grt_measure_applies(const struct grt_timeline *timeline, enum grt_measure measure);

/* What a measure is called, "kernels", and what its numbers mean, in one line for the head of the table. Static. */
const char *grt_measure_name(enum grt_measure measure);
const char *grt_measure_explanation(enum grt_measure measure);

/* One line of the table. A slice without length that lies in the span counts, with 0. All times in ns. */
struct grt_span_line {
    uint64_t count;
    grt_wide sum; /* exact */
    grt_time min, mean, p50, p99,
        max;         /* 0 while count is 0; mean: to the nearest; p50, p99: exact, by the nearest rank */
    uint64_t cut;    /* slices that reach out of the span, of which only a part was counted */
    uint32_t misses; /* deadlines in the span that jobs missed */
};

/* What is asked. The span is [from, to); one that reaches the end of the timeline has that instant too, so that a span of
 * everything counts what happens at the end of the run. It is empty where to <= from. */
struct grt_span_question {
    grt_time from, to;
    enum grt_measure measure;
    /* NULL for all, or for each row of the timeline whether it counts: slices count that are on such a row of a resource or
     * policy, or whose task's row is such a row, each once. Where a task's row is chosen, only misses of such tasks count. */
    const bool *rows;
};

struct grt_span_statistics {
    uint32_t task_count;
    /* as the rows of tasks; one more, behind them: what belongs to no task that has a row */
    struct grt_span_line *tasks;
    struct grt_span_line all;
};

/* Counts; free the statistics with grt_span_statistics_free. Ten million slices take about a quarter of a second. */
void grt_span_statistics_make(struct grt_span_statistics *statistics, const struct grt_timeline *timeline,
                              const struct grt_span_question *question);
void grt_span_statistics_free(struct grt_span_statistics *statistics);

/* Which share of the span a row was busy, exact but for the division: a task: computing on cores, host parts included; a core (busy-waiting
 * and overhead included), copy engine: in use; a
 * stream: with a kernel; an SM: its share of threads; a process: its turns; a row of the policy: with anything. Above 1 where slices
 * overlap on a row that has one place. 0 for an empty span. */
double grt_row_busy_share(const struct grt_row *row, grt_time from, grt_time to);

#endif
