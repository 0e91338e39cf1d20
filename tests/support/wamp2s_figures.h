/* The experiments of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne
 * Embedded System", IEEE TPDS 33(11), 2022, section 6, that are no sweeps: what tests/paper asks and docs/wamp2s-figures.md shows. The others are
 * scenarios/papers/wamp2s/experiments. */
#ifndef GRT_TESTS_SUPPORT_WAMP2S_FIGURES_H
#define GRT_TESTS_SUPPORT_WAMP2S_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "tests/support/rodinia_sets.h"

/* ---- figures 1 and 6 ---- */

/* How long lavaMD takes, ms, with all vprocessors, beside the first `others` of the other applications of Table 3, which have begun before it and go on and on; INFINITY: it stands still. */
double wamp2s_lavamd(size_t others, int64_t share_mode);

/* By how much longer an application of Table 3 takes with a share, alone. */
double wamp2s_alone(size_t application, int64_t share);

/* ---- table 4 ---- */

/* Deadlines missed in `airborne-NAME`, with a predictor (NULL: the file's) and a seed. *jobs: how many jobs there were. */
int64_t wamp2s_airborne(const char *name, const char *predictor, unsigned seed, uint64_t *jobs);

#endif
