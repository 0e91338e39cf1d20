/* What a schedulability analysis is: a function from a task set, reduced to what analyses need, to a verdict and a bound for every
 * task. An analysis knows neither the simulator nor anything of sim/ but tables of fields and plain numbers, so that "simulated <= bound" is
 * evidence for both.
 *
 * To add one: put policies/analyses/NAME.c into the tree, which includes this header and defines `const struct grt_analysis_ops
 * grt_analysis_NAME`; declare and list it in policies/analyses/registry.c. `gpurt analyze` runs all that are listed for the scenario's policy;
 * `gpurt verify` holds what it says against simulations, and the tests do so with random task sets.
 *
 * An analysis says which GPUs it looks at (enum grt_analysis_scope) and what it covers (enum grt_feature). Whoever runs one calls
 * grt_analysis_run, never ops->run: a set with a feature that the analysis does not cover is refused there. A scenario's analyses are run by
 * policies/analyses/run.h.
 *
 * All times are whole nanoseconds. An analysis must not overflow for times up to 10^18 ns: a sum or a busy period that grows beyond the
 * deadlines is a "no", not a wrong number. */
#ifndef GRT_MODELS_ANALYSIS_H
#define GRT_MODELS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/promise.h"
#include "models/span.h"
#include "models/step.h"
#include "sim/field.h"

/* No deadline, no bound, no time known: larger than every time. */
#define GRT_ANALYSIS_NEVER GRT_SPAN_NEVER

/* After how many steps, divisions about, an analysis gives up at the latest: some tenths of a second. */
#define GRT_ANALYSIS_STEPS (INT64_C(1) << 26)

/* No task. */
#define GRT_ANALYSIS_NO_TASK UINT32_MAX

/* No GPU: all of them (of a set), none (of a task). */
#define GRT_ANALYSIS_ALL_GPUS UINT32_MAX
#define GRT_ANALYSIS_NO_GPU (-1)

/* A segment of a task, alone on its processors, without the platform's costs. Times in ns; a longest one is GRT_ANALYSIS_NEVER where it is
 * not known. A GPU segment has host parts: a core issues it for `host_before`, then the GPU executes its commands for `device_longest`, and a
 * core sees to its end for `host_after`: after the commands, or beside them where `asynchronous`. */
struct grt_analysis_segment {
    bool on_gpu;
    bool asynchronous;
    int64_t shortest,
        longest; /* longest: of the whole segment (G); synchronous before + device + after, asynchronous before + the larger */
    int64_t device_longest;          /* G^e; 0 of CPU segments */
    int64_t host_before, host_after; /* the two parts of G^m, the longest; 0: none */
    const struct grt_step *steps;    /* of GPU segments: how the commands can be cut into pieces */
    size_t step_count;
};

/* How long a GPU segment takes at most, by its parts. */
static inline int64_t grt_analysis_longest_of(const struct grt_analysis_segment *segment) {
    int64_t device = segment->device_longest, after = segment->host_after;
    int64_t beside = device > after ? device : after;
    return grt_span_sum(segment->host_before, segment->asynchronous ? beside : grt_span_sum(device, after));
}

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
    int64_t core;     /* number of its thread's core; -1: it has one of its own */
    int64_t gpu;      /* number of the GPU that its GPU segments use; GRT_ANALYSIS_NO_GPU: it has none */
    /* it computes on its core, and so do other tasks of the scenario, whether they are in the set or not */
    bool shares_core;
    bool shares_core_outside; /* the same of tasks that are not in the set: they use another GPU */
    bool deadline_from_release;
    bool after_others; /* it is released by the ends of other tasks' jobs */
    /* jobs are aborted, or left out, at missed deadlines: no bound depends on it before the first miss */
    bool aborts;
    const struct grt_analysis_segment *segments;
    size_t segment_count;
};

/* What the tasks run on. */
struct grt_analysis_platform {
    int64_t core_count; /* 0: every task has a core of its own */
    uint32_t gpu_count;
    /* ns: what a core needs whenever it dispatches another thread than the one that it ran last */
    int64_t context_switch;
    int64_t wake_up; /* ns: what a thread needs whenever it becomes ready after having been idle */
};

