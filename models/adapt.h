/* A scenario as a policy has it executed. Some policies run other versions of what the user wrote: kernels that count their threads with
 * atomics, copies that are left out because the memory is unified, a kernel of their own that never ends. Such a policy has the function
 * `adapt`, which changes a copy of the scenario before a world is made of it. Analyses, the auditor and the results go by the copy, too: there
 * is one scenario from then on, and nothing has to be undone. A scenario file is adapted when it is read; grt_world_create adapts what is
 * not. */
#ifndef GRT_MODELS_ADAPT_H
#define GRT_MODELS_ADAPT_H

#include "models/task.h"
#include "sim/error.h"
#include "sim/memory.h"

struct grt_policy_ops;

/* The scenario as the policy has it executed: itself, where the policy leaves it as it is or has adapted it already; else a copy, which shares
 * with it whatever is unchanged. `parameters`: of the policy, or NULL for the defaults. Everything is in the arena. NULL after adding
 * errors. */
const struct grt_scenario *grt_adapted(const struct grt_scenario *scenario,
                                       const struct grt_policy_ops *policy, const void *parameters,
                                       struct grt_arena *arena, struct grt_errors *errors);

/* A policy's parameters in the arena: the given ones, or the defaults; NULL where it has none. False after adding an error: they have no
 * defaults. */
bool grt_policy_take_parameters(const struct grt_policy_ops *policy, const void *given,
                                struct grt_arena *arena, void **parameters, struct grt_errors *errors);

/* ---- For `adapt`: copies that may be changed ---- */

/* Gives the scenario a copy of its tasks with room for `further` more, and returns it. Whoever fills one raises task_count. */
struct grt_task *grt_adapt_tasks(struct grt_scenario *scenario, size_t further, struct grt_arena *arena);

/* Gives a task that may be changed copies of all its segments and their commands, and returns the segments; those of segment i are found
 * by grt_adapt_commands. */
struct grt_segment *grt_adapt_segments(struct grt_task *task, struct grt_arena *arena);
struct grt_command_spec *grt_adapt_commands(struct grt_segment *segment);

/* Makes a span longer: by `time`, or to `percent` of it, rounded up; every draw, its bounds and its worst case. Nothing gets longer than
 * GRT_TIME_LIMIT. Measured values and tails, which spans share, are copied. */
void grt_adapt_add(struct grt_distribution *span, grt_time time, struct grt_arena *arena);
void grt_adapt_percent(struct grt_distribution *span, int64_t percent, struct grt_arena *arena);

#endif
