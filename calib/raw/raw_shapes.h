/* Which cells and columns each experiment has in raw files: the table of docs/raw-measurements.md, for whoever writes and reads them. */
#ifndef GRT_CALIB_RAW_RAW_SHAPES_H
#define GRT_CALIB_RAW_RAW_SHAPES_H

#include "calib/raw/raw.h"

enum grt_raw_key_kind {
    GRT_RAW_KEY_NUMBER,   /* whole */
    GRT_RAW_KEY_WORD,     /* one of its choices */
    GRT_RAW_KEY_KERNEL,   /* the name of a kernel */
    GRT_RAW_KEY_WORKLOAD, /* the name of a workload, of which there is a line before */
    GRT_RAW_KEY_BESIDE,   /* the same, or "nothing" */
};

/* One key of a cell. */
struct grt_raw_shape_key {
    const char *name;
    enum grt_raw_key_kind kind;
    const char *choices; /* of a word: those that it can be, with a blank between */
};

/* Cells of an experiment. One with several shapes tells them apart by the choices of its first key, or by their keys. */
struct grt_raw_shape {
    const char *experiment;
    struct grt_raw_shape_key keys[GRT_RAW_KEYS];
    size_t key_count;
    const char *columns[GRT_RAW_COLUMNS];
    size_t column_count;
    size_t newer; /* so many of the last columns older files do not have */
};

/* By number; NULL: there are no more. Shapes of an experiment follow one another. */
const struct grt_raw_shape *grt_raw_shape(size_t number);

/* The shape with this experiment, keys and columns, in their order, with or without all newer columns; NULL: there is none, and *why is what does not fit, as the end of a sentence. */
const struct grt_raw_shape *grt_raw_shape_of(const struct grt_raw_batch *batch, const char **why);

/* The least and the largest that a key or column of this name may be, in any experiment. Where nothing is known of it: +-(2^53 - 1). */
void grt_raw_limits(const char *name, int64_t *least, int64_t *most);

#endif
