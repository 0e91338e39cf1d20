/* A trace as a Gantt chart of text, for a terminal: a time axis; for each task a line of marks (releases, deadlines,
 * misses) and a line of what its job does; then cores, copy engines and SMs with the letters of the tasks that use
 * them. docs/gpurt.md shows one and explains its signs.
 *
 * What a column shows is chosen so that nothing that matters vanishes: a miss hides every other mark; a slice that
 * has no column to itself is given one of its columns, kernels before cores before copies. */
#ifndef GRT_VIZ_GANTT_TEXT_GANTT_H
#define GRT_VIZ_GANTT_TEXT_GANTT_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/trace.h"

struct grt_text_gantt_options {
    grt_time from, to; /* the window, ns; 0 <= from < to <= GRT_TIME_LIMIT */
    int width;         /* columns of the whole chart, labels included; 40 or more */
    bool utf8;         /* else plain ASCII */
    bool colour;       /* ANSI escape sequences */
};

/* Draws the window of a trace, which has to hold at least the records that overlap it, in their order. */
void grt_text_gantt_write(const struct grt_trace_memory *trace, const struct grt_text_gantt_options *options,
                          FILE *out);

#endif
