/* All of libgpurt: the simulator, its policies and analyses, the auditor, task sets and sweeps, for programs of your own
 * (docs/embedding.md). Most of what is here follows from a few headers: scenarios/simulation.h runs a scenario, models/result.h has what
 * comes out.
 *
 * Structs start as {0}. Nothing is printed, and no input ends the program: functions that can fail add sentences to a struct grt_errors
 * (sim/error.h). Only misuse of a function, and no memory, end it with a message. Nothing is shared between calls, so that threads need no
 * locks as long as each has structs of its own. */
#ifndef GRT_LIB_GPURT_H
#define GRT_LIB_GPURT_H

/* Before the block for C++. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "models/plugin.h"
#include "models/world.h"
#include "policies/analyses/registry.h"
#include "policies/analyses/run.h"
#include "policies/analyses/sensitivity.h"
#include "policies/registry.h"
#include "scenarios/build_id.h"
#include "scenarios/embedded.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/generate/generators.h"
#include "scenarios/scenario_write.h"
#include "scenarios/simulation.h"
#include "scenarios/trace_source.h"
#include "sim/trace_file.h"
#include "sim/version.h"
#include "study/results/results.h"
#include "study/sweep/sweep.h"
#include "verify/campaign.h"

#ifdef __cplusplus
}
#endif

#endif
