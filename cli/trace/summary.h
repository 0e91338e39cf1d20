/* What a trace says by itself, without its scenario: what each task got, how busy each row was, how long kernels took. */
#ifndef GRT_CLI_TRACE_SUMMARY_H
#define GRT_CLI_TRACE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/result.h"
#include "sim/trace.h"

/* More of a kind are left out: their statistics take memory, and nobody reads so long a table. */
enum { GRT_SUMMARY_ROWS = 4096 };

/* A core or copy engine, or a stream of a GPU that is simulated by shares. */
struct grt_summary_row {
    const char *name;
    grt_time busy;               /* with at least one slice */
    grt_time spinning, overhead; /* of cores, of that: busy-waiting; context switches and wake-ups */
    bool has_shares;             /* of streams: its share was set */
    double shared; /* of streams: busy time, each ns of it times the share that the stream had, 0 to 1 */
};

/* One kernel of a task, over all its launches that were not cut short. */
struct grt_summary_kernel {
    const char *name, *task;
    uint64_t count;
    grt_time min, mean, p50, p99,
        max; /* first block's start to last block's end, or begin to end where there are no blocks */
};

/* Start it as {0}; free it with grt_trace_summary_free. Texts are those of the trace. */
struct grt_trace_summary {
    struct grt_arena arena;
    const char *run;
    grt_time first, last; /* from the earliest start to the last record */
    uint32_t task_count;
    struct grt_task_result *tasks; /* without gpu_wait and blocking */
    grt_time *deadlines;           /* the longest that a job of the task had, relative; 0: none */
    uint32_t core_count, engine_count, sm_count;
    struct grt_summary_row *cores, *engines;
    uint32_t stream_count; /* 0 where there are SMs and no shares */
    struct grt_summary_row *streams;
    double sm_busy; /* ns, summed over SMs */
    uint32_t kernel_count;
    struct grt_summary_kernel *kernels; /* by task and place */
    uint32_t hidden_tasks, hidden_kernels, hidden_rows;
};

/* Makes the summary of a trace that grt_trace_file_read has checked. */
void grt_trace_summary_make(const struct grt_trace_memory *trace, struct grt_trace_summary *out);
void grt_trace_summary_free(struct grt_trace_summary *summary);

#endif
