/* A generator that draws one scenario file again and again, with another seed each time, whole. */
#ifndef GRT_TESTS_SUPPORT_FILE_SETS_H
#define GRT_TESTS_SUPPORT_FILE_SETS_H

#include "scenarios/generate/generators.h"
#include "scenarios/scenario.h"

/* Its maker is a struct grt_scenario_file. */
extern const struct grt_generator_ops file_sets;

#endif
