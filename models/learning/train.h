/* Trains the network of one kernel: rules are grown and pruned in one pass over the samples, then consequents are found by least squares and
 * premises by descent, in turns.
 *
 * Source: Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded
 * System", IEEE TPDS 33(11), 2022, section 4.3, equations (5) to (7); the descent is that of D. P. Kingma and J. Ba, "Adam: A Method for
 * Stochastic Optimization", ICLR 2015. What was chosen and changed, and why: docs/performance-models.md. */
#ifndef GRT_MODELS_LEARNING_TRAIN_H
#define GRT_MODELS_LEARNING_TRAIN_H

#include <stdbool.h>

#include "models/learning/measure.h"
#include "models/learning/network.h"
#include "models/learning/sample.h"
#include "models/task.h"
#include "sim/error.h"

/* How to train. */
struct grt_training {
    uint64_t seed;
    int64_t order;    /* of the consequents: 0 or 1 */
    double width;     /* of a new rule's membership functions (sigma_0), in ranges of the inputs; above 0 */
    double threshold; /* a sample for which no rule fires more strongly makes a rule (B_th); within 0 and 1 */
    int64_t most_rules;    /* 1 to GRT_NETWORK_MOST_RULES */
    double fall, rise;     /* alpha_1 and alpha_2 of the critical degrees, Eq. (7) */
    double critical;       /* critical degree of a new rule, C(0) */
    double least_critical; /* a rule that falls to it is deleted, C_th */
    int64_t epochs;        /* turns of least squares and descent; 0 or more */
    int64_t batch;         /* samples per step of the descent; 1 or more */
    double rate, decay;    /* of the descent: the first epoch's, and by what the next one's is multiplied */
    double ridge;          /* of the least squares, per sample */
    double validation;     /* which part of the samples only chooses the best epoch; within 0 and 1 */

    /* Is told after each epoch how many of how many are done; NULL: nobody is. */
    void (*tell)(void *context, int64_t done, int64_t all);
    void *context;
};

/* What docs/performance-models.md finds best for nearly everything; seed 1. */
extern const struct grt_training grt_training_default;

/* What came of it. */
struct grt_training_report {
    size_t trained, validated;    /* samples */
    int64_t grown, pruned;        /* rules in the pass that made them */
    int64_t epochs, best_epoch;   /* the rules are those after so many of the turns */
    struct grt_accuracy training; /* on the samples that it was trained with, without those for validation */
    struct grt_accuracy validation;
    struct grt_accuracy test; /* on other samples, where there are some: filled by who has them */
};

/* Fewer samples are refused; so many are collected unless something else is asked for, Yao et al. 2022, section 6.2.1. */
enum { GRT_TRAINING_LEAST_SAMPLES = 20, GRT_TRAINING_SAMPLES = 3000 };

/* Of the times that are collected, unless something else is asked for: relative standard deviation. */
#define GRT_TRAINING_NOISE 0.005

/* Trains `network`, whose arrays and name the arena owns; false after adding an error: samples are too few, or one is not as grt_sample
 * says. The same for the same samples and options, anywhere. The options must be as grt_training says. */
bool grt_network_train(const char *kernel, const struct grt_samples *samples,
                       const struct grt_training *options, struct grt_arena *arena,
                       struct grt_network *network, struct grt_training_report *report,
                       struct grt_errors *errors);

/* How much is spent on each network. */
enum grt_training_effort {
    GRT_TRAINING_QUICK, /* 600 samples and 20 epochs: half a second; its error is up to two and a half times the other's */
    GRT_TRAINING_FULL /* as `gpurt train` does: seconds */
};

/* The options for so much effort and a seed; *samples: with how many it trains. */
struct grt_training grt_training_of(enum grt_training_effort effort, uint64_t seed, size_t *samples);

/* Trains a network for every kernel of the scenario that has a usage with counters (models/learning/applications.h), from samples that are collected
 * in simulations of its GPUs, with the defaults but for the seed, and for so much effort: with all of it what `gpurt train` writes for the same scenario and
 * seed. Everything is in the arena. NULL after adding errors: there is no such kernel; two of one name differ. */
const struct grt_networks *grt_networks_train(const struct grt_scenario *scenario, uint64_t seed,
                                              enum grt_training_effort effort, struct grt_arena *arena,
                                              struct grt_errors *errors);

#endif
