/* A self-organising fuzzy neural network (SOFNN) that predicts how long a kernel takes beside a workload: rules with Gaussian
 * membership functions whose consequents are averaged by how strongly the rules fire.
 *
 * Source: Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded
 * System", IEEE TPDS 33(11), 2022, section 4, equations (1) to (4). What was chosen where it is silent: docs/performance-models.md. */
#ifndef GRT_MODELS_LEARNING_NETWORK_H
#define GRT_MODELS_LEARNING_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/usage.h"
#include "sim/memory.h"

/* The indicators of the workload and, behind them, the share. */
enum { GRT_NETWORK_INPUTS = GRT_INDICATORS + 1, GRT_NETWORK_MOST_RULES = 1024 };

/* A trained network: the model of one kernel. Arrays belong to whoever made it. */
struct grt_network {
    const char *kernel;   /* the name of the kernel whose time it predicts */
    int64_t rules, order; /* order: 0, a consequent is a number; 1, linear in the inputs */
    double low[GRT_NETWORK_INPUTS],
        high[GRT_NETWORK_INPUTS]; /* the inputs' range in the training data, which becomes 0 to 1; the share's as its logarithm */
    double mean, deviation;         /* of the logarithm of the time in ns */
    double threshold;               /* a rule that fires as strongly knows its input (B_th) */
    const double *centres, *widths; /* rules x inputs */
    const double *inverse_widths;   /* 1 / widths: see grt_network_finish */
    const double *consequents;      /* rules x (1, or 1 + inputs) */
};

/* The models of all kernels of a scenario. */
struct grt_networks {
    const struct grt_network *items;
    size_t count;
};

/* The numbers of a consequent of that order. */
static inline size_t grt_network_terms(int64_t order) {
    return order == 0 ? 1 : 1 + GRT_NETWORK_INPUTS;
}

/* Calculates inverse_widths, in the arena, from the rest, which must be there. */
void grt_network_finish(struct grt_network *network, struct grt_arena *arena);

/* The network of a kernel, or NULL. */
const struct grt_network *grt_networks_find(const struct grt_networks *networks, const char *kernel);

/* The predicted time in ns, 1 to 10^18, beside a workload with these indicators, in events per second (GRT_INDICATORS numbers), with `share`
 * vprocessors, 1 or more. *knows, unless NULL: whether some rule fires more strongly than the threshold; if not, it extrapolates. */
double grt_network_predict(const struct grt_network *network, const double *indicators, int64_t share,
                           bool *knows);

/* For training: the inputs as the rules see them, 0 to 1 within the training data. An input that never varied there is 0. */
void grt_network_scale(const struct grt_network *network, const double *indicators, int64_t share, double *x);

#endif
