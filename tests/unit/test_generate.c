/* labels: wrap-malloc */
/* Generated task sets: the same on every machine, each property for itself, rounding, refusals, and scenarios that say the same in
 * memory and in a file. Distributions are in tests/property/test_generate.c. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/demand.h"
#include "scenarios/generate/elementary.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/scenario.h"
#include "sim/hash.h"
#include "tests/support/count_allocations.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { TASKS = 10, SETS = 1000 };

/* ---- Elementary functions ---- */

static void are_the_functions_of_libm(void) {
    struct grt_random random = grt_random_of_key(1);
    double worst_log = 0, worst_exp = 0, worst_root = 0;
    for (int i = 0; i < 200000; i++) {
        double u = 1 - grt_random_uniform(&random), x = i % 2 == 0 ? u : 1e9 * u, y = 1400 * (u - 0.5);
        uint32_t k = 1 + (uint32_t)grt_random_below(&random, i % 4 == 0 ? 4096 : 20);
        worst_log = fmax(worst_log, fabs(grt_elementary_log(x) - log(x)) / fmax(1, fabs(log(x))));
        worst_exp = fmax(worst_exp, fabs(grt_elementary_exp(y) / exp(y) - 1));
        worst_root = fmax(worst_root, fabs(grt_elementary_root(u, k) / pow(u, 1.0 / k) - 1));
    }
    CU_ASSERT(worst_log < 4e-16); /* libm's own last digit included */
    CU_ASSERT(worst_exp < 6e-16);
    CU_ASSERT(worst_root < 1e-15);
}

static void are_exact_at_their_ends(void) {
    CU_ASSERT(grt_elementary_log(1) == 0);
    CU_ASSERT(grt_elementary_exp(0) == 1);
    CU_ASSERT(grt_elementary_exp(-701) == 0);
    CU_ASSERT(grt_elementary_exp(701) == grt_elementary_exp(700));
    for (uint32_t k = 1; k < 100; k++) {
        CU_ASSERT(grt_elementary_root(1, k) == 1);
        CU_ASSERT(grt_elementary_root(1 - 0x1p-53, k) <= 1);
        CU_ASSERT(grt_elementary_root(0x1p-53, k) > 0);
    }
}

/* ---- The same sets ---- */

static struct grt_generator *create(const struct grt_generator_spec *spec) {
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(spec, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_FATAL(generator != NULL);
    return generator;
}

/* Everything that can be drawn. */
static struct grt_generator_spec rich_spec(int64_t method, int64_t periods) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.seed = 42;
    spec.task_count = TASKS;
    spec.utilisation = method == GRT_UTILISATION_RANDFIXEDSUM ? 3.3 : 2.4;
    spec.method = method;
    spec.periods.method = periods;
    spec.periods.hyperperiod = 216 * GRT_SECOND;
    spec.deadlines = GRT_DEADLINES_SLACK;
    spec.deadline_factor = (struct grt_generated_range){0.5, 1};
    spec.jitter = (struct grt_generated_range){0, 0.1};
    spec.overhead = 6 * GRT_MILLISECOND;
    spec.random_offsets = true;
    spec.least_blocks = 1;
    spec.most_blocks = 100;
    spec.blocks_at_a_time = 16;
    return spec;
}

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