/* A task set, of one GPU or of all. */
struct grt_analysis_set {
    struct grt_analysis_platform platform; /* all of it, whatever the tasks use */
    uint32_t gpu; /* whose tasks these are; GRT_ANALYSIS_ALL_GPUS: all tasks of the scenario */
    /* in the order of the scenario. Of one GPU: those with segments on it; where it is the first GPU that any task uses, those that use none, too */
    const struct grt_analysis_task *tasks;
    size_t count;
    /* of the policy that the analysis speaks of (struct grt_policy_ops.parameters_size bytes); NULL: its defaults */
    const void *parameters;
    /* the analysis's own, as ops->options describes them; in ops->run never NULL where it has any */
    const void *options;
    int64_t most_steps; /* after which an analysis gives up; 0: GRT_ANALYSIS_STEPS */
    /* a clause that says what besides the other tasks may make a segment take longer than alone ("the memory is shared with the CPU"), which no
     * analysis here covers; NULL: nothing */
    const char *interference;
    /* a clause that says what, besides room on the SMs and the copy engines, lets commands of one stream of the GPU wait for another's or slow them
     * down, for analyses of policies that have several at work; NULL: nothing, or no GPU */
    const char *coupling;
    /* segments may take less than `longest` whatever is drawn: no analysis says GRT_VERDICT_UNSCHEDULABLE for what they ask of the GPU */
    bool longest_is_bound;
};

enum grt_verdict {
    GRT_VERDICT_INAPPLICABLE, /* a precondition does not hold: `reason` says which; nothing else is meant */
    GRT_VERDICT_SCHEDULABLE,  /* no job ever misses its deadline */
    GRT_VERDICT_UNSCHEDULABLE, /* some release pattern misses a deadline; any analysis says so of a load above one, or of a task
                                 that only computes for too long, otherwise only one that is exact. Of one that is not, it
                                 counts as a proof only where has_witness, else as a claim */
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
    /* why it does not apply, or what fails, as a clause; "" where there is nothing to say */
    char reason[GRT_ANALYSIS_REASON_SIZE];
    /* GRT_VERDICT_SCHEDULABLE is only claimed, by an option that is known to be wrong and there to be refuted */
    bool unsound;
    uint32_t failing; /* the first task that fails, an index in the set, or GRT_ANALYSIS_NO_TASK */
    /* from a job's arrival to its end at most; GRT_ANALYSIS_NEVER: no bound. Bounds hold only where the verdict is GRT_VERDICT_SCHEDULABLE (of the
     * whole set: each is proven with the others' deadlines met) */
    int64_t *response;
    int64_t steps;    /* that it took, about */
    bool has_witness; /* the verdict is GRT_VERDICT_UNSCHEDULABLE, and these releases show it: */
    /* of each task, which then comes every `period`, without jitter, with longest times; GRT_ANALYSIS_NEVER: it does not come at all */
    int64_t *first_release;
    struct grt_analysis_value *values;
    size_t value_count, value_capacity; /* more are dropped */
};

/* Which tasks an analysis looks at. */
enum grt_analysis_scope {
    GRT_SCOPE_GPU, /* those of one GPU: it is run for each GPU that tasks use. Cores may be shared with tasks that are not in the set */
    GRT_SCOPE_PLATFORM, /* the whole set, once */
};

/* What a set may have that an analysis need not be right for: `covers` has the bits of what it is. Whatever a set has else is refused before
 * the analysis is run (GRT_VERDICT_INAPPLICABLE), with the task's name and the clause in quotes. Tasks that only compute, have their core
 * to themselves and have no deadline count for nothing here: they have no influence, and nothing to miss. */
enum grt_feature {
    GRT_COVERS_AFTER_OTHERS = 1 << 0,     /* "is released by the ends of other tasks' jobs" */
    GRT_COVERS_NO_PERIOD = 1 << 1,        /* "has no least distance between its arrivals" */
    GRT_COVERS_NO_DEADLINE = 1 << 2,      /* "has no deadline" */
    GRT_COVERS_SEVERAL_SEGMENTS = 1 << 3, /* "has several GPU segments" */
    GRT_COVERS_SHARED_CORES = 1 << 4,     /* "shares the core of its CPU segments" */
    GRT_COVERS_OUTSIDE_CORES =
        1 << 5, /* "shares its core with tasks of another GPU": those are not in the set */
    GRT_COVERS_HOST_PARTS = 1 << 6,      /* "has host parts in its GPU segments" */
    GRT_COVERS_UNKNOWN_TIMES = 1 << 7,   /* "has no known longest time", of a segment */
    GRT_COVERS_JITTER = 1 << 8,          /* "has release jitter" */
    GRT_COVERS_CPU_SEGMENTS = 1 << 9,    /* "has CPU segments besides its GPU segments" */
    GRT_COVERS_LATE_DEADLINES = 1 << 10, /* "has a deadline after its period" */
    GRT_COVERS_DEADLINES_FROM_RELEASES =
        1 << 11,                       /* "has a deadline that counts from its release", and jitter */
    GRT_COVERS_INTERFERENCE = 1 << 12, /* struct grt_analysis_set.interference, which is the clause */
    GRT_COVERS_SEVERAL_GPUS = 1 << 13, /* "the tasks use several GPUs": of GRT_SCOPE_PLATFORM */
    GRT_COVERS_HOST_COSTS =
        1
        << 14, /* "computes on a core, where context switches and wake-ups cost time": on a platform with such costs */

