/* Series of long runs as kernels of a kernel file: times as they were measured, their tail, and what analyses take for the worst case. */
#ifndef GRT_CALIB_PROGRAM_FILES_KERNELS_WRITE_WORST_H
#define GRT_CALIB_PROGRAM_FILES_KERNELS_WRITE_WORST_H

#include <cjson/cJSON.h>

#include "calib/fit/fit.h"

/* At most so many of the times go into the file: evenly by rank, among them the shortest and the longest. */
enum { GRT_MOST_WRITTEN_TIMES = 1000 };

/* A kernel that is described by its `time`, "fma-132-cold", of one condition:
 * - `declared` is the time that a run exceeds with fit->exceedance (grt_pwcet_answer.declared): by the model of extreme value theory; where that says no time, the longest measured one by a
 *   margin, or the most that any method says that describes the times. Never below the longest measured one, and no shorter for a rarer exceedance;
 * - `evidence` is which of these it is;
 * - `tail` is that of peaks over a threshold, where the times have a model for any exceedance and such a tail describes them;
 * - `max`, above which nothing is drawn, is the longest of what was measured, declared, and said for the rarest exceedance; of what was refused the longest measured one.
 * To be deleted; NULL: there are no times. `arena`: for texts. */
cJSON *grt_worst_kernel(const struct grt_fit *fit, const struct grt_fitted_worst *worst,
                        struct grt_arena *arena);

/* Puts a span into an object as a text: "12us". */
void grt_put_span(cJSON *object, const char *key, int64_t ns);

#endif
