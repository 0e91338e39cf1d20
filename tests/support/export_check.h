/* Exports read back and held against the trace that they came from, by code that shares nothing with the writers. */
#ifndef GRT_TESTS_SUPPORT_EXPORT_CHECK_H
#define GRT_TESTS_SUPPORT_EXPORT_CHECK_H

#include <stdbool.h>

#include "viz/export/export.h"

/* What an export wrote, which goes through the file `path`; the caller frees the bytes, which end with a zero. */
char *grt_exported(grt_export_function *write, const struct grt_trace_memory *trace,
                   const struct grt_export_options *options, const char *path, size_t *size);

/* Everything, of all rows. */
struct grt_export_options grt_export_all(void);

/* Whether the Perfetto export of a whole trace keeps the rules of perfetto_lint.h and holds every slice of the trace with
 * its exact times, and as many releases, aborts and skips; whether the Chrome export is JSON that holds the same, with
 * lanes on which nothing overlaps and flows that run forward; whether the CSV holds every record. Write what is wrong to
 * standard error. */
bool grt_perfetto_holds(const struct grt_trace_memory *trace, const char *path);
bool grt_chrome_holds(const struct grt_trace_memory *trace, const char *path);
bool grt_csv_holds(const struct grt_trace_memory *trace, const char *path);

/* The number of marks of that name in a Perfetto export of the whole trace. */
size_t grt_perfetto_marks(const struct grt_trace_memory *trace, const char *path, const char *name);

#endif
