/* The parameters of the policies that share a GPU out. */
#ifndef GRT_POLICIES_SHARES_PARAMETERS_H
#define GRT_POLICIES_SHARES_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/field.h"
#include "sim/time.h"

/* Which estimates of remaining times are looked at. */
struct shares_choice {
    double from, to; /* those that were made with so much of the application done: 0 to 1, from below to */
    int64_t number;  /* those that were the application's first, second, ...; 0: all */
};

/* Whether its numbers are in their ranges; false after adding an error. */
bool shares_choice_check(const struct shares_choice *choice, struct grt_errors *errors);

struct wamp2s_parameters {
    int64_t variant;   /* enum shares_variant */
    int64_t predictor; /* enum shares_predictor_kind */
    bool wdc, aetc;
    double threshold;                   /* Theta_th, 0 to 1 */
    int64_t rounds;                     /* of predictions in an operation: SHARES_CORRECTED */
    double margin;                      /* of the slack, 0 or more, below 1: SHARES_CORRECTED */
    grt_time run_time, prediction_time; /* ns */
    bool estimate_errors;               /* are among the results */
    struct shares_choice estimates;
};

extern const struct grt_record wamp2s_parameters_record;

/* What holds where no parameters are given. */
struct wamp2s_parameters wamp2s_default_parameters(void);

/* Whether all numbers are in their ranges; false after adding an error. */
bool wamp2s_check(const struct wamp2s_parameters *given, struct grt_errors *errors);

/* Whether operations take any time: then there is a thread for every GPU that executes them. */
bool wamp2s_takes_time(const struct wamp2s_parameters *given);

/* With these every scenario is run, at once: nothing is trained. */
extern const struct wamp2s_parameters wamp2s_permissive;

/* The share of a task. */
struct static_share {
    const char *task;
    int64_t share; /* 1 to 100 */
};

struct static_parameters {
    struct grt_field_list shares; /* of struct static_share */
    bool estimate_errors;         /* are among the results */
    struct shares_choice estimates;
    int64_t predictor; /* enum shares_predictor_kind: who estimates */
};

extern const struct grt_record static_parameters_record;

#endif
