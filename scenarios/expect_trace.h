/* The parts of grt_expect_check that look at the trace. */
#ifndef GRT_SCENARIOS_EXPECT_TRACE_H
#define GRT_SCENARIOS_EXPECT_TRACE_H

#include "scenarios/expect.h"
#include "scenarios/name_index.h"
#include "sim/memory.h"

/* The names of that kind in a sorted index, in the arena. */
struct grt_name_entry *grt_expect_index_names(struct grt_arena *arena, const struct grt_trace_memory *trace,
                                              enum grt_trace_name_kind kind, size_t *count);

/* Whether a slice that has ended has that span; and what span it has, "from 0s to 5us". */
bool grt_expect_is_span(const struct grt_trace_record *record, grt_time start, grt_time end);
const char *grt_expect_span_text(const struct grt_trace_record *record, char text[96]);

/* The part that looks at cores and at rows of the policy's own: each slice that is spoken of has to be as expected, and every slice of a core
 * or row that is named at all has to be named. (expect_slices.c) */
void grt_expect_check_slices(const struct grt_expect *expect, const struct grt_trace_memory *trace,
                             struct grt_errors *errors);

/* Adds an error for each expectation of blocks or copies that the trace does not meet, and for each launch that is
 * named at all and has a block that is not named. `result` says which SMs are whose. */
void grt_expect_check_trace(const struct grt_expect *expect, const struct grt_result *result,
                            const struct grt_trace_memory *trace, struct grt_errors *errors);

#endif
