/* How much of the GPU the kernels of streams had, by the shares that a trace tells of. */
#ifndef GRT_CLI_TRACE_SHARES_H
#define GRT_CLI_TRACE_SHARES_H

#include "cli/trace/summary.h"

/* Sets `has_shares` and adds to `shared` of the streams, numbered as in the trace. */
void grt_trace_sum_shares(const struct grt_trace_memory *trace, struct grt_summary_row *streams,
                          uint32_t stream_count);

#endif
