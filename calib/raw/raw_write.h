/* Writes a raw file, line by line: a line is handed to the system whole as soon as it is known, so that whatever ends the program (a signal, a lost device, an error) leaves all of the lines before. It is
 * therefore no file that appears when it is complete: it is there from the start, and grows. Where the disk is full, what there was of the last line is taken away again, and nothing is
 * written any more. Only a machine that stops may lose what its system had not stored yet. */
#ifndef GRT_CALIB_RAW_RAW_WRITE_H
#define GRT_CALIB_RAW_RAW_WRITE_H

#include "calib/bench/bench.h"
#include "calib/raw/cells.h"
#include "calib/raw/raw.h"
#include "calib/raw/raw_lines.h"
#include "sim/error.h"
#include "sim/time.h"

struct grt_raw_writer;

/* A file at `path`, or standard output for "-". An existing file that is not empty is refused, since measurements are dear, unless `replace`. NULL after adding an error. */
struct grt_raw_writer *grt_raw_writer_open(const char *path, bool replace, struct grt_errors *errors);

/* Lines, as docs/raw-measurements.md has them. False from the first one on that could not be written: there is no use in measuring any further.
 * Text that is not valid UTF-8 has "?" for each wrong byte. A batch has to be one of raw_shapes.h, with whole numbers within +-(2^53 - 1). */
bool grt_raw_write_head(struct grt_raw_writer *writer, const struct grt_raw_head *head);
bool grt_raw_write_device(struct grt_raw_writer *writer, const struct grt_bench_device *device);
bool grt_raw_write_origin(struct grt_raw_writer *writer, int64_t host_ns, uint64_t device_ns);
bool grt_raw_write_workload(struct grt_raw_writer *writer, const struct grt_raw_workload *workload);
bool grt_raw_write_batch(struct grt_raw_writer *writer, const struct grt_raw_batch *batch);
bool grt_raw_write_partition(struct grt_raw_writer *writer, const struct grt_partition *partition);
bool grt_raw_write_skipped(struct grt_raw_writer *writer, const char *experiment, const char *why);
bool grt_raw_write_health(struct grt_raw_writer *writer, int64_t at_ns,
                          const struct grt_bench_health *health);
bool grt_raw_write_stopped(struct grt_raw_writer *writer, const char *why, double seconds);
bool grt_raw_write_end(struct grt_raw_writer *writer, double seconds);

/* False after adding an error if a line could not be written, or the file not be stored. */
bool grt_raw_writer_close(struct grt_raw_writer *writer, struct grt_errors *errors);

#endif
