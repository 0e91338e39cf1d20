/* What a kernel is measured in: which others run beside it, and with which shares. The protocol of Yao et al. 2022, section 4.3.2, which says
 * "different combinations" and "various allocations": what is drawn here is the choice of docs/performance-models.md. */
#ifndef GRT_MODELS_LEARNING_SITUATION_H
#define GRT_MODELS_LEARNING_SITUATION_H

#include "models/learning/applications.h"
#include "sim/random.h"

/* The most kernels that run at a time in a sample. */
enum { GRT_SITUATION_MOST = 32 };

struct grt_situation {
    size_t count, measured; /* kernels in the order in which they begin; which of them is measured */
    const struct grt_application *running[GRT_SITUATION_MOST];
    int64_t shares[GRT_SITUATION_MOST]; /* 1 or more each, at most 100 in sum */
};

/* Draws one: how many other tasks, from none to all (or as many as fit), each number as likely; which ones; one kernel of each; its place in their order; and shares, which are
 * 100 cut at random places, one piece for each kernel and in every other case one that nobody has. */
struct grt_situation grt_situation_draw(const struct grt_learner *learner, struct grt_random *random);

/* A factor with mean 1 and that relative standard deviation: noise of a measurement, from the normal distribution within 4 deviations. 0: 1. */
double grt_noise_draw(struct grt_random *random, double deviation);

#endif
