/* Performance models: a prediction beside the same by the formulas as they are written, a training of 3,000 samples beside one linear regression of them, and a
 * sample's simulation. */
#include <math.h>
#include <stdio.h>

#include "models/learning/baseline.h"
#include "models/learning/train.h"
#include "tests/bench/bench.h"
#include "tests/support/contended.h"

enum { SAMPLES = 3000, APPLICATION = 3 };

struct bench {
    struct grt_samples samples;
    struct grt_training options;
    struct grt_network network;
};

static uint64_t predict(void *state) {
    const struct bench *bench = state;
    double sum = 0;
    for (size_t i = 0; i < bench->samples.count; i++) {
        const struct grt_sample *sample = &bench->samples.items[i];
        sum += grt_network_predict(&bench->network, sample->indicators, sample->share, NULL);
    }
    bench_use((uint64_t)sum);
    return bench->samples.count;
}

/* Equations (1) to (3) with libm, from inputs that are already scaled. */
static double by_formulas(const struct grt_network *network, const double *x) {
    double above = 0, below = 0;
    size_t terms = grt_network_terms(network->order);
    for (size_t j = 0; j < (size_t)network->rules; j++) {
        double phi = 1, value = network->consequents[j * terms];
        for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
            double z = (x[i] - network->centres[j * GRT_NETWORK_INPUTS + i]) /
                       network->widths[j * GRT_NETWORK_INPUTS + i];
            phi *= exp(-z * z / 2);
            value += terms > 1 ? network->consequents[j * terms + 1 + i] * x[i] : 0;
        }
        above += phi * value;
        below += phi;
    }
    return exp(network->mean + network->deviation * above / below);
}

static uint64_t predict_by_formulas(void *state) {
    const struct bench *bench = state;
    double sum = 0, x[GRT_NETWORK_INPUTS];
    for (size_t i = 0; i < bench->samples.count; i++) {
        const struct grt_sample *sample = &bench->samples.items[i];
        grt_network_scale(&bench->network, sample->indicators, sample->share, x);
        sum += by_formulas(&bench->network, x);
    }
    bench_use((uint64_t)sum);
    return bench->samples.count;
}

static uint64_t train(void *state) {
    struct bench *bench = state;
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_network network;
    struct grt_training_report report;
    grt_network_train("k", &bench->samples, &bench->options, &arena, &network, &report, &errors);
    bench_use((uint64_t)network.rules);
    grt_arena_clear(&arena);
    return 1;
}

static uint64_t fit_line(void *state) {
    const struct bench *bench = state;
    struct grt_regression regression = grt_regression_fit(&bench->samples);
    bench_use((uint64_t)(regression.terms[0] * 1e6));
    return 1;
}

static void measure(struct bench *bench) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_training_report report;
    char prediction[64], training[64];
    grt_network_train("k", &bench->samples, &bench->options, &arena, &bench->network, &report, &errors);
    snprintf(prediction, sizeof prediction, "a prediction, %d rules of order %d", (int)bench->network.rules,
             (int)bench->network.order);
    snprintf(training, sizeof training, "its training, %d samples", SAMPLES);
    bench_report(prediction, bench_ns_per_unit(predict, bench, 5), "by the formulas, with libm",
                 bench_ns_per_unit(predict_by_formulas, bench, 5), "3,000 ns");
    bench_report(training, bench_ns_per_unit(train, bench, 1), "a linear regression of them",
                 bench_ns_per_unit(fit_line, bench, 5), "10^10 ns");
    grt_arena_clear(&arena);
}

/* As they are by default; and with many rules, of both orders. */
void bench_learning(void) {
    static struct grt_sample samples[SAMPLES];
    struct grt_random random = grt_random_of_key(1);
    struct bench bench = {.samples = {samples, SAMPLES}, .options = grt_training_default};
    grt_contended_samples(&random, APPLICATION, .005, samples, SAMPLES);
    measure(&bench);
    bench.options.width = .165;
    bench.options.epochs = 10;
    measure(&bench);
    bench.options.order = 0;
    measure(&bench);
}
