#include "models/learning/measure.h"

#include <math.h>

struct grt_accuracy grt_measure(grt_predictor predict, const void *model, const struct grt_samples *samples) {
    struct grt_accuracy sum = {.samples = samples->count};
    double n = samples->count > 0 ? (double)samples->count : 1;
    for (size_t i = 0; i < samples->count; i++) {
        const struct grt_sample *sample = &samples->items[i];
        bool knows = true;
        double estimate = predict(model, sample->indicators, sample->share, &knows);
        double off = fabs(sample->time - estimate), relative = off / sample->time;
        sum.error_of_estimate += off / estimate / n; /* Eq. (15) */
        sum.error += relative / n;
        sum.largest = relative > sum.largest ? relative : sum.largest;
        sum.root_mean_square += off / n * off;
        sum.unknown += knows ? 0 : 1 / n;
    }
    sum.root_mean_square = sqrt(sum.root_mean_square);
    return sum;
}

static double predict(const void *model, const double *indicators, int64_t share, bool *knows) {
    return grt_network_predict(model, indicators, share, knows);
}

struct grt_accuracy grt_measure_network(const struct grt_network *network,
                                        const struct grt_samples *samples) {
    return grt_measure(predict, network, samples);
}
