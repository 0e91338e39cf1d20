/* labels: soak */
/* The auditor and policies with two streams of different priority: it accepts what follows the paper, in random worlds, and refuses what nearly
 * does. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/audited_world.h"
#include "tests/support/nearly_levels.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = grt_audited_world(number, GRT_AUDITED_PLAIN);
    struct grt_random random = grt_random_stream(number, "levels", 0, 0);
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].priority_levels = grt_pick(&random, 2, 3);
    }
    return builder;
}

static bool is_accepted(uint64_t number, const struct grt_nearly_levels *given, struct grt_audit_tally *tally,
                        bool quiet) {
    struct grt_builder *builder = make_world(number);
    struct grt_built_run run;
    grt_built_run_start_with(&run, &builder->scenario, &grt_nearly_levels, given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    struct grt_audit_promise promise = {
        .policy = {.gpu = GRT_PROMISE_TWO_LEVELS,
                   .order = given->by_deadline ? GRT_ORDER_DEADLINE : GRT_ORDER_PRIORITY,
                   .co_run = given->co_run,
                   .whole = true,
                   .aborts_nothing = true},
        .end = run.result->end};
    if (number % 16 == 15) { /* an order that the auditor does not know */
        promise.policy.order = GRT_ORDER_NONE;
    }
    bool good = grt_audit_records(&builder->scenario, &promise, run.kept.records, run.kept.record_count,
                                  tally, quiet) == 0;
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void right_ones_are_accepted(void) {
    struct grt_audit_tally tally = {0};
    int cases = grt_suite_cases(600, 100000);
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
        struct grt_nearly_levels given = {.co_run = i % 2 == 0, .by_deadline = i / 2 % 2 == 0};
        good = is_accepted(7200000 + i, &given, &tally, false);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 "\n", 7200000 + i);
        }
    }
    CU_ASSERT(good);
    for (size_t i = 0; i < tally.count; i++) {
        if (strncmp(tally.rule[i], "pruda-multi", 11) == 0) {
            if (tally.checked[i] < 50) {
                fprintf(stderr, "%s: checked %" PRIu64 " times\n", tally.rule[i], tally.checked[i]);
            }
            CU_ASSERT(tally.checked[i] >= 50);
        }
    }
}

static const char *const rules[GRT_LEVELS_FAULTS] = {
    [GRT_LEVELS_LAST_FIRST] = "levels: the most urgent goes first",
    [GRT_LEVELS_ANYBODY] = "levels: only who is more urgent goes beside another",
    [GRT_LEVELS_NOBODY] = "levels: the most urgent goes first",
    [GRT_LEVELS_THREE] = "levels: at most two segments, one in each stream",
    [GRT_LEVELS_CO_RUN] = "levels: only who is more urgent goes beside another",
    [GRT_LEVELS_RESTS] = "levels: never idle while a segment waits",
    [GRT_LEVELS_SWAPPED] = "levels: blocks wait for those of the stream of high priority",
    [GRT_LEVELS_ALIKE] = "levels: blocks wait for those of the stream of high priority",
    [GRT_LEVELS_ONE_STREAM] = "levels: at most two segments, one in each stream",
};

static void wrong_ones_are_refused(void) {
    int cases = grt_suite_all_cases(200, 5000);
    for (int fault = GRT_LEVELS_RIGHT + 1; fault < GRT_LEVELS_FAULTS; fault++) {
        struct grt_nearly_levels given = {.fault = fault, .by_deadline = fault % 2 == 0};
        struct grt_audit_tally tally = {0};
        int refused = 0;
        for (int i = 0; i < cases; i++) {
            refused += !is_accepted(7300000 + (uint64_t)i, &given, &tally, true);
        }
        size_t place = grt_audit_tally_find(&tally, rules[fault]);
        uint64_t broken = place < tally.count ? tally.broken[place] : 0;
        bool good = refused >= cases / 50 && broken >= (uint64_t)cases / 50;
        if (!good) {
            fprintf(stderr, "fault %d: %d refused, %" PRIu64 " by the rule\n", fault, refused, broken);
        }
        CU_ASSERT(good);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"right policies are accepted", right_ones_are_accepted},
        {"wrong policies are refused", wrong_ones_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor of two streams", tests);
}
