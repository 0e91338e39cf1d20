/* Periods by chance: whole multiples of a granularity in [least, most]. Times in nanoseconds. */
#ifndef GRT_SCENARIOS_GENERATE_PERIODS_H
#define GRT_SCENARIOS_GENERATE_PERIODS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/error.h"
#include "sim/random.h"
#include "sim/time.h"

enum grt_period_method {
    GRT_PERIODS_UNIFORM, /* every multiple equally */
    GRT_PERIODS_LOG_UNIFORM, /* the multiple k in proportion to ln((k + 1) / k) (Emberson, Stafford, Davis 2010) */
    GRT_PERIODS_DIVISORS,         /* every multiple that divides the hyperperiod equally */
    GRT_PERIODS_AUTOMOTIVE,       /* 1, 2, 5, 10, 20, 50, 100, 200, 1000 ms, as often as in engine control */
    GRT_PERIODS_AUTOMOTIVE_EQUAL, /* the same, every one equally */
    GRT_PERIOD_METHODS
};

/* The words for them, NULL-terminated, in the enum's order. */
extern const char *const grt_period_method_names[];

struct grt_period_spec {
    int64_t method;       /* enum grt_period_method */
    grt_time least, most; /* not used by the automotive ones */
    grt_time granularity; /* above 0; not used by the automotive ones, but for random offsets */
    grt_time hyperperiod; /* divisors only: a multiple of the granularity */
};

/* A specification made ready: plain, but `choices` is the caller's to free. */
struct grt_periods {
    int64_t method;
    grt_time granularity;
    int64_t first, last; /* multiples of the granularity */
    double log_ratio;    /* of last + 1 to first */
    grt_time *choices;   /* the divisors, ascending; NULL for other methods */
    size_t choice_count;
};

/* Adds errors, with the paths "periods" and "granularity"; false if there were any, and then there is nothing to free. */
bool grt_periods_prepare(const struct grt_period_spec *spec, struct grt_periods *periods,
                         struct grt_errors *errors);

grt_time grt_periods_draw(const struct grt_periods *periods, struct grt_random *random);

/* The shortest and the longest period that can be drawn. */
grt_time grt_periods_least(const struct grt_periods *periods);
grt_time grt_periods_most(const struct grt_periods *periods);

#endif
