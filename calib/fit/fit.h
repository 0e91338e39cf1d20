/* From samples to parameters. Every fit is a pure function of a raw file in memory; nothing it says is a bare number: each finding has an interval, how it was
 * found, from how many samples, and how far the samples are from it; what could not be found says why. */
#ifndef GRT_CALIB_FIT_FIT_H
#define GRT_CALIB_FIT_FIT_H

#include "calib/evt/pwcet.h"
#include "calib/fit/statistics.h"
#include "calib/raw/cells.h"
#include "models/usage.h"
#include "sim/memory.h"

struct grt_pwcet;

enum grt_finding_status {
    GRT_FINDING_MEASURED,
    GRT_FINDING_TOLD,    /* by the driver; not measured */
    GRT_FINDING_REFUSED, /* measured, but the samples do not allow to say it: `why` */
    GRT_FINDING_MISSING, /* the samples are not there: `why` */
};

enum grt_finding_unit {
    GRT_UNIT_NONE,
    GRT_UNIT_NS,
    GRT_UNIT_BYTES_PER_SECOND,
    GRT_UNIT_HERTZ,
    GRT_UNIT_BYTES,
    GRT_UNIT_PERCENT
};

/* One parameter. */
struct grt_finding {
    const char *name;       /* "kernel_launch"; of a workload "fma: split_overhead" */
    const char *experiment; /* whose samples say it */
    enum grt_finding_status status;
    enum grt_finding_unit unit;
    double value, low, high; /* of a 95 % interval; equal where it is exact; not a number: not known */
    bool varied;             /* the samples differ, also where the interval is a point: it is not exact */
    size_t samples;
    /* the median distance of the samples from what the model says, relative; not a number: it has no model */
    double residual;
    const char *how;   /* "median of 300 samples, interval by order statistics" */
    const char *why;   /* of refused and missing ones; else NULL */
    const char *field; /* of device files that it goes into; NULL: none */
    const char *word;  /* of findings that are words ("tpc_first"); else NULL */
};

/* Points of a fitted curve with their samples, for the report. */
struct grt_curve_point {
    double x, measured, low, high, model; /* low and high: 5 and 95 percent of the samples, or not a number */
};
struct grt_curve {
    const char *name, *experiment; /* "fma: kernel time" */
    const char *x_label, *y_label, *model_label;
    bool x_log, y_log, is_steps;
    struct grt_curve_point *points;
    size_t count;
};

/* What is known of a workload, for kernel files. Times in ns; 0 or empty: not known. */
struct grt_fitted_workload {
    const struct grt_raw_workload *workload;
    /* of blocks at full residency, ascending, at most 1,000: quantiles where there were more */
    const int64_t *block_times;
    size_t block_time_count;
    struct grt_ranged block_time;                 /* a typical one of them */
    double split_overhead;                        /* delta: of each further sub-kernel */
    const struct grt_share_factor *share_factors; /* from partitions, ascending; struct of models/usage.h */
    size_t share_factor_count;
    double bytes_per_second; /* of memory that it moves alone, where its kernel says how much; 0: not known */
};

/* How much longer a workload takes beside another one than its block times say: what it loses to its own blocks on the rest of the device, when it has all of it, is in them already. */
struct grt_fitted_slowdown {
    const char *workload, *beside;
    double factor, low, high;
    double p99;        /* not a number: too few samples for it */
    double longest;    /* of all samples */
    double over_alone; /* how much longer it takes than alone on the same SMs */
    /* factor is relative to block times. Otherwise to its time alone on the same SMs: not for device files */
    bool is_separate;
    size_t samples;
    int64_t sms,
        beside_sms;  /* of each; beside_sms 0: both on all, where waiting for room is in the factor as well */
    const char *how; /* the partitions were made: "green", "filter", "none" */
};

/* Execution times of a workload that are exceeded rarely. */
struct grt_fitted_worst {
    const char *name; /* "fma on 132 SMs, cold, beside nothing" */
    const char *workload;
    const char *key; /* as names of kernels and files are: "fma-132-cold", "fma-66-cold-beside-triad" */
    const struct grt_raw_cell *cell;
    const struct grt_raw_cell *first; /* the first runs of its visits, which are not in it; NULL: not known */
    int64_t longest;                  /* ns, of the cell's */
    int64_t first_longest;            /* ns, of the first runs; 0: not known */
    const struct grt_pwcet *pwcet;    /* in ns; calib/evt/pwcet.h */
};

struct grt_fit {
    const struct grt_raw *raw;
    struct grt_finding *findings;
    size_t finding_count;
    struct grt_curve *curves;
    size_t curve_count;
    struct grt_fitted_workload *workloads;
    size_t workload_count;
    struct grt_fitted_slowdown *slowdowns;
    size_t slowdown_count;
    const struct grt_fitted_worst *worst;
    size_t worst_count;
    /* a series that the settings of its analysis do not fit to, and why; NULL: there is none */
    const char *worst_error;
    double exceedance; /* per run, of the worst cases that are declared in kernel files */
    /* about the measurement as a whole: clocks that moved, samples dropped, incomplete */
    const char **warnings;
    size_t warning_count;
};

/* How often a run may be longer than the worst case that is declared for it, if nobody says another probability: an engineer's choice. */
#define GRT_FIT_EXCEEDANCE 1e-6

/* Fits everything that there are samples for. All in the arena, as is `raw`, which stays. */
struct grt_fit *grt_fit_all(const struct grt_raw *raw, struct grt_arena *arena);

/* The same, with worst cases for this exceedance as well: 1e-15 to GRT_PWCET_MOST_EXCEEDANCE. */
struct grt_fit *grt_fit_at(const struct grt_raw *raw, double exceedance, struct grt_arena *arena);

/* Only the clocks and the worst cases, with these settings of extreme value theory: exceedances, margin, replicates, seed, and where it is above 0 the quantum, instead of the clock's.
 * `only`: a workload, or one of its series, "fma-132-cold"; NULL: all. What worst[] has is all in the arena, as are the settings, which stay. */
struct grt_fit *grt_fit_worst_of(const struct grt_raw *raw, const struct grt_pwcet_input *settings,
                                 const char *only, struct grt_arena *arena);

/* The key of a series of experiment `worst`, in the arena; NULL: the cell lacks what it is made of. */
const char *grt_fit_worst_key(const struct grt_raw_cell *cell, struct grt_arena *arena);

/* The finding of that name; NULL: there is none. */
const struct grt_finding *grt_fit_find(const struct grt_fit *fit, const char *name);

#endif
