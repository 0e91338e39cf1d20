/* The parts of training, each held against another way to the same: prediction against the formulas with libm, least squares against
 * the residuals' gradient, the descent's gradient against differences, pruning by hand, baselines and measures by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/learning/baseline.h"
#include "models/learning/train_internal.h"
#include "tests/support/suite.h"

enum { MOST_RULES = 16, MOST_SAMPLES = 200 };

static double uniform(struct grt_random *random, double low, double high) {
    return low + (high - low) * grt_random_uniform(random);
}

static struct grt_rules random_rules(struct grt_random *random, size_t count, int64_t order,
                                     struct grt_arena *arena) {
    struct grt_rules rules = grt_rules_create(MOST_RULES, order, arena);
    rules.count = count;
    for (size_t i = 0; i < count * GRT_NETWORK_INPUTS; i++) {
        rules.centres[i] = uniform(random, 0, 1);
        rules.widths[i] = uniform(random, .2, 1.5);
        rules.inverse_widths[i] = 1 / rules.widths[i];
    }
    for (size_t i = 0; i < count * rules.terms; i++) {
        rules.consequents[i] = uniform(random, -2, 2);
    }
    return rules;
}

static struct grt_training_data random_data(struct grt_random *random, size_t count,
                                            struct grt_arena *arena) {
    struct grt_training_data data = {
        .count = count,
        .x = grt_arena_array(arena, count * GRT_NETWORK_INPUTS, sizeof(double)),
        .targets = grt_arena_array(arena, count, sizeof(double)),
    };
    for (size_t i = 0; i < count * GRT_NETWORK_INPUTS; i++) {
        data.x[i] = uniform(random, 0, 1);
    }
    for (size_t i = 0; i < count; i++) {
        data.targets[i] = uniform(random, -1, 1);
    }
    return data;
}

static struct grt_training_room make_room(struct grt_arena *arena) {
    return (struct grt_training_room){
        .fires = grt_arena_array(arena, MOST_RULES + 1, sizeof(double)),
        .strengths = grt_arena_array(arena, MOST_RULES + 1, sizeof(double)),
        .which = grt_arena_array(arena, MOST_RULES + 1, sizeof(uint32_t)),
        .order = grt_arena_array(arena, MOST_SAMPLES, sizeof(size_t)),
    };
}

/* Equations (1) to (3) as they are written. */
static double output(const struct grt_rules *rules, const double *x) {
    double above = 0, below = 0;
    for (size_t j = 0; j < rules->count; j++) {
        double phi = 1, value = rules->consequents[j * rules->terms];
        for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
            double m = rules->centres[j * GRT_NETWORK_INPUTS + i],
                   s = rules->widths[j * GRT_NETWORK_INPUTS + i];
            phi *= exp(-(x[i] - m) * (x[i] - m) / (2 * s * s));
            value += rules->terms > 1 ? rules->consequents[j * rules->terms + 1 + i] * x[i] : 0;
        }
        above += phi * value;
        below += phi;
    }
    return above / below;
}

static void predicts_by_the_formulas(void) {
    struct grt_random random = grt_random_of_key(1);
    for (int i = 0; i < 500; i++) {
        struct grt_arena arena = {0};
        int64_t order = i % 2;
        struct grt_rules rules =
            random_rules(&random, 1 + (size_t)grt_random_below(&random, MOST_RULES), order, &arena);
        struct grt_network network = {.rules = (int64_t)rules.count,
                                      .order = order,
                                      .mean = uniform(&random, 10, 20),
                                      .deviation = uniform(&random, .1, 1),
                                      .threshold = .05,
                                      .centres = rules.centres,
                                      .widths = rules.widths,
                                      .consequents = rules.consequents};
        grt_network_finish(&network, &arena);
        double x[GRT_NETWORK_INPUTS], indicators[GRT_INDICATORS], strongest = 0;
        int64_t share = 1 + (int64_t)grt_random_below(&random, 100);
        for (size_t k = 0; k < GRT_NETWORK_INPUTS; k++) {
            network.low[k] = uniform(&random, 0, 10);
            network.high[k] = k == 3 ? network.low[k] : network.low[k] + uniform(&random, 1, 1e6);
            x[k] = k == 3 ? 0 : uniform(&random, 0, 1);
            if (k < GRT_INDICATORS) {
                indicators[k] = k == 3 ? 17 : network.low[k] + x[k] * (network.high[k] - network.low[k]);
            }
        }
        network.low[GRT_INDICATORS] = 0;
        network.high[GRT_INDICATORS] = log(100);
        x[GRT_INDICATORS] = log((double)share) / log(100);
        for (size_t j = 0; j < rules.count; j++) {
            double phi = 1;
            for (size_t k = 0; k < GRT_NETWORK_INPUTS; k++) {
                double z = (x[k] - rules.centres[j * GRT_NETWORK_INPUTS + k]) /
                           rules.widths[j * GRT_NETWORK_INPUTS + k];
                phi *= exp(-z * z / 2);
            }
            strongest = fmax(strongest, phi);
        }
        bool knows;
        double expected = exp(network.mean + network.deviation * output(&rules, x));
        CU_ASSERT(fabs(grt_network_predict(&network, indicators, share, &knows) / expected - 1) < 1e-9);
        CU_ASSERT(knows == (strongest > .05));
        grt_arena_clear(&arena);
    }
}

