/* The part of grt_expect_check that looks at single blocks and copies. */
#ifndef GRT_SCENARIOS_EXPECT_TRACE_H
#define GRT_SCENARIOS_EXPECT_TRACE_H

#include "scenarios/expect.h"

/* Adds an error for each expectation of blocks or copies that the trace does not meet, and for each launch that is
 * named at all and has a block that is not named. `result` says which SMs are whose. */
void grt_expect_check_trace(const struct grt_expect *expect, const struct grt_result *result,
                            const struct grt_trace_memory *trace, struct grt_errors *errors);

#endif
