/* What fits found, for people: a table on a terminal, or in a page. */
#ifndef GRT_CALIB_PROGRAM_REPORT_FINDINGS_H
#define GRT_CALIB_PROGRAM_REPORT_FINDINGS_H

#include <stdio.h>

#include "calib/fit/fit.h"
#include "cli/terminal/options.h"

/* The value of a finding, its interval, and its residual, with units; "-" where there is none. Both have as many digits as it takes to see two of the interval's
 * width; where those are more than seven, the interval is how far its ends are from the value: "+- 88Hz". In the arena. */
const char *grt_finding_value_text(const struct grt_finding *finding, struct grt_arena *arena);
const char *grt_finding_interval_text(const struct grt_finding *finding, struct grt_arena *arena);
const char *grt_finding_residual_text(const struct grt_finding *finding, struct grt_arena *arena);

/* A number in its unit, in four digits: "4.2us", "55.01GB/s". In the arena. */
const char *grt_finding_number_text(double value, enum grt_finding_unit unit, struct grt_arena *arena);

/* What was not found, but pairs and longest times, as "NAMES: why": each reason once. *count texts, in the arena. */
const char *const *grt_findings_missing(const struct grt_fit *fit, size_t *count, struct grt_arena *arena);

/* Tables of what was measured, told, and not found with the reasons. `with_how`: and of each parameter how it was found. */
void grt_findings_print(const struct grt_fit *fit, const struct grt_style *style, bool with_how, FILE *out);

#endif