/* Where every phi of the formula is 0 in doubles, the nearest rule is the answer. */
static void predicts_where_the_formulas_underflow(void) {
    struct grt_arena arena = {0};
    struct grt_rules rules = grt_rules_create(2, 0, &arena);
    rules.count = 2;
    for (size_t i = 0; i < 2 * GRT_NETWORK_INPUTS; i++) {
        rules.centres[i] = i < GRT_NETWORK_INPUTS ? 0 : 1;
        rules.inverse_widths[i] = 100;
        rules.widths[i] = .01;
    }
    rules.consequents[0] = 1;
    rules.consequents[1] = 3;
    double x[GRT_NETWORK_INPUTS], fires[2], strengths[2];
    uint32_t which[2];
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        x[i] = .6;
    }
    double most = grt_rules_fire(&rules, x, fires);
    CU_ASSERT(exp(most) == 0);
    CU_ASSERT(grt_rules_strengths(&rules, fires, most, which, strengths) == 1);
    CU_ASSERT(which[0] == 1 && strengths[0] == 1);
    grt_arena_clear(&arena);
}

/* At the least of a sum of squares with a ridge, its gradient is 0. For order 1 the plane that the rules share is free: then the residuals are
 * orthogonal to 1 and to each input, but for its small ridge. */
static void squares_are_least(void) {
    struct grt_random random = grt_random_of_key(2);
    for (int i = 0; i < 20; i++) {
        struct grt_arena arena = {0};
        int64_t order = i % 2;
        struct grt_rules rules = random_rules(&random, 1 + (size_t)(i % 5), order, &arena);
        struct grt_training_data data = random_data(&random, MOST_SAMPLES, &arena);
        struct grt_training_room room = make_room(&arena);
        struct grt_training options = grt_training_default;
        options.ridge = 1e-3;
        grt_fit_consequents(&options, &data, &room, &rules);
        double least = grt_squared_error(&data, &room, &rules), sum[1 + GRT_NETWORK_INPUTS] = {0};
        for (size_t k = 0; k < data.count; k++) {
            const double *x = &data.x[k * GRT_NETWORK_INPUTS];
            double off = data.targets[k] - output(&rules, x);
            sum[0] += off;
            for (size_t a = 0; a < GRT_NETWORK_INPUTS; a++) {
                sum[1 + a] += off * x[a];
            }
        }
        for (size_t a = 0; order == 1 && a < 1 + GRT_NETWORK_INPUTS; a++) {
            CU_ASSERT(fabs(sum[a]) < 1e-2); /* strengths below 10^-4 are left out */
        }
        for (size_t j = 0; order == 0 && j < rules.count; j++) { /* error and ridge, up and down */
            double kept = rules.consequents[j];
            for (double step = -.01; step < .02; step += .02) {
                rules.consequents[j] = kept + step;
                double ridge = options.ridge * ((kept + step) * (kept + step) - kept * kept);
                CU_ASSERT(grt_squared_error(&data, &room, &rules) + ridge > least);
            }
            rules.consequents[j] = kept;
        }
        grt_arena_clear(&arena);
    }
}

