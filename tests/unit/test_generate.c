/* labels: wrap-malloc */
/* Generated task sets: the same on every machine, each property for itself, rounding, refusals. Distributions are in
 * tests/property/test_generate.c and test_utilisation.c. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/generate/generated_scenario.h"
#include "sim/hash.h"
#include "tests/support/count_allocations.h"
#include "tests/support/rich_sets.h"
#include "tests/support/suite.h"

enum { SETS = 1000 };

/* ---- The same sets ---- */

static uint64_t digest_of(const struct grt_generated_task *tasks, size_t count, uint64_t hash) {
    for (size_t i = 0; i < count; i++) {
        const struct grt_generated_task *t = &tasks[i];
        uint64_t utilisation;
        memcpy(&utilisation, &t->utilisation, sizeof utilisation);
        const uint64_t words[] = {utilisation,           (uint64_t)t->period, (uint64_t)t->execution,
                                  (uint64_t)t->deadline, (uint64_t)t->jitter, (uint64_t)t->overhead,
                                  (uint64_t)t->offset,   (uint64_t)t->blocks, (uint64_t)t->block_time};
        for (size_t word = 0; word < sizeof words / sizeof words[0]; word++) {
            hash = grt_hash_add(hash, words[word]);
        }
    }
    return hash;
}

static uint64_t digest_of_sets(const struct grt_generator_spec *spec) {
    struct grt_generator *generator = create(spec);
    struct grt_generated_task tasks[TASKS];
    uint64_t hash = 0;
    for (uint64_t number = 0; number < SETS; number++) {
        CU_ASSERT(grt_generator_make(generator, number, tasks));
        hash = digest_of(tasks, TASKS, hash);
    }
    grt_generator_free(generator);
    return hash;
}

/* If these change, experiments of the version before can no longer be repeated: say so where the change is told. */
static void sets_are_those_of_every_version(void) {
    static const uint64_t digests[GRT_UTILISATION_METHODS][GRT_PERIOD_METHODS] = {
        {UINT64_C(0x7c6616013e1c85a1), UINT64_C(0x8df91ad909ea2c4e), UINT64_C(0x4b4b7fc06f29f789),
         UINT64_C(0x096e2b1947137344), UINT64_C(0x59641ea718f50e8a)},
        {UINT64_C(0x493beb3d7de48d78), UINT64_C(0x9f1ec5982b2884d3), UINT64_C(0x848bd3190e800465),
         UINT64_C(0x9d4917459b7c33d4), UINT64_C(0xe05506e9e975b374)},
        {UINT64_C(0x5252a5e429511f64), UINT64_C(0x82925d9e5a410617), UINT64_C(0x700747ff9ae821aa),
         UINT64_C(0xd554a8a6b49d9c2a), UINT64_C(0x4bc90424e3f76767)},
        {UINT64_C(0x419bb1c38bb0e1b8), UINT64_C(0xb01e0c0d705c8318), UINT64_C(0x68cfd6c998f7a302),
         UINT64_C(0x08642629a171e214), UINT64_C(0x9d9ee9f4f30ccdcd)},
    };
    for (int64_t method = 0; method < GRT_UTILISATION_METHODS; method++) {
        for (int64_t periods = 0; periods < GRT_PERIOD_METHODS; periods++) {
            struct grt_generator_spec spec = rich_spec(method, periods);
            uint64_t digest = digest_of_sets(&spec);
            if (digest != digests[method][periods]) {
                printf("\n    %d %d: UINT64_C(0x%016" PRIx64 ")", (int)method, (int)periods, digest);
            }
            CU_ASSERT_EQUAL(digest, digests[method][periods]);
        }
    }
}

static void make(const struct grt_generator_spec *spec, uint64_t number,
                 struct grt_generated_task tasks[TASKS]) {
    struct grt_generator *generator = create(spec);
    CU_ASSERT_FATAL(grt_generator_make(generator, number, tasks));
    grt_generator_free(generator);
}

