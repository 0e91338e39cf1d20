/* What a schedulability analysis is: a function from a task set, reduced to what analyses need, to a verdict and a bound for every
 * task. An analysis knows neither the simulator nor anything of sim/, so that "simulated <= bound" is evidence for both.
 *
 * To add one: put policies/analyses/NAME.c into the tree, which includes this header and defines `const struct grt_analysis_ops
 * grt_analysis_NAME`; declare and list it in policies/analyses.c. `gpurt analyze` runs all that are listed for the scenario's policy;
 * `gpurt verify` holds what it says against simulations, and the tests do so with random task sets.
 *
 * All times are whole nanoseconds. An analysis must not overflow for times up to 10^18 ns: a sum or a busy period that grows beyond the
 * deadlines is a "no", not a wrong number. */
#ifndef GRT_MODELS_ANALYSIS_H
#define GRT_MODELS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/step.h"

/* No deadline, no bound, no time known: larger than every time. */
#define GRT_ANALYSIS_NEVER INT64_MAX

/* After how many steps, divisions about, an analysis gives up at the latest: some tenths of a second. */
#define GRT_ANALYSIS_STEPS (INT64_C(1) << 26)

/* No task. */
#define GRT_ANALYSIS_NO_TASK UINT32_MAX

/* A segment of a task, alone on its processor. */
struct grt_analysis_segment {
    bool on_gpu;
    int64_t shortest, longest;    /* ns; longest: GRT_ANALYSIS_NEVER where it is not known */
    const struct grt_step *steps; /* of GPU segments: how it can be cut into pieces */
    size_t step_count;
};

/* A task: jobs arrive at least `period` apart; each is released at most `jitter` after its arrival, and has to finish within `deadline`
 * after its arrival (after its release, where deadline_from_release). */
struct grt_analysis_task {
    const char *name;
    uint32_t number;  /* in the scenario */
    int64_t period;   /* T; 0: no least distance is known */
    int64_t deadline; /* D; GRT_ANALYSIS_NEVER: none */
    int64_t jitter;   /* J */
    int64_t overhead; /* delta: what every piece costs besides, where the policy cuts the task's GPU work */
    int64_t priority; /* larger is more urgent; equal ones may go either way */
    int64_t
        core; /* number of the core that it shares with other tasks; -1: it has one of its own, or needs none */
    bool deadline_from_release;
    bool after_others; /* it is released by the ends of other tasks' jobs */
    bool
        aborts; /* jobs are aborted, or left out, at missed deadlines: no bound depends on it before the first miss */
    const struct grt_analysis_segment *segments;
    size_t segment_count;
};

/* A task set on one GPU. */
struct grt_analysis_set {
    const struct grt_analysis_task
        *tasks; /* in the order of the scenario; those of other GPUs are left out */
    size_t count;
    const void *
        parameters; /* of the policy that the analysis speaks of (struct grt_policy_ops.parameters_size bytes); NULL: its defaults */
    int64_t most_steps; /* after which an analysis gives up; 0: GRT_ANALYSIS_STEPS */
    const char *
        interference; /* a clause that says what besides the other tasks may make a segment take longer than alone ("the memory is
                                 shared with the CPU"), which no analysis here covers; NULL: nothing */
    bool
        longest_is_bound; /* segments may take less than `longest` whatever is drawn: no analysis says GRT_VERDICT_UNSCHEDULABLE for what
                              they ask of the GPU */
};

enum grt_verdict {
    GRT_VERDICT_INAPPLICABLE, /* a precondition does not hold: `reason` says which; nothing else is meant */
    GRT_VERDICT_SCHEDULABLE,  /* no job ever misses its deadline */
    GRT_VERDICT_UNSCHEDULABLE, /* some release pattern misses a deadline; any analysis says so of a load above one, or of a task
                                 that only computes for too long, otherwise only one that is exact */
    GRT_VERDICT_UNKNOWN, /* the test fails, which proves nothing */
};

/* Something else that an analysis has to say, of a task or of the set: "slots", "period", "load". */
struct grt_analysis_value {
    const char *name; /* short, in lower case, with underscores: it is a key of JSON; constant text */
    uint32_t task;    /* index in the set, or GRT_ANALYSIS_NO_TASK */
    bool is_time;     /* `time` counts, in ns; else `number` */
    int64_t time;
    double number;
};

enum { GRT_ANALYSIS_REASON_SIZE = 256 };

/* What came out. The caller provides the arrays, of set->count items each, and room for values, and zeroes the rest. */
struct grt_analysis_result {
    enum grt_verdict verdict;
    char reason
        [GRT_ANALYSIS_REASON_SIZE]; /* why it does not apply, or what fails, as a clause; "" where there is nothing to say */
    bool
        unsound; /* GRT_VERDICT_SCHEDULABLE is only claimed, by an option that is known to be wrong and there to be refuted */
    uint32_t failing; /* the first task that fails, an index in the set, or GRT_ANALYSIS_NO_TASK */
    int64_t *
        response; /* from a job's arrival to its end at most; GRT_ANALYSIS_NEVER: no bound. Bounds hold only where the verdict is
                              GRT_VERDICT_SCHEDULABLE (of the whole set: each is proven with the others' deadlines met) */
    int64_t steps;    /* that it took, about */
    bool has_witness; /* the verdict is GRT_VERDICT_UNSCHEDULABLE, and these releases show it: */
    int64_t *
        first_release; /* of each task, which then comes every `period`, without jitter, with longest times; GRT_ANALYSIS_NEVER:
                               it does not come at all */
    struct grt_analysis_value *values;
    size_t value_count, value_capacity; /* more are dropped */
};

struct grt_analysis_ops {
    const char *name;            /* as in `gpurt analyze --analysis`: "np-edf-exact" */
    const char *summary;         /* one line */
    const char *source;          /* authors, title, venue, year; the theorem or equation */
    const char *deviation;       /* from the source, as a sentence; NULL: none */
    const char *const *policies; /* names of the policies whose schedules it speaks of, NULL-terminated */
    bool exact;                  /* it says GRT_VERDICT_UNSCHEDULABLE rather than GRT_VERDICT_UNKNOWN */
    bool bounds;                 /* it bounds response times */

    /* Checks the preconditions and analyses. Allocates only what it frees. */
    void (*run)(const struct grt_analysis_set *set, struct grt_analysis_result *result);
};

/* For analyses: `count` zeroed items; free() them. (models/analysis.c) */
void *grt_analysis_memory(size_t count, size_t size);

/* For analyses: says that a precondition does not hold, or what fails; printf-like. (models/analysis.c) */
void grt_analysis_refuse(struct grt_analysis_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void grt_analysis_fail(struct grt_analysis_result *result, enum grt_verdict verdict, uint32_t failing,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* For analyses: adds a value. `task`: an index in the set, or GRT_ANALYSIS_NO_TASK. */
void grt_analysis_add_time(struct grt_analysis_result *result, const char *name, uint32_t task, int64_t time);
void grt_analysis_add_number(struct grt_analysis_result *result, const char *name, uint32_t task,
                             double number);

#endif
