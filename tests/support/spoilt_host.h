/* Spoilings of traces in which cores have to do with GPU segments. */
#ifndef GRT_TESTS_SUPPORT_SPOILT_HOST_H
#define GRT_TESTS_SUPPORT_SPOILT_HOST_H

#include "tests/support/spoilt_trace.h"

/* One that the auditor sees in at least one of so many traces: it does not know all of them, and cannot say of some what they show. */
struct grt_host_spoiling {
    struct grt_spoiling spoiling;
    int once_in;
};

/* All, to one without a spoil. */
extern const struct grt_host_spoiling grt_host_spoilings[];

#endif
