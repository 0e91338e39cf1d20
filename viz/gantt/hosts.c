/* What cores do for GPU segments, and priorities, as the rows of tasks show them. */
#include <stdlib.h>
#include <string.h>

#include "viz/gantt/chart.h"

bool grt_gantt_has_host_parts(const struct grt_gantt_chart *chart) {
    const struct grt_trace_name *run = grt_gantt_find_name(chart, GRT_NAME_RUN, 0, 0, 0);
    return run != NULL && run->weight != 0;
}

enum grt_gantt_sign grt_gantt_stay_sign(const struct grt_trace_record *stay,
                                        const struct grt_trace_record *const *requests) {
    const struct grt_trace_record *request = requests[stay->task];
    if ((stay->flags & GRT_TRACE_OVERHEAD) != 0) {
        return GRT_SIGN_OVERHEAD;
    }
    if ((stay->flags & GRT_TRACE_SPIN) != 0) {
        return GRT_SIGN_SPIN;
    }
    bool of_gpu = request != NULL && request->job == stay->job && request->detail == stay->detail;
    return of_gpu ? GRT_SIGN_HOST : GRT_SIGN_CPU;
}

/* A priority that is not the task's; kind 0: none. */
static void end_boost(struct grt_trace_record *boost, grt_time end,
                      void (*tell)(void *state, const struct grt_gantt_slice *boost), void *state) {
    struct grt_gantt_slice slice = {
        .start = boost->time, .end = end, .sign = GRT_SIGN_BOOSTED, .task = boost->task, .keep_short = true};
    if (boost->kind != 0 && slice.start < slice.end) {
        tell(state, &slice);
    }
    boost->kind = 0;
}

void grt_gantt_each_boost(const struct grt_gantt_chart *chart,
                          void (*tell)(void *state, const struct grt_gantt_slice *boost), void *state) {
    struct grt_trace_record *boosts = grt_allocate(chart->task_count * sizeof *boosts);
    memset(boosts, 0, chart->task_count * sizeof *boosts);
    for (size_t i = 0; i < chart->trace->record_count; i++) {
        const struct grt_trace_record *record = &chart->trace->records[i];
        bool of_job = record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_ABORT ||
                      record->kind == GRT_TRACE_UNFINISHED;
        if (record->task >= chart->task_count ||
            !(record->kind == GRT_TRACE_PRIORITY || (of_job && boosts[record->task].job == record->job))) {
            continue;
        }
        end_boost(&boosts[record->task], record->time, tell, state);
        if (record->kind == GRT_TRACE_PRIORITY && (record->flags & GRT_TRACE_BOOSTED) != 0) {
            boosts[record->task] = *record;
        }
    }
    for (uint32_t task = 0; task < chart->task_count; task++) {
        end_boost(&boosts[task], chart->options.to, tell, state);
    }
    free(boosts);
}
