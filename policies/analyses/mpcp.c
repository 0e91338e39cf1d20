/* The analysis `mpcp`: mpcp_response.c on the whole platform, with its options.
 *
 * Source: K. Lakshmanan, D. de Niz, R. Rajkumar, "Coordinated Task Scheduling, Allocation and Synchronization on Multiprocessors", RTSS 2009,
 * corrected as J.-J. Chen and others, "Many suspensions, many problems", Real-Time Systems 55, 2019, say.
 * Implements: mpcp_response.c.
 * Assumes: what LOCK_COVERED leaves out is not there; that the policy does what struct grt_lock_parameters says.
 * Deviates: mpcp_response.c. */
#include <stdio.h>

#include "policies/analyses/lock_set.h"
#include "policies/locks/parameters.h"

struct mpcp_options {
    struct grt_mpcp_rules rules;
    int64_t requests; /* enum lock_requests */
};

#define AT(member) offsetof(struct mpcp_options, member)

static const char *const bounds[] = {"smaller", "request", "job", NULL};
static const char *const jitters[] = {"suspending", "response", "deadline", "blocking", NULL};
static const char *const carries[] = {"response", "one-more", NULL};
static const char *const holdings[] = {"sound", "local-higher", "local", "any-core", NULL};
static const char *const boosted[] = {"capped", "every", NULL};

static const struct grt_field fields[] = {
    {.name = "bound",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.bound),
     .fallback = "\"smaller\"",
     .choices = bounds,
     .help = "The wait for the lock. `request`: a recurrence for each request, as published. `job`: by what "
             "comes while the job lives. `smaller`: the smaller of the two."},
    {.name = "jitter",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.jitter),
     .fallback = "\"suspending\"",
     .choices = jitters,
     .help =
         "How late a more urgent local task's work may come. `suspending`: W - E, and 0 of tasks that "
         "never suspend. `response`: W - E of all (Chen and others). `deadline`: D - E of all (SchedCAT). "
         "`blocking`: its wait for the lock (Lakshmanan and others), which is UNSOUND."},
    {.name = "carry",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.carry),
     .fallback = "\"response\"",
     .choices = carries,
     .help = "How many jobs of a more urgent task ask within a span x. `response`: ceil((x + W) / T). "
             "`one-more`: ceil(x / T) + 1, as published."},
    {.name = "holding",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.holding),
     .fallback = "\"sound\"",
     .choices = holdings,
     .help =
         "How long a lock is held, W'. `sound`: G with one lock; with several, G and what local holders of "
         "other locks that are boosted as high execute. `local-higher`, `local`, `any-core`: G and the "
         "longest "
         "segment of every more urgent task of the core, of every task of the core (SchedCAT), of every more "
         "urgent task anywhere, as published baselines count: larger than needed with one lock; with several "
         "they need not be enough, and are unsound where they are not."},
    {.name = "boosted",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.boosted),
     .fallback = "\"capped\"",
     .choices = boosted,
     .help = "How often boosted segments of less urgent local tasks delay a job. `every`: one of each task "
             "whenever the job gets ready, as published. `capped`: no more than their jobs have."},
    {.name = "requests",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(requests),
     .fallback = "\"declared\"",
     .choices = lock_requests_words,
     .help = LOCK_REQUESTS_HELP},
};

static const struct grt_record options = {
    .name = "mpcp analysis",
    .size = sizeof(struct mpcp_options),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Options of the analysis `mpcp`.",
};

static const char *holding_of(const struct grt_mpcp_rules *rules, uint32_t locks) {
    static const char *const literal[] = {"", "G and the longest segments of more urgent tasks of the core",
                                          "G and the longest segments of all tasks of the core",
                                          "G and the longest segments of more urgent tasks anywhere"};
    if (rules->holding != GRT_LOCK_HOLDING_SOUND) {
        return literal[rules->holding];
    }
    return locks <= 1 ? "G" : "G and what holders of other locks on its core put before it";
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    static const struct grt_lock_parameters defaults;
    const struct mpcp_options *chosen = set->options;
    const struct grt_lock_parameters *policy = set->parameters != NULL ? set->parameters : &defaults;
    struct grt_mpcp_rules rules = chosen->rules;
    struct lock_set it;
    char how[GRT_ANALYSIS_REASON_SIZE];
    rules.boost = policy->boost;
    rules.waiting = policy->waiting;
    if (!lock_set_take(&it, set, policy->budget, chosen->requests, result)) {
        return;
    }
    grt_lock_mpcp(it.tasks, (uint32_t)set->count, &it.costs, &rules, &it.result);
    snprintf(how, sizeof how, "a lock is held for %s", holding_of(&rules, it.result.locks));
    lock_set_finish(&it, set, how, result);
}

static const char *const policies[] = {"mpcp", NULL};

static const char *const values[] = {"wait", NULL};

const struct grt_analysis_ops grt_analysis_mpcp = {
    .name = "mpcp",
    .summary = "response times on all cores under MPCP, each GPU a lock",
    .source = "K. Lakshmanan, D. de Niz, R. Rajkumar, Coordinated Task Scheduling, Allocation and "
              "Synchronization on Multiprocessors, RTSS 2009, with the jitter of J.-J. Chen and others, Many "
              "suspensions, many problems, Real-Time Systems 55, 2019",
    .deviation =
        "with one lock W' is G; waits are the smaller of a bound by request and one by job; the jitter of "
        "tasks that never suspend is 0; less urgent tasks' segments count no more often than they come",
    .policies = policies,
    .bounds = true,
    .scope = GRT_SCOPE_PLATFORM,
    .covers = LOCK_COVERED | GRT_COVERS_SEVERAL_GPUS,
    .options = &options,
    .values = values,
    .audsley_objection = "may count more of a task below than of the same task above",
    .run = run,
};
