/* Makers of the registry of generators from texts, for tests. */
#ifndef GRT_TESTS_SUPPORT_DRAWN_H
#define GRT_TESTS_SUPPORT_DRAWN_H

#include "scenarios/generate/generators.h"

/* A maker of sets by the parameters in `json`, an object; errors have paths that begin with "generator". What the parameters point to is in the
 * arena. NULL after errors. */
void *drawn_maker(const char *generator, const char *json, const struct grt_generator_place *place,
                  struct grt_arena *arena, struct grt_errors *errors);

#endif
