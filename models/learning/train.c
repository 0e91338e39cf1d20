#include "models/learning/train.h"

#include <math.h>
#include <string.h>

#include "models/learning/train_internal.h"
#include "sim/check.h"
#include "sim/time.h"

const struct grt_training grt_training_default = {
    .seed = 1,
    .order = 1,
    .width = 0.25,
    .threshold = 0.05,
    .most_rules = 400,
    .fall = 4,
    .rise = 1,
    .critical = 2,
    .least_critical = 0.2,
    .epochs = 40,
    .batch = 128,
    .rate = 0.02,
    .decay = 0.99,
    .ridge = 3e-5,
    .validation = 0.15,
};

/* One training. */
struct trainer {
    const struct grt_training *options;
    struct grt_arena arena; /* of what is not needed afterwards */
    struct grt_random random;
    struct grt_training_room room;
    struct grt_training_data data[2]; /* to train with; for validation */
    struct grt_samples samples[2];
    struct grt_rules rules, best;
    double least_error;
};

enum { TO_TRAIN, TO_VALIDATE };

void grt_shuffle_numbers(struct grt_random *random, size_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)grt_random_below(random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* ---- Before ---- */

static bool is_good(const struct grt_sample *sample) {
    for (size_t i = 0; i < GRT_INDICATORS; i++) {
        if (!(sample->indicators[i] >= 0 && sample->indicators[i] < INFINITY)) {
            return false;
        }
    }
    return sample->share >= 1 && sample->share <= GRT_FULL_SHARE && sample->time >= 1 &&
           sample->time <= (double)GRT_TIME_LIMIT;
}

static bool check(const struct grt_samples *samples, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_path root = {0};
    if (samples->count < GRT_TRAINING_LEAST_SAMPLES) {
        grt_error_add(errors, NULL, "%zu samples are too few to train with: at least %d are needed",
                      samples->count, GRT_TRAINING_LEAST_SAMPLES);
    }
    for (size_t i = 0; i < samples->count; i++) {
        struct grt_path list = {.parent = &root, .key = "samples"}, path = {.parent = &list, .index = i};
        if (!is_good(&samples->items[i])) {
            grt_error_add(errors, &path,
                          "indicators must be finite and 0 or more, the share within 1 and 100, the time "
                          "within 1 ns and 10^18 ns");
        }
    }
    return errors->count == before;
}

static void require_options(const struct grt_training *options) {
    GRT_REQUIRE(options->order == 0 || options->order == 1, "consequents are of order 0 or 1");
    GRT_REQUIRE(options->most_rules >= 1 && options->most_rules <= GRT_NETWORK_MOST_RULES,
                "keep to GRT_NETWORK_MOST_RULES");
    GRT_REQUIRE(options->threshold > 0 && options->threshold < 1, "a threshold is within 0 and 1");
    GRT_REQUIRE(options->validation > 0 && options->validation < 1, "a part is within 0 and 1");
    GRT_REQUIRE(options->width > 0 && options->ridge > 0 && options->epochs >= 0 && options->batch >= 1,
                "see struct grt_training");
}

/* ---- Samples ---- */

/* Shuffles them, and lays a part aside for validation: at least one. */
static void split(struct trainer *trainer, const struct grt_samples *samples) {
    size_t aside = (size_t)((double)samples->count * trainer->options->validation);
    aside = aside < 1 ? 1 : aside;
    const size_t counts[] = {samples->count - aside, aside};
    size_t next = 0;
    trainer->room.order = grt_arena_array(&trainer->arena, samples->count, sizeof(size_t));
    grt_shuffle_numbers(&trainer->random, trainer->room.order, samples->count);
    for (size_t part = 0; part < 2; part++) {
        struct grt_samples *to = &trainer->samples[part];
        to->count = counts[part];
        to->items = grt_arena_array(&trainer->arena, to->count, sizeof *to->items);
        for (size_t i = 0; i < to->count; i++) {
            to->items[i] = samples->items[trainer->room.order[next++]];
        }
    }
}

/* ---- Training ---- */

static void make_room(struct trainer *trainer) {
    size_t most = (size_t)trainer->options->most_rules;
    trainer->room.fires = grt_arena_array(&trainer->arena, most + 1, sizeof(double));
    trainer->room.strengths = grt_arena_array(&trainer->arena, most + 1, sizeof(double));
    trainer->room.which = grt_arena_array(&trainer->arena, most + 1, sizeof(uint32_t));
    trainer->rules = grt_rules_create(most, trainer->options->order, &trainer->arena);
    trainer->best = grt_rules_create(most, trainer->options->order, &trainer->arena);
}

/* Finds consequents, and keeps the rules if none were better on what was laid aside. */
static void judge(struct trainer *trainer, int64_t epoch, struct grt_training_report *report) {
    grt_fit_consequents(trainer->options, &trainer->data[TO_TRAIN], &trainer->room, &trainer->rules);
    double error = grt_squared_error(&trainer->data[TO_VALIDATE], &trainer->room, &trainer->rules);
    if (epoch == 0 || error < trainer->least_error) {
        trainer->least_error = error;
        report->best_epoch = epoch;
        grt_rules_copy(&trainer->best, &trainer->rules);
    }
}

static void train(struct trainer *trainer, struct grt_training_report *report) {
    const struct grt_training *options = trainer->options;
    report->pruned =
        grt_grow_rules(options, &trainer->data[TO_TRAIN], &trainer->room, &trainer->arena, &trainer->rules);
    report->grown = report->pruned + (int64_t)trainer->rules.count;
    struct grt_descent *descent = grt_descent_create(&trainer->rules, &trainer->arena);
    double rate = options->rate;
    judge(trainer, 0, report);
    for (int64_t epoch = 1; epoch <= options->epochs; epoch++) {
        grt_descend(descent, options, rate, &trainer->data[TO_TRAIN], &trainer->room, &trainer->random,
                    &trainer->rules);
        judge(trainer, epoch, report);
        rate *= options->decay;
        if (options->tell != NULL) {
            options->tell(options->context, epoch, options->epochs);
        }
    }
}

/* Takes the best rules over into the caller's arena. */
static void finish(const struct trainer *trainer, struct grt_arena *arena, struct grt_network *network) {
    struct grt_rules rules = grt_rules_create(trainer->best.count, trainer->options->order, arena);
    grt_rules_copy(&rules, &trainer->best);
    network->rules = (int64_t)rules.count;
    network->centres = rules.centres;
    network->widths = rules.widths;
    network->inverse_widths = rules.inverse_widths;
    network->consequents = rules.consequents;
}

bool grt_network_train(const char *kernel, const struct grt_samples *samples,
                       const struct grt_training *options, struct grt_arena *arena,
                       struct grt_network *network, struct grt_training_report *report,
                       struct grt_errors *errors) {
    require_options(options);
    if (!check(samples, errors)) {
        return false;
    }
    struct trainer trainer = {.options = options,
                              .random = grt_random_stream(options->seed, "training", 0, 0)};
    *network = (struct grt_network){
        .kernel = grt_arena_text(arena, kernel), .order = options->order, .threshold = options->threshold};
    *report = (struct grt_training_report){.epochs = options->epochs};
    split(&trainer, samples);
    grt_find_scale(&trainer.samples[TO_TRAIN], network);
    for (size_t part = 0; part < 2; part++) {
        trainer.data[part] = grt_scale_samples(&trainer.samples[part], network, &trainer.arena);
    }
    make_room(&trainer);
    train(&trainer, report);
    finish(&trainer, arena, network);
    report->trained = trainer.samples[TO_TRAIN].count;
    report->validated = trainer.samples[TO_VALIDATE].count;
    report->training = grt_measure_network(network, &trainer.samples[TO_TRAIN]);
    report->validation = grt_measure_network(network, &trainer.samples[TO_VALIDATE]);
    grt_arena_clear(&trainer.arena);
    return true;
}
