/* The experiments of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne
 * Embedded System", IEEE TPDS 33(11), 2022, section 6, as gpurt has them: what tests/paper asks and docs/wamp2s-figures.md shows. */
#ifndef GRT_TESTS_SUPPORT_WAMP2S_FIGURES_H
#define GRT_TESTS_SUPPORT_WAMP2S_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "models/learning/measure.h"
#include "tests/support/rodinia_sets.h"
#include "tests/support/wamp2s_remaining.h"

/* ---- figures 1 and 6 ---- */

/* How long lavaMD takes, ms, with all vprocessors, beside the first `others` of the other applications of Table 3, which have begun before it and go on and on; INFINITY: it stands still. */
double wamp2s_lavamd(size_t others, int64_t share_mode);

/* By how much longer an application of Table 3 takes with a share, alone. */
double wamp2s_alone(size_t application, int64_t share);

/* ---- figure 14 ---- */

/* How many of the sets 0 to sets - 1 of all ten applications are schedulable. */
int wamp2s_schedulable(enum rodinia_policy policy, double utilisation, int sets);

/* The interval of E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927, for the probability behind `good` of `sets`, with 95 %. */
struct wamp2s_interval {
    double low, high;
};
struct wamp2s_interval wamp2s_wilson(int good, int sets);

/* ---- table 4 ---- */

/* Deadlines missed in `airborne-NAME`, with a predictor (NULL: the file's) and a seed. *jobs: how many jobs there were. */
int64_t wamp2s_airborne(const char *name, const char *predictor, unsigned seed, uint64_t *jobs);

/* ---- figure 15 ---- */

enum wamp2s_checks { WAMP2S_STANDARD, WAMP2S_WDC, WAMP2S_AETC, WAMP2S_BOTH, WAMP2S_CHECKS };

/* Means over sets. */
struct wamp2s_overhead {
    double per_job;           /* us, equation (16) */
    double runs, predictions; /* of a run of the set, per job */
};

/* Sets 0 to sets - 1 of `count` random applications, with a utilisation of 0.1 each on average; one round of predictions per operation, as the paper has it. */
struct wamp2s_overhead wamp2s_overhead(size_t count, enum wamp2s_checks checks, int sets);

/* ---- figure 13, under the policy itself ---- */

/* The mean error of the estimated remaining time, by the completion at which it was estimated, in twentieths. */
struct wamp2s_errors_of {
    double error[WAMP2S_BINS]; /* 0: there is none */
    uint64_t estimates[WAMP2S_BINS];
};

/* Over the sets 0 to sets - 1 of all ten applications with a utilisation of 1, no checks. */
void wamp2s_errors(int sets, struct wamp2s_errors_of *out);

#endif
