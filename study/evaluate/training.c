/* How good performance models of the set's kernels are that were trained with simulations of its GPU, on others than these: figures 11 and 16 of Y. Yao
 * et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System", IEEE
 * TPDS 33(11), 2022. */
#include <math.h>

#include "models/learning/baseline.h"
#include "models/learning/collect.h"
#include "models/learning/train.h"
#include "study/evaluate/evaluate.h"

/* The sizes of a test and of a neighbourhood, as gpurt train has them. */
enum { TEST_SAMPLES = 1000, NEIGHBOURS = 5 };

static const char *const measures[] = {
    "error", "error_of_estimate", "error_largest", "root_mean_square", "extrapolated", "rules", NULL};
static const char *const usual[] = {"error", "rules", NULL};

/* The samples of one kernel: to train with, and to test with; and how to train. */
struct lesson {
    const char *kernel;
    struct grt_training options;
    struct grt_samples training, testing;
};

static bool collect(const struct grt_asked *asked, const struct grt_learner *learner, struct lesson *lesson,
                    struct grt_errors *errors) {
    bool full = asked->evaluation->training == GRT_TRAIN_FULL;
    uint64_t seed = asked->scenario->seed;
    const struct grt_collection collection = {.seed = seed, .noise = GRT_TRAINING_NOISE};
    size_t count;
    lesson->kernel = grt_learner_application(learner)->kernel->name;
    lesson->options = grt_training_of(full ? GRT_TRAINING_FULL : GRT_TRAINING_QUICK, seed, &count);
    struct grt_samples all = {.count = count + TEST_SAMPLES};
    all.items = grt_arena_array(asked->arena, all.count, sizeof *all.items);
    lesson->training = (struct grt_samples){all.items, count};
    lesson->testing = (struct grt_samples){all.items + count, TEST_SAMPLES};
    return grt_collect(learner, &collection, 0, &all, errors);
}

/* ---- models ---- */

static bool train_network(const struct grt_asked *asked, const struct lesson *lesson,
                          struct grt_accuracy *accuracy, double *rules, struct grt_errors *errors) {
    struct grt_network network;
    struct grt_training_report report;
    if (!grt_network_train(lesson->kernel, &lesson->training, &lesson->options, asked->arena, &network,
                           &report, errors)) {
        return false;
    }
    *accuracy = grt_measure_network(&network, &lesson->testing);
    *rules = (double)network.rules;
    return true;
}

static bool train_model(const struct grt_asked *asked, const struct lesson *lesson,
                        struct grt_accuracy *accuracy, double *rules, struct grt_errors *errors) {
    if (asked->evaluation->model == GRT_MODEL_NETWORK) {
        return train_network(asked, lesson, accuracy, rules, errors);
    }
    if (asked->evaluation->model == GRT_MODEL_LINEAR) {
        const struct grt_regression regression = grt_regression_fit(&lesson->training);
        *accuracy = grt_measure(grt_regression_predict, &regression, &lesson->testing);
    } else {
        const struct grt_neighbours neighbours =
            grt_neighbours_fit(&lesson->training, NEIGHBOURS, asked->arena);
        *accuracy = grt_measure(grt_neighbours_predict, &neighbours, &lesson->testing);
    }
    return true;
}

static bool learn(const struct grt_asked *asked, const struct grt_learner *learner, struct grt_found *found,
                  struct grt_errors *errors) {
    struct lesson lesson;
    struct grt_accuracy accuracy;
    double rules = (double)NAN;
    if (!collect(asked, learner, &lesson, errors) ||
        !train_model(asked, &lesson, &accuracy, &rules, errors)) {
        return false;
    }
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"error", accuracy.error},           {"error_of_estimate", accuracy.error_of_estimate},
        {"error_largest", accuracy.largest}, {"root_mean_square", accuracy.root_mean_square},
        {"extrapolated", accuracy.unknown},  {"rules", rules},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        grt_found_put(asked, found, values[i].name, lesson.kernel, values[i].value);
    }
    return true;
}

static void evaluate(const struct grt_asked *asked, struct grt_found *found) {
    struct grt_errors errors = {0};
    struct grt_learner_list learners;
    bool good =
        grt_learners_find(asked->scenario, asked->evaluation->kernel, asked->arena, &learners, &errors);
    for (size_t i = 0; good && i < learners.count; i++) {
        good = learn(asked, &learners.items[i], found, &errors);
    }
    if (good) {
        grt_found_say(found, GRT_OUTCOME_YES, "%s", "");
    } else {
        grt_found_refuse(found, &errors);
    }
}

const struct grt_evaluation_ops grt_evaluate_training = {
    .name = "training", .measures = measures, .of_task = measures, .usual = usual, .evaluate = evaluate};
