/* What was measured and what not, and how much of it was thrown away for which reasons, as a table of a page. */
#ifndef GRT_CALIB_PROGRAM_REPORT_MEASURED_H
#define GRT_CALIB_PROGRAM_REPORT_MEASURED_H

#include <stdio.h>

#include "calib/raw/cells.h"
#include "sim/memory.h"

/* One row for each experiment that there is; then the cells that lost many samples. */
void grt_measured_put(const struct grt_raw *raw, struct grt_arena *arena, FILE *out);

#endif
