#include "verify/slots.h"

#include "models/analysis_set.h"
#include "policies/tdm/record.h"

/* The slots on one GPU; false where nothing is promised. */
static bool slots_of(const struct grt_scenario *scenario, uint32_t gpu, const struct tdm_rule *rule,
                     struct grt_audit_slots *slots, struct grt_arena *arena) {
    struct grt_analysis_set set = grt_analysis_set_of(scenario, gpu, NULL, arena);
    struct tdm_task *tasks = grt_arena_array(arena, set.count, sizeof *tasks);
    struct tdm_slot *found = grt_arena_array(arena, set.count, sizeof *found);
    uint32_t *order = grt_arena_array(arena, set.count, sizeof *order);
    size_t count = tdm_tasks_of(&set, tasks, order);
    struct tdm_assignment assignment;
    char reason[TDM_REASON_SIZE];
    *slots = (struct grt_audit_slots){.period = 1};
    if (count == 0) {
        return true;
    }
    if (tdm_refusal(&set, reason) || !tdm_assign(tasks, count, rule, found, &assignment)) {
        return false;
    }
    grt_time *lengths = grt_arena_array(arena, count, sizeof *lengths);
    grt_time *offsets = grt_arena_array(arena, count, sizeof *offsets);
    for (size_t i = 0; i < count; i++) {
        order[i] = set.tasks[order[i]].number;
        lengths[i] = found[i].length;
        offsets[i] = found[i].offset;
    }
    *slots = (struct grt_audit_slots){.period = assignment.period,
                                      .count = count,
                                      .tasks = order,
                                      .lengths = lengths,
                                      .offsets = rule->slots == TDM_SLOTS_TABLE ? offsets : NULL};
    return true;
}

const struct grt_audit_slots *grt_slots_of(const struct grt_scenario *scenario,
                                           const struct grt_policy_ops *policy, const void *parameters,
                                           struct grt_arena *arena) {
    if (policy->promise.gpu != GRT_PROMISE_SLOTS || policy->parameters != &tdm_parameters_record) {
        return NULL; /* of other parameters nothing is known */
    }
    const struct tdm_parameters defaults = tdm_default_parameters();
    const struct tdm_parameters *given = parameters != NULL ? parameters : &defaults;
    struct grt_audit_slots *slots = grt_arena_array(arena, scenario->gpu_count, sizeof *slots);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        if (!slots_of(scenario, i, &given->rule, &slots[i], arena)) {
            return NULL;
        }
    }
    return slots;
}
