/* Keeps what a Gantt chart needs of a trace: the records that overlap its window, and where to look for a miss that
 * the window does not show. */
#ifndef GRT_CLI_TRACE_GANTT_WINDOW_H
#define GRT_CLI_TRACE_GANTT_WINDOW_H

#include <stdbool.h>

#include "models/task.h"
#include "sim/trace.h"

/* Start it as {.from = ..., .to = ...}; free `kept` with grt_trace_memory_free. */
struct grt_gantt_window {
    grt_time from, to; /* ns; `to` may be GRT_TIME_NEVER: to the end of the run */
    struct grt_trace_memory kept;
    bool any_miss;                      /* of a job that overlaps the window */
    struct grt_trace_record later_miss; /* the first end of a late job behind the window; kind 0: none */
};

/* The sink; its state is the window. */
extern const struct grt_trace_sink grt_gantt_window_sink;

/* Where a chart of the scenario's beginning should end, so that it shows something of every task and can still be
 * read: after two periods of the slowest task, or else after 30 of the fastest, but never within the first period
 * of the slowest. GRT_TIME_NEVER where no task has a period. */
grt_time grt_gantt_window_end(const struct grt_scenario *scenario);

/* A round window around the first missed deadline that lies behind the window, where the window has none itself;
 * false if there is nothing to point at. */
bool grt_gantt_window_later_miss(const struct grt_gantt_window *window, grt_time *from, grt_time *to);

#endif
