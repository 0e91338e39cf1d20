/* labels: soak branches */
/* Bounds of the analyses of locks and of the GPU server against gpurt's own simulator: no job of a random set that is accepted takes longer
 * than its task's bound, whatever the releases; equations that are known to be wrong are refuted. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_options.h"
#include "models/analysis_set.h"
#include "policies/analyses/registry.h"
#include "tests/support/lock_release.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

static struct lock_world it;

/* ---- what is tried ---- */

struct trial {
    const char *name;
    enum grt_reference_protocol protocol;
    bool suspends, boosts_own, charged;
    int64_t locks;       /* GPUs that tasks use, each task one; 0: one */
    const char *options; /* "name=value name=value"; those that are always given */
    bool unsound;
};

/* Options that are sound and may be given besides; those of W' with one lock only. */
static const char *const mpcp_choices[] = {"bound=request",
                                           "bound=job",
                                           "jitter=response",
                                           "jitter=deadline",
                                           "carry=one-more",
                                           "boosted=every",
                                           "bound=smaller",
                                           "holding=local",
                                           "holding=any-core",
                                           "holding=local-higher",
                                           NULL};
static const char *const fmlp_choices[] = {"jitter=response", "jitter=deadline", "once=true", NULL};
static const char *const server_choices[] = {
    "bound=request",  "bound=job", "jitter=response", "jitter=deadline", "server=deadline",
    "carry=one-more", NULL};

static int64_t count_of(const char *const *choices, bool several_locks) {
    int64_t count = 0;
    while (choices[count] != NULL && !(several_locks && strncmp(choices[count], "holding", 7) == 0)) {
        count++;
    }
    return count;
}

static void set_option(const struct grt_analysis_ops *ops, void *options, const char *text) {
    char name[64];
    struct grt_errors errors = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    CU_ASSERT_FATAL(grt_analysis_option_set(ops->options, options, ops->name, name,
                                            text + strcspn(text, "=") + 1, &errors));
}

/* The trial's options, and in one set of three up to three others: the defaults are the tightest. */
static void choose_options(const struct trial *trial, const struct grt_analysis_ops *ops, void *options,
                           struct grt_random *random) {
    static const char *const *const choices[] = {mpcp_choices, fmlp_choices, server_choices};
    const char *const *choice = choices[trial->protocol];
    int64_t known = count_of(choice, trial->locks > 1);
    char text[128];
    grt_analysis_options_default(ops->options, options);
    for (int64_t i = grt_pick(random, 0, 2) == 0 ? grt_pick(random, 1, 3) : 0; i > 0; i--) {
        set_option(ops, options, choice[grt_pick(random, 0, known - 1)]);
    }
    snprintf(text, sizeof text, "%s", trial->options != NULL ? trial->options : "");
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        set_option(ops, options, word);
    }
}

/* ---- a set ---- */

/* Draws one until the analysis accepts it; its bounds are in the builder's arena. */
static const int64_t *next_accepted(const struct trial *trial, struct grt_reference_lock *set,
                                    struct grt_random *random) {
    static const char *const analyses[] = {"mpcp", "fmlp+", "gpu-server"};
    const struct grt_analysis_ops *ops = grt_analysis_find(analyses[trial->protocol]);
    _Alignas(max_align_t) char options[GRT_ANALYSIS_OPTIONS_SIZE];
    for (;;) {
        lock_release_draw_set(&it, set, random);
        set->protocol = trial->protocol;
        set->suspends = trial->suspends;
        set->boosts_own = trial->boosts_own;
        it.charged = trial->charged;
        for (int i = 0; i < set->count && trial->locks > 1; i++) {
            set->tasks[i].gpu = grt_pick(random, 0, trial->locks - 1);
        }
        lock_world_make(&it, set);
        struct grt_analysis_set given = grt_analysis_set_of(&it.builder->scenario, GRT_ANALYSIS_ALL_GPUS,
                                                            it.parameters, &it.builder->arena);
        struct grt_analysis_result result = grt_analysis_result_for(&given, &it.builder->arena);
        choose_options(trial, ops, options, random);
        given.options = options;
        grt_analysis_run(ops, &given, &result);
        CU_ASSERT_FATAL(result.verdict == GRT_VERDICT_SCHEDULABLE || result.verdict == GRT_VERDICT_UNKNOWN ||
                        result.verdict == GRT_VERDICT_UNSCHEDULABLE);
        if (result.verdict == GRT_VERDICT_SCHEDULABLE) {
            return result.response;
        }
    }
}

/* The largest response / bound, of all tasks, and of those that use a GPU. */
struct closeness {
    double all, users;
};

/* Some patterns, all in one run. Above 1, too, where a job did not end at all. */
static void play(const int64_t *bounds, int patterns, bool shorter, struct grt_random *random,
                 struct closeness *closeness) {
    memset(it.arrival_count, 0, sizeof it.arrival_count);
    int64_t end = lock_release_patterns(&it, patterns, 0, random);
    lock_world_run(&it, end, shorter, (uint64_t)grt_pick(random, 1, 1000000));
    for (int i = 0; i < it.set->count; i++) {
        double ratio = (double)it.response[i] / (double)bounds[i];
        double user = it.set->tasks[i].segments > 0 ? ratio : 0.0;
        closeness->all = ratio > closeness->all ? ratio : closeness->all;
        closeness->users = user > closeness->users ? user : closeness->users;
    }
    closeness->all = it.all_ended ? closeness->all : 2.0;
}

