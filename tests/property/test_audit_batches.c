/* labels: soak */
/* The auditor and batches: it accepts what a scheduler does that follows the paper, in random worlds, and refuses those that nearly do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/demand/profile.h"
#include "tests/support/batched_world.h"
#include "tests/support/nearly_batch.h"
#include "tests/support/suite.h"

static const struct grt_audit_batches *promise_of(const struct grt_scenario *scenario,
                                                  const struct grt_nearly_batch *given,
                                                  struct grt_arena *arena) {
    struct grt_audit_batches *batches = grt_arena_array(arena, 1, sizeof *batches);
    grt_time *averages = grt_arena_array(arena, scenario->task_count, sizeof *averages);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        for (uint32_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            bool gpu = scenario->tasks[i].segments[j].kind == GRT_SEGMENT_GPU;
            averages[i] += gpu ? grt_profile_segment(scenario, i, j, 2) : 0;
        }
    }
    *batches =
        (struct grt_audit_batches){.most = (uint32_t)given->most, .averages = averages, .at_once = true};
    return batches;
}

/* Whether the auditor accepts it. */
static bool is_accepted(uint64_t number, const struct grt_nearly_batch *given, struct grt_audit_tally *tally,
                        bool quiet) {
    struct grt_builder *builder = grt_batched_world(number, GRT_AUDITED_PLAIN);
    struct grt_built_run run;
    struct grt_arena arena = {0};
    grt_built_run_start_with(&run, &builder->scenario, &grt_nearly_batch, given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    struct grt_audit_promise promise = {.policy = {.gpu = GRT_PROMISE_BATCHES,
                                                   .order = GRT_ORDER_LATENESS,
                                                   .overlap = (enum grt_promise_overlap)given->overlap,
                                                   .copies_follow = true,
                                                   .whole = true,
                                                   .aborts_nothing = true},
                                        .any_order = true,
                                        .batches = promise_of(&builder->scenario, given, &arena),
                                        .end = run.result->end};
    bool good = grt_audit_records(&builder->scenario, &promise, run.kept.records, run.kept.record_count,
                                  tally, quiet) == 0;
    grt_built_run_free(&run);
    grt_arena_clear(&arena);
    grt_builder_free(builder);
    return good;
}

static struct grt_nearly_batch given_of(uint64_t number) {
    return (struct grt_nearly_batch){.overlap = (int64_t)(number % 3), .most = 1 + (int64_t)(number / 3 % 4)};
}

static void right_ones_are_accepted(void) {
    struct grt_audit_tally tally = {0};
    int cases = grt_suite_cases(600, 30000);
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)cases; i++) {
        struct grt_nearly_batch given = given_of(i);
        good = is_accepted(7000000 + i, &given, &tally, false);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 "\n", 7000000 + i);
        }
    }
    CU_ASSERT(good);
    for (size_t i = 0; i < tally.count; i++) {
        if (strncmp(tally.rule[i], "batches", 7) == 0 || strncmp(tally.rule[i], "cpu-", 4) == 0) {
            if (tally.checked[i] < 50) {
                fprintf(stderr, "%s: checked %" PRIu64 " times\n", tally.rule[i], tally.checked[i]);
            }
            CU_ASSERT(tally.checked[i] >= 50);
        }
    }
}

/* What a fault breaks: a rule, and by which ways of overlapping it can be seen. */
static const struct {
    const char *rule;
    int64_t overlap; /* -1: any */
    int64_t most;    /* 0: any */
} faults[GRT_BATCH_FAULTS] = {
    [GRT_BATCH_EARLIEST] = {"batches: the latest go first", -1, 2},
    [GRT_BATCH_NO_AVERAGES] = {"batches: the latest go first", -1, 2},
    [GRT_BATCH_BY_ARRIVAL] = {"batches: the latest go first", -1, 2},
    [GRT_BATCH_ONE_MORE] = {"batches: nothing of others until all of a batch are done", GRT_OVERLAP_ALL, 0},
    [GRT_BATCH_ONE_LESS] = {"batches: nothing of others until all of a batch are done", -1, 2},
    [GRT_BATCH_JOINED] = {"batches: nothing of others until all of a batch are done", -1, 3},
    [GRT_BATCH_EARLY] = {"batches: nothing of others until all of a batch are done", GRT_OVERLAP_ALL, 2},
    [GRT_BATCH_RESTS] = {"batches: one is formed when somebody waits and none goes on", -1, 0},
    [GRT_BATCH_TOGETHER] = {NULL, -1, 3},
    [GRT_BATCH_COPIES_AT_ONCE] = {"batches: copies in follow those of who is more urgent", -1, 3},
    [GRT_BATCH_BACKWARDS] = {NULL, -1, 2},
    [GRT_BATCH_OUT_FIRST] = {"batches: the operations of a segment in order", -1, 0},
};

static const char *const apart[] = {"batches: one segment after the other",
                                    "batches: kernels of two segments never overlap",
                                    "batches: copies in follow those of who is more urgent"};
static const char *const backwards[] = {"batches: the latest go first",
                                        "batches: copies in follow those of who is more urgent",
                                        "batches: copies in follow those of who is more urgent"};

static const char *rule_of(int fault, int64_t overlap) {
    return faults[fault].rule != NULL    ? faults[fault].rule
           : fault == GRT_BATCH_TOGETHER ? apart[overlap]
                                         : backwards[overlap];
}

static void wrong_ones_are_refused(void) {
    int cases = grt_suite_all_cases(200, 5000);
    for (int fault = GRT_BATCH_RIGHT + 1; fault < GRT_BATCH_FAULTS; fault++) {
        for (int64_t overlap = 0; overlap <= GRT_OVERLAP_ALL; overlap++) {
            struct grt_nearly_batch given = {
                .fault = fault, .overlap = overlap, .most = faults[fault].most > 0 ? faults[fault].most : 2};
            struct grt_audit_tally tally = {0};
            int refused = 0;
            for (int i = 0; i < cases; i++) {
                refused += !is_accepted(7100000 + (uint64_t)i, &given, &tally, true);
            }
            size_t place = grt_audit_tally_find(&tally, rule_of(fault, overlap));
            uint64_t broken = place < tally.count ? tally.broken[place] : 0;
            bool visible = faults[fault].overlap < 0 || faults[fault].overlap == overlap;
            bool good = !visible || (refused >= cases / 100 && broken >= (uint64_t)cases / 100);
            if (!good) {
                fprintf(stderr, "fault %d, overlap %" PRId64 ": %d refused, %" PRIu64 " by the rule\n", fault,
                        overlap, refused, broken);
            }
            CU_ASSERT(good);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"right schedulers are accepted", right_ones_are_accepted},
        {"wrong schedulers are refused", wrong_ones_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor of batches", tests);
}
