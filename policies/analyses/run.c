#include "policies/analyses/run.h"

#include <stdio.h>
#include <string.h>

#include "policies/analyses/registry.h"

/* ---- which there are ---- */

static size_t registered(void) {
    size_t count = 0;
    while (grt_analyses[count] != NULL) {
        count++;
    }
    return count;
}

const struct grt_analysis_ops *grt_analysis_number(const struct grt_policy_ops *policy, size_t number) {
    size_t count = registered();
    if (number < count) {
        return grt_analyses[number];
    }
    const struct grt_analysis_ops *const *own = policy != NULL ? policy->analyses : NULL;
    for (size_t i = count; own != NULL && *own != NULL && i < number; i++) {
        own++;
    }
    return own != NULL ? *own : NULL;
}

const struct grt_analysis_ops *const *grt_analyses_for(const struct grt_policy_ops *policy,
                                                       struct grt_arena *arena) {
    if (policy == NULL || policy->analyses == NULL) {
        return grt_analyses;
    }
    size_t count = registered();
    while (grt_analysis_number(policy, count) != NULL) {
        count++;
    }
    const struct grt_analysis_ops **list = grt_arena_array(arena, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = grt_analysis_number(policy, i);
    }
    return list;
}

const struct grt_analysis_ops *grt_analysis_find_for(const struct grt_policy_ops *policy, const char *name) {
    const struct grt_analysis_ops *analysis;
    size_t number = 0;
    do {
        analysis = grt_analysis_number(policy, number++);
    } while (analysis != NULL && strcmp(analysis->name, name) != 0);
    return analysis;
}

bool grt_analysis_is_of(const struct grt_analysis_ops *analysis, const struct grt_policy_ops *policy) {
    for (const struct grt_analysis_ops *const *own = policy->analyses; own != NULL && *own != NULL; own++) {
        if (*own == analysis) {
            return true;
        }
    }
    const char *const *name = analysis->policies;
    while (name != NULL && *name != NULL && strcmp(*name, policy->name) != 0) {
        name++;
    }
    return name != NULL && *name != NULL;
}

bool grt_analysis_only_claims(const struct grt_analysis_ops *analysis,
                              const struct grt_analysis_result *result) {
    return result->verdict == GRT_VERDICT_UNSCHEDULABLE && !analysis->exact && !result->has_witness;
}

bool grt_analysis_speaks_of(const struct grt_analysis_ops *analysis, const struct grt_policy_ops *policy,
                            const void *parameters) {
    if (!grt_analysis_is_of(analysis, policy)) {
        return false;
    }
    struct grt_promise promise = grt_policy_promise(policy, parameters);
    bool aborts = promise.gpu == GRT_PROMISE_ONE && !promise.aborts_nothing;
    return !aborts && (analysis->order == GRT_ORDER_NONE || analysis->order == promise.order);
}

/* ---- running them ---- */

/* One call. */
struct run {
    const struct grt_analyses_subject *subject;
    const struct grt_analyses_choice *choice;
    const struct grt_analyses_visitor *visitor;
    struct grt_arena *arena;
    struct grt_analyses_kept *kept;
};

static bool speaks(const struct grt_analyses_subject *subject, const struct grt_analyses_choice *choice,
                   const struct grt_analysis_ops *ops) {
    return choice->whatever_policy || grt_analysis_speaks_of(ops, subject->policy, subject->parameters);
}