/* Alone, after others, before others, and with another specification of what is not looked at. */
static void each_property_is_for_itself(void) {
    struct grt_generator_spec all = rich_spec(GRT_UTILISATION_UUNIFAST_DISCARD, GRT_PERIODS_LOG_UNIFORM);
    struct grt_generator_spec plain = grt_generator_spec_default();
    plain.seed = all.seed;
    struct grt_generated_task rich[TASKS], poor[TASKS], again[TASKS];
    struct grt_generator *generator = create(&all);
    for (uint64_t number = 9; number > 0; number--) {
        CU_ASSERT(grt_generator_make(generator, number, again));
    }
    CU_ASSERT(grt_generator_make(generator, 5, again));
    grt_generator_free(generator);
    make(&all, 5, rich);
    make(&plain, 5, poor); /* the utilisation is another */
    CU_ASSERT_EQUAL(digest_of(rich, TASKS, 0), digest_of(again, TASKS, 0));
    for (size_t i = 0; i < TASKS; i++) {
        CU_ASSERT_EQUAL(rich[i].period, poor[i].period);
        CU_ASSERT_EQUAL(poor[i].deadline, poor[i].period);
        CU_ASSERT(poor[i].jitter == 0 && poor[i].overhead == 0 && poor[i].offset == 0 &&
                  poor[i].blocks == 0 && poor[i].block_time == 0);
    }
    plain.utilisation = all.utilisation;
    plain.periods.method = GRT_PERIODS_UNIFORM;
    plain.overhead = all.overhead;
    make(&plain, 5, poor);
    for (size_t i = 0; i < TASKS; i++) {
        CU_ASSERT(rich[i].utilisation == poor[i].utilisation && rich[i].period != poor[i].period);
        CU_ASSERT_EQUAL(rich[i].overhead, poor[i].overhead);
    }
    plain.seed++;
    make(&plain, 5, again);
    CU_ASSERT(again[0].utilisation != poor[0].utilisation && again[0].overhead != poor[0].overhead);
    CU_ASSERT(grt_generated_seed(1, 1) != grt_generated_seed(1, 2) &&
              grt_generated_seed(1, 1) != grt_generated_seed(2, 1));
}

/* Up to a sum of 1 nothing is discarded. */
static void discard_is_uunifast_below_one(void) {
    struct grt_generator_spec spec = grt_generator_spec_default(), plain = spec;
    plain.method = GRT_UTILISATION_UUNIFAST;
    for (double utilisation = 0.1; utilisation < 0.95; utilisation += 0.1) {
        spec.utilisation = plain.utilisation = utilisation;
        CU_ASSERT_EQUAL(digest_of_sets(&spec), digest_of_sets(&plain));
    }
}

static void nothing_is_allocated(void) {
    for (int64_t method = 0; method < GRT_UTILISATION_METHODS; method++) {
        for (int64_t periods = 0; periods < GRT_PERIOD_METHODS; periods++) {
            struct grt_generator_spec spec = rich_spec(method, periods);
            struct grt_generator *generator = create(&spec);
            struct grt_generated_task tasks[TASKS];
            long before = allocations;
            for (uint64_t number = 0; number < 100; number++) {
                grt_generator_make(generator, number, tasks);
            }
            CU_ASSERT_EQUAL(allocations, before);
            grt_generator_free(generator);
        }
    }
}

/* ---- Rounding ---- */

static void times_are_rounded(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.periods.granularity = 1;
    spec.periods.least = 1;
    spec.periods.most = 1000;
    struct grt_generator *generator = create(&spec);
    for (uint64_t number = 0; number < SETS; number++) {
        struct grt_generated_task tasks[TASKS];
        grt_generator_make(generator, number, tasks);
        double sum = 0;
        for (size_t i = 0; i < TASKS; i++) {
            double exact = tasks[i].utilisation * (double)tasks[i].period;
            CU_ASSERT(tasks[i].execution >= 1);
            CU_ASSERT(tasks[i].execution == 1 ? exact < 1.5
                                              : fabs((double)tasks[i].execution - exact) <= 0.5);
            sum += (double)tasks[i].execution / (double)tasks[i].period;
        }
        CU_ASSERT(grt_generated_utilisation(tasks, TASKS) == sum);
    }
    grt_generator_free(generator);
}

/* The longest times that are allowed do not overflow. */
static void long_periods_are_exact(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.periods =
        (struct grt_period_spec){GRT_PERIODS_UNIFORM, GRT_TIME_LIMIT / 2 - 5, GRT_TIME_LIMIT / 2, 1, 0};
    spec.jitter = (struct grt_generated_range){1, 1};
    struct grt_generated_task tasks[TASKS];
    make(&spec, 1, tasks);
    for (size_t i = 0; i < TASKS; i++) {
        CU_ASSERT(tasks[i].period >= GRT_TIME_LIMIT / 2 - 5 && tasks[i].period <= GRT_TIME_LIMIT / 2);
        CU_ASSERT(tasks[i].execution >= 1 && tasks[i].execution <= tasks[i].period);
        CU_ASSERT(tasks[i].jitter >= 0 && tasks[i].jitter <= GRT_TIME_LIMIT);
    }
}

/* ---- Refusals ---- */

