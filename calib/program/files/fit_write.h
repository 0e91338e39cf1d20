/* What fits found, as a JSON file: every parameter with its unit, interval, samples, residual and how it was found, or why not; curves with their samples; what is known of
 * workloads; warnings. Docs: docs/calibration-fits.md. */
#ifndef GRT_CALIB_PROGRAM_FILES_FIT_WRITE_H
#define GRT_CALIB_PROGRAM_FILES_FIT_WRITE_H

#include "calib/fit/fit.h"

/* The text of the file, to be freed. */
char *grt_fit_text_of(const struct grt_fit *fit);

#endif
