/* labels: soak no-branches */
/* Networks of ten applications that contend for a GPU: how good, how small, the same again; against linear regression and nearest neighbours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/learning/baseline.h"
#include "models/learning/train.h"
#include "tests/support/contended.h"
#include "tests/support/suite.h"

enum { TRAINING = 3000, TEST = 1000 };

struct world {
    struct grt_arena arena;
    struct grt_samples training, test;
};

static struct world make_world(size_t number, size_t training, size_t test) {
    struct world world = {.arena = {0}};
    struct grt_random random = grt_random_of_key(100 + number);
    struct grt_sample *samples = grt_arena_array(&world.arena, training + test, sizeof *samples);
    grt_contended_samples(&random, number, .005, samples, training + test);
    world.training = (struct grt_samples){samples, training};
    world.test = (struct grt_samples){samples + training, test};
    return world;
}

static struct grt_network train(struct world *world, const struct grt_training *options,
                                struct grt_training_report *report) {
    struct grt_network network;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(
        grt_network_train("kernel", &world->training, options, &world->arena, &network, report, &errors));
    return network;
}

/* What was asked: at most 2 percent on samples that it has not seen, with 20 to 120 rules, better than a straight line. */
static void hold(size_t number, const struct grt_training *options) {
    struct world world = make_world(number, TRAINING, TEST);
    struct grt_training_report report;
    struct grt_network network = train(&world, options, &report);
    struct grt_accuracy accuracy = grt_measure_network(&network, &world.test);
    struct grt_regression regression = grt_regression_fit(&world.training);
    struct grt_neighbours neighbours = grt_neighbours_fit(&world.training, 5, &world.arena);
    CU_ASSERT(accuracy.error < .01);
    CU_ASSERT(accuracy.error_of_estimate < .01);
    CU_ASSERT(network.rules >= 20 && network.rules <= 120);
    CU_ASSERT(accuracy.error < grt_measure(grt_regression_predict, &regression, &world.test).error);
    CU_ASSERT(accuracy.error < grt_measure(grt_neighbours_predict, &neighbours, &world.test).error);
    CU_ASSERT(accuracy.samples == TEST && report.trained + report.validated == TRAINING);
    CU_ASSERT(report.grown - report.pruned == network.rules);
    grt_arena_clear(&world.arena);
}

/* All ten, as they are by default, in the long run; else one, in fewer epochs. */
static void learns_every_application(void) {
    struct grt_training options = grt_training_default;
    int applications = grt_suite_cases(1, GRT_CONTENDED);
    options.epochs = applications > 1 ? options.epochs : 4;
    for (int i = 0; i < applications; i++) {
        hold((size_t)(3 + i) % GRT_CONTENDED, &options);
    }
}

/* Consequents that are numbers take more epochs for less. */
static void learns_with_numbers_as_consequents(void) {
    struct grt_training options = grt_training_default;
    options.order = 0;
    options.epochs = 20;
    struct world world = make_world(3, TRAINING, TEST);
    struct grt_training_report report;
    struct grt_network network = train(&world, &options, &report);
    struct grt_regression regression = grt_regression_fit(&world.training);
    double error = grt_measure_network(&network, &world.test).error;
    CU_ASSERT(error < .02);
    CU_ASSERT(error < grt_measure(grt_regression_predict, &regression, &world.test).error / 3);
    CU_ASSERT(report.best_epoch > 0);
    grt_arena_clear(&world.arena);
}

static bool same(const struct grt_network *a, const struct grt_network *b) {
    size_t size = (size_t)a->rules * GRT_NETWORK_INPUTS * sizeof(double),
           terms = (size_t)a->rules * grt_network_terms(a->order) * sizeof(double);
    return a->rules == b->rules && memcmp(a->centres, b->centres, size) == 0 &&
           memcmp(a->widths, b->widths, size) == 0 && memcmp(a->consequents, b->consequents, terms) == 0;
}

static void is_the_same_for_the_same_seed(void) {
    struct grt_training options = grt_training_default;
    options.epochs = 3;
    struct world world = make_world(1, 500, 1);
    struct grt_training_report report;
    struct grt_network first = train(&world, &options, &report), again = train(&world, &options, &report);
    options.seed = 2;
    struct grt_network other = train(&world, &options, &report);
    CU_ASSERT(same(&first, &again));
    CU_ASSERT(!same(&first, &other));
    grt_arena_clear(&world.arena);
}

