/* What the fits of single experiments share: the findings so far, the device's clocks, and how samples become values. */
#ifndef GRT_CALIB_FIT_BUILD_H
#define GRT_CALIB_FIT_BUILD_H

#include <stdbool.h>

#include "calib/fit/fit.h"
#include "calib/fit/statistics.h"

/* Host's time at device's time: a line in the middle of all that the exchanges leave possible, and how far it may be off. */
struct grt_fit_clock {
    bool known;
    int64_t host_ns, device_ns;   /* an instant of both that the line starts from */
    double start, slope;          /* host - host_ns = start + slope * (device - device_ns) */
    double low_slope, high_slope; /* of all lines that the exchanges allow; not numbers: of none */
    double error;                 /* ns */
};

/* A fit under way. */
struct grt_fit_build {
    const struct grt_raw *raw;
    struct grt_arena *arena;
    struct grt_finding *findings; /* these four grow; grt_fit_all copies them into the arena */
    struct grt_curve *curves;
    struct grt_fitted_slowdown *slowdowns;
    const char **warnings;
    uint32_t finding_count, finding_capacity, curve_count, curve_capacity;
    uint32_t slowdown_count, slowdown_capacity, warning_count, warning_capacity;
    const struct grt_fitted_worst *worst; /* in the arena */
    const char *worst_error;              /* in the arena; NULL: none */
    size_t worst_count;
    struct grt_fitted_workload *workloads; /* one for each of the file, in the arena */

    double exceedance;                            /* of worst cases that are declared */
    const struct grt_pwcet_input *worst_settings; /* NULL: the usual ones */
    const char *worst_only;                       /* a workload, or the key of a series; NULL: all */

    /* What later fits use of earlier ones. */
    int64_t timer_step, event_step; /* ns; 1 where not known */
    struct grt_fit_clock clock;
    double dispatch_interval; /* ns between blocks that begin; 0: not known */
    double kernel_launch;     /* ns; 0: not known */
};

