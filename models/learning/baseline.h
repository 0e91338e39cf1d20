/* What a network is compared with: simpler models of the same samples. Both predict the logarithm of the time, and
 * see the inputs as the network does. */
#ifndef GRT_MODELS_LEARNING_BASELINE_H
#define GRT_MODELS_LEARNING_BASELINE_H

#include "models/learning/measure.h"
#include "models/learning/sample.h"
#include "sim/memory.h"

/* Linear regression: ln time = b + a x, the share as its logarithm; by least squares with a ridge of 10^-9 per sample, since
 * indicators may depend on each other. */
struct grt_regression {
    struct grt_network scale; /* ranges, mean and deviation only */
    double terms[1 + GRT_NETWORK_INPUTS];
};

/* One or more samples, each as grt_sample says. */
struct grt_regression grt_regression_fit(const struct grt_samples *samples);
double grt_regression_predict(const void *regression, const double *indicators, int64_t share, bool *knows);

/* The mean of ln time of the `count` samples that are nearest by Euclid's distance; of those as near, the earlier ones. */
struct grt_neighbours {
    struct grt_network scale;
    const double *x; /* of the samples, x inputs */
    const double *targets;
    size_t samples, count;
};

enum { GRT_MOST_NEIGHBOURS = 32 };

/* One or more samples; 1 to GRT_MOST_NEIGHBOURS neighbours, as many as there are samples at most. */
struct grt_neighbours grt_neighbours_fit(const struct grt_samples *samples, size_t count,
                                         struct grt_arena *arena);
double grt_neighbours_predict(const void *neighbours, const double *indicators, int64_t share, bool *knows);

#endif
