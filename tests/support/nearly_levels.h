/* A scheduler with two streams of different priority, without costs, for tests of the auditor: right, or with a fault. Parameters: struct
 * grt_nearly_levels. */
#ifndef GRT_TESTS_SUPPORT_NEARLY_LEVELS_H
#define GRT_TESTS_SUPPORT_NEARLY_LEVELS_H

#include "models/policy.h"

enum grt_levels_fault {
    GRT_LEVELS_RIGHT,
    GRT_LEVELS_LAST_FIRST, /* the least urgent goes first */
    GRT_LEVELS_ANYBODY,    /* goes beside another */
    GRT_LEVELS_NOBODY,     /* does */
    GRT_LEVELS_THREE,      /* a second preemption */
    GRT_LEVELS_CO_RUN,     /* in the low stream, beside the high one */
    GRT_LEVELS_RESTS,      /* 3 ns after every segment */
    GRT_LEVELS_SWAPPED,    /* who comes first is in the high stream */
    GRT_LEVELS_ALIKE,      /* both streams have one priority */
    GRT_LEVELS_ONE_STREAM, /* for both */
    GRT_LEVELS_FAULTS
};

struct grt_nearly_levels {
    int64_t fault;    /* enum grt_levels_fault */
    bool co_run;      /* the low stream takes somebody beside the high one */
    bool by_deadline; /* else by priority */
};

extern const struct grt_policy_ops grt_nearly_levels;

#endif
