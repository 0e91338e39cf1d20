/* Two traces of one scenario, a simulated and a measured one, laid side by side: what happened in both is paired by what it is, whenever it
 * was. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_PAIRS_H
#define GRT_CALIB_PROGRAM_VALIDATE_PAIRS_H

#include "sim/memory.h"
#include "sim/trace.h"

/* What is paired. */
enum grt_paired_kind {
    GRT_PAIRED_RELEASE, /* of a job: an instant */
    GRT_PAIRED_BLOCK,
    GRT_PAIRED_KERNEL, /* from its first block's start to its last one's end */
    GRT_PAIRED_COPY,
    GRT_PAIRED_CALL,    /* records of and waits for events */
    GRT_PAIRED_SEGMENT, /* a GPU segment, from its request to its end */
    GRT_PAIRED_JOB,     /* from its arrival to its finish */
    GRT_PAIRED_KINDS
};

/* "block", and so on, by enum grt_paired_kind. */
extern const char *const grt_paired_names[GRT_PAIRED_KINDS];

/* Something that happened in a trace. */
struct grt_happened {
    uint8_t kind; /* enum grt_paired_kind */
    bool is_open; /* the run ended before it did */
    uint16_t task;
    uint32_t job;
    uint32_t place; /* grt_trace_place; of segments: the segment's number, of jobs and releases 0 */
    uint32_t block; /* of blocks, else 0 */
    uint32_t row;   /* the SM, stream or copy engine */
    uint32_t order; /* pieces of one kernel, or stays of one block, are told by their order in time */
    grt_time start, end;
};

/* Both sides of something that happened in both traces. */
struct grt_pair {
    const struct grt_happened *simulated, *measured;
};

/* Where a run ended, as far as its trace says. */
struct grt_run_end {
    grt_time at; /* of the last record */
    /* something was going on then: the run ended there. Else nothing was, and it ended there or later */
    bool is_open;
};

/* Which of two runs ended before the other one. */
enum grt_run_short { GRT_SHORT_NEITHER, GRT_SHORT_SIMULATED, GRT_SHORT_MEASURED };

/* What a comparison of two traces has found; in an arena. */
struct grt_pairing {
    const struct grt_pair *pairs; /* in the order of kind, task, job, place, block */
    size_t pair_count;
    const struct grt_happened **only_simulated, **only_measured; /* the same order */
    size_t only_simulated_count, only_measured_count;
    size_t left_out; /* records of kernels that blocks launched, which are not compared */
    struct grt_run_end simulated_end, measured_end;
    enum grt_run_short short_run;
    grt_time until; /* what both runs have: what began then or later is not compared */
    size_t beyond;  /* so many of one run */
    /* of what was going on at the end of one run, and had ended or not begun in the other: an error of so much at least, the largest */
    grt_time open_error;
};

/* Pairs everything that both traces have. What one has only because the run ended in the midst of it, as open slices at the very end, is not
 * counted as unpaired where the other side had not begun it, but is an open error. A run in which nothing was going on at its end has ended before the
 * other one if jobs are missing that the other one releases from then on. */
struct grt_pairing *grt_pair_traces(const struct grt_trace_memory *simulated,
                                    const struct grt_trace_memory *measured, struct grt_arena *arena);

#endif
