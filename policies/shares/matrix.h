/* How long the GPU segments of a scenario take alone, by the share that they have: the matrix M_WCET of Algorithm 1 in Y. Yao et al., "WAMP2S:
 * Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022,
 * section 5. There an application is one line of 100 measured numbers; here it is a segment, of copies and kernels, and its line follows
 * from the scenario. Pure: no world, no clock. */
#ifndef GRT_POLICIES_SHARES_MATRIX_H
#define GRT_POLICIES_SHARES_MATRIX_H

#include "models/learning/network.h"
#include "models/task.h"
#include "models/usage.h"
#include "sim/memory.h"

/* A kernel of a segment. */
struct shares_kernel {
    const struct grt_kernel *kernel;
    struct grt_usage usage;            /* its own, or the default (models/device/kernel_usage.h) */
    double time;                       /* ns, alone with the whole GPU, in the worst case */
    const struct grt_network *network; /* its trained model, for whoever sets it; NULL: none */
};

/* A GPU segment that has kernels. */
struct shares_segment {
    /* ns, by the share from 1 on: alone, in the worst case; never longer with a larger share. [0] is GRT_TIME_NEVER. Nothing is above
     * GRT_TIME_LIMIT else. */
    grt_time times[GRT_FULL_SHARE + 1];
    int64_t enough; /* the smallest share with which it takes no longer than with all */
    double fixed;   /* ns of it that no share changes: copies, calls, launches, host parts */
    struct shares_kernel *kernels;
    uint32_t kernel_count;
};

/* Of all tasks. */
struct shares_matrix;

/* Makes it; `scenario` must stay. It lives as long as the arena. */
const struct shares_matrix *shares_matrix_create(const struct grt_scenario *scenario,
                                                 struct grt_arena *arena);

/* A segment of a task; NULL where it has no kernels, so that it needs no share. */
const struct shares_segment *shares_matrix_at(const struct shares_matrix *matrix, uint32_t task,
                                              uint32_t segment);

/* Fills `times` and `enough` from the rest. */
void shares_segment_fill(struct shares_segment *segment);

#endif
