/* What the policy `tdm` finds once for all worlds of a scenario: of each GPU the tasks in the order of their slots, the server's period and the
 * slots. */
#ifndef GRT_POLICIES_TDM_PLAN_H
#define GRT_POLICIES_TDM_PLAN_H

#include "models/task.h"
#include "policies/tdm/tdm.h"
#include "sim/memory.h"

struct tdm_plan {
    size_t turn_count;
    uint32_t *tasks; /* in the scenario */
    bool feasible;   /* else `reason` says why not, and there are no slots */
    char reason[TDM_REASON_SIZE];
    int64_t period;         /* of the server, ns */
    struct tdm_slot *slots; /* of each turn */
    int64_t *pieces;        /* in which a job of each is done */
};

/* A plan for every GPU of the scenario, in the arena: the operation `prepare` of the policy. */
const void *tdm_prepare(const struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena);

#endif
