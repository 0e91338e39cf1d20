/* labels: soak */
/* Random task sets on several GPUs and cores, with CPU segments, tasks that only compute, and cores that tasks of different GPUs share: nothing that
 * gpurt verify simulates contradicts an analysis or the auditor, and analyses refuse exactly the GPUs with shared cores,
 * host parts, or costs on cores that tasks use. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "verify/campaign.h"

struct sums {
    uint64_t sets, claims, refused, schedulable, bounds, computing, missed;
};

/* Some with a worst case that is declared below or above all that is drawn. */
static struct grt_distribution time_up_to(struct grt_random *random, grt_time longest) {
    bool drawn = grt_pick(random, 0, 2) == 0, declared = grt_pick(random, 0, 4) == 0;
    return (struct grt_distribution){.kind = drawn ? GRT_UNIFORM : GRT_CONSTANT,
                                     .min = drawn ? grt_pick(random, 1, longest) : longest,
                                     .max = longest,
                                     .declared = declared ? grt_pick(random, 1, 2 * longest) : 0};
}

static void add_cpu(struct grt_builder *builder, struct grt_task *task, struct grt_random *random,
                    grt_time longest) {
    grt_builder_cpu(builder, task, longest)->cpu_time = time_up_to(random, longest);
}

/* One to four tasks for each GPU, of a light load, and up to two that only compute, some of them for too long. */
static void add_task(struct grt_builder *builder, struct grt_random *random, int64_t gpu, int64_t core) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time period = grt_pick(random, 40, 400), longest = period / grt_pick(random, 6, 12);
    grt_builder_periodic(task, period, 0);
    task->priority = -(int64_t)builder->scenario.task_count;
    task->jitter = grt_pick(random, 0, 3) == 0 ? grt_pick(random, 0, period / 8) : 0;
    task->cpu = core;
    if (gpu < 0 && grt_pick(random, 0, 5) == 0) {
        longest = grt_pick(random, period / 2, period + period / 8);
        task->deadline = grt_pick(random, period / 4, 4 * period);
    }
    if (gpu < 0 || grt_pick(random, 0, 1) == 0) {
        add_cpu(builder, task, random, longest);
    }
    if (gpu >= 0) {
        task->gpu = gpu;
        grt_builder_whole(builder, task, longest)->block_time = time_up_to(random, longest);
        if (grt_pick(random, 0, 3) == 0) {
            add_cpu(builder, task, random, longest);
        }
    }
}

static struct grt_builder *random_set(uint64_t number) {
    struct grt_random random = grt_random_stream(7, "platform", number, 0);
    struct grt_builder *builder = grt_builder_create(1000000);
    int64_t gpus = grt_pick(&random, 1, 3), core = 0, kind = grt_pick(&random, 0, 7);
    for (int64_t gpu = 0; gpu < gpus; gpu++) {
        grt_builder_gpu(builder, grt_built_exclusive());
        int64_t tasks = grt_pick(&random, gpu == 0 ? 0 : 1, 4);
        for (int64_t i = 0; i < tasks; i++) {
            add_task(builder, &random, gpu, core++);
        }
    }
    for (int64_t i = grt_pick(&random, builder->scenario.task_count == 0, 2); i > 0; i--) {
        add_task(builder, &random, -1, core++);
    }
    builder->scenario.core_count = core;
    if (kind <= 1) { /* one pair of tasks, of any GPUs */
        size_t last = builder->scenario.task_count - 1;
        builder->tasks[grt_pick(&random, 0, (int64_t)last)].cpu = grt_pick(&random, 0, core - 1);
    }
    if (kind == 2) {
        builder->scenario.context_switch = grt_pick(&random, 0, 3);
        builder->scenario.wake_up = grt_pick(&random, 1, 3);
    }
    if (kind == 3) { /* of the last task, if it uses a GPU */
        builder->segments[builder->scenario.task_count - 1][0].host_part[GRT_HOST_AFTER].max = 2;
    }
    return builder;
}

/* ---- which GPUs have to be refused, counted from the scenario ---- */

static bool uses_gpu(const struct grt_task *task) {
    bool uses = false;
    for (size_t i = 0; i < task->segment_count; i++) {
        uses |= task->segments[i].kind == GRT_SEGMENT_GPU;
    }
    return uses;
}

static bool has_shared_core(const struct grt_scenario *scenario, const struct grt_task *task) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        if (other != task && other->cpu == task->cpu && grt_task_uses_cpu(task) && grt_task_uses_cpu(other)) {
            return true;
        }
    }
    return false;
}

