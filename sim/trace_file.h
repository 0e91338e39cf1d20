/* The binary trace as a file: docs/trace-format.md has every byte of it. */
#ifndef GRT_SIM_TRACE_FILE_H
#define GRT_SIM_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/output.h"
#include "sim/trace.h"

#define GRT_TRACE_FILE_MAGIC "GPURTTRC"
enum {
    GRT_TRACE_FILE_VERSION = 1,
    GRT_TRACE_FILE_MOST = 1000000000, /* records that are taken into memory: 32 GB */
};

/* A sink that writes a trace to a file: its state is a struct grt_output, which the caller opens before the run and
 * closes after it. Every lot goes to the file at once, so that the file can be read while it grows. */
extern const struct grt_trace_sink grt_trace_file_sink;

/* An open file with a trace in it: a regular file, a pipe, standard input. Pipes may deliver in pieces of any size. */
struct grt_trace_file {
    int fd;            /* of the caller, who closes it */
    const char *name;  /* what errors call the file, "NAME: ..."; NULL: they have no name */
    const void *first; /* what the caller has read already, to see what the file is */
    size_t first_size; /* bytes */
    bool cut;          /* told: the file ended within a record, which was left out */
};

enum grt_trace_reading {
    GRT_READING_DONE,
    GRT_READING_REFUSED, /* it is no trace, damaged, or could not be read: an error was added */
    GRT_READING_STOPPED, /* the sink returned false; no error was added */
};

/* Reads a trace and passes it on: the names, which are the sink's until it returns, then the records in lots of at most
 * GRT_TRACE_LOT, then the end. A file that was cut short behind its header, as one that is still being written, ends with
 * its last whole record. Every record is checked before the sink sees it: known kind, known task, slices that do not end
 * before they start, time that never goes back. Where the outcome is not DONE the sink hears of no end, and may have
 * heard of records before: its owner throws away what it has. Takes memory for a lot, and in
 * proportion to the bytes that the file's header really has. */
enum grt_trace_reading grt_trace_file_stream(struct grt_trace_file *file, const struct grt_trace_sink *sink,
                                             void *state, struct grt_errors *errors);

/* Reads the trace in file `path` ("-": standard input) into *out, which the caller starts as {0}, or with a
 * record_limit, and frees with grt_trace_memory_free; without a limit a file that is too long for GRT_TRACE_FILE_MOST records is refused. out->cut is set if the file was cut or the limit was reached. On
 * failure returns false with an error "PATH: ..." and an empty *out. */
bool grt_trace_file_read(const char *path, struct grt_trace_memory *out, struct grt_errors *errors);

#endif
