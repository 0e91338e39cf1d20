/* Sound traces of worlds on GPUs of granularity shares that are spoilt on purpose, or read beside a scenario that is, and the rule of the auditor that must
 * see it. */
#ifndef GRT_TESTS_SUPPORT_SPOILT_SHARES_H
#define GRT_TESTS_SUPPORT_SPOILT_SHARES_H

#include "tests/support/spoilt_trace.h"

struct grt_shares_spoiling {
    const char *what;
    const char *rule;
    bool (*spoil)(struct grt_spoilt *spoilt); /* false where this trace has nothing to spoil in this way */
    int percent; /* of the cases are found at least: the rest makes no difference, or one below what rounding explains */
};

/* All, to one without a spoil. */
extern const struct grt_shares_spoiling grt_shares_spoilings[];

#endif
