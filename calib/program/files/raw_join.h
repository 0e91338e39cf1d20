/* Joins the batches of a raw file into cells. */
#ifndef GRT_CALIB_PROGRAM_FILES_RAW_JOIN_H
#define GRT_CALIB_PROGRAM_FILES_RAW_JOIN_H

#include "calib/raw/cells.h"
#include "sim/memory.h"

struct grt_raw_join;

struct grt_raw_join *grt_raw_join_create(void);
void grt_raw_join_destroy(struct grt_raw_join *join);

/* Adds a batch, whose keys and columns are one of raw_shapes.h; names are copied to the arena as needed, values to the join. False: those of its cell before had other columns. */
bool grt_raw_join_add(struct grt_raw_join *join, const struct grt_raw_batch *batch, struct grt_arena *arena);

/* The cells in the order in which they first came, in the arena. */
const struct grt_raw_cell *grt_raw_join_cells(struct grt_raw_join *join, struct grt_arena *arena,
                                              size_t *count);

#endif
