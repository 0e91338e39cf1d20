/* The analysis `fmlp+`: fmlp_response.c on the whole platform, with its options.
 *
 * Source: B. Brandenburg, "The FMLP+: An Asymptotically Optimal Real-Time Locking Protocol for Suspension-Aware Analysis", ECRTS 2014.
 * Implements: fmlp_response.c.
 * Assumes: what LOCK_COVERED leaves out is not there; that the policy does what struct grt_lock_parameters says.
 * Deviates: fmlp_response.c. */
#include "policies/analyses/lock_set.h"
#include "policies/locks/parameters.h"

struct fmlp_options {
    struct grt_fmlp_rules rules;
    int64_t requests; /* enum lock_requests */
};

#define AT(member) offsetof(struct fmlp_options, member)

static const char *const jitters[] = {"suspending", "response", "deadline", NULL};

static const struct grt_field fields[] = {
    {.name = "jitter",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.jitter),
     .fallback = "\"suspending\"",
     .choices = jitters,
     .help = "How late a more urgent local task's work may come. `suspending`: W - E, and 0 of tasks that "
             "never suspend. `response`: W - E of all. `deadline`: D - E of all (SchedCAT)."},
    {.name = "once",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(rules.once),
     .fallback = "false",
     .help = "true: waits are bounded with other tasks' deadlines for their responses, once. false: then "
             "with the "
             "bounds that came out, until nothing changes."},
    {.name = "requests",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(requests),
     .fallback = "\"declared\"",
     .choices = lock_requests_words,
     .help = LOCK_REQUESTS_HELP},
};

static const struct grt_record options = {
    .name = "fmlp+ analysis",
    .size = sizeof(struct fmlp_options),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Options of the analysis `fmlp+`.",
};

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    static const struct grt_lock_parameters defaults;
    const struct fmlp_options *chosen = set->options;
    const struct grt_lock_parameters *policy = set->parameters != NULL ? set->parameters : &defaults;
    struct grt_fmlp_rules rules = chosen->rules;
    struct lock_set it;
    rules.waiting = policy->waiting;
    if (!lock_set_take(&it, set, policy->budget, chosen->requests, result)) {
        return;
    }
    grt_lock_fmlp(it.tasks, (uint32_t)set->count, &it.costs, &rules, &it.result);
    lock_set_finish(&it, set,
                    it.result.locks <= 1
                        ? "a lock is held for G"
                        : "a lock is held for G and what holders of other locks on its core put before it",
                    result);
}

static const char *const policies[] = {"fmlp+", NULL};

static const char *const values[] = {"wait", NULL};

const struct grt_analysis_ops grt_analysis_fmlp = {
    .name = "fmlp+",
    .summary = "response times on all cores under FMLP+, each GPU a lock",
    .source = "B. Brandenburg, The FMLP+: An Asymptotically Optimal Real-Time Locking Protocol for "
              "Suspension-Aware Analysis, ECRTS 2014",
    .deviation = "requests of a job count with their sum; responses of others are found by iteration; "
                 "several locks are "
                 "bounded more coarsely",
    .policies = policies,
    .bounds = true,
    .scope = GRT_SCOPE_PLATFORM,
    .covers = LOCK_COVERED | GRT_COVERS_SEVERAL_GPUS,
    .options = &options,
    .values = values,
    .audsley_objection = "may count more of a task below than of the same task above",
    .run = run,
};
