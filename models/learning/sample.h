/* What networks are trained with: measured executions of a kernel beside a workload. */
#ifndef GRT_MODELS_LEARNING_SAMPLE_H
#define GRT_MODELS_LEARNING_SAMPLE_H

#include "models/usage.h"

/* One execution: an input-output pair of Yao et al. 2022, section 4.3.2. */
struct grt_sample {
    double indicators[GRT_INDICATORS]; /* of the workload beside it, events per second: finite, 0 or more */
    int64_t share;                     /* of the kernel, vprocessors: 1 to 100 */
    double time;                       /* that it took, ns: 1 to 10^18 */
};

struct grt_samples {
    struct grt_sample *items;
    size_t count;
};

#endif
