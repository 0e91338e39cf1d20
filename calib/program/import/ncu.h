/* What `ncu --csv` writes, read: one kernel launch after the other, with the metrics that say how a kernel uses a GPU. Both forms of NVIDIA's Nsight Compute
 * are known: a column for each metric with its unit below the name (--page raw), and a line for each metric ("Metric Name", "Metric Unit", "Metric Value"). */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NCU_H
#define GRT_CALIB_PROGRAM_IMPORT_NCU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/memory.h"

/* The metrics that are used; the table in ncu_metrics.c has their names. */
enum grt_ncu_metric {
    GRT_NCU_TIME,           /* seconds */
    GRT_NCU_ELAPSED_CYCLES, /* of a GPC, the longest */
    GRT_NCU_ACTIVE_CYCLES,  /* of all SMs, added up */
    GRT_NCU_ACTIVE_AVERAGE, /* of an SM */
    GRT_NCU_INSTRUCTIONS,
    GRT_NCU_SM_INSTRUCTIONS, /* the same, counted elsewhere */
    GRT_NCU_WARPS,
    GRT_NCU_L2_READ,
    GRT_NCU_L2_WRITE,
    GRT_NCU_L2_ATOMIC,
    GRT_NCU_L2_REDUCTION,
    GRT_NCU_GLOBAL_LOAD,
    GRT_NCU_GLOBAL_STORE,
    GRT_NCU_GLOBAL_LOAD_REQUESTS,
    GRT_NCU_GLOBAL_STORE_REQUESTS,
    GRT_NCU_SHARED_LOAD,
    GRT_NCU_SHARED_STORE,
    GRT_NCU_SHARED_LOAD_WAVEFRONTS,
    GRT_NCU_SHARED_STORE_WAVEFRONTS,
    GRT_NCU_SHARED_LOAD_CONFLICTS,
    GRT_NCU_SHARED_STORE_CONFLICTS,
    GRT_NCU_TEXTURE,
    GRT_NCU_TEXTURE_REQUESTS,
    GRT_NCU_DRAM_BYTES,
    GRT_NCU_DRAM_READ_BYTES,
    GRT_NCU_DRAM_WRITE_BYTES,
    GRT_NCU_DRAM_READ_SECTORS,
    GRT_NCU_DRAM_WRITE_SECTORS,
    GRT_NCU_SM_PERCENT, /* of what each resource can do while the kernel runs */
    GRT_NCU_L2_PERCENT,
    GRT_NCU_DRAM_PERCENT,
    GRT_NCU_SHARED_PERCENT,
    GRT_NCU_METRICS
};

enum grt_ncu_dimension { GRT_NCU_SECONDS, GRT_NCU_COUNT, GRT_NCU_BYTES, GRT_NCU_PERCENT };

struct grt_ncu_metric_kind {
    const char *name;
    enum grt_ncu_dimension dimension;
};

extern const struct grt_ncu_metric_kind grt_ncu_metric_kinds[GRT_NCU_METRICS];

/* A number as ncu writes it in the C locale, with or without commas between thousands, times its unit: in seconds, bytes, percent or one by one. False after adding an
 * error at `path`: not a number, a unit that does not fit, below 0, or beyond 10^18. */
bool grt_ncu_number(const char *value, const char *unit, enum grt_ncu_dimension dimension, double *out,
                    struct grt_errors *errors, const struct grt_path *path);

struct grt_ncu_launch {
    const char *id, *kernel, *block, *grid, *device, *capability; /* as they are written; "" where absent */
    size_t line;                                                  /* of the file */
    double blocks, threads;                                       /* of the grid, of a block; 0: not said */
    int64_t compute_capability;                                   /* major * 10 + minor; 0: not said */
    double values[GRT_NCU_METRICS];
    bool known[GRT_NCU_METRICS];
};

struct grt_ncu {
    struct grt_arena arena;
    struct grt_ncu_launch *launches; /* in the file's order; one or more, each with a time */
    size_t count;
};

/* Reads a text. What a program or ncu itself ("==PROF== ...") wrote before the table is left out, as are metrics that are not in the table. False after adding errors with the
 * lines, and then *out is empty: no table, rows that are cut off, rows without an ID behind that of units, launches without a time, numbers that are none, grids and blocks
 * that no device has, a compute capability below 7.0, which has other metrics. */
bool grt_ncu_read(const char *text, size_t size, struct grt_ncu *out, struct grt_errors *errors);
void grt_ncu_free(struct grt_ncu *ncu);

#endif