    /* No feature: what tasks without GPU segments have does not matter, since the analysis looks at each of them itself. */
    GRT_COVERS_CPU_ONLY = 1 << 15,
};

struct grt_analysis_ops {
    const char *name;            /* as in `gpurt analyze --analysis`: "np-edf-exact" */
    const char *summary;         /* one line */
    const char *source;          /* authors, title, venue, year; the theorem or equation */
    const char *deviation;       /* from the source, as a sentence; NULL: none */
    const char *const *policies; /* names of the policies whose schedules it speaks of, NULL-terminated */
    /* of those only where they promise this order, with their parameters; GRT_ORDER_NONE: whatever it is */
    enum grt_promise_order order;
    bool exact;  /* it says GRT_VERDICT_UNSCHEDULABLE rather than GRT_VERDICT_UNKNOWN */
    bool bounds; /* it bounds response times */
    enum grt_analysis_scope scope;
    uint32_t covers; /* bits of enum grt_feature */

    /* Its own options, a table of choices, booleans, whole numbers and times, all with a default (models/analysis_options.h), of a
     * struct of at most GRT_ANALYSIS_OPTIONS_SIZE bytes. NULL: it has none. */
    const struct grt_record *options;

    /* Audsley's algorithm may ask it for priorities. It then has to bound response times (`bounds`): the algorithm holds each task's bound against its
     * deadline, whatever the verdict on the set, and asks for that of the whole set at the end. A bound may count on the others' deadlines being met; it
     * depends on the set of higher and the set of lower tasks, not on the orders in them, and does not get larger one place up (policies/audsley.h).
     * Where that holds with some of its options only: these, as "name", "value", ..., NULL-terminated; NULL: with its defaults. Where it may not, why, as a
     * clause ("does not go by priorities"); NULL: it is not known. */
    bool suits_audsley;
    const char *const *audsley_options;
    const char *audsley_objection;

    const char *const *values; /* names of all values that it may add to its results (grt_analysis_add_time,
                                  grt_analysis_add_number), NULL-terminated; NULL: none */

    /* Analyses a set with nothing but what it covers; may refuse it for other preconditions. Allocates only what it frees. */
    void (*run)(const struct grt_analysis_set *set, struct grt_analysis_result *result);
};

enum { GRT_ANALYSIS_OPTIONS_SIZE = 256 };

/* Runs an analysis on a set, or refuses it. Where set->options is NULL, with the defaults of its options. A result that says what is none (a
 * verdict, a task, a bound below 0, a value that is not listed) is a bug of the analysis: the program aborts. (models/analysis/covers.c) */
void grt_analysis_run(const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                      struct grt_analysis_result *result);

/* Whether a set has something besides what the bits of `covers` allow; `reason` then becomes the clause that says so. */
bool grt_analysis_is_beyond(const struct grt_analysis_set *set, uint32_t covers,
                            char reason[GRT_ANALYSIS_REASON_SIZE]);

/* For analyses: `count` zeroed items; free() them. (models/analysis/analysis.c) */
void *grt_analysis_memory(size_t count, size_t size);

/* For analyses: says that a precondition does not hold, or what fails; printf-like. (models/analysis/analysis.c) */
void grt_analysis_refuse(struct grt_analysis_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void grt_analysis_fail(struct grt_analysis_result *result, enum grt_verdict verdict, uint32_t failing,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* For analyses: adds a value. `task`: an index in the set, or GRT_ANALYSIS_NO_TASK. */
void grt_analysis_add_time(struct grt_analysis_result *result, const char *name, uint32_t task, int64_t time);
void grt_analysis_add_number(struct grt_analysis_result *result, const char *name, uint32_t task,
                             double number);

#endif
