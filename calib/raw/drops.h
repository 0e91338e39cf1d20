/* How many samples were kept and how many thrown away, and why, of cells and of experiments. */
#ifndef GRT_CALIB_RAW_DROPS_H
#define GRT_CALIB_RAW_DROPS_H

#include "calib/raw/cells.h"

/* Start it as {0}. */
struct grt_raw_sums {
    size_t cells, values, samples; /* that were kept: rows, and the samples that they are of */
    size_t dropped, dropped_for[GRT_RAW_DROPS];
};

/* Adds a cell. Of launches with several rows the sample is the launch. */
void grt_raw_sums_add(struct grt_raw_sums *sums, const struct grt_raw_cell *cell);

/* Of all cells of an experiment. */
struct grt_raw_sums grt_raw_sums_of(const struct grt_raw *raw, const char *experiment);

/* "clock 2, overlap 1", "" where nothing was dropped; what has no reason is said to have none. Returns `text`. */
enum { GRT_RAW_DROPS_TEXT_SIZE = 240 };
const char *grt_raw_drops_text(const struct grt_raw_sums *sums, char text[GRT_RAW_DROPS_TEXT_SIZE]);

#endif
