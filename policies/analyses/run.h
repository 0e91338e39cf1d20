/* Runs analyses on a scenario: the one place that knows which of them look at which tasks. `gpurt analyze`, `gpurt verify` and sweeps all
 * come here. */
#ifndef GRT_POLICIES_ANALYSES_RUN_H
#define GRT_POLICIES_ANALYSES_RUN_H

#include "models/analysis_set.h"
#include "models/policy.h"
#include "policies/analyses/settings.h"

/* What is analysed. */
struct grt_analyses_subject {
    const struct grt_scenario *scenario;
    const struct grt_policy_ops *policy;
    /* of the policy, or NULL: its defaults. Analyses that do not speak of it get NULL */
    const void *parameters;
};

/* By what. */
struct grt_analyses_choice {
    const struct grt_analysis_ops *const *analyses; /* NULL-terminated */
    bool whatever_policy; /* all of these; else those of them that speak of the policy */
    const struct grt_analysis_settings *settings; /* options of theirs; NULL: the defaults */
};

/* Whom to tell. What is told lives in the arena, but the struct of the set, which lives until the function returns. */
struct grt_analyses_visitor {
    void *context;

    /* A set comes, for as many of the analyses as there are for its scope; may be NULL. */
    void (*begin)(void *context, const struct grt_analysis_set *set, size_t count);

    /* An analysis has been run on the set. It has the parameters and the options with which it was. */
    void (*found)(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                  const struct grt_analysis_result *result);
};

/* Analysis `number` of all that there are for a policy, or NULL: gpurt's in the order of the registry, then those that the policy brings along
 * (struct grt_policy_ops.analyses). `policy` may be NULL: gpurt's alone. */
const struct grt_analysis_ops *grt_analysis_number(const struct grt_policy_ops *policy, size_t number);

/* All of them, NULL-terminated; in the arena, unless the registry is the list. */
const struct grt_analysis_ops *const *grt_analyses_for(const struct grt_policy_ops *policy,
                                                       struct grt_arena *arena);

/* That of this name among them, or NULL. */
const struct grt_analysis_ops *grt_analysis_find_for(const struct grt_policy_ops *policy, const char *name);

/* Whether an analysis is of a policy: names it, or is one that it brings along. */
bool grt_analysis_is_of(const struct grt_analysis_ops *analysis, const struct grt_policy_ops *policy);

/* Whether it speaks of the policy's schedules with these parameters, NULL for the defaults: it is of the policy, which promises the
 * analysis's order, and does not abort jobs by itself where it has one at a time. */
bool grt_analysis_speaks_of(const struct grt_analysis_ops *analysis, const struct grt_policy_ops *policy,
                            const void *parameters);

/* Whether a result says GRT_VERDICT_UNSCHEDULABLE, and nothing stands behind that: the analysis is not exact, and gives no releases that miss a
 * deadline. That is a claim, and no proof. */
bool grt_analysis_only_claims(const struct grt_analysis_ops *analysis,
                              const struct grt_analysis_result *result);

/* Runs analyses in their order: first those of GRT_SCOPE_GPU on the set of each GPU that has tasks, in the order of the GPUs, then those of
 * GRT_SCOPE_PLATFORM on all tasks. Where nothing is chosen, the sets of the GPUs come all the same. */
void grt_analyses_run(const struct grt_analyses_subject *subject, const struct grt_analyses_choice *choice,
                      const struct grt_analyses_visitor *visitor, struct grt_arena *arena);

/* Sets that an earlier call has made, for later ones with the same scenario, under whatever policy. Starts as {0}; in the arena of the calls. */
struct grt_analyses_kept {
    struct grt_kept_set *sets;
};

/* The same, many times for one scenario: what it is reduced to is made once. */
void grt_analyses_run_kept(const struct grt_analyses_subject *subject,
                           const struct grt_analyses_choice *choice,
                           const struct grt_analyses_visitor *visitor, struct grt_arena *arena,
                           struct grt_analyses_kept *kept);

/* Whether all settings of the choice are of analyses that it runs; else false, after adding an error at `path` for each that is not, which
 * names the options that there are. */
bool grt_analyses_choice_check(const struct grt_analyses_subject *subject,
                               const struct grt_analyses_choice *choice, struct grt_errors *errors,
                               const struct grt_path *path);

#endif