static void expect_refusal(const struct grt_generator_spec *spec, const char *message) {
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(spec, &errors);
    CU_ASSERT_PTR_NULL(generator);
    CU_ASSERT_EQUAL(errors.count, 1);
    const char *said = errors.count > 0 ? errors.messages[0] : "nothing";
    if (strcmp(said, message) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", said, message);
    }
    CU_ASSERT_STRING_EQUAL(said, message);
    grt_generator_free(generator);
    grt_errors_clear(&errors);
}

#define EXPECT_REFUSAL(message, ...)                                                                         \
    do {                                                                                                     \
        struct grt_generator_spec spec = grt_generator_spec_default();                                       \
        __VA_ARGS__;                                                                                         \
        expect_refusal(&spec, message);                                                                      \
    } while (false)

static void absurd_utilisations_are_refused(void) {
    EXPECT_REFUSAL("tasks: must be 1 to 4096 (got 0)", spec.task_count = 0);
    EXPECT_REFUSAL("tasks: must be 1 to 4096 (got 4097)", spec.task_count = 4097);
    EXPECT_REFUSAL("utilisation: must be above 0 (got 0)", spec.utilisation = 0);
    EXPECT_REFUSAL("utilisation: must be above 0 (got -1)", spec.utilisation = -1);
    EXPECT_REFUSAL("utilisation: must be above 0 (got nan)", spec.utilisation = (double)NAN);
    EXPECT_REFUSAL("utilisation: 10 tasks cannot have inf together: at most 1 each",
                   spec.utilisation = (double)INFINITY);
    EXPECT_REFUSAL("utilisation: 1 task cannot have 1.5 together: at most 1 each", spec.utilisation = 1.5;
                   spec.task_count = 1);
    EXPECT_REFUSAL("method: unknown method 9", spec.method = 9);
    EXPECT_REFUSAL(
        "method: uunisort does not bound the utilisation of a task: take uunifast-discard or randfixedsum",
        spec.method = GRT_UTILISATION_UUNISORT;
        spec.most = 0.5);
    EXPECT_REFUSAL(
        "max-utilisation: a task's utilisation must be 0 or more, the lower bound first (got 0.5 to 0.2)",
        spec.least = 0.5;
        spec.most = 0.2);
    EXPECT_REFUSAL(
        "max-utilisation: a task's utilisation must be 0 or more, the lower bound first (got nan to 1)",
        spec.least = (double)NAN);
    EXPECT_REFUSAL("utilisation: 10 tasks of 0 to 0.04 each have 0 to 0.4 together, not 0.5",
                   spec.most = 0.04);
    EXPECT_REFUSAL("utilisation: 10 tasks of 0.1 to 1 each have 1 to 10 together, not 0.5", spec.least = 0.1);
    EXPECT_REFUSAL("method: uunifast-discard would discard nearly all vectors: less than one in 10000 has 10 "
                   "tasks of 0 to 1 "
                   "with 9 together; randfixedsum discards none",
                   spec.utilisation = 9);
    EXPECT_REFUSAL("tasks: randfixedsum makes sets of at most 1000 tasks (got 1001)",
                   spec.method = GRT_UTILISATION_RANDFIXEDSUM;
                   spec.task_count = 1001);
}

static void absurd_periods_are_refused(void) {
    EXPECT_REFUSAL("granularity: must be above 0 and at most 1000000000s (got 0s)",
                   spec.periods.granularity = 0);
    EXPECT_REFUSAL("granularity: must be above 0 and at most 1000000000s (got -1ns)",
                   spec.periods.granularity = -1);
    EXPECT_REFUSAL("periods: unknown method -1", spec.periods.method = -1);
    EXPECT_REFUSAL("periods: must be above 0 and at most 1000000000s (got 0s to 1s)", spec.periods.least = 0);
    EXPECT_REFUSAL("periods: must be above 0 and at most 1000000000s (got 10ms to 9223372036.854775807s)",
                   spec.periods.most = INT64_MAX);
    EXPECT_REFUSAL("periods: the shortest, 2s, is longer than the longest, 1s",
                   spec.periods.least = 2 * GRT_SECOND);
    EXPECT_REFUSAL("periods: no multiple of the granularity, 3s, is from 10ms to 1s",
                   spec.periods.granularity = 3 * GRT_SECOND);
    EXPECT_REFUSAL("periods: must be at most 495000000s where times can be 2 times as long (got 900000000s)",
                   spec.periods.most = GRT_TIME_LIMIT / 10 * 9;
                   spec.deadlines = GRT_DEADLINES_FACTOR; spec.deadline_factor.high = 2);
    EXPECT_REFUSAL("periods: the hyperperiod must be a multiple of the granularity, 1ms, and at most "
                   "1000000000s (got 1.0005s)",
                   spec.periods.method = GRT_PERIODS_DIVISORS;
                   spec.periods.hyperperiod = 1000500000);
    EXPECT_REFUSAL("periods: the hyperperiod must be a multiple of the granularity, 1ms, and at most "
                   "1000000000s (got 0s)",
                   spec.periods.method = GRT_PERIODS_DIVISORS);
    EXPECT_REFUSAL("periods: 216s has no divisor from 7ms to 7ms that is a multiple of 1ms",
                   spec.periods = (struct grt_period_spec){GRT_PERIODS_DIVISORS, 7000000, 7000000, 1000000,
                                                           216000000000});
    EXPECT_REFUSAL(
        "periods: 1000.036000099s is the product of primes above a million: it has no divisors of use",
        spec.periods =
            (struct grt_period_spec){GRT_PERIODS_DIVISORS, 1, 1000, 1, INT64_C(1000003) * 1000033});
}

