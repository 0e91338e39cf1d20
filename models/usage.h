/* How a kernel uses a GPU that is simulated by shares: what it needs of the GPU's resources when it runs alone, by how much it depends on
 * each, and which events a profiler counts meanwhile. Plain; filled by a loader or by hand. Shares are in vprocessors, hundredths of the
 * GPU's SMs, as in Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the
 * Airborne Embedded System", IEEE TPDS 33(11), 2022, section 3. */
#ifndef GRT_MODELS_USAGE_H
#define GRT_MODELS_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/field.h"

/* All of a GPU, in vprocessors. */
#define GRT_FULL_SHARE 100

/* What kernels contend for. */
enum grt_resource {
    GRT_RESOURCE_SM, /* issue slots of the SMs */
    GRT_RESOURCE_L2,
    GRT_RESOURCE_DRAM,
    GRT_RESOURCE_SHARED_MEMORY,
    GRT_RESOURCE_TEXTURE,
    GRT_RESOURCES
};

/* The workload indicators: Table 1 of Yao et al., in its order. */
enum grt_indicator {
    GRT_INDICATOR_INSTRUCTIONS,
    GRT_INDICATOR_WARPS,
    GRT_INDICATOR_L2_READ,
    GRT_INDICATOR_L2_WRITE,
    GRT_INDICATOR_GLOBAL_LOAD,
    GRT_INDICATOR_GLOBAL_STORE,
    GRT_INDICATOR_SHARED_LOAD,
    GRT_INDICATOR_SHARED_STORE,
    GRT_INDICATOR_SHARED_LOAD_CONFLICTS,
    GRT_INDICATOR_SHARED_STORE_CONFLICTS,
    GRT_INDICATOR_TEXTURE_LOAD,
    GRT_INDICATORS
};

/* A measured point: with `share` vprocessors and nothing beside it the kernel takes `factor` times as long as with all of them. */
struct grt_share_factor {
    int64_t share; /* 1 to 100 */
    double factor; /* 1 or more */
};

struct grt_usage {
    const char *name;     /* of the preset or file, or NULL */
    double host_fraction; /* of its time alone, in which it does not use the SMs; 0 or more, below 1 */
    /* the fraction of the SMs that it fills when it has all of them; above 0, at most 1 */
    double sm_utilisation;
    /* the fraction of each resource's capacity that it uses when it runs alone, 0 to 1 */
    double demand[GRT_RESOURCES];
    /* which fraction of its time on the SMs depends on each; 0 or more, in sum at most 1 */
    double bound[GRT_RESOURCES];
    double counters[GRT_INDICATORS]; /* events per second when it runs alone, 0 or more; warps: active ones */
    /* of struct grt_share_factor, ascending by share; none: from host_fraction and sm_utilisation */
    struct grt_field_list share_factors;
};

/* Whether a profiler counts anything of it: without, nothing can be learnt. NULL: no. */
static inline bool grt_usage_has_counters(const struct grt_usage *usage) {
    bool any = false;
    for (int i = 0; usage != NULL && i < GRT_INDICATORS; i++) {
        any = any || usage->counters[i] > 0;
    }
    return any;
}

/* By how much longer a kernel takes alone with `share` vprocessors, 1 to 100, than with all: 1 or more, never more with a larger share.
 * Without measured points h + (1 - h) max(1, 100 u / share), the shape of figure 6 of Yao et al. With points it is between two of them
 * linear in 1 / share, below the first one of the same form, and made monotone: never below what a larger share has, so that a larger share never
 * comes out later than was promised for a smaller one. */
double grt_usage_share_factor(const struct grt_usage *usage, int64_t share);

#endif
