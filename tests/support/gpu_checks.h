/* Checks a kept trace against the published rules of the device, by code that shares nothing with the simulator but
 * the descriptions of devices and tasks. */
#ifndef GRT_TESTS_SUPPORT_GPU_CHECKS_H
#define GRT_TESTS_SUPPORT_GPU_CHECKS_H

#include "tests/support/gpu_launches.h"

/* Under every policy: time never goes back; every launch runs each of its blocks exactly once, the lower index not
 * later; no SM ever holds more threads, warps, blocks, registers or shared memory than it has; a device holds no more
 * grids than it may; a copy engine does one copy at a time; the commands of a job follow one another; the GPUs'
 * results are the sums of the records. Writes the first violation to standard error. */
bool grt_gpu_checks_pass(const struct grt_launches *all, const struct grt_built_run *run);

/* Under `hardware` with ties by task, besides: no command begins before it is in its engine's queue (G2, G4, C1, N1,
 * N2); copies begin at the earliest instant in the order of their queue (C2, C3); no block starts while an older kernel
 * of its queue (X1) or any kernel of a more urgent queue (A2) is not fully dispatched; and no block waits that may be
 * dispatched (R1 to R3). */
bool grt_gpu_checks_pass_rules(const struct grt_launches *all, const struct grt_built_run *run);

#endif