/* Blocks take whole waves, and as long as the model of demand says that they do. */
static void blocks_take_whole_waves(void) {
    struct grt_device device = grt_built_tx2();
    struct grt_errors errors = {0};
    struct grt_generator_spec spec = rich_spec(GRT_UTILISATION_UUNIFAST, GRT_PERIODS_AUTOMOTIVE);
    spec.blocks_at_a_time = grt_generated_blocks_at_a_time(&device, 512, &errors);
    CU_ASSERT_EQUAL(spec.blocks_at_a_time, 8); /* two SMs of 2048 threads */
    struct grt_generator *generator = create(&spec);
    const struct grt_generated_frame frame = {.name = "waves", .gpu = &device, .threads = 512};
    for (uint64_t number = 0; number < 100; number++) {
        struct grt_generated_task tasks[TASKS];
        struct grt_arena arena = {0};
        grt_generator_make(generator, number, tasks);
        struct grt_scenario scenario = grt_generated_scenario(&frame, tasks, TASKS, &arena);
        for (size_t i = 0; i < TASKS; i++) {
            int64_t waves = (tasks[i].blocks + 7) / 8;
            double exact = tasks[i].utilisation * (double)tasks[i].period;
            CU_ASSERT_EQUAL(tasks[i].execution, waves * tasks[i].block_time);
            CU_ASSERT(fabs((double)tasks[i].execution - exact) <= 0.5 * (double)waves ||
                      tasks[i].block_time == 1);
            CU_ASSERT_EQUAL(grt_segment_time(&scenario, &scenario.tasks[i], scenario.tasks[i].segments),
                            tasks[i].execution);
        }
        grt_arena_clear(&arena);
    }
    grt_generator_free(generator);
    CU_ASSERT_EQUAL(grt_generated_blocks_at_a_time(&device, 5000, &errors), 0);
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
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
        "max-utilisation: the utilisation of a task must be from at least 0 up to no less (got 0.5 to 0.2)",
        spec.least = 0.5;
        spec.most = 0.2);
    EXPECT_REFUSAL(
        "max-utilisation: the utilisation of a task must be from at least 0 up to no less (got nan to 1)",
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
    EXPECT_REFUSAL("granularity: must be above 0 (got 0s)", spec.periods.granularity = 0);
    EXPECT_REFUSAL("granularity: must be above 0 (got -1ns)", spec.periods.granularity = -1);
    EXPECT_REFUSAL("periods: unknown method -1", spec.periods.method = -1);
    EXPECT_REFUSAL("periods: must be above 0 and at most 1000000000s (got 0s to 1s)", spec.periods.least = 0);
    EXPECT_REFUSAL("periods: must be above 0 and at most 1000000000s (got 10ms to 9223372036.854775807s)",
                   spec.periods.most = INT64_MAX);
    EXPECT_REFUSAL("periods: the shortest, 2s, is longer than the longest, 1s",
                   spec.periods.least = 2 * GRT_SECOND);
    EXPECT_REFUSAL("periods: no multiple of the granularity, 3s, is from 10ms to 1s",
                   spec.periods.granularity = 3 * GRT_SECOND);
    EXPECT_REFUSAL("periods: too long: with 900000000s the longest time would be 2 times that",
                   spec.periods.most = GRT_TIME_LIMIT / 10 * 9;
                   spec.deadlines = GRT_DEADLINES_FACTOR; spec.deadline_factor.high = 2);
    EXPECT_REFUSAL("periods: must be a multiple of the granularity, 1ms (got 1.0005s)",
                   spec.periods.method = GRT_PERIODS_DIVISORS;
                   spec.periods.hyperperiod = 1000500000);
    EXPECT_REFUSAL("periods: must be a multiple of the granularity, 1ms (got 0s)",
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
    EXPECT_REFUSAL("overhead: must be 0 or more (got -1ns)", spec.overhead = -1);
    EXPECT_REFUSAL("blocks: must be from 1 to 2147483647, the smaller number first (got 0 to 3)",
                   spec.most_blocks = 3);
    EXPECT_REFUSAL("blocks: must be from 1 to 2147483647, the smaller number first (got 5 to 3)",
                   spec.most_blocks = 3;
                   spec.least_blocks = 5);
    EXPECT_REFUSAL("blocks at a time: must be 1 or more (got 0)", spec.most_blocks = spec.least_blocks = 3;
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

/* ---- Scenarios ---- */

static bool same_span(const struct grt_distribution *a, const struct grt_distribution *b) {
    return a->kind == b->kind && a->min == b->min && a->max == b->max;
}

static bool same_kernel(const struct grt_kernel *a, const struct grt_kernel *b) {
    return strcmp(a->name, b->name) == 0 && a->whole_device == b->whole_device && a->blocks == b->blocks &&
           a->needs.threads == b->needs.threads &&
           a->needs.registers_per_thread == b->needs.registers_per_thread &&
           a->needs.shared_memory == b->needs.shared_memory && same_span(&a->block_time, &b->block_time) &&
           a->draw_per == b->draw_per && a->bandwidth == b->bandwidth && a->class_name == b->class_name &&
           a->tpcs.count == b->tpcs.count && a->launches.count == b->launches.count;
}

static bool same_task(const struct grt_task *a, const struct grt_task *b) {
    return strcmp(a->name, b->name) == 0 && a->arrival == b->arrival && a->period == b->period &&
           a->offset == b->offset && a->jitter == b->jitter && a->deadline == b->deadline &&
           a->deadline_from == b->deadline_from && a->on_miss == b->on_miss && a->priority == b->priority &&
           a->cpu == b->cpu && a->stream == b->stream && a->stream_priority == b->stream_priority &&
           a->gpu == b->gpu && a->split_overhead == b->split_overhead && a->process == b->process &&
           a->segment_count == 1 && b->segment_count == 1 && a->segments[0].kind == b->segments[0].kind &&
           a->segments[0].command_count == 1 && b->segments[0].command_count == 1 &&
           a->segments[0].commands[0].kind == b->segments[0].commands[0].kind &&
           same_kernel(&a->segments[0].commands[0].kernel, &b->segments[0].commands[0].kernel);
}

/* What is read from the text is what was made in memory. */
static void expect_same_scenario(const struct grt_generated_frame *frame,
                                 const struct grt_generated_task *tasks, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    grt_generated_write(out, frame, tasks, count);
    fclose(out);
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    struct grt_arena arena = {0};
    CU_ASSERT_FATAL(grt_scenario_parse(text, size, NULL, NULL, &file, &errors));
    struct grt_scenario made = grt_generated_scenario(frame, tasks, count, &arena);
    CU_ASSERT_STRING_EQUAL(file.scenario.name, made.name);
    CU_ASSERT_STRING_EQUAL(file.description, frame->description);
    CU_ASSERT_STRING_EQUAL(file.policy->name, frame->policy);
    CU_ASSERT(file.scenario.seed == made.seed && file.scenario.horizon == made.horizon &&
              file.scenario.horizon_kind == made.horizon_kind && file.scenario.ties == made.ties &&
              file.scenario.core_count == made.core_count && file.scenario.gpu_count == made.gpu_count &&
              file.scenario.task_count == made.task_count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT(same_task(&file.scenario.tasks[i], &made.tasks[i]));
        CU_ASSERT_STRING_EQUAL(grt_process_of(&file.scenario, &file.scenario.tasks[i])->name,
                               grt_process_of(&made, &made.tasks[i])->name);
    }
    grt_arena_clear(&arena);
    grt_scenario_file_free(&file);
    free(text);
}

static void files_say_the_same(void) {
    struct grt_device device = grt_built_exclusive();
    struct grt_generated_frame frame = {.name = "a \"quoted\" name\\",
                                        .description = "caf\xc3\xa9",
                                        .device = "exclusive",
                                        .gpu = &device,
                                        .policy = "np-edf",
                                        .threads = 96};
    struct grt_generated_task tasks[TASKS];
    for (int64_t periods = 0; periods < GRT_PERIOD_METHODS; periods++) {
        for (int with_blocks = 0; with_blocks < 2; with_blocks++) {
            struct grt_generator_spec spec = rich_spec(GRT_UTILISATION_RANDFIXEDSUM, periods);
            spec.least_blocks = with_blocks;
            spec.most_blocks = 100 * with_blocks;
            for (uint64_t number = 0; number < 20; number++) {
                make(&spec, number, tasks);
                frame.seed = grt_generated_seed(spec.seed, number);
                expect_same_scenario(&frame, tasks, TASKS);
            }
        }
    }
}

static const char small_file[] = "{\n"
                                 "  \"gpurt\": 1,\n"
                                 "  \"name\": \"small\",\n"
                                 "  \"description\": \"two\",\n"
                                 "  \"seed\": 7,\n"
                                 "  \"horizon\": \"hyperperiod\",\n"
                                 "  \"platform\": { \"gpus\": [ { \"device\": \"tx2\" } ] },\n"
                                 "  \"policy\": { \"name\": \"np-rm\" },\n"
                                 "  \"tasks\": [\n"
                                 "    { \"name\": \"t1\", \"period\": \"10ms\", \"segments\": [ { \"gpu\": [ "
                                 "{ \"kernel\": \"k1\", \"time\": \"1.234567ms\" } ] } ] },\n"
                                 "    { \"name\": \"t2\", \"period\": \"1s\", \"offset\": \"2ns\", "
                                 "\"jitter\": \"3us\", \"deadline\": \"900ms\", \"split_overhead\": "
                                 "\"5us\", \"segments\": [ { \"gpu\": [ { \"kernel\": \"k2\", \"blocks\": 6, "
                                 "\"threads\": 32, \"block_time\": \"7us\" } ] } ] }\n"
                                 "  ]\n"
                                 "}\n";

static void the_text_is_stable(void) {
    const struct grt_generated_task tasks[] = {
        {.utilisation = 0.1, .period = 10000000, .execution = 1234567, .deadline = 10000000},
        {0.1, 1000000000, 42000, 900000000, 3000, 5000, 2, 6, 7000}};
    const struct grt_generated_frame frame = {"small", "two", 7, "tx2", NULL, "np-rm", "hyperperiod", 32};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    grt_generated_write(out, &frame, tasks, 2);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, small_file);
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"are the functions of libm", are_the_functions_of_libm},
        {"are exact at their ends", are_exact_at_their_ends},
        {"sets are those of every version", sets_are_those_of_every_version},
        {"each property is for itself", each_property_is_for_itself},
        {"discard is uunifast below one", discard_is_uunifast_below_one},
        {"nothing is allocated", nothing_is_allocated},
        {"times are rounded", times_are_rounded},
        {"blocks take whole waves", blocks_take_whole_waves},
        {"long periods are exact", long_periods_are_exact},
        {"absurd utilisations are refused", absurd_utilisations_are_refused},
        {"absurd periods are refused", absurd_periods_are_refused},
        {"absurd ranges are refused", absurd_ranges_are_refused},
        {"borders are taken", borders_are_taken},
        {"hopeless searches end", hopeless_searches_end},
        {"files say the same", files_say_the_same},
        {"the text is stable", the_text_is_stable},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("generated task sets", tests);
}
