/* Reads raw files (docs/raw-measurements.md), strictly. */
#ifndef GRT_CALIB_PROGRAM_FILES_RAW_READ_H
#define GRT_CALIB_PROGRAM_FILES_RAW_READ_H

#include "calib/raw/cells.h"
#include "sim/error.h"
#include "sim/memory.h"

/* The file at `path` ("-": standard input), all of it in the arena; batches of a cell are joined. A file without its end is good: `complete` is false, and `cut_off` is true where the
 * last line was not whole, which is left out. NULL after adding errors "line 7: ..." without the file's name: unknown fields, experiments, cells and columns, columns of
 * different lengths, lines that are twice there or in a wrong place, names of kernels and workloads that nobody defined. */
struct grt_raw *grt_raw_read(const char *path, struct grt_arena *arena, struct grt_errors *errors);

/* The same of a text in memory; `file` is the name that `raw->file` gets. */
struct grt_raw *grt_raw_read_text(const char *text, size_t size, const char *file, struct grt_arena *arena,
                                  struct grt_errors *errors);

#endif
