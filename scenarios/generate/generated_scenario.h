/* From a generated set to what runs it: a scenario in memory (as a text: scenarios/scenario_write.h). Every task is one GPU segment of one kernel; priorities are rate monotonic. */
#ifndef GRT_SCENARIOS_GENERATE_GENERATED_SCENARIO_H
#define GRT_SCENARIOS_GENERATE_GENERATED_SCENARIO_H

#include "models/task.h"
#include "scenarios/generate/generate.h"
#include "sim/memory.h"

/* What a scenario has besides its tasks. */
struct grt_generated_frame {
    const char *name;
    uint64_t seed;                /* of the run: jitter and the like; below 2^53 */
    const struct grt_device *gpu; /* the device itself */
    int64_t threads;              /* of a block, where the work is given by blocks */
    /* the share of its declared longest time that every kernel takes, above 0 to 1; 0: all of it */
    double takes;
};

/* A seed for the run of set number `number`: below 2^32, and different for most sets, so that their jitters are. */
uint64_t grt_generated_seed(uint64_t seed, uint64_t number);

/* How many blocks of so many threads the device runs at a time; 0 after adding an error, whose path is the option of
 * `gpurt generate`. */
int64_t grt_generated_blocks_at_a_time(const struct grt_device *device, int64_t threads,
                                       struct grt_errors *errors);

/* The scenario; its lists and strings are the arena's, its GPU is frame->gpu, which has to stay. */
struct grt_scenario grt_generated_scenario(const struct grt_generated_frame *frame,
                                           const struct grt_generated_task *tasks, size_t count,
                                           struct grt_arena *arena);

#endif
