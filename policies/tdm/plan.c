#include "policies/tdm/plan.h"

#include <stdio.h>

#include "models/analysis_set.h"

/* Finds the server's period and slots; false where there are none. */
static bool assign(struct tdm_plan *plan, const struct tdm_rule *rule, const struct grt_analysis_set *set,
                   const struct tdm_task *tasks) {
    struct tdm_assignment assignment;
    if (tdm_refusal(set, plan->reason)) {
        return false;
    }
    if (!tdm_assign(tasks, plan->turn_count, rule, plan->slots, &assignment)) {
        snprintf(plan->reason, sizeof plan->reason, "%s", assignment.reason);
        return false;
    }
    plan->period = assignment.period;
    for (size_t i = 0; i < plan->turn_count; i++) {
        plan->pieces[i] =
            grt_steps_pieces(tasks[i].steps, tasks[i].step_count, plan->slots[i].length - tasks[i].overhead);
    }
    return true;
}

static void plan_gpu(struct tdm_plan *plan, const struct grt_scenario *scenario, uint32_t gpu,
                     const struct tdm_parameters *given, struct grt_arena *arena) {
    struct grt_analysis_set set = grt_analysis_set_of(scenario, gpu, NULL, arena);
    struct tdm_task *tasks = grt_arena_array(arena, set.count, sizeof *tasks);
    uint32_t *order = grt_arena_array(arena, set.count, sizeof *order);
    plan->turn_count = tdm_tasks_of(&set, tasks, order);
    plan->tasks = grt_arena_array(arena, plan->turn_count, sizeof *plan->tasks);
    plan->slots = grt_arena_array(arena, plan->turn_count, sizeof *plan->slots);
    plan->pieces = grt_arena_array(arena, plan->turn_count, sizeof *plan->pieces);
    for (size_t i = 0; i < plan->turn_count; i++) {
        plan->tasks[i] = set.tasks[order[i]].number;
    }
    plan->feasible = plan->turn_count > 0 && assign(plan, &given->rule, &set, tasks);
}

/* Of parameters that contradict each other there are none, and the policy refuses to start. */
const void *tdm_prepare(const struct grt_scenario *scenario, const void *parameters,
                        struct grt_arena *arena) {
    char reason[TDM_REASON_SIZE];
    struct tdm_plan *plans = grt_arena_array(arena, scenario->gpu_count, sizeof *plans);
    for (uint32_t gpu = 0; gpu < scenario->gpu_count && !tdm_period_refusal(parameters, reason); gpu++) {
        plan_gpu(&plans[gpu], scenario, gpu, parameters, arena);
    }
    return plans;
}
