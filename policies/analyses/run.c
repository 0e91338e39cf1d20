#include "policies/analyses/run.h"

/* One call. */
struct run {
    const struct grt_analyses_subject *subject;
    const struct grt_analyses_choice *choice;
    const struct grt_analyses_visitor *visitor;
    struct grt_arena *arena;
};

static bool is_chosen(const struct run *run, const struct grt_analysis_ops *ops,
                      enum grt_analysis_scope scope) {
    return ops->scope == scope &&
           (run->choice->whatever_policy || grt_analysis_is_of(ops, run->subject->policy));
}

static size_t count_of(const struct run *run, enum grt_analysis_scope scope) {
    size_t count = 0;
    for (const struct grt_analysis_ops *const *ops = run->choice->analyses; *ops != NULL; ops++) {
        count += is_chosen(run, *ops, scope);
    }
    return count;
}

static void analyse(const struct run *run, const struct grt_analysis_ops *ops,
                    const struct grt_analysis_set *set) {
    struct grt_analysis_set own = *set;
    struct grt_analysis_result result = grt_analysis_result_for(set, run->arena);
    own.parameters = grt_analysis_is_of(ops, run->subject->policy) ? run->subject->parameters : NULL;
    own.options = grt_analysis_settings_of(run->choice->settings, ops);
    grt_analysis_run(ops, &own, &result);
    run->visitor->found(run->visitor->context, ops, &own, &result);
}

/* The analyses of a scope, on the tasks of one GPU or of all, where there are any. */
static void analyse_set(const struct run *run, enum grt_analysis_scope scope, uint32_t gpu, size_t count) {
    struct grt_analysis_set set = grt_analysis_set_of(run->subject->scenario, gpu, NULL, run->arena);
    if (set.count == 0) {
        return;
    }
    if (run->visitor->begin != NULL) {
        run->visitor->begin(run->visitor->context, &set, count);
    }
    for (const struct grt_analysis_ops *const *ops = run->choice->analyses; *ops != NULL; ops++) {
        if (is_chosen(run, *ops, scope)) {
            analyse(run, *ops, &set);
        }
    }
}

void grt_analyses_run(const struct grt_analyses_subject *subject, const struct grt_analyses_choice *choice,
                      const struct grt_analyses_visitor *visitor, struct grt_arena *arena) {
    struct run run = {subject, choice, visitor, arena};
    size_t per_gpu = count_of(&run, GRT_SCOPE_GPU), whole = count_of(&run, GRT_SCOPE_PLATFORM);
    size_t gpus = per_gpu > 0 || whole == 0 ? subject->scenario->gpu_count : 0;
    for (uint32_t gpu = 0; gpu < gpus; gpu++) {
        analyse_set(&run, GRT_SCOPE_GPU, gpu, per_gpu);
    }
    if (whole > 0) {
        analyse_set(&run, GRT_SCOPE_PLATFORM, GRT_ANALYSIS_ALL_GPUS, whole);
    }
}