static bool has_host_parts(const struct grt_task *task) {
    bool has = false;
    for (size_t i = 0; i < task->segment_count; i++) {
        has |=
            task->segments[i].kind == GRT_SEGMENT_GPU && task->segments[i].host_part[GRT_HOST_AFTER].max > 0;
    }
    return has;
}

/* Those of tasks without GPU segments are of the first claim's GPU. */
static bool is_to_be_refused(const struct grt_scenario *scenario, uint32_t gpu, uint32_t first) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        bool own = uses_gpu(task) ? task->gpu == (int64_t)gpu : gpu == first;
        bool costs = scenario->context_switch > 0 || scenario->wake_up > 0;
        if (own &&
            (has_shared_core(scenario, task) || (costs && grt_task_uses_cpu(task)) || has_host_parts(task))) {
            return true;
        }
    }
    return false;
}

/* ---- the campaign ---- */

static bool check_claim(const struct grt_campaign *campaign, const struct grt_claim *claim,
                        struct sums *sums) {
    const struct grt_scenario *scenario = campaign->subject->scenario;
    const struct grt_claim *first = &campaign->claims.items[0];
    bool refused = claim->verdict == GRT_VERDICT_INAPPLICABLE &&
                   (strstr(claim->reason, "core") != NULL || strstr(claim->reason, "host parts") != NULL);
    bool right = strcmp(claim->analysis->name, "utilisation") == 0 ||
                 refused == is_to_be_refused(scenario, claim->gpu, first->gpu);
    sums->claims++;
    sums->refused += refused;
    sums->schedulable += claim->verdict == GRT_VERDICT_SCHEDULABLE;
    sums->missed += claim->witness != NULL && campaign->witnesses[claim - first].missed;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        bool bound = claim->covers[i] && claim->bounds[i] != GRT_ANALYSIS_NEVER;
        sums->bounds += bound;
        sums->computing += bound && !uses_gpu(&scenario->tasks[i]);
    }
    return right;
}

/* Every task is spoken of by some claim of each analysis. */
static bool all_are_covered(const struct grt_campaign *campaign) {
    bool all = campaign->claims.count > 0;
    for (uint32_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        size_t covered = 0;
        for (size_t j = 0; j < campaign->claims.count; j++) {
            covered += campaign->claims.items[j].covers[i];
        }
        all = all && covered > 0;
    }
    return all;
}

static bool nothing_found(const struct grt_builder *builder, const char *policy, uint64_t number,
                          struct sums *sums) {
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_errors errors = {0};
    struct grt_campaign_options options = {.patterns = 40, .seed = number};
    grt_subject_start(&subject, &builder->scenario, grt_policy_find(policy), NULL);
    bool good = grt_campaign_run(&campaign, &subject, &options, &errors) && all_are_covered(&campaign);
    sums->sets++;
    for (size_t i = 0; i < campaign.claims.count; i++) {
        good = check_claim(&campaign, &campaign.claims.items[i], sums) && good;
    }
    if (campaign.violation_count > 0) {
        printf("\n    %s", campaign.violations[0].violation.text);
        good = false;
    }
    if (!good) {
        printf("\n    set %" PRIu64 " under %s\n", number, policy);
    }
    grt_campaign_free(&campaign);
    grt_subject_free(&subject);
    grt_errors_print(&errors, stdout, "    ");
    grt_errors_clear(&errors);
    return good;
}

static void try_policy(const char *policy, bool has_bounds) {
    int bad = 0, cases = grt_suite_cases(60, 20000);
    struct sums sums = {0};
    for (int i = 0; i < cases && bad < 5; i++) {
        struct grt_builder *builder = random_set((uint64_t)i);
        bad += !nothing_found(builder, policy, (uint64_t)i, &sums);
        grt_builder_free(builder);
    }
    printf("\n    %s: %" PRIu64 " sets, %" PRIu64 " claims, %" PRIu64
           " refused for cores, costs and host parts, %" PRIu64 " schedulable, %" PRIu64 " bounds, %" PRIu64
           " of tasks that only compute, %" PRIu64 " that give releases that miss ",
           policy, sums.sets, sums.claims, sums.refused, sums.schedulable, sums.bounds, sums.computing,
           sums.missed);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(sums.schedulable * 4 > sums.claims && sums.refused * 40 > sums.claims);
    CU_ASSERT(sums.missed * 100 > sums.claims);
    CU_ASSERT(!has_bounds || sums.computing * 20 > sums.bounds);
}

static void np_fp(void) {
    try_policy("np-fp", true);
}

static void np_rm(void) {
    try_policy("np-rm", true);
}

static void np_edf(void) {
    try_policy("np-edf", true);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"np-fp", np_fp},
        {"np-rm", np_rm},
        {"np-edf", np_edf},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("what analyses claim of platforms", tests);
}