static void absurd_ranges_are_refused(void) {
    EXPECT_REFUSAL("deadlines: unknown kind 3", spec.deadlines = 3);
    EXPECT_REFUSAL("deadlines: must be from 0 to 1, the lower bound first (got 0 to 1.5)",
                   spec.deadlines = GRT_DEADLINES_SLACK;
                   spec.deadline_factor = (struct grt_generated_range){0, 1.5});
    EXPECT_REFUSAL("deadlines: must be from 0.001 to 100, the lower bound first (got 0 to 1)",
                   spec.deadlines = GRT_DEADLINES_FACTOR;
                   spec.deadline_factor = (struct grt_generated_range){0, 1});
    EXPECT_REFUSAL("jitter: must be from 0 to 1, the lower bound first (got 0.5 to 0.25)",
                   spec.jitter = (struct grt_generated_range){0.5, 0.25});
    EXPECT_REFUSAL("jitter: must be from 0 to 1, the lower bound first (got nan to 1)",
                   spec.jitter = (struct grt_generated_range){(double)NAN, 1});
    EXPECT_REFUSAL("overhead: must be from 0s to 1000000000s (got -1ns)", spec.overhead = -1);
    EXPECT_REFUSAL("blocks: must be from 1 to 2147483647, the smaller number first (got 0 to 3)",
                   spec.blocks.high = 3);
    EXPECT_REFUSAL("blocks: must be from 1 to 2147483647, the smaller number first (got 5 to 3)",
                   spec.blocks.high = 3;
                   spec.blocks.low = 5);
    EXPECT_REFUSAL("blocks at a time: must be 1 or more (got 0)", spec.blocks.high = spec.blocks.low = 3;
                   spec.blocks_at_a_time = 0);
}

/* Sums that tasks can just have, although not in floating point. */
static void borders_are_taken(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.method = GRT_UTILISATION_RANDFIXEDSUM;
    spec.task_count = 3;
    spec.least = 0.1;
    spec.utilisation = 0.3;
    struct grt_generated_task tasks[TASKS];
    make(&spec, 1, tasks);
    CU_ASSERT_DOUBLE_EQUAL(tasks[0].utilisation, 0.1, 1e-12);
    spec.utilisation = 3;
    make(&spec, 1, tasks);
    CU_ASSERT(tasks[0].utilisation == 1 && tasks[1].utilisation == 1 && tasks[2].utilisation == 1);
    spec.method = GRT_UTILISATION_UUNIFAST_DISCARD;
    spec.least = 0;
    spec.utilisation = 1;
    spec.task_count = 1;
    make(&spec, 1, tasks);
    CU_ASSERT(tasks[0].utilisation == 1 && tasks[0].execution == tasks[0].period);
}

/* Above 20 tasks the share is not known, and the search ends. */
static void hopeless_searches_end(void) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.task_count = 60;
    spec.utilisation = 50;
    struct grt_generator *generator = create(&spec);
    struct grt_generated_task tasks[60];
    CU_ASSERT_FALSE(grt_generator_make(generator, 1, tasks));
    grt_generator_free(generator);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"sets are those of every version", sets_are_those_of_every_version},
        {"each property is for itself", each_property_is_for_itself},
        {"discard is uunifast below one", discard_is_uunifast_below_one},
        {"nothing is allocated", nothing_is_allocated},
        {"times are rounded", times_are_rounded},
        {"long periods are exact", long_periods_are_exact},
        {"absurd utilisations are refused", absurd_utilisations_are_refused},
        {"absurd periods are refused", absurd_periods_are_refused},
        {"absurd ranges are refused", absurd_ranges_are_refused},
        {"borders are taken", borders_are_taken},
        {"hopeless searches end", hopeless_searches_end},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("generated task sets", tests);
}
