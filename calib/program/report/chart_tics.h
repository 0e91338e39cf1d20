/* Tics of a chart's axes, all in one style: "10k", "1M", of sizes "64 KiB". */
#ifndef GRT_CALIB_PROGRAM_REPORT_CHART_TICS_H
#define GRT_CALIB_PROGRAM_REPORT_CHART_TICS_H

#include <stdbool.h>

#include "study/plot/figure.h"

/* Numbers below stand as they are. */
#define GRT_CHART_LARGE 1e4

/* A number at a tic, in the arena: with k, M, G, T or P from 10,000 on; of sizes with KiB, MiB or GiB from 1,024 on. */
const char *grt_chart_tic_text(double value, bool is_size, struct grt_arena *arena);

/* Tics from `from` to `to` on a logarithmic axis, in the arena: two at least, and not so many that they overlap. Of sizes at powers of two, else of ten, with 2 and 5 times them, or at steps, where
 * these are too few. 0 < from < to. */
const struct grt_figure_tic *grt_chart_log_tics(double from, double to, bool is_size, size_t *count,
                                                struct grt_arena *arena);

/* The same on an axis that is not. */
const struct grt_figure_tic *grt_chart_even_tics(double from, double to, size_t *count,
                                                 struct grt_arena *arena);

#endif
