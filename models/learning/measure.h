/* How good predictions are. */
#ifndef GRT_MODELS_LEARNING_MEASURE_H
#define GRT_MODELS_LEARNING_MEASURE_H

#include "models/learning/network.h"
#include "models/learning/sample.h"

/* Of predictions e of measured times m. */
struct grt_accuracy {
    size_t samples;
    double error_of_estimate; /* mean of |m - e| / e: equation (15) of Yao et al. 2022, which calls it MAPE */
    double error;             /* mean of |m - e| / m: what others call so */
    double largest;           /* of |m - e| / m */
    double root_mean_square;  /* of m - e, ns */
    double unknown; /* which part of the samples it says itself that it extrapolates (grt_network_predict) */
};

/* Something that predicts: a network, or what it is compared with. *knows: as grt_network_predict. */
typedef double (*grt_predictor)(const void *model, const double *indicators, int64_t share, bool *knows);

/* Its accuracy on the samples; zeroes where there is none. */
struct grt_accuracy grt_measure(grt_predictor predict, const void *model, const struct grt_samples *samples);

/* Of a network. */
struct grt_accuracy grt_measure_network(const struct grt_network *network, const struct grt_samples *samples);

#endif
