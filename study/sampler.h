/* What a sampler shows of a set, for who writes it. */
#ifndef GRT_STUDY_SAMPLER_H
#define GRT_STUDY_SAMPLER_H

#include "study/sample.h"

/* Draws set number `sample` of a point, and returns what one evaluation sees of it: completed, or, where its policy has other versions of tasks executed, as
 * it is before that. Until the sampler's next call. NULL after adding errors: there is no set, or it is refused. */
const struct grt_scenario_draft *grt_sampler_look(struct grt_sampler *sampler, size_t point, uint64_t sample,
                                                  size_t evaluation, struct grt_errors *errors);

#endif
