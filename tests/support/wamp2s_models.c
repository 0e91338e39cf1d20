#include "tests/support/wamp2s_models.h"

#include <stdio.h>

#include "models/learning/baseline.h"
#include "models/learning/collect.h"
#include "models/learning/train.h"
#include "scenarios/scenario.h"
#include "tests/support/suite.h"

enum { NEIGHBOURS = 5 };

const struct wamp2s_effort wamp2s_full = {GRT_TRAINING_SAMPLES, 1000, 40}, wamp2s_quick = {400, 0, 12};

/* What is made lives here. */
static struct grt_arena made;

static struct wamp2s_accuracy compare(const struct grt_network *network, const struct grt_samples *training,
                                      const struct grt_samples *tests, struct grt_arena *scratch) {
    struct grt_regression regression = grt_regression_fit(training);
    struct grt_neighbours neighbours = grt_neighbours_fit(training, NEIGHBOURS, scratch);
    return (struct wamp2s_accuracy){.network = grt_measure_network(network, tests),
                                    .linear = grt_measure(grt_regression_predict, &regression, tests),
                                    .nearest = grt_measure(grt_neighbours_predict, &neighbours, tests)};
}

static void train_one(const struct grt_learner *learner, const struct wamp2s_effort *effort,
                      struct grt_network *network, struct wamp2s_accuracy *accuracy) {
    struct grt_arena scratch = {0};
    struct grt_errors errors = {0};
    struct grt_samples all = {.count = effort->samples + effort->tests};
    const struct grt_collection collection = {.seed = 1, .noise = GRT_TRAINING_NOISE};
    struct grt_training options = grt_training_default;
    struct grt_training_report report;
    options.epochs = effort->epochs;
    all.items = grt_arena_array(&scratch, all.count, sizeof *all.items);
    CU_ASSERT_FATAL(grt_collect(learner, &collection, 0, &all, &errors));
    const struct grt_samples training = {all.items, effort->samples},
                             tests = {all.items + effort->samples, effort->tests};
    CU_ASSERT_FATAL(grt_network_train(grt_learner_application(learner)->kernel->name, &training, &options,
                                      &made, network, &report, &errors));
    if (tests.count > 0) {
        *accuracy = compare(network, &training, &tests, &scratch);
    }
    grt_arena_clear(&scratch);
}

void wamp2s_train(const char *name, const struct wamp2s_effort *effort, struct wamp2s_models *models) {
    char path[256];
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    struct grt_learner_list learners;
    snprintf(path, sizeof path, "scenarios/papers/wamp2s/%s.json", name);
    CU_ASSERT_FATAL(grt_scenario_read(path, NULL, &file, &errors));
    CU_ASSERT_FATAL(grt_learners_find(&file.written, NULL, &made, &learners, &errors));
    CU_ASSERT_FATAL(learners.count <= WAMP2S_MOST_MODELS);
    *models = (struct wamp2s_models){.count = learners.count};
    for (size_t i = 0; i < learners.count; i++) {
        train_one(&learners.items[i], effort, &models->networks[i], &models->accuracies[i]);
    }
    models->list = (struct grt_networks){models->networks, models->count};
    grt_scenario_file_free(&file);
}

/* Trains at the first call. */
static const struct grt_networks *networks_of(const char *name, struct wamp2s_models *models) {
    if (models->count == 0) {
        wamp2s_train(name, grt_suite_is_long() ? &wamp2s_full : &wamp2s_quick, models);
    }
    return &models->list;
}

const struct grt_networks *wamp2s_rodinia_networks(void) {
    static struct wamp2s_models models;
    return networks_of("rodinia-1.0-wamp2s", &models);
}

const struct grt_networks *wamp2s_airborne_networks(void) {
    static struct wamp2s_models models;
    return networks_of("airborne-wamp2s", &models);
}