/* One step of Adam from rest moves every number by the rate, against the sign of its gradient; the sign is found by differences. */
static void descends_along_the_gradient(void) {
    struct grt_random random = grt_random_of_key(3);
    for (int i = 0; i < 20; i++) {
        struct grt_arena arena = {0};
        struct grt_rules rules = random_rules(&random, 4, i % 2, &arena);
        struct grt_rules before = grt_rules_create(MOST_RULES, i % 2, &arena);
        struct grt_training_data data = random_data(&random, 30, &arena);
        struct grt_training_room room = make_room(&arena);
        struct grt_training options = grt_training_default;
        options.batch = 30;
        grt_rules_copy(&before, &rules);
        grt_descend(grt_descent_create(&rules, &arena), &options, 1e-3, &data, &room, &random, &rules);
        for (size_t k = 0; k < 4 * GRT_NETWORK_INPUTS; k++) {
            for (int width = 0; width < 2; width++) {
                double *value = width == 1 ? &before.widths[k] : &before.centres[k], kept = *value, error[2];
                for (int side = 0; side < 2; side++) {
                    *value = kept + (side == 1 ? 1e-5 : -1e-5);
                    before.inverse_widths[k] = 1 / before.widths[k];
                    error[side] = grt_squared_error(&data, &room, &before);
                }
                *value = kept;
                before.inverse_widths[k] = 1 / before.widths[k];
                double slope = (error[1] - error[0]) / 2e-5;
                double moved = (width == 1 ? rules.widths[k] : rules.centres[k]) - kept;
                if (fabs(slope) > 1e-6) {
                    CU_ASSERT(fabs(moved + (slope > 0 ? 1e-3 : -1e-3)) < 1e-5);
                }
            }
        }
        grt_arena_clear(&arena);
    }
}

/* Samples that go between two corners: two rules. One that was seen once dies, as equation (7) says, after a number of samples that libm
 * calculates. */
static void grows_and_prunes(void) {
    struct grt_arena arena = {0};
    struct grt_training options = grt_training_default;
    struct grt_training_room room = make_room(&arena);
    struct grt_training_data data = random_data(&(struct grt_random){1, 2, 3, 4}, MOST_SAMPLES, &arena);
    size_t dies = 0;
    options.critical = .8; /* from 2 it takes thousands */
    double degree = options.critical;
    degree += degree / (1 + exp(options.rise * degree)); /* for the sample that made it */
    for (; degree > options.least_critical; dies++) {
        degree /= 1 + exp(-options.fall * degree);
    }
    for (size_t i = 0; i < MOST_SAMPLES * GRT_NETWORK_INPUTS; i++) {
        data.x[i] = i < GRT_NETWORK_INPUTS ? 1 : 0; /* the first alone */
    }
    options.most_rules = MOST_RULES;
    CU_ASSERT(dies > 10 && dies < MOST_SAMPLES - 1);
    for (size_t more = 0; more < 2; more++) {
        struct grt_rules rules = grt_rules_create(MOST_RULES, 1, &arena);
        data.count = dies + more;
        CU_ASSERT(grt_grow_rules(&options, &data, &room, &arena, &rules) == (int64_t)more);
        CU_ASSERT(rules.count == 2 - more && rules.centres[0] == (more == 1 ? 0 : 1));
    }
    options.most_rules = 1;
    struct grt_rules rules = grt_rules_create(MOST_RULES, 1, &arena);
    data.count = 20;
    grt_grow_rules(&options, &data, &room, &arena, &rules);
    CU_ASSERT(rules.count == 1);
    grt_arena_clear(&arena);
}

/* A time that is a product of powers is a plane in logarithms. */
static void regression_finds_a_plane(void) {
    struct grt_random random = grt_random_of_key(4);
    struct grt_sample items[MOST_SAMPLES];
    for (size_t i = 0; i < MOST_SAMPLES; i++) {
        items[i] = (struct grt_sample){.share = 1 + (int64_t)grt_random_below(&random, 100)};
        items[i].indicators[2] = uniform(&random, 0, 1e9);
        items[i].time = 1e8 * exp(items[i].indicators[2] / 1e9) * pow((double)items[i].share, -.7);
    }
    struct grt_regression regression = grt_regression_fit(&(struct grt_samples){items, 100});
    struct grt_samples rest = {items + 100, MOST_SAMPLES - 100};
    struct grt_accuracy accuracy = grt_measure(grt_regression_predict, &regression, &rest);
    CU_ASSERT(accuracy.error < 1e-6 && accuracy.largest < 1e-5);
    CU_ASSERT(accuracy.unknown == 0);
}

