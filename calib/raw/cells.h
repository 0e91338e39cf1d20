/* A raw file in memory: everything that was measured, its batches joined into cells. Plain; owned by an arena. Made by the reader of files (calib/program/files/raw_read.h), or by
 * tests. */
#ifndef GRT_CALIB_RAW_CELLS_H
#define GRT_CALIB_RAW_CELLS_H

#include "calib/bench/bench.h"
#include "calib/raw/raw.h"

/* A kernel with a size, as experiments name it. */
struct grt_raw_workload {
    const char *name; /* "fma" or, of several sizes, "fma-64" */
    enum grt_kernel_id kernel;
    uint64_t amount;
    uint32_t blocks, threads, shared_bytes; /* dynamic */
    int registers, static_shared_bytes;
    int occupancy;                   /* blocks on an SM, as the driver says */
    int ptx_version, binary_version; /* 10 * major + minor of what the driver made of it; 0: not known */
    const char *made_by;             /* of a kernel of the user's: grt_bench_made_by; NULL: as "" */
};

/* All samples of a cell: `columns` as in a batch, with `count` samples in the order of measuring. */
struct grt_raw_cell {
    const char *experiment;
    struct grt_raw_key keys[GRT_RAW_KEYS];
    size_t key_count;
    size_t count, dropped;
    size_t dropped_for[GRT_RAW_DROPS]; /* up to `dropped`: older files do not say why */
    struct grt_raw_column columns[GRT_RAW_COLUMNS];
    size_t column_count;
    /* of each sample: the batch that it came with, from 0 on. NULL: each is on its own */
    const int64_t *visits;
    double sm_mhz_low, sm_mhz_high; /* of its batches; 0: not known */
    size_t cpu_batches;             /* that say on which processor the measuring thread was: */
    int64_t cpu_low, cpu_high;      /* the least and the greatest number */
};

/* An experiment, or a part of it, that was not done. */
struct grt_raw_skipped {
    const char *experiment, *why;
};

/* What the management library said of the device while measuring. */
struct grt_raw_health_range {
    size_t count; /* of lines; the others are 0 where there is none */
    int sm_mhz_low, sm_mhz_high, celsius_low, celsius_high, milliwatts_high;
    uint64_t reasons; /* all that were ever given: calib/driver/nvml.h */
    /* Of the link, where lines say something: as it ran, and what it could at most. */
    int pcie_generation_low, pcie_generation_high, pcie_lanes_low, pcie_lanes_high;
    int pcie_most_generation, pcie_most_lanes;
};

struct grt_raw {
    const char *file;   /* where it was read */
    const char *sha256; /* of its bytes, in hexadecimal; NULL: it was not read from bytes */
    size_t size_bytes;
    double seconds; /* that measuring took; 0: the file does not say */
    const char *program, *build, *backend, *started, *command, *driver_path, *kernels_made_by, *host;
    uint64_t seed;
    bool complete;       /* measuring came to its end */
    bool cut_off;        /* the last line was not whole */
    const char *stopped; /* why it did not come to its end, where the file says so; NULL otherwise */
    /* What the host's clock and the device's timer said when measuring began: all instants of samples count from there, each clock from its own. */
    int64_t host_origin_ns;
    uint64_t device_origin_ns;
    struct grt_bench_device device;
    const struct grt_raw_workload *workloads;
    size_t workload_count;
    const struct grt_raw_cell *cells; /* in the order in which they first appeared */
    size_t cell_count;
    const struct grt_raw_skipped *skipped;
    size_t skipped_count;
    struct grt_raw_health_range health;
};

/* The value of a key; NULL or `absent` where the cell has none of that name. */
const char *grt_raw_text(const struct grt_raw_cell *cell, const char *key);
int64_t grt_raw_number(const struct grt_raw_cell *cell, const char *key, int64_t absent);

/* A column's values; NULL: there is none. */
const int64_t *grt_raw_values(const struct grt_raw_cell *cell, const char *column);

/* The next cell of an experiment behind `after` (NULL: the first); NULL: no more. */
const struct grt_raw_cell *grt_raw_next(const struct grt_raw *raw, const char *experiment,
                                        const struct grt_raw_cell *after);

const struct grt_raw_workload *grt_raw_workload(const struct grt_raw *raw, const char *name);

#endif