/* The rules are those of the best epoch, as if training had ended with it: later ones, in steps that are far too wide, leave no trace. */
static void keeps_the_best(void) {
    struct grt_training options = grt_training_default;
    struct world world = make_world(2, 300, 1);
    struct grt_training_report report, again;
    options.rate = 1;
    options.epochs = 8;
    struct grt_network kept = train(&world, &options, &report);
    CU_ASSERT(report.best_epoch < report.epochs);
    options.epochs = report.best_epoch;
    struct grt_network ended = train(&world, &options, &again);
    CU_ASSERT(again.best_epoch == report.best_epoch && same(&ended, &kept));
    grt_arena_clear(&world.arena);
}

/* Far from all samples it says so; what it predicts stays a time. */
static void knows_what_it_does_not_know(void) {
    struct grt_training options = grt_training_default;
    options.epochs = 2;
    struct world world = make_world(0, 1000, 200);
    struct grt_training_report report;
    struct grt_network network = train(&world, &options, &report);
    double far[GRT_INDICATORS], longest = 0;
    for (size_t i = 0; i < world.training.count; i++) {
        longest = fmax(longest, world.training.items[i].time);
    }
    for (size_t i = 0; i < GRT_INDICATORS; i++) {
        far[i] = 1e15;
    }
    bool knows = true;
    double time = grt_network_predict(&network, far, 50, &knows);
    CU_ASSERT(!knows && time >= 1 && time < 1e3 * longest);
    CU_ASSERT(grt_measure_network(&network, &world.test).unknown < .1);
    grt_network_predict(&network, world.training.items[0].indicators, world.training.items[0].share, &knows);
    CU_ASSERT(knows);
    grt_arena_clear(&world.arena);
}

static void refuses_bad_samples(void) {
    struct world world = make_world(0, 100, 1);
    struct grt_errors errors = {0};
    struct grt_network network;
    struct grt_training_report report;
    struct grt_samples few = {world.training.items, GRT_TRAINING_LEAST_SAMPLES - 1};
    CU_ASSERT(!grt_network_train("k", &few, &grt_training_default, &world.arena, &network, &report, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "19 samples are too few to train with: at least 20 are needed");
    grt_errors_clear(&errors);
    world.training.items[1].time = .5;
    world.training.items[3].share = 101;
    world.training.items[5].share = 0;
    world.training.items[7].indicators[10] = NAN;
    world.training.items[8].indicators[0] = -1;
    world.training.items[9].indicators[0] = INFINITY;
    world.training.items[11].time = 2e18;
    CU_ASSERT(!grt_network_train("k", &world.training, &grt_training_default, &world.arena, &network, &report,
                                 &errors));
    CU_ASSERT(errors.count == 7);
    CU_ASSERT(strncmp(errors.messages[0], "samples[1]: ", 12) == 0);
    CU_ASSERT(strncmp(errors.messages[6], "samples[11]: ", 13) == 0);
    grt_errors_clear(&errors);
    grt_arena_clear(&world.arena);
}

/* Samples that are all the same leave nothing to learn but themselves. */
static void learns_a_constant(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_sample samples[GRT_TRAINING_LEAST_SAMPLES];
    for (size_t i = 0; i < GRT_TRAINING_LEAST_SAMPLES; i++) {
        samples[i] = (struct grt_sample){.share = 100, .time = 5e6};
    }
    struct grt_network network;
    struct grt_training_report report;
    CU_ASSERT(grt_network_train("k", &(struct grt_samples){samples, GRT_TRAINING_LEAST_SAMPLES},
                                &grt_training_default, &arena, &network, &report, &errors));
    CU_ASSERT(network.rules == 1);
    CU_ASSERT(fabs(grt_network_predict(&network, samples[0].indicators, 100, NULL) - 5e6) < 1);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"learns every application", learns_every_application},
        {"learns with numbers as consequents", learns_with_numbers_as_consequents},
        {"is the same for the same seed", is_the_same_for_the_same_seed},
        {"keeps the best", keeps_the_best},
        {"knows what it does not know", knows_what_it_does_not_know},
        {"refuses bad samples", refuses_bad_samples},
        {"learns a constant", learns_a_constant},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("learning", tests);
}
