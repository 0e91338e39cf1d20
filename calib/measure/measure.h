/* Measures a device: runs the experiments of docs/raw-measurements.md on a bench and writes what comes out, sample by sample, to a raw file.
 *
 * Order: warm-up until the frequency stands still, sizes of the workloads, then one experiment after the other. Each of them has cells (a kernel with so many
 * blocks, a copy of so many bytes), which are visited in rounds, in a random order; a visit takes a few samples, the first of which does not count, since caches,
 * code and clocks are not yet as they are while a cell is repeated; of series for the longest times it is kept apart, as a cell of its own. A cell has enough when its median is known (grt_plan: least_samples, most_samples, precision), or after
 * its experiment's part of the budget: a fixed share of what is left, so that what one experiment does not need is there for those behind it. Cells are made
 * in ranks: where not all of them fit into the experiment's part by what they are expected to cost, the finest ones are left out beforehand. Whatever is left out or ends early is said in the file.
 *
 * A sample is dropped, and counted, where the SMs ran below 97 % of the frequency that is usual (of the warm one, or of what the cell's kernel settled at), where something slowed the device that did not so when it was warm, or where it is not of what its cell says (kernels that
 * were to overlap did not).
 *
 * Sources: randomised rounds, Google Benchmark's random interleaving; dropping by clock, NVIDIA's nvbench, whose threshold is lower; the first sample, see docs/raw-measurements.md. */
#ifndef GRT_CALIB_MEASURE_MEASURE_H
#define GRT_CALIB_MEASURE_MEASURE_H

#include "calib/bench/bench.h"
#include "calib/measure/plan.h"
#include "calib/raw/raw_write.h"

enum grt_measure_result {
    GRT_MEASURE_DONE,
    GRT_MEASURE_STOPPED,  /* the plan's `interrupted` said so */
    GRT_MEASURE_LOST,     /* a call of the driver failed; the errors say it */
    GRT_MEASURE_UNWRITTEN /* the file could not be written; closing it says why */
};

/* Measures, and writes all lines from the head (whose seed and budget are taken from the plan) to the last one. `errors` are those that the bench was opened with. The
 * plan has to be one that grt_plan_check accepts. Whatever the result, the file is a good one. */
enum grt_measure_result grt_measure_device(struct grt_bench *bench, const struct grt_plan *plan,
                                           const struct grt_raw_head *head, struct grt_raw_writer *writer,
                                           const struct grt_errors *errors);

#endif
