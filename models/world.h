/* A running world: the scenario's tasks on its cores and GPUs under one policy. Opaque; made from plain structs,
 * run once, asked for its result. */
#ifndef GRT_MODELS_WORLD_H
#define GRT_MODELS_WORLD_H

#include <stdbool.h>

#include "models/policy.h"
#include "models/result.h"
#include "models/task.h"
#include "sim/error.h"
#include "sim/trace.h"

struct grt_world;
struct grt_elsewhere; /* gpurt-calib's own (models/elsewhere.h) */

/* Room for jobs that wait for earlier ones of their task, or of tasks that they come after: places of 48 bytes at most, all tasks together. A run that needs
 * more ends. */
enum { GRT_MAX_WAITING_JOBS = 1 << 24 };

struct grt_world_options {
    struct grt_trace *trace; /* receives all records; NULL: none are made. Not owned */
    /* of memory that worlds, one after the other, leave for the next; NULL: none. Not owned */
    struct grt_arena_store *store;
    /* by grt_world_prepare, for the same tasks, devices and parameters; NULL: the world has it made for itself. Not owned */
    const void *prepared;
    /* who executes what is submitted to the GPU, of which there is one then; NULL: it is simulated. Not owned */
    const struct grt_elsewhere *elsewhere;
    bool no_cohorts; /* simulate every thread block by itself: slower, the same results and trace */
    /* the run ends soon after every sink of the trace has failed, without a result: what a sink that has had enough asks for by returning false */
    bool ends_unheard;
    /* places for jobs that wait, beyond four for each task and for each other task that it comes after; 0: GRT_MAX_WAITING_JOBS. They are taken by doubling, so
     * that a run which ends for want of them may have half as many jobs that wait */
    uint32_t most_waiting;
};

/* Builds a world. A scenario that the policy has not adapted (models/adapt.h) is adapted first. `scenario` and `policy` must outlive it; `parameters` (policy->parameters_size bytes, or NULL
 * for the defaults) is copied. Returns NULL after adding to `errors` what does not fit
 * together: a kernel that cannot run on its device, a core that is not there, a policy that refuses. */
struct grt_world *grt_world_create(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                                   const void *parameters, const struct grt_world_options *options,
                                   struct grt_errors *errors);

/* The scenario as it is executed; valid until the world is freed. */
const struct grt_scenario *grt_world_scenario(const struct grt_world *world);

/* Has made in the arena what the policy prepares once for many worlds (its operation `prepare`), to be given to each of them: to those whose
 * scenarios differ in nothing but arrivals, times that are drawn and the horizon. NULL where the policy prepares nothing. */
const void *grt_world_prepare(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                              const void *parameters, struct grt_arena *arena);

/* Runs to the scenario's horizon: what completes at that instant counts, but nothing is released there. Closes the
 * statistics and the trace's records (not the trace itself). Call once. */
void grt_world_run(struct grt_world *world);

/* Whether the run, which has to be over, ended where it should, or unheard. False after adding an error that says when, and why it ended before: more jobs waited
 * than there is room for. Its result is of the time until then. */
bool grt_world_is_whole(const struct grt_world *world, struct grt_errors *errors);

/* The result; valid until the world is freed. */
const struct grt_result *grt_world_result(const struct grt_world *world);

void grt_world_free(struct grt_world *world);

/* The hyperperiod horizon of a scenario: largest offset + least common multiple of the periods, or 0 if it is beyond
 * GRT_TIME_LIMIT or a task is not periodic. */
grt_time grt_scenario_hyperperiod(const struct grt_scenario *scenario);

/* The largest offset of a scenario's tasks. */
grt_time grt_scenario_largest_offset(const struct grt_scenario *scenario);

#endif
