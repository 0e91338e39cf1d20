/* A sink for tests of those who send traces: it keeps what it hears, checks that it is called in order, and fails where it is
 * told to. */
#ifndef GRT_TESTS_SUPPORT_HEARD_TRACE_H
#define GRT_TESTS_SUPPORT_HEARD_TRACE_H

#include <stdbool.h>

#include "sim/trace.h"

enum { HEARD_NO_FAILURE = 0, HEARD_FAILS_AT_NAMES = -1, HEARD_FAILS_AT_END = -2 };

/* Start it as {0}, or with `fails_at`; free it with heard_trace_free. */
struct heard_trace {
    int fails_at; /* one of the above, or the number of a lot, from 1 */
    struct grt_trace_memory kept;
    bool named, ended, failed;
    size_t lots, smallest_lot, largest_lot;
    int wrong_calls; /* out of order, after the end or a failure, empty lots, lots of more than GRT_TRACE_LOT */
};

extern const struct grt_trace_sink heard_trace_sink;
void heard_trace_free(struct heard_trace *heard);

#endif
