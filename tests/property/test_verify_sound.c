/* labels: soak */
/* Random task sets under the policies with analyses: nothing that gpurt verify simulates contradicts an analysis or the auditor; bounds of
 * non-preemptive fixed priorities are attained; what is unschedulable has a witness that misses. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "verify/campaign.h"

struct sums {
    uint64_t sets, schedulable, witnesses, bounds, attained;
};

/* Two to six tasks in whole microseconds or nanoseconds, with a load of up to 1.1; some with jitter, drawn times, short deadlines. */
static struct grt_builder *random_set(uint64_t number) {
    struct grt_random random = grt_random_stream(5, "set", number, 0);
    struct grt_builder *builder = grt_builder_create(1000000);
    int64_t tasks = grt_pick(&random, 2, 6), unit = grt_pick(&random, 0, 1) == 0 ? 1 : 1000;
    int64_t load = grt_pick(&random, 20, 110);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int64_t i = 0; i < tasks; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_time period = grt_pick(&random, 20, 400) * unit, share = period * load / (100 * tasks);
        grt_time time = share > 1 ? grt_pick(&random, 1, 2 * share - 1) : 1;
        grt_builder_periodic(task, period, 0);
        task->priority = grt_pick(&random, 0, 9) == 0 ? 0 : -i;
        task->deadline = grt_pick(&random, 0, 2) == 0 ? grt_pick(&random, period / 2, period) : period;
        task->jitter = grt_pick(&random, 0, 3) == 0 ? grt_pick(&random, 0, period / 4) : 0;
        struct grt_kernel *kernel = grt_builder_whole(builder, task, time);
        if (grt_pick(&random, 0, 2) == 0) {
            kernel->block_time =
                (struct grt_distribution){.kind = GRT_UNIFORM, .min = (time + 1) / 2, .max = time};
        }
    }
    return builder;
}

static void add_up(const struct grt_campaign *campaign, struct sums *sums) {
    sums->sets++;
    for (size_t i = 0; i < campaign->claims.count; i++) {
        const struct grt_claim *claim = &campaign->claims.items[i];
        sums->schedulable += claim->verdict == GRT_VERDICT_SCHEDULABLE;
        sums->witnesses += campaign->witnesses[i].missed;
        for (uint32_t j = 0; j < campaign->subject->scenario->task_count; j++) {
            double closeness = grt_campaign_closeness(campaign, claim, j);
            sums->bounds += closeness >= 0;
            sums->attained += closeness == 1.0;
        }
    }
}

static bool nothing_found(const struct grt_builder *builder, const char *policy, uint64_t number,
                          struct sums *sums) {
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_errors errors = {0};
    struct grt_campaign_options options = {.patterns = 60, .seed = number};
    const struct grt_policy_ops *ops = grt_policy_find(policy);
    grt_subject_start(&subject, &builder->scenario, ops, NULL);
    bool good = grt_campaign_run(&campaign, &subject, &options, &errors);
    bool refused = !good && ops->permissive != NULL; /* by default it does not run what it cannot guarantee */
    if (good && campaign.violation_count > 0) {
        printf("\n    set %" PRIu64 " under %s: %s\n", number, policy, campaign.violations[0].violation.text);
        good = false;
    }
    add_up(&campaign, sums);
    grt_campaign_free(&campaign);
    grt_subject_free(&subject);
    if (!refused) {
        grt_errors_print(&errors, stdout, "    ");
    }
    grt_errors_clear(&errors);
    return good || refused;
}

static void try_policy(const char *policy, int cases, bool has_bounds, bool has_witnesses) {
    int bad = 0;
    struct sums sums = {0};
    for (int i = 0; i < cases && bad < 5; i++) {
        struct grt_builder *builder = random_set((uint64_t)i);
        bad += !nothing_found(builder, policy, (uint64_t)i, &sums);
        grt_builder_free(builder);
    }
    printf("\n    %s: %" PRIu64 " sets, %" PRIu64 " verdicts of schedulable, %" PRIu64
           " witnesses missed, %" PRIu64 " of %" PRIu64 " bounds attained ",
           policy, sums.sets, sums.schedulable, sums.witnesses, sums.attained, sums.bounds);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(sums.schedulable > sums.sets / 20);
    CU_ASSERT(!has_bounds || sums.attained * 2 > sums.bounds);
    CU_ASSERT(!has_witnesses || sums.witnesses > sums.sets / 20);
}

static void np_fp(void) {
    try_policy("np-fp", grt_suite_cases(100, 20000), true, false);
}

static void np_rm(void) {
    try_policy("np-rm", grt_suite_cases(100, 20000), true, false);
}

static void np_edf(void) {
    try_policy("np-edf", grt_suite_cases(100, 20000), false, true);
}

static void tdm(void) {
    try_policy("tdm", grt_suite_cases(20, 500), false, false);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"np-fp", np_fp}, {"np-rm", np_rm}, {"np-edf", np_edf}, {"tdm", tdm}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sound analyses stand", tests);
}
