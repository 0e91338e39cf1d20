/* What the shapes of generated scenarios share; internal to the generator. */
#ifndef GRT_SCENARIOS_GENERATE_FRAME_H
#define GRT_SCENARIOS_GENERATE_FRAME_H

#include "scenarios/generate/generated_scenario.h"

/* Writes "t12" for index 11 into `text` and returns it. */
enum { GRT_GENERATED_NAME = 16 };
const char *grt_generated_name(char text[GRT_GENERATED_NAME], char letter, size_t index);

/* The horizon where the frame says none: ten periods of the slowest task. */
grt_time grt_generated_horizon(grt_time longest_period);

#endif
