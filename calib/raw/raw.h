/* What was measured, as it was measured: a file of JSON lines, written as measuring goes on, so that what is there stays good whatever happens next. What each experiment's cells and columns are is in
 * docs/raw-measurements.md. Writing needs nothing but a stream; reading (calib/program/files/raw_read.h) is for fits. */
#ifndef GRT_CALIB_RAW_RAW_H
#define GRT_CALIB_RAW_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRT_RAW_KEYS = 8, GRT_RAW_COLUMNS = 12 };

/* One of the names that say which cell of an experiment this is: a text, or a whole number. */
struct grt_raw_key {
    const char *name;
    const char *text; /* NULL: the number */
    int64_t number;
};

/* Why a sample was measured and thrown away. */
enum grt_raw_drop {
    GRT_RAW_DROP_CLOCK,     /* its SMs ran slower than is usual */
    GRT_RAW_DROP_THROTTLE,  /* power, heat or hardware slowed the device during its visit */
    GRT_RAW_DROP_PLACEMENT, /* its blocks were not on the SMs that the cell says */
    GRT_RAW_DROP_OVERLAP,   /* what was to run beside it did not, or not all the time */
    GRT_RAW_DROP_RECORD,    /* a block did not say when it ended */
    GRT_RAW_DROPS
};

/* As files call them: "clock". */
extern const char *const grt_raw_drop_names[GRT_RAW_DROPS];

/* Samples of one quantity, in the order of measuring. */
struct grt_raw_column {
    const char *name; /* with its unit: "span_ns" */
    const int64_t *values;
};

/* Some samples of a cell, measured together. Several batches may be of one cell: their samples follow one another. A batch is a visit. */
struct grt_raw_batch {
    const char *experiment;
    struct grt_raw_key keys[GRT_RAW_KEYS]; /* in the order of the documentation */
    size_t key_count;
    int64_t at_ns; /* the host's time when it began */
    double sm_mhz; /* meanwhile; 0: not known */
    bool has_cpu;  /* it is known */
    int64_t cpu;   /* on which processor the measuring thread was when it began, as the system numbers them */
    size_t count;  /* of samples: of each column */
    size_t dropped;                    /* that were measured and thrown away, */
    size_t dropped_for[GRT_RAW_DROPS]; /* and why: they add up to `dropped`, or to 0 where nobody said why */
    struct grt_raw_column columns[GRT_RAW_COLUMNS];
    size_t column_count;
};

#endif
