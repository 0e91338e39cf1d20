/* Whether sets can be as a specification wants them; internal to the generator. */
#ifndef GRT_SCENARIOS_GENERATE_SPEC_CHECK_H
#define GRT_SCENARIOS_GENERATE_SPEC_CHECK_H

#include "scenarios/generate/generate.h"

/* Adds an error for everything that is wrong but the periods. `periods`: as prepared, or NULL where they are wrong. */
void grt_generator_check(const struct grt_generator_spec *spec, const struct grt_periods *periods,
                         struct grt_errors *errors);

#endif
