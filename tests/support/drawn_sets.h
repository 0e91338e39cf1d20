/* A generator of few, known sets, for tests of what is asked of sets; and experiments with one point made by hand. */
#ifndef GRT_TESTS_SUPPORT_DRAWN_SETS_H
#define GRT_TESTS_SUPPORT_DRAWN_SETS_H

#include "study/evaluate/sample.h"

enum { DRAWN_MOST_EVALUATIONS = 64 };

/* What kinds of sets there are: set number k is of kind k % DRAWN_KINDS. Two tasks, "fast" (period 10 ms) and "slow" (period 30 ms), each a
 * kernel that fills the GPU. */
enum drawn_kind {
    DRAWN_LIGHT,      /* 2 ms and 3 ms */
    DRAWN_OVERLOADED, /* 9 ms and 6 ms */
    DRAWN_BLOCKED,    /* 2 ms and 9 ms: without preemption "fast" comes too late */
    DRAWN_IMPOSSIBLE, /* "slow" has a core that is not there */
    DRAWN_NOTHING,    /* the generator gives up */
    DRAWN_KINDS
};

/* Its maker may be NULL. */
extern const struct grt_generator_ops drawn_sets;

/* An experiment of one point with these evaluations, which have to stay, and a maker; no axes. */
struct drawn_experiment {
    struct grt_experiment experiment;
    struct grt_point point;
};

void drawn_experiment_start(struct drawn_experiment *it, const struct grt_generator_ops *generator,
                            void *maker, const struct grt_evaluation *evaluations, size_t count);

/* A study of such an experiment, and what was found of the last set. */
struct drawn_trial {
    struct drawn_experiment drawn;
    struct grt_study *study;
    struct grt_sampler *sampler;
    struct grt_found found[DRAWN_MOST_EVALUATIONS];
};

/* Failures end the test. To be ended. */
void drawn_trial_begin(struct drawn_trial *trial, const struct grt_generator_ops *generator, void *maker,
                       const struct grt_evaluation *evaluations, size_t count);
void drawn_trial_end(struct drawn_trial *trial);

/* Evaluates a set. */
void drawn_trial_run(struct drawn_trial *trial, uint64_t sample);

/* An analysis by name (NULL: all that speak of the policy), or a simulation, of a policy on one GPU, which has to stay. */
struct grt_evaluation drawn_analysis(const char *policy, const char *analysis, const struct grt_device *gpu);
struct grt_evaluation drawn_simulation(const char *policy, const struct grt_device *gpu);

#endif
