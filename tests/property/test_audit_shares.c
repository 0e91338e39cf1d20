/* labels: soak */
/* The auditor of GPUs of granularity shares, whose own reading of F1 to F5 accepts what the simulator does: random worlds under every policy that runs
 * there, and under one that changes shares at random. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/shares_world.h"
#include "tests/support/suite.h"

static struct grt_audit_tally tally;
static uint64_t refused, ran;

static bool is_sound(const struct grt_builder *builder, const struct grt_policy_ops *policy,
                     uint64_t number) {
    struct grt_audited_run audited;
    grt_audited_run_start(&audited, &builder->scenario, policy, policy->permissive);
    const struct grt_trace_memory *kept = &audited.run.kept;
    refused += audited.run.result == NULL;
    ran += audited.run.result != NULL;
    bool good =
        audited.run.result == NULL || grt_audit_records(audited.scenario, &audited.promise, kept->records,
                                                        kept->record_count, &tally, false) == 0;
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy->name);
    }
    grt_audited_run_free(&audited);
    return good;
}

static bool world_is_sound(uint64_t number) {
    struct grt_builder *builder = grt_shares_world(number);
    bool good = is_sound(builder, &grt_fickle_policy, number);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        good &= is_sound(builder, *policy, number);
    }
    grt_builder_free(builder);
    return good;
}

static void traces_are_accepted(void) {
    int cases = grt_suite_cases(300, 100000), bad = 0;
    for (int i = 0; bad < 5 && i < cases; i++) {
        bad += !world_is_sound(5000000 + (uint64_t)i);
    }
    CU_ASSERT_EQUAL(bad, 0);
    for (size_t i = 0; i < tally.count; i++)  fprintf(stderr, "%s: %" PRIu64 "\n", tally.rule[i], tally.checked[i]);
    fprintf(stderr,"ran %" PRIu64 " refused %" PRIu64 "\n", ran, refused);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"traces of random worlds are accepted", traces_are_accepted},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor of shares", tests);
}
