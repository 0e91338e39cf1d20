#include <math.h>
#include <string.h>

#include "models/learning/train_internal.h"
#include "sim/elementary.h"

void grt_find_scale(const struct grt_samples *samples, struct grt_network *network) {
    double sum = 0, squares = 0, n = (double)samples->count;
    for (size_t k = 0; k < samples->count; k++) {
        const struct grt_sample *sample = &samples->items[k];
        double x[GRT_NETWORK_INPUTS];
        memcpy(x, sample->indicators, sizeof sample->indicators);
        x[GRT_INDICATORS] = grt_elementary_log((double)sample->share);
        for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
            network->low[i] = k == 0 || x[i] < network->low[i] ? x[i] : network->low[i];
            network->high[i] = k == 0 || x[i] > network->high[i] ? x[i] : network->high[i];
        }
        sum += grt_elementary_log(sample->time);
    }
    network->mean = sum / n;
    for (size_t k = 0; k < samples->count; k++) {
        double off = grt_elementary_log(samples->items[k].time) - network->mean;
        squares += off * off;
    }
    double deviation = sqrt(squares / n);
    network->deviation = deviation > 1e-9 ? deviation : 1; /* times that never vary have none to divide by */
}

struct grt_training_data grt_scale_samples(const struct grt_samples *samples,
                                           const struct grt_network *network, struct grt_arena *arena) {
    struct grt_training_data data = {
        .count = samples->count,
        .x = grt_arena_array(arena, samples->count * GRT_NETWORK_INPUTS, sizeof(double)),
        .targets = grt_arena_array(arena, samples->count, sizeof(double)),
    };
    for (size_t k = 0; k < data.count; k++) {
        const struct grt_sample *sample = &samples->items[k];
        grt_network_scale(network, sample->indicators, sample->share, &data.x[k * GRT_NETWORK_INPUTS]);
        data.targets[k] = (grt_elementary_log(sample->time) - network->mean) / network->deviation;
    }
    return data;
}
