/* The steps of training, for each other; see models/learning/train.h. */
#ifndef GRT_MODELS_LEARNING_TRAIN_INTERNAL_H
#define GRT_MODELS_LEARNING_TRAIN_INTERNAL_H

#include "models/learning/rules.h"
#include "models/learning/train.h"
#include "sim/random.h"

/* Samples as the rules see them. */
struct grt_training_data {
    size_t count;
    double *x;       /* count x inputs */
    double *targets; /* (ln time - mean) / deviation */
};

/* Sets the ranges of the inputs, and mean and deviation of the logarithm of the time. (scale.c) */
void grt_find_scale(const struct grt_samples *samples, struct grt_network *network);

/* The samples by those, in the arena. (scale.c) */
struct grt_training_data grt_scale_samples(const struct grt_samples *samples,
                                           const struct grt_network *network, struct grt_arena *arena);

/* What all steps need room for. */
struct grt_training_room {
    double *fires, *strengths;
    uint32_t *which;
    size_t *order; /* one per sample */
};

/* Shuffles the numbers 0 to count - 1, which `order` becomes. (train.c) */
void grt_shuffle_numbers(struct grt_random *random, size_t *order, size_t count);

/* The structure pass: sets the rules' centres and widths, the consequents are 0. Returns how many were pruned. (structure.c) */
int64_t grt_grow_rules(const struct grt_training *options, const struct grt_training_data *data,
                       struct grt_training_room *room, struct grt_arena *arena, struct grt_rules *rules);

/* The consequents of least squared error, with a ridge. (consequents.c) */
void grt_fit_consequents(const struct grt_training *options, const struct grt_training_data *data,
                         struct grt_training_room *room, struct grt_rules *rules);

/* The mean squared error. (consequents.c) */
double grt_squared_error(const struct grt_training_data *data, struct grt_training_room *room,
                         const struct grt_rules *rules);

/* The output of the rules, normalised as the targets, Eq. (3); leaves the strengths in the room, and returns their count in *count. */
double grt_rules_output(const struct grt_rules *rules, const double *x, struct grt_training_room *room,
                        size_t *count);

/* The descent's memory. */
struct grt_descent;
struct grt_descent *grt_descent_create(const struct grt_rules *rules, struct grt_arena *arena);

/* One epoch: moves centres and widths by all samples, in batches. (premises.c) */
void grt_descend(struct grt_descent *descent, const struct grt_training *options, double rate,
                 const struct grt_training_data *data, struct grt_training_room *room,
                 struct grt_random *random, struct grt_rules *rules);

#endif
