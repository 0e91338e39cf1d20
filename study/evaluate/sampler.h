/* What a sampler shows of a set, for who writes it. */
#ifndef GRT_STUDY_EVALUATE_SAMPLER_H
#define GRT_STUDY_EVALUATE_SAMPLER_H

#include "study/evaluate/sample.h"

/* A set as one evaluation has it. */
struct grt_sampler_view {
    /* as it is asked of: completed, and in the versions that the policy has executed */
    const struct grt_scenario_draft *seen;
    struct grt_scenario written; /* as a file has it: before the policy changes it */
};

/* Draws set number `sample` of a point, and tells how an evaluation has it, until the sampler's next call. False after adding errors: there is no set, or it is
 * refused. */
bool grt_sampler_look(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                      struct grt_sampler_view *view, struct grt_errors *errors);

#endif
