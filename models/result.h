/* What a run found out: plain structs, valid until the world is freed. All times in nanoseconds. */
#ifndef GRT_MODELS_RESULT_H
#define GRT_MODELS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/task.h"
#include "sim/stats.h"
#include "sim/time.h"
#include "sim/wide.h"

/* What counts for a task: how late its jobs end after their arrival, or how far apart. */
enum grt_slack_kind {
    GRT_SLACK_NONE,       /* it has neither a deadline nor a separation */
    GRT_SLACK_LATENCY,    /* a deadline: a job's slack is finish - deadline */
    GRT_SLACK_THROUGHPUT, /* a separation: the slack of a job that has one before it is the gap between the ends of the two - separation */
};

/* The slack of jobs that finished, in ns; above zero is late. See docs/metrics.md. */
struct grt_slack {
    enum grt_slack_kind kind;    /* of a task; none of the sum over several */
    uint64_t count;              /* of slacks */
    uint64_t late;               /* of jobs that were late: with gaps, those above the separation */
    grt_signed_wide accumulated; /* the sum of all slacks: what is early makes up for what is late */
    grt_wide lateness;           /* the sum of those above zero */
    grt_time worst;              /* the largest; 0 if none is above zero */
    /* jobs that have no slack since they were aborted, skipped or alive at the end of the run */
    uint64_t not_finished;
};

/* What the slack of a task's finished jobs follows from; the ideal one as well (models/result/ideal.h). */
struct grt_slack_record {
    struct grt_stats late; /* slacks of late jobs */
    /* between the ends of consecutive finished jobs; only of tasks with a separation */
    struct grt_stats gaps;
    grt_wide gap_squares; /* ns^2: the sum of these squares */
    /* from arrival to release, summed; only of tasks with jitter or delays, or with deadlines from releases */
    grt_wide release_delay;
    grt_time first_ready, last_ready,
        last_finish; /* only of tasks with a separation: of the first and last finished job; it
                                                      is ready at its release, after predecessors at its arrival */
};

/* Counts and times of one task. released = finished + aborted + unfinished; met is part of finished. */
struct grt_task_result {
    const char *name;
    uint64_t released; /* jobs that became ready */
    uint64_t finished; /* jobs that ran to their end, in time or late */
    uint64_t met;      /* finished at or before the deadline */
    /* finished late, aborted, or unfinished with the deadline passed; without a deadline: 0 */
    uint64_t missed;
    uint64_t aborted;    /* ended before their end */
    uint64_t skipped;    /* never released (on_miss skip-next, or a lost predecessor); not in `released` */
    uint64_t unfinished; /* alive when the run ended */
    grt_time worst_tardiness;  /* largest finish - deadline of a finished job, 0 if none was late */
    struct grt_stats response; /* arrival to finish of finished jobs */
    struct grt_stats blocking; /* per GPU segment: how long it waited while a less urgent segment that was on
                                  the GPU when it asked was still there */
    /* per GPU segment: request until its first kernel begins on the device, or what does where it has none, or until it was given up or the run ended */
    struct grt_stats gpu_wait;
    struct grt_slack slack;
    struct grt_slack_record ends; /* what `slack` follows from */
};

struct grt_core_result {
    grt_time busy;     /* it had a thread */
    grt_time spinning; /* of that: the thread busy-waited for a GPU */
    grt_time overhead; /* of that: context switches and wake-ups */
};

/* Times of one GPU, summed as said. */
struct grt_gpu_result {
    const char *device;
    uint32_t sm_count, engine_count;
    grt_time busy;               /* at least one block resident */
    double sm_busy;              /* ns, summed over SMs: at least one block resident on the SM */
    double thread_time;          /* ns, summed over SMs: resident threads over the SM's thread limit */
    const grt_time *engine_busy; /* per copy engine */
    uint64_t kernels, blocks, copies;
    bool launches;            /* kernels whose blocks launch kernels were used */
    uint64_t failed_launches; /* of these kernels: too many were pending */
    bool pins;                /* pinned kernels were used (W8) */
    uint64_t lost_items;      /* of their work: no block took them, and the kernel was not aborted */
    /* granularity shares: there were no blocks. busy: a kernel was there; sm_busy and thread_time: what kernels did on the SMs */
    bool shares;
};

/* Something that the policy counted. */
struct grt_counter_result {
    const char *name;
    uint64_t count;
};

/* A number that the policy works with: of a GPU, a task, both, or neither. */
struct grt_number_result {
    const char *name;   /* a key of JSON, as "slot_length"; constant */
    uint32_t gpu, task; /* GRT_NUMBER_OF_NONE: of none */
    bool is_time;       /* the value is in ns; GRT_TIME_NEVER: no limit */
    bool is_percent;    /* the value is in ten-thousandths of a percent */
    int64_t value;
};

struct grt_result {
    grt_time end;           /* the instant at which the run ended */
    bool stopped_by_miss;   /* on_miss stop */
    bool stopped_by_repeat; /* horizon auto found a repeating state; the counts are of the time up to `end` */
    /* more jobs waited than there is room for; the counts are of the time up to `end` */
    bool stopped_by_backlog;
    uint64_t events; /* events handled */
    const struct grt_task_result *tasks;
    size_t task_count;
    const struct grt_core_result *cores; /* only the platform's named cores */
    size_t core_count;
    const struct grt_gpu_result *gpus;
    size_t gpu_count;
    const struct grt_counter_result *counters; /* the policy's own */
    size_t counter_count;
    /* with which the policy works; those of a name are of the same kind */
    const struct grt_number_result *numbers;
    size_t number_count;
    const struct grt_number_result *measures; /* what came out, by the policy; the same */
    size_t measure_count;
};

#endif
