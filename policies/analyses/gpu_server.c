/* The analysis `gpu-server`: gpu_server_response.c on the whole platform, with its options.
 *
 * Source: H. Kim, P. Patel, S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017.
 * Implements: gpu_server_response.c.
 * Assumes: what LOCK_COVERED leaves out is not there; that the policy does what struct grt_server_parameters says, on one GPU.
 * Deviates: gpu_server_response.c. */
#include <stdio.h>

#include "policies/analyses/lock_set.h"
#include "policies/locks/parameters.h"

struct server_options {
    struct grt_server_rules rules;
    int64_t requests; /* enum lock_requests */
};

#define AT(member) offsetof(struct server_options, member)

static const char *const equations[] = {"auto", "printed", "repaired", NULL};
static const char *const bounds[] = {"smaller", "request", "job", NULL};
static const char *const jitters[] = {"suspending", "response", "deadline", NULL};
static const char *const servers[] = {"response", "deadline", NULL};
static const char *const carries[] = {"response", "one-more", NULL};

static const struct grt_field fields[] = {
    {.name = "equations",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.equations),
     .fallback = "\"auto\"",
     .choices = equations,
     .help = "`printed`: equations (1) to (4) of the paper, epsilon once per request ahead: sound with the "
             "policy's "
             "`enqueue_cost: merged`, UNSOUND with `charged`. `repaired`: twice, and once more for every "
             "request that may "
             "arrive while the server works. `auto`: as the policy's `enqueue_cost` needs."},
    {.name = "bound",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.bound),
     .fallback = "\"smaller\"",
     .choices = bounds,
     .help = "The wait for the server. `request`: a recurrence for each request, equation (1). `job`: by "
             "what comes "
             "while the job lives. `smaller`: the smaller of the two."},
    {.name = "jitter",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.jitter),
     .fallback = "\"suspending\"",
     .choices = jitters,
     .help =
         "How late a more urgent local task's work may come. `suspending`: W - C, and 0 of tasks that never "
         "suspend. `response`: W - C of all, as printed. `deadline`: D - C of all."},
    {.name = "server",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.server),
     .fallback = "\"response\"",
     .choices = servers,
     .help = "How late the server's work e for another task may come, on the server's core. `response`: W - "
             "e of more "
             "urgent tasks, D - e of others. `deadline`: D - e, equation (4)."},
    {.name = "carry",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(rules.carry),
     .fallback = "\"response\"",
     .choices = carries,
     .help = "How many jobs of another task ask within a span x. `response`: ceil((x + W) / T), with D of "
             "less urgent "
             "ones. `one-more`: ceil(x / T) + 1, as printed."},
    {.name = "requests",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(requests),
     .fallback = "\"declared\"",
     .choices = lock_requests_words,
     .help = LOCK_REQUESTS_HELP},
};

static const struct grt_record options = {
    .name = "gpu-server analysis",
    .size = sizeof(struct server_options),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Options of the analysis `gpu-server`.",
};

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct grt_server_parameters defaults = grt_server_default_parameters();
    const struct server_options *chosen = set->options;
    const struct grt_server_parameters *policy = set->parameters != NULL ? set->parameters : &defaults;
    struct grt_server_rules rules = chosen->rules;
    struct lock_set it;
    char how[GRT_ANALYSIS_REASON_SIZE];
    if (policy->epsilon > GRT_LOCK_LONGEST) {
        grt_analysis_refuse(result, "epsilon is above 10^18 ns");
        return;
    }
    if (!lock_set_take(&it, set, policy->budget, chosen->requests, result)) {
        return;
    }
    rules.core = policy->core;
    rules.epsilon = policy->epsilon;
    rules.enqueue = policy->enqueue_cost;
    grt_lock_server(it.tasks, (uint32_t)set->count, &it.costs, &rules, &it.result);
    bool repaired = rules.equations == GRT_LOCK_EQUATIONS_REPAIRED ||
                    (rules.equations == GRT_LOCK_EQUATIONS_AUTO && rules.enqueue == GRT_LOCK_ENQUEUE_CHARGED);
    snprintf(how, sizeof how, "by the %s equations", repaired ? "repaired" : "printed");
    lock_set_finish(&it, set, how, result);
}

static const char *const policies[] = {"gpu-server", NULL};

static const char *const values[] = {"wait", NULL};

/* With these its bounds keep the conditions of Audsley's algorithm; with the defaults they are no larger. */
static const char *const audsley_options[] = {"jitter", "deadline", "server", "deadline",
                                              "carry",  "one-more", NULL};

const struct grt_analysis_ops grt_analysis_gpu_server = {
    .name = "gpu-server",
    .summary = "response times on all cores with a server thread for the GPU",
    .source = "H. Kim, P. Patel, S. Wang, R. Rajkumar, A Server-based Approach for Predictable GPU Access "
              "Control, RTCSA 2017, equations (1) to (4)",
    .deviation = "repaired where an arriving request costs the server time; waits are the smaller of a bound "
                 "by request and "
                 "one by job; the jitter of tasks that never suspend is 0; responses in place of deadlines "
                 "where they are known",
    .policies = policies,
    .bounds = true,
    .scope = GRT_SCOPE_PLATFORM,
    .covers = LOCK_COVERED,
    .options = &options,
    .values = values,
    .suits_audsley = true,
    .audsley_options = audsley_options,
    .run = run,
};
