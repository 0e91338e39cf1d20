/* gpurt verify on GPUs of granularity shares: policies that keep the rules pass, and one that gives too much away is caught and shrunk. */
#include <string.h>

#include "policies/registry.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"
#include "verify/campaign.h"
#include "verify/shrink.h"

#define TASK(name, period, time, usage)                                                                      \
    "{\"name\":\"" name "\",\"period\":\"" period "\",\"segments\":[{\"gpu\":[{\"h2d\":\"10KiB\"},"          \
    "{\"kernel\":\"k\",\"time\":" time ",\"usage\":{" usage "}}]}]}"

/* clang-format off */
static const char text[] =
    "{\"gpurt\":1,\"name\":\"set\",\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":{\"sm_count\":8,"
    "\"granularity\":\"shares\",\"contention\":\"saturation\"}}]},\"policy\":{\"name\":\"hardware\"},\"tasks\":["
    TASK("a", "10ms", "\"1ms\"", "\"sm_utilisation\":0.5,\"demand\":{\"dram\":0.7},\"bound\":{\"dram\":0.5}") ","
    TASK("b", "20ms", "\"3ms\"", "\"sm_utilisation\":0.9,\"host_fraction\":0.2") ","
    TASK("c", "35ms", "{\"min\":\"2ms\",\"max\":\"4ms\"}",
         "\"sm_utilisation\":1,\"demand\":{\"dram\":0.9},\"bound\":{\"dram\":1}") "]}";
/* clang-format on */

struct trial {
    struct grt_scenario_file file;
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_errors errors;
};

static void try_policy(struct trial *trial, const struct grt_policy_ops *policy) {
    *trial = (struct trial){0};
    grt_scenario_text_load(text, NULL, &trial->file);
    grt_subject_start(&trial->subject, &trial->file.scenario, policy, policy->permissive);
    struct grt_campaign_options options = {.patterns = 20, .seed = 1};
    CU_ASSERT_FATAL(grt_campaign_run(&trial->campaign, &trial->subject, &options, &trial->errors));
}

static void end(struct trial *trial) {
    grt_campaign_free(&trial->campaign);
    grt_subject_free(&trial->subject);
    grt_scenario_file_free(&trial->file);
    grt_errors_clear(&trial->errors);
}

/* How often a rule had something to check in all patterns. */
static uint64_t checked(const struct trial *trial, const char *rule) {
    size_t count;
    const struct grt_audit_count *counts = grt_player_counts(trial->campaign.player, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counts[i].rule, rule) == 0) {
            return counts[i].checked;
        }
    }
    return 0;
}

static void right_policies_pass(void) {
    static const char *const names[] = {"hardware", "np-fp", "static-shares", "wamp2s"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct trial trial;
        try_policy(&trial, grt_policy_find(names[i]));
        CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
        CU_ASSERT(checked(&trial, "shares: kernels end when their work is done") > 100);
        CU_ASSERT_EQUAL(checked(&trial, "shared: never more than all of a GPU") > 0, i >= 2);
        end(&trial);
    }
}

/* It leaves everybody all of the GPU: two that meet are enough to see it. */
static void too_much_is_caught(void) {
    struct grt_policy_ops wrong = *grt_policy_find("hardware");
    struct trial trial;
    wrong.promise.gpu = GRT_PROMISE_SHARES;
    try_policy(&trial, &wrong);
    CU_ASSERT_FATAL(trial.campaign.violation_count > 0);
    struct grt_campaign_violation *found = &trial.campaign.violations[0];
    CU_ASSERT_STRING_EQUAL(found->violation.rule, "shared: never more than all of a GPU");
    struct grt_shrinking shrinking = {
        .subject = &trial.subject, .player = trial.campaign.player, .violation = found->violation};
    CU_ASSERT(grt_shrink(&shrinking, &found->shown));
    uint32_t tasks = 0, jobs = 0;
    for (size_t i = 0; i < found->shown.task_count; i++) {
        tasks += !found->shown.tasks[i].absent;
        jobs += found->shown.tasks[i].absent ? 0 : found->shown.tasks[i].count;
    }
    CU_ASSERT_EQUAL(tasks, 2);
    CU_ASSERT_EQUAL(jobs, 2);
    end(&trial);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"right policies pass", right_policies_pass},
        {"too much is caught", too_much_is_caught},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("verify on GPUs of shares", tests);
}
