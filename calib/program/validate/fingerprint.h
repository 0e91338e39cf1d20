/* What of a scenario makes its runs comparable: a fingerprint of what was read, however it was written. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_FINGERPRINT_H
#define GRT_CALIB_PROGRAM_VALIDATE_FINGERPRINT_H

#include "scenarios/scenario.h"

/* SHA-256, in the arena, of what a scenario says after all changes, whatever its name, description, seed, horizon and GPUs: equal where another spelling, order of fields, folder or file (of kernels,
 * usages, networks) says the same. It is of the tasks as they were read, before the policy adapts them to a device. */
const char *grt_scenario_fingerprint(const struct grt_scenario_file *file, struct grt_arena *arena);

/* Whether anything is drawn in a run, so that another seed is another run: times, arrivals, delays, the order of ties, places of blocks. */
bool grt_scenario_draws(const struct grt_scenario *scenario);

#endif
