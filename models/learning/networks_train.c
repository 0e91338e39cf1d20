#include "models/learning/collect.h"
#include "models/learning/train.h"

enum { QUICK_SAMPLES = 600, QUICK_EPOCHS = 20 };

struct grt_training grt_training_of(enum grt_training_effort effort, uint64_t seed, size_t *samples) {
    struct grt_training options = grt_training_default;
    *samples = effort == GRT_TRAINING_FULL ? GRT_TRAINING_SAMPLES : QUICK_SAMPLES;
    options.seed = seed;
    options.epochs = effort == GRT_TRAINING_FULL ? options.epochs : QUICK_EPOCHS;
    return options;
}

static bool train_one(const struct grt_learner *learner, uint64_t seed, enum grt_training_effort effort,
                      struct grt_arena *arena, struct grt_network *network, struct grt_errors *errors) {
    struct grt_arena scratch = {0};
    struct grt_samples samples;
    const struct grt_training options = grt_training_of(effort, seed, &samples.count);
    const struct grt_collection collection = {.seed = seed, .noise = GRT_TRAINING_NOISE};
    struct grt_training_report report;
    samples.items = grt_arena_array(&scratch, samples.count, sizeof *samples.items);
    bool good = grt_collect(learner, &collection, 0, &samples, errors) &&
                grt_network_train(grt_learner_application(learner)->kernel->name, &samples, &options, arena,
                                  network, &report, errors);
    grt_arena_clear(&scratch);
    return good;
}

const struct grt_networks *grt_networks_train(const struct grt_scenario *scenario, uint64_t seed,
                                              enum grt_training_effort effort, struct grt_arena *arena,
                                              struct grt_errors *errors) {
    struct grt_learner_list learners;
    if (!grt_learners_find(scenario, NULL, arena, &learners, errors)) {
        return NULL;
    }
    struct grt_networks *networks = grt_arena_new(arena, struct grt_networks);
    struct grt_network *items = grt_arena_array(arena, learners.count, sizeof *items);
    for (size_t i = 0; i < learners.count; i++) {
        if (!train_one(&learners.items[i], seed, effort, arena, &items[i], errors)) {
            return NULL;
        }
    }
    *networks = (struct grt_networks){items, learners.count};
    return networks;
}