static bool is_chosen(const struct run *run, const struct grt_analysis_ops *ops,
                      enum grt_analysis_scope scope) {
    return ops->scope == scope && speaks(run->subject, run->choice, ops);
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

/* The set of one GPU or of all. */
struct grt_kept_set {
    struct grt_kept_set *next;
    uint32_t gpu;
    struct grt_analysis_set set;
};

static struct grt_analysis_set set_of(const struct run *run, uint32_t gpu) {
    for (const struct grt_kept_set *kept = run->kept->sets; kept != NULL; kept = kept->next) {
        if (kept->gpu == gpu) {
            return kept->set;
        }
    }
    struct grt_kept_set *made = grt_arena_new(run->arena, struct grt_kept_set);
    *made = (struct grt_kept_set){.next = run->kept->sets,
                                  .gpu = gpu,
                                  .set = grt_analysis_set_of(run->subject->scenario, gpu, NULL, run->arena)};
    run->kept->sets = made;
    return made->set;
}

/* The analyses of a scope, on the tasks of one GPU or of all, where there are any. */
static void analyse_set(const struct run *run, enum grt_analysis_scope scope, uint32_t gpu, size_t count) {
    struct grt_analysis_set set = set_of(run, gpu);
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
    struct grt_analyses_kept kept = {0};
    grt_analyses_run_kept(subject, choice, visitor, arena, &kept);
}

void grt_analyses_run_kept(const struct grt_analyses_subject *subject,
                           const struct grt_analyses_choice *choice,
                           const struct grt_analyses_visitor *visitor, struct grt_arena *arena,
                           struct grt_analyses_kept *kept) {
    struct run run = {subject, choice, visitor, arena, kept};
    size_t per_gpu = count_of(&run, GRT_SCOPE_GPU), whole = count_of(&run, GRT_SCOPE_PLATFORM);
    size_t gpus = per_gpu > 0 || whole == 0 ? subject->scenario->gpu_count : 0;
    for (uint32_t gpu = 0; gpu < gpus; gpu++) {
        analyse_set(&run, GRT_SCOPE_GPU, gpu, per_gpu);
    }
    if (whole > 0) {
        analyse_set(&run, GRT_SCOPE_PLATFORM, GRT_ANALYSIS_ALL_GPUS, whole);
    }
}

/* ---- settings of analyses that do not run ---- */

static bool runs(const struct grt_analyses_subject *subject, const struct grt_analyses_choice *choice,
                 const struct grt_analysis_ops *wanted) {
    const struct grt_analysis_ops *const *ops = choice->analyses;
    while (*ops != NULL && *ops != wanted) {
        ops++;
    }
    return *ops != NULL && speaks(subject, choice, *ops);
}

enum { OPTIONS_TEXT_SIZE = 768 };

/* "mpcp.jitter, mpcp.requests": all options of those that run, or "". */
static void list_options(const struct grt_analyses_subject *subject, const struct grt_analyses_choice *choice,
                         char text[OPTIONS_TEXT_SIZE]) {
    text[0] = '\0';
    for (const struct grt_analysis_ops *const *ops = choice->analyses; *ops != NULL; ops++) {
        const struct grt_record *record = speaks(subject, choice, *ops) ? (*ops)->options : NULL;
        for (size_t i = 0; record != NULL && i < record->field_count; i++) {
            size_t used = strlen(text);
            snprintf(text + used, OPTIONS_TEXT_SIZE - used, "%s%s.%s", used > 0 ? ", " : "", (*ops)->name,
                     record->fields[i].name);
        }
    }
}

bool grt_analyses_choice_check(const struct grt_analyses_subject *subject,
                               const struct grt_analyses_choice *choice, struct grt_errors *errors,
                               const struct grt_path *path) {
    const struct grt_analysis_settings *settings = choice->settings;
    bool good = true;
    for (size_t i = 0; settings != NULL && i < settings->count; i++) {
        const struct grt_analysis_ops *analysis = settings->items[i].analysis;
        if (runs(subject, choice, analysis)) {
            continue;
        }
        char options[OPTIONS_TEXT_SIZE];
        list_options(subject, choice, options);
        grt_error_add(
            errors, path, "%s is not run here (policy %s); %s%s", analysis->name, subject->policy->name,
            options[0] != '\0' ? "the analyses that are have " : "no analysis that is has options", options);
        good = false;
    }
    return good;
}
