/* Traces in formats that other programs read. docs/exports.md says what each holds; equal traces and options give equal
 * bytes. A trace that grt_trace_file_read has accepted may say anything else that it likes: nothing here trusts names,
 * numbers of rows or jobs, or that slices nest. Memory is proportional to the records: about 50 bytes for each beside
 * the trace itself, and for a moment 32 more. */
#ifndef GRT_VIZ_EXPORT_EXPORT_H
#define GRT_VIZ_EXPORT_EXPORT_H

#include <stdbool.h>

#include "sim/output.h"
#include "sim/trace.h"
#include "viz/timeline/row_pattern.h"

/* What is exported: what touches the time from `from` up to, but without, `to`, on the rows that the patterns show. A
 * slice that touches it is exported whole. */
struct grt_export_options {
    grt_time from, to;                   /* GRT_TIME_NEVER: to the end */
    const struct grt_row_patterns *rows; /* NULL: all */
};

/* An export: writes the trace to an output that the caller opened and closes. Fails only where the output does, which
 * grt_output_close tells. */
typedef void grt_export_function(const struct grt_trace_memory *trace,
                                 const struct grt_export_options *options, struct grt_output *output);

grt_export_function grt_export_perfetto; /* a protobuf for ui.perfetto.dev */
grt_export_function grt_export_chrome;   /* the JSON of chrome://tracing */
grt_export_function grt_export_csv;      /* a line for each record, with names */

/* Adds an error for each pattern that matches no row of the trace, and returns false if there is one. */
bool grt_export_check_rows(const struct grt_trace_memory *trace, const struct grt_row_patterns *patterns,
                           struct grt_errors *errors);

#endif
