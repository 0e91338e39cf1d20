/* What a scenario file says should come out: every scenario of the library is a test. */
#ifndef GRT_SCENARIOS_EXPECT_H
#define GRT_SCENARIOS_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/result.h"
#include "models/task.h"
#include "sim/error.h"
#include "sim/trace.h"

/* Per task; -1 (times too) means "not checked". */
struct grt_expect_task {
    const char *task;
    int64_t released, met, missed, aborted, skipped, unfinished;
    grt_time response_min, response_max, blocking_max;
    int64_t late;
    grt_time accumulated_slack; /* may be negative; GRT_TIME_NEVER: not checked */
    grt_time lateness_sum, lateness_max, gap_min, gap_max, gap_deviation;
};

/* Blocks first..last of one launch: all start and end at these instants. `sms` has one SM per block, or one for all,
 * or none (not checked). */
struct grt_expect_blocks {
    const char *task, *kernel; /* task may be NULL: the kernel's name is enough where it is unique */
    int64_t job, first, last;
    /* of several of that name: the number in the order of their starts; -1: see expect_trace.c */
    int64_t launch;
    grt_time start, end;
    struct grt_number_list sms;
};

struct grt_expect_copy {
    const char *task;
    int64_t job,
        command;       /* command: index within its GPU segment; -1: the job's only copy in that direction */
    int64_t direction; /* 0 h2d, 1 d2h */
    grt_time start, end;
};

/* What a core executed. `doing`: enum grt_expect_doing. With a thread of the policy's, `task` and `job` are whom it worked for. */
enum grt_expect_doing { GRT_EXPECT_WORK, GRT_EXPECT_BUSY_WAIT, GRT_EXPECT_OVERHEAD };
struct grt_expect_core {
    const char *task, *thread; /* either may be NULL: nobody's; the task's own */
    int64_t core, job, doing;
    grt_time start, end;
};

/* What happened on a row of the policy's own. */
struct grt_expect_row {
    const char *row, *task, *label; /* task may be NULL: nobody's; label: not checked */
    int64_t job;
    grt_time start, end;
};

struct grt_expect {
    const struct grt_expect_task *tasks;
    size_t task_count;
    const struct grt_expect_blocks *blocks;
    size_t block_count;
    const struct grt_expect_copy *copies;
    size_t copy_count;
    const struct grt_expect_core *cores;
    size_t core_count;
    const struct grt_expect_row *rows;
    size_t row_count;
    int64_t missed;           /* over all tasks; -1: not checked */
    int64_t lost_items;       /* over all GPUs; -1: not checked */
    const char *trace_digest; /* 16 hexadecimal digits, or NULL */
};

/* True if there is anything to check / anything that needs the trace's records. */
bool grt_expect_any(const struct grt_expect *expect);
bool grt_expect_needs_trace(const struct grt_expect *expect);

/* Compares; each difference is an error with its path, what was expected and what came out. `trace` may be NULL if
 * grt_expect_needs_trace is false. Every block of a launch that is named at all must be named, and
 * every slice of a core and of a row. Returns true if all is as expected. */
bool grt_expect_check(const struct grt_expect *expect, const struct grt_result *result,
                      const struct grt_trace_memory *trace, uint64_t trace_digest, struct grt_errors *errors);

#endif