/* A text in the arena. */
const char *grt_fit_text(struct grt_fit_build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a finding. */
void grt_fit_add(struct grt_fit_build *build, struct grt_finding finding);

/* Adds one that has a value and that cannot be below 0, though clocks and noise may make its estimate so. Where its interval begins below 0 what is left is said: from 0 on,
 * and that 0 is not excluded; where noise put all of it a little below 0, up to half of its width. Where all of it is far below 0 the samples contradict each other: refused. */
void grt_fit_add_span(struct grt_fit_build *build, struct grt_finding finding);

/* A finding that has a value, as a start: MEASURED, without field, residual and word. */
struct grt_finding grt_fit_measured(const char *experiment, const char *name, enum grt_finding_unit unit,
                                    struct grt_ranged value, size_t samples);

/* Adds one without value: measured in vain, or not at all. */
void grt_fit_refuse(struct grt_fit_build *build, const char *experiment, const char *name, const char *field,
                    const char *why);
void grt_fit_miss(struct grt_fit_build *build, const char *experiment, const char *name, const char *field);

void grt_fit_warn(struct grt_fit_build *build, const char *warning);
void grt_fit_add_slowdown(struct grt_fit_build *build, struct grt_fitted_slowdown slowdown);

/* Adds a curve with room for `capacity` points, which the caller counts in curve->count; valid until the next one. */
struct grt_curve *grt_fit_curve(struct grt_fit_build *build, struct grt_curve curve, size_t capacity);

/* Samples of a column in ascending order, in the arena; NULL where the column or samples are not there. */
double *grt_fit_sorted(struct grt_fit_build *build, const struct grt_raw_cell *cell, const char *column);

/* Samples in the order of measuring, and what they have in common: those of a launch, and those of a visit, are not independent. */
struct grt_fit_series {
    const double *values;
    const int64_t *launches, *visits; /* of each; NULL: each is of its own */
    size_t count;                     /* 0: the column or samples are not there */
    const char *unit;                 /* as texts have it behind a number, " Hz"; NULL: ns */
};

struct grt_fit_series grt_fit_series(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                                     const char *column);

/* The median of each visit's launches, of which each counts as the median of its samples; in the order of measuring. `medians` holds series->count. Returns how many. */
size_t grt_fit_visit_medians(const struct grt_fit_series *series, double *medians);

/* How alike the samples of visits are: of each visit the sum of its samples' signs about the median of all, squared, and as many as there would be if they were independent; sums over visits.
 * Nothing (0, 0) where there are no two visits. */
struct grt_visit_signs {
    double squares, independent;
};
struct grt_visit_signs grt_fit_visit_signs(const struct grt_fit_series *series);

/* A typical value, and how it was found. */
struct grt_fit_center {
    struct grt_ranged value;
    const char *how;
    bool varied; /* no one value agrees with all samples, even where the interval is a point */
    /* where they are: the text of grt_fit_modes, which is in `how` as well, there with its unit; else NULL */
    const char *modes;
};

/* Of spans that were measured as the difference of two stamps of a clock with this step. Where one span agrees with all samples it is that: the roundest, with the ends of all that do. Else the median of the visits' medians with its interval by order statistics; of two to five
 * visits their mean with Student's interval and that of signs; of one visit the median without interval: the visits, at random times, are what is independent. Wider by what the clock may hide; where samples have two modes the interval reaches over both, for
 * a median may be in either. series->count >= 1. */
struct grt_fit_center grt_fit_center(struct grt_fit_build *build, const struct grt_fit_series *series,
                                     int64_t step);

/* The same of a cell's column, which is there. */
struct grt_fit_center grt_fit_median(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                                     const char *column, int64_t step);

/* Two places that samples are in, far from each other: which, and a text that says how many are in each, so that nobody takes their median for all of them; the unit of its numbers may follow it. */
struct grt_fit_modes {
    const char *text; /* NULL: samples are not in two places, or are too few */
    double low, high; /* their medians; not numbers: there are none */
};

/* Of ascending samples, of a clock with this step. */
struct grt_fit_modes grt_fit_modes(struct grt_fit_build *build, const double *sorted, size_t count,
                                   int64_t step);

/* What the longest of ascending samples say: "99 % are at most 5.2e+04 ns", where there are enough for that, and the largest. `unit` follows each number. */
const char *grt_fit_longest(struct grt_fit_build *build, const double *sorted, size_t count,
                            const char *unit);

/* So many samples have a quantile of 99 %; below, it is the largest one, or between that and the next. */
#define GRT_FIT_ENOUGH_FOR_P99 100

/* A curve's point of samples: median and the quantiles of 5 and 95 percent. */
struct grt_curve_point grt_fit_point(double x, const double *sorted, size_t count, double model);

/* The median of relative distances |measured / model - 1|; not a number: there is none. Changes `distances`. */
double grt_fit_residual(double *distances, size_t count);

/* The experiments, each in a file of its own. They are called where the raw file has cells of the experiment. */
void grt_fit_told(struct grt_fit_build *build); /* what the driver says */
void grt_fit_clocks(struct grt_fit_build *build);
void grt_fit_steps(struct grt_fit_build *build); /* of clocks only: of files without that experiment */
void grt_fit_launch(struct grt_fit_build *build);
void grt_fit_residency(struct grt_fit_build *build);
void grt_fit_dispatch(struct grt_fit_build *build);
void grt_fit_coresidency(struct grt_fit_build *build);
void grt_fit_sm_spread(struct grt_fit_build *build, const char *workload); /* of its cells of coresidency */
void grt_fit_waves(struct grt_fit_build *build);
void grt_fit_split(struct grt_fit_build *build);
void grt_fit_copies(struct grt_fit_build *build);
void grt_fit_engines(struct grt_fit_build *build);
void grt_fit_priority(struct grt_fit_build *build);
void grt_fit_partition(struct grt_fit_build *build);
void grt_fit_together(struct grt_fit_build *build);
void grt_fit_worst(struct grt_fit_build *build);

/* What a block's code reads and writes of the device's memory, in bytes; 0: it is not said. */
double grt_fit_block_bytes(const struct grt_raw_workload *workload);

bool grt_fit_is_text(const char *a, const char *b); /* both there, and the same */

/* The device's time as the host's, since clock->host_ns. */
static inline double grt_fit_host_time(const struct grt_fit_clock *clock, int64_t device_ns) {
    return clock->start + clock->slope * (double)(device_ns - clock->device_ns);
}

#endif
