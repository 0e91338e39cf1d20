/* Networks that policies predict with, trained once for all sets of an experiment instead of for each. */
#ifndef GRT_STUDY_EVALUATE_NETWORKS_H
#define GRT_STUDY_EVALUATE_NETWORKS_H

#include "scenarios/experiment/experiment.h"

/* What was trained so far; starts as {0}. */
struct grt_trainer {
    struct grt_trained *first;
    bool only_check;               /* nothing is trained: networks are empty where some would be trained */
    const struct grt_device *last; /* whose text is last_key */
    const char *last_key;
};

/* The networks that an evaluation's policy would otherwise train for every set, trained of the kernels of the first thousand sets of all points on these
 * GPUs, or, where a kernel is another one at other points, of this point's;
 * *networks is NULL where it needs none. All is in the arena. False after
 * adding errors: the experiment does not say that they shall be trained, or a kernel is another one in other sets. */
bool grt_train_for(struct grt_trainer *trainer, const struct grt_experiment *experiment, size_t point,
                   size_t evaluation, const struct grt_networks **networks, struct grt_arena *arena,
                   struct grt_errors *errors);

#endif
