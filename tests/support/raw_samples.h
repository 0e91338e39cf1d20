/* Raw files in memory, made by hand. */
#ifndef GRT_TESTS_SUPPORT_RAW_SAMPLES_H
#define GRT_TESTS_SUPPORT_RAW_SAMPLES_H

#include "calib/raw/cells.h"
#include "sim/memory.h"

enum { RAW_MOST_CELLS = 600, RAW_MOST_WORKLOADS = 8 };

struct raw_samples {
    struct grt_arena arena;
    struct grt_raw raw;
    struct grt_raw_cell cells[RAW_MOST_CELLS];
    struct grt_raw_workload workloads[RAW_MOST_WORKLOADS];
    struct grt_raw_skipped skipped[4];
};

/* An empty file of a device with `sms` SMs; clear the arena in the end. */
void raw_start(struct raw_samples *samples, int sms);

/* A cell with room for `count` samples; keys as "what=tick,bytes=4096", in which digits are numbers. */
struct grt_raw_cell *raw_cell(struct raw_samples *samples, const char *experiment, size_t count,
                              const char *keys, ...) __attribute__((format(printf, 4, 5)));

/* A new column of a cell, all 0. */
int64_t *raw_column(struct raw_samples *samples, struct grt_raw_cell *cell, const char *name);

struct grt_raw_workload *raw_workload(struct raw_samples *samples, const char *name,
                                      enum grt_kernel_id kernel, uint32_t threads, int occupancy);

#endif
