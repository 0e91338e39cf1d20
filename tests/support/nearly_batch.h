/* A scheduler of batches without costs, for tests of the auditor: right, or with a fault. Parameters: struct grt_nearly_batch. */
#ifndef GRT_TESTS_SUPPORT_NEARLY_BATCH_H
#define GRT_TESTS_SUPPORT_NEARLY_BATCH_H

#include "models/policy.h"

enum grt_batch_fault {
    GRT_BATCH_RIGHT,
    GRT_BATCH_EARLIEST,    /* who is the least late goes first */
    GRT_BATCH_NO_AVERAGES, /* as if they were 0 */
    GRT_BATCH_BY_ARRIVAL,  /* separations do not count from what was done last */
    GRT_BATCH_ONE_MORE,    /* in a batch than may be */
    GRT_BATCH_ONE_LESS,
    GRT_BATCH_JOINED,         /* who comes while there is room is taken into the batch that goes on */
    GRT_BATCH_EARLY,          /* the next one begins when the first of a batch is done */
    GRT_BATCH_RESTS,          /* 3 ns after every batch */
    GRT_BATCH_TOGETHER,       /* nobody waits for anybody in a batch */
    GRT_BATCH_COPIES_AT_ONCE, /* kernels wait as they should, copies do not */
    GRT_BATCH_BACKWARDS,      /* the least urgent one of a batch is issued first */
    GRT_BATCH_OUT_FIRST,      /* what is behind the kernels of a segment does not wait for them */
    GRT_BATCH_FAULTS
};

struct grt_nearly_batch {
    int64_t fault;   /* enum grt_batch_fault */
    int64_t overlap; /* enum grt_promise_overlap */
    int64_t most;    /* up to 4 */
};

extern const struct grt_policy_ops grt_nearly_batch;

#endif
