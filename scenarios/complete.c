#include "scenarios/complete.h"

#include <string.h>

#include "models/adapt.h"
#include "scenarios/assignment.h"

/* Gives the draft a copy of its tasks, which may be changed. */
static struct grt_task *copy_tasks(struct grt_scenario_draft *draft, struct grt_arena *arena) {
    size_t count = draft->scenario.task_count;
    struct grt_task *tasks = grt_arena_array(arena, count, sizeof *tasks);
    if (count > 0) {
        memcpy(tasks, draft->scenario.tasks, count * sizeof *tasks);
    }
    draft->scenario.tasks = tasks;
    return tasks;
}

bool grt_scenario_complete_tasks(struct grt_scenario_draft *draft, struct grt_arena *arena,
                                 struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path horizon = {&root, "horizon", 0};
    int64_t rule = draft->assignment.priorities;
    size_t before = errors->count;
    if (rule != GRT_PRIORITIES_EXPLICIT) { /* Audsley's algorithm starts from rates, too */
        grt_priorities_set(copy_tasks(draft, arena), draft->scenario.task_count,
                           rule == GRT_PRIORITIES_DEADLINE_MONOTONIC ? grt_deadline_key : grt_rate_key);
    }
    grt_scenario_set_horizon(&draft->scenario, errors, &horizon);
    return errors->count == before;
}

bool grt_scenario_complete_for_policy(struct grt_scenario_draft *draft, struct grt_arena *arena,
                                      struct grt_errors *errors) {
    const struct grt_scenario_assignment *assignment = &draft->assignment;
    bool allocates = assignment->allocation != GRT_ALLOCATION_GIVEN,
         searches = assignment->priorities == GRT_PRIORITIES_AUDSLEY;
    const struct grt_scenario *adapted =
        grt_adapted(&draft->scenario, draft->policy, draft->parameters, arena, errors);
    if (adapted == NULL || !grt_allocation_check(draft, errors)) {
        return false;
    }
    draft->scenario = *adapted;
    if (!allocates && !searches) {
        return true;
    }
    struct grt_task *tasks = copy_tasks(draft, arena);
    return (!allocates || grt_allocation_apply(draft, tasks, arena, errors)) &&
           (!searches || grt_audsley_apply(draft, tasks, arena, errors));
}

bool grt_scenario_complete(struct grt_scenario_draft *draft, struct grt_arena *arena,
                           struct grt_errors *errors) {
    return grt_scenario_complete_tasks(draft, arena, errors) &&
           grt_scenario_complete_for_policy(draft, arena, errors);
}