/* Bounds as deadlines at which jobs are aborted: a job that takes just as long has met it, whatever happens at that instant. */
static void make_bounds_deadlines(const int64_t *bounds) {
    for (int i = 0; i < it.set->count; i++) {
        it.builder->tasks[i].deadline = bounds[i];
        it.builder->tasks[i].on_miss = GRT_MISS_ABORT;
    }
}

/* ---- many sets ---- */

struct campaign {
    int accepted, violated;
    int with_users;          /* sets in which a task uses a GPU */
    struct closeness ratios; /* sums over sets */
};

static void add_up(struct campaign *campaign, const struct closeness *closeness) {
    campaign->accepted++;
    campaign->violated += closeness->all > 1.0;
    campaign->with_users += closeness->users > 0.0;
    campaign->ratios.all += closeness->all;
    campaign->ratios.users += closeness->users;
}

static void report(const struct trial *trial, const struct campaign *campaign, int patterns) {
    printf("    %-42s %6d accepted sets, %d patterns each: %d violated; mean of the largest response / bound "
           "%.3f, of tasks that use a GPU %.3f\n",
           trial->name, campaign->accepted, patterns, campaign->violated,
           campaign->ratios.all / campaign->accepted, campaign->ratios.users / campaign->with_users);
    fflush(stdout);
}

/* Four patterns of five take all times at their longest; some more are held against deadlines. */
static struct campaign try_sets(const struct trial *trial, int cases, int patterns) {
    struct campaign campaign = {0};
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, trial->name, 0, 0);
        struct grt_reference_lock set;
        const int64_t *bounds = next_accepted(trial, &set, &random);
        struct closeness closeness = {0};
        play(bounds, patterns - patterns / 5, false, &random, &closeness);
        play(bounds, patterns / 5, true, &random, &closeness);
        if (!trial->unsound) {
            make_bounds_deadlines(bounds);
            play(bounds, patterns / 5, false, &random, &closeness);
        }
        add_up(&campaign, &closeness);
        if (closeness.all > 1.0 && campaign.violated == 1) {
            printf("    %s: set %d, of %d tasks, takes %.3f of a bound\n", trial->name, i, set.count,
                   closeness.all);
        }
    }
    report(trial, &campaign, patterns);
    return campaign;
}

static void sound_analyses_hold(void) {
    static const struct trial trials[] = {
        {.name = "mpcp, busy-waiting, remote ceiling"},
        {.name = "mpcp, busy-waiting, own priority", .boosts_own = true},
        {.name = "mpcp, suspension, remote ceiling", .suspends = true},
        {.name = "mpcp, suspension, own priority", .suspends = true, .boosts_own = true},
        {.name = "fmlp+, busy-waiting", .protocol = GRT_REFERENCE_FMLP},
        {.name = "fmlp+, suspension", .protocol = GRT_REFERENCE_FMLP, .suspends = true},
        {.name = "mpcp, two locks, busy-waiting, ceiling", .locks = 2},
        {.name = "mpcp, two locks, busy-waiting, own", .boosts_own = true, .locks = 2},
        {.name = "mpcp, two locks, suspension, ceiling", .suspends = true, .locks = 2},
        {.name = "mpcp, two locks, suspension, own", .suspends = true, .boosts_own = true, .locks = 2},
        {.name = "fmlp+, two locks, busy-waiting", .protocol = GRT_REFERENCE_FMLP, .locks = 2},
        {.name = "fmlp+, two locks, suspension",
         .protocol = GRT_REFERENCE_FMLP,
         .suspends = true,
         .locks = 2},
        {.name = "gpu-server, merged, printed equations", .protocol = GRT_REFERENCE_SERVER},
        {.name = "gpu-server, merged, repaired equations",
         .protocol = GRT_REFERENCE_SERVER,
         .options = "equations=repaired"},
        {.name = "gpu-server, merged, exactly as printed",
         .protocol = GRT_REFERENCE_SERVER,
         .options = "equations=printed bound=request jitter=response server=deadline carry=one-more"},
        {.name = "gpu-server, charged, repaired equations",
         .protocol = GRT_REFERENCE_SERVER,
         .charged = true},
    };
    printf("\n");
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct campaign campaign = try_sets(&trials[i], grt_suite_cases(60, 60000), grt_suite_cases(10, 30));
        CU_ASSERT_EQUAL(campaign.violated, 0);
        CU_ASSERT_TRUE(campaign.ratios.users > 0.6 * campaign.with_users);
    }
}

/* The printed equations where every request costs the server epsilon at its arrival. */
static void printed_equations_are_refuted(void) {
    static const struct trial trial = {.name = "gpu-server, charged, printed equations",
                                       .protocol = GRT_REFERENCE_SERVER,
                                       .charged = true,
                                       .options = "equations=printed",
                                       .unsound = true};
    struct campaign campaign = try_sets(&trial, grt_suite_cases(300, 60000), grt_suite_cases(10, 30));
    CU_ASSERT_TRUE(campaign.violated > 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"no response exceeds its bound", sound_analyses_hold},
        {"the printed equations are refuted where arrivals cost", printed_equations_are_refuted},
        CU_TEST_INFO_NULL,
    };
    int failed = grt_suite_run("locks, simulated", tests);
    lock_world_free(&it);
    return failed;
}
