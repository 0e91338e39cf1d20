/* What lets commands of one stream wait for, or slow down, those of another one of the same process, besides room on the SMs and the copy
 * engines. */
#ifndef GRT_MODELS_ANALYSIS_COUPLING_H
#define GRT_MODELS_ANALYSIS_COUPLING_H

#include "models/task.h"

/* A clause that says so of GPU number `gpu`, whose streams all have commands; NULL: there is nothing such. */
const char *grt_analysis_coupling(const struct grt_scenario *scenario, uint32_t gpu);

#endif