static void neighbours_are_the_nearest(void) {
    struct grt_arena arena = {0};
    struct grt_sample items[] = {{.share = 100, .time = 1000},
                                 {.share = 100, .time = 4000},
                                 {.share = 100, .time = 9000},
                                 {.share = 100, .time = 100}};
    const double at[] = {0, 10, 100, 60};
    for (size_t i = 0; i < 4; i++) {
        items[i].indicators[0] = at[i];
    }
    struct grt_neighbours one = grt_neighbours_fit(&(struct grt_samples){items, 4}, 1, &arena);
    struct grt_neighbours two = grt_neighbours_fit(&(struct grt_samples){items, 4}, 2, &arena);
    struct grt_sample asked = {.indicators = {6}};
    bool knows;
    CU_ASSERT(fabs(grt_neighbours_predict(&one, asked.indicators, 100, &knows) - 4000) < 1e-6);
    CU_ASSERT(fabs(grt_neighbours_predict(&two, asked.indicators, 100, &knows) - 2000) <
              1e-6); /* the mean in logarithms */
    asked.indicators[0] = 81;
    CU_ASSERT(fabs(grt_neighbours_predict(&one, asked.indicators, 100, &knows) - 9000) < 1e-6);
    grt_arena_clear(&arena);
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Along one input, where the distance is the difference: sorted, the first five are the nearest. */
static void neighbours_are_the_first_of_all_sorted(void) {
    struct grt_random random = grt_random_of_key(5);
    struct grt_arena arena = {0};
    struct grt_sample items[MOST_SAMPLES];
    for (size_t i = 0; i < MOST_SAMPLES; i++) {
        items[i] = (struct grt_sample){.share = 100};
        items[i].indicators[5] = uniform(&random, 0, 1000);
        items[i].time = exp(items[i].indicators[5] / 100);
    }
    struct grt_neighbours five = grt_neighbours_fit(&(struct grt_samples){items, MOST_SAMPLES}, 5, &arena);
    for (int i = 0; i < 200; i++) {
        double asked[GRT_INDICATORS] = {0}, distances[MOST_SAMPLES], sum = 0;
        size_t count = 0;
        bool knows;
        asked[5] = uniform(&random, 0, 1000);
        for (size_t k = 0; k < MOST_SAMPLES; k++) {
            distances[k] = fabs(items[k].indicators[5] - asked[5]);
        }
        qsort(distances, MOST_SAMPLES, sizeof *distances, by_value);
        for (size_t k = 0; k < MOST_SAMPLES; k++) {
            if (fabs(items[k].indicators[5] - asked[5]) <= distances[4]) {
                sum += items[k].indicators[5] / 100;
                count++;
            }
        }
        CU_ASSERT(count == 5);
        CU_ASSERT(fabs(grt_neighbours_predict(&five, asked, 100, &knows) / exp(sum / 5) - 1) < 1e-9);
    }
    grt_arena_clear(&arena);
}

/* A predictor that says 100, and knows shares below 50. */
static double hundred(const void *model, const double *indicators, int64_t share, bool *knows) {
    (void)model;
    (void)indicators;
    *knows = share < 50;
    return 100;
}

static void measures_by_hand(void) {
    struct grt_sample items[] = {{.share = 10, .time = 80}, {.share = 90, .time = 125}};
    struct grt_accuracy accuracy = grt_measure(hundred, NULL, &(struct grt_samples){items, 2});
    CU_ASSERT_DOUBLE_EQUAL(accuracy.error_of_estimate, .225, 1e-12); /* 20 and 25 of 100 */
    CU_ASSERT_DOUBLE_EQUAL(accuracy.error, .225, 1e-12);             /* 20 of 80, 25 of 125 */
    CU_ASSERT_DOUBLE_EQUAL(accuracy.largest, .25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(accuracy.root_mean_square, sqrt((400 + 625) / 2.), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(accuracy.unknown, .5, 1e-12);
    accuracy = grt_measure(hundred, NULL, &(struct grt_samples){items, 1});
    CU_ASSERT_DOUBLE_EQUAL(accuracy.error_of_estimate, .2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(accuracy.error, .25, 1e-12);
    CU_ASSERT(grt_measure(hundred, NULL, &(struct grt_samples){items, 0}).error == 0);
}

static void finds_networks_by_kernel(void) {
    const struct grt_network items[] = {{.kernel = "a"}, {.kernel = "b"}};
    const struct grt_networks networks = {items, 2};
    CU_ASSERT(grt_networks_find(&networks, "b") == &items[1]);
    CU_ASSERT(grt_networks_find(&networks, "c") == NULL);
    CU_ASSERT(grt_networks_find(NULL, "a") == NULL);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"predicts by the formulas", predicts_by_the_formulas},
        {"predicts where the formulas underflow", predicts_where_the_formulas_underflow},
        {"squares are least", squares_are_least},
        {"descends along the gradient", descends_along_the_gradient},
        {"grows and prunes", grows_and_prunes},
        {"regression finds a plane", regression_finds_a_plane},
        {"neighbours are the nearest", neighbours_are_the_nearest},
        {"neighbours are the first of all sorted", neighbours_are_the_first_of_all_sorted},
        {"measures by hand", measures_by_hand},
        {"finds networks by kernel", finds_networks_by_kernel},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("parts of learning", tests);
}
