#include "scenarios/assignment.h"

#include <inttypes.h>
#include <stdio.h>

#include "models/adapt.h"
#include "models/demand/demand.h"
#include "policies/analyses/registry.h"
#include "policies/analyses/run.h"
#include "policies/audsley.h"

/* ---- Cores ---- */

/* The time of a task's GPU segments, with their host parts. */
static grt_time gpu_time_of(const struct grt_scenario *scenario, const struct grt_task *task) {
    grt_time sum = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_GPU) {
            grt_time time = grt_segment_time(scenario, task, &task->segments[i]);
            sum = time < GRT_TIME_NEVER - sum ? sum + time : GRT_TIME_NEVER;
        }
    }
    return sum;
}

static bool find_demands(const struct grt_scenario_draft *draft, struct grt_core_demand *demands,
                         struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_scenario *scenario = &draft->scenario;
    bool spins = draft->assignment.counts == GRT_ALLOCATION_COUNTS_CPU_AND_GPU;
    size_t before = errors->count;
    struct grt_path list = {&root, "tasks", 0}, place = {&list, NULL, 0};
    for (; place.index < scenario->task_count; place.index++) {
        const struct grt_task *task = &scenario->tasks[place.index];
        grt_time gpu_time = spins ? gpu_time_of(scenario, task) : 0;
        if (!grt_task_core_demand(task, spins, gpu_time, &demands[place.index])) {
            grt_error_add(
                errors, &place,
                "has no known utilisation, by which platform.allocation goes: it needs a period and "
                "longest times");
        }
    }
    return errors->count == before;
}

bool grt_allocation_check(const struct grt_scenario_draft *draft, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, rule = {&platform, "allocation", 0};
    if (draft->assignment.allocation != GRT_ALLOCATION_GIVEN && draft->scenario.core_count == 0) {
        grt_error_add(errors, &rule,
                      "not allowed because platform.cpus is 0: every task has a core of its own");
        return false;
    }
    return true;
}

bool grt_allocation_apply(const struct grt_scenario_draft *draft, struct grt_task *tasks,
                          struct grt_arena *arena, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, place = {&platform, "allocation", 0};
    const struct grt_scenario *scenario = &draft->scenario;
    size_t count = scenario->task_count;
    enum grt_allocation_rule rule = (enum grt_allocation_rule)draft->assignment.allocation;
    struct grt_core_demand *demands = grt_arena_array(arena, count, sizeof *demands);
    int64_t *cores = grt_arena_array(arena, count, sizeof *cores);
    if (!find_demands(draft, demands, errors)) {
        return false;
    }
    size_t refused = grt_allocate_cores(rule, demands, count, scenario->core_count, cores);
    if (refused < count) {
        grt_error_add(errors, &place, "%s finds no room for task %s on %" PRId64 " core%s",
                      grt_allocation_rule_names[rule], tasks[refused].name, scenario->core_count,
                      scenario->core_count == 1 ? "" : "s");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        tasks[i].cpu = cores[i];
    }
    return true;
}

/* ---- Priorities ---- */

/* What else could be named: only what will not be refused, too. */
static const char *hint_of(const struct grt_scenario *scenario, struct grt_arena *arena) {
    char names[GRT_AUDSLEY_TEXT_SIZE], text[GRT_AUDSLEY_TEXT_SIZE + 64];
    grt_audsley_candidates(scenario, names);
    snprintf(text, sizeof text,
             names[0] != '\0' ? "; priority_analysis can name %s"
                              : "; nor does another that it can ask apply%s",
             names);
    return grt_arena_text(arena, text);
}

static const struct grt_analysis_ops *named_analysis(const struct grt_scenario_draft *draft,
                                                     struct grt_arena *arena, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path place = {&root, "priority_analysis", 0};
    const struct grt_analysis_ops *named = draft->assignment.analysis;
    const char *objection = grt_audsley_objection(named);
    if (objection != NULL) {
        grt_error_add(errors, &place, "Audsley's algorithm cannot ask %s, which %s%s", named->name, objection,
                      hint_of(&draft->scenario, arena));
    }
    return objection == NULL ? named : NULL;
}

/* The analysis that is named, or the policy's; NULL after adding an error. `parameters`: of the policy. */
static const struct grt_analysis_ops *choose_analysis(const struct grt_scenario_draft *draft,
                                                      const void *parameters, struct grt_arena *arena,
                                                      struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path rule = {&root, "priorities", 0};
    if (draft->assignment.analysis != NULL) {
        return named_analysis(draft, arena, errors);
    }
    const struct grt_analysis_ops *own = grt_audsley_analysis_of(draft->policy, parameters);
    if (own == NULL) {
        grt_error_add(errors, &rule,
                      "policy %s has no analysis of its own that Audsley's algorithm can ask%s",
                      draft->policy->name, hint_of(&draft->scenario, arena));
    }
    return own;
}

bool grt_audsley_apply(struct grt_scenario_draft *draft, struct grt_task *tasks, struct grt_arena *arena,
                       struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path rule = {&root, "priorities", 0};
    void *parameters;
    if (!grt_policy_take_parameters(draft->policy, draft->parameters, arena, &parameters, errors)) {
        return false;
    }
    const struct grt_analysis_ops *analysis = choose_analysis(draft, parameters, arena, errors);
    if (analysis == NULL) {
        return false;
    }
    bool own = grt_analysis_is_of(analysis, draft->policy);
    draft->assignment.analysis = analysis;
    return grt_audsley_assign(&draft->scenario, tasks, analysis, own ? parameters : NULL, errors, &rule);
}
