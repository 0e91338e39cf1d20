/* labels: soak alone */
/* The example of a plug-in, examples/llf/llf.c, compiled into the test: on random task sets of one GPU or two, nothing that gpurt verify
 * simulates contradicts its analysis, and the auditor finds that it keeps what it promises. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/plugin.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "verify/campaign.h"

extern const struct grt_plugin grt_plugin;

struct sums {
    uint64_t sets, schedulable, missed, open; /* open: neither proven nor seen to miss */
};

/* Two to six tasks with a load of up to 1.1 of each GPU; some with drawn times, some with deadlines before or behind the period. */
static struct grt_builder *random_set(uint64_t number) {
    struct grt_random random = grt_random_stream(7, "set", number, 0);
    struct grt_builder *builder = grt_builder_create(1000000);
    int64_t gpus = grt_pick(&random, 0, 3) == 0 ? 2 : 1, tasks = grt_pick(&random, 2 * gpus, 6);
    int64_t unit = grt_pick(&random, 0, 1) == 0 ? 1 : 1000, load = grt_pick(&random, 20, 110);
    for (int64_t i = 0; i < gpus; i++) {
        grt_builder_gpu(builder, grt_built_exclusive());
    }
    for (int64_t i = 0; i < tasks; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_time period = grt_pick(&random, 20, 400) * unit, share = period * load * gpus / (100 * tasks);
        grt_time time = share > 1 ? grt_pick(&random, 1, 2 * share - 1) : 1;
        int64_t kind = grt_pick(&random, 0, 5);
        grt_builder_periodic(task, period, 0);
        task->gpu = i % gpus;
        task->deadline = kind < 2    ? grt_pick(&random, period / 2, period)
                         : kind == 2 ? grt_pick(&random, period, 3 * period)
                                     : period;
        struct grt_kernel *kernel = grt_builder_whole(builder, task, time);
        if (grt_pick(&random, 0, 2) == 0) {
            kernel->block_time =
                (struct grt_distribution){.kind = GRT_UNIFORM, .min = (time + 1) / 2, .max = time};
        }
    }
    return builder;
}

static void add_up(const struct grt_campaign *campaign, struct sums *sums) {
    size_t proven = 0;
    bool missed = false;
    for (size_t i = 0; i < campaign->claims.count; i++) {
        proven += campaign->claims.items[i].verdict == GRT_VERDICT_SCHEDULABLE;
    }
    for (size_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        missed = missed || campaign->tasks[i].missed > 0;
    }
    bool all = proven == campaign->claims.count;
    sums->sets++;
    sums->schedulable += all;
    sums->missed += missed;
    sums->open += !all && !missed;
}

static bool nothing_found(const struct grt_builder *builder, uint64_t number, struct sums *sums) {
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_errors errors = {0};
    const struct grt_campaign_options options = {.patterns = 60, .seed = number};
    grt_subject_start(&subject, &builder->scenario, grt_plugin.policy, NULL);
    bool good = grt_campaign_run(&campaign, &subject, &options, &errors);
    CU_ASSERT_EQUAL(campaign.claims.count, builder->scenario.gpu_count);
    if (good && campaign.violation_count > 0) {
        printf("\n    set %" PRIu64 ": %s\n", number, campaign.violations[0].violation.text);
        good = false;
    }
    add_up(&campaign, sums);
    grt_campaign_free(&campaign);
    grt_subject_free(&subject);
    grt_errors_print(&errors, stdout, "    ");
    grt_errors_clear(&errors);
    return good;
}

static void nothing_contradicts_its_analysis(void) {
    int bad = 0, cases = grt_suite_cases(500, 20000);
    struct sums sums = {0};
    for (int i = 0; i < cases && bad < 5; i++) {
        struct grt_builder *builder = random_set((uint64_t)i);
        bad += !nothing_found(builder, (uint64_t)i, &sums);
        grt_builder_free(builder);
    }
    printf("\n    %" PRIu64 " sets: %" PRIu64 " proven, %" PRIu64 " seen to miss, %" PRIu64 " neither ",
           sums.sets, sums.schedulable, sums.missed, sums.open);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(sums.schedulable > sums.sets / 5 && sums.missed > sums.sets / 5);
    CU_ASSERT(sums.open < sums.sets / 10); /* it is sharp */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"nothing contradicts its analysis", nothing_contradicts_its_analysis},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the example of a plug-in", tests);
}
