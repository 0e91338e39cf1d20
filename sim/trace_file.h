/* The binary trace as a file: docs/trace-format.md has every byte of it. */
#ifndef GRT_SIM_TRACE_FILE_H
#define GRT_SIM_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/output.h"
#include "sim/trace.h"

#define GRT_TRACE_FILE_MAGIC "GPURTTRC"
enum { GRT_TRACE_FILE_VERSION = 1 };

/* A sink that writes a trace to a file: its state is a struct grt_output, which the caller opens before the run and
 * closes after it. Every lot goes to the file at once, so that the file can be read while it grows. */
extern const struct grt_trace_sink grt_trace_file_sink;

/* Reads the trace in file `path` ("-": standard input) into *out, which the caller starts as {0}, or with a
 * record_limit, and frees with grt_trace_memory_free. A file that was cut short behind its header gives the records
 * that are whole; out->cut is set if part of a record was left over or the limit was reached. Anything else that is
 * no trace gives an error "PATH: ..." and an empty *out; memory is never taken for more than the file holds. Every
 * record is checked: known kind, known task, slices that do not end before they start, time that never goes back. */
bool grt_trace_file_read(const char *path, struct grt_trace_memory *out, struct grt_errors *errors);

/* The same of an open file of which the caller has read `taken` bytes already, to see what it is: they are at `first`.
 * `name` is what messages call it. */
bool grt_trace_file_read_open(int fd, const char *name, const void *first, size_t taken,
                              struct grt_trace_memory *out, struct grt_errors *errors);

#endif
