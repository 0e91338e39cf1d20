/* labels: soak */
/* The limits of sensitivity against a linear scan, outwards from the set as it is: random sets, under analyses that are monotone. And what
 * scaling makes of steps: in one piece they never take less than their segment. */
#include <stdio.h>
#include <stdlib.h>

#include "policies/analyses/registry.h"
#include "policies/analyses/sensitivity.h"
#include "tests/support/analysis_case.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { MOST_TASKS = 4, LONGEST = 25 };

static struct analysis_case it;

static bool passes(struct grt_sensitivity *sensitivity, struct grt_sensitivity_change change, int64_t value) {
    return grt_sensitivity_try(sensitivity, change, value)->verdict == GRT_VERDICT_SCHEDULABLE;
}

/* One value after the other, from the present one. */
static struct grt_sensitivity_limit scan(struct grt_sensitivity *sensitivity,
                                         struct grt_sensitivity_change change) {
    struct grt_sensitivity_limit limit = {0};
    int64_t present = grt_sensitivity_present(sensitivity, change), value = present;
    bool times = change.of == GRT_SENSITIVITY_TIMES, passing = passes(sensitivity, change, present);
    bool one_period = !times && change.task != GRT_ANALYSIS_NO_TASK;
    int64_t most = one_period ? 1000 * present : GRT_SENSITIVITY_MOST, step = times == passing ? 1 : -1;
    do {
        value += step;
    } while (value >= 1 && value <= most && passes(sensitivity, change, value) == passing);
    bool found = value >= 1 && value <= most;
    limit.kind = found ? GRT_LIMIT_FOUND : passing ? GRT_LIMIT_NONE : GRT_LIMIT_NO_PASS;
    limit.value = passing ? value - step : found ? value : 0;
    limit.beyond = !passing ? value - step : found ? value : 0;
    return limit;
}

static void compare(const struct grt_analysis_ops *analysis, struct grt_sensitivity_change change,
                    int number) {
    struct grt_sensitivity *sensitivity =
        grt_sensitivity_begin(calloc(1, grt_sensitivity_size(&it.set)), &it.set, analysis);
    struct grt_sensitivity_limit got = grt_sensitivity_find(sensitivity, change);
    if (got.kind != GRT_LIMIT_NO_SENSE) {
        struct grt_sensitivity_limit expected = scan(sensitivity, change);
        bool same = got.kind == expected.kind && got.value == expected.value && got.beyond == expected.beyond;
        bool monotone = got.fails_before == 0 && got.passes_after == 0;
        if (!same || !monotone) {
            printf("\n    case %d, %s, change %d of task %d: %lld then %lld, by scan %lld then %lld\n",
                   number, analysis->name, (int)change.of, (int)change.task, (long long)got.value,
                   (long long)got.beyond, (long long)expected.value, (long long)expected.beyond);
        }
        CU_ASSERT_TRUE(same);
        CU_ASSERT_TRUE(monotone);
    }
    free(sensitivity);
}

static void compare_all(const char *name, int number) {
    const struct grt_analysis_ops *analysis = grt_analysis_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(analysis);
    for (int of = GRT_SENSITIVITY_TIMES; of <= GRT_SENSITIVITY_PERIODS; of++) {
        for (uint32_t task = 0; task <= it.set.count; task++) {
            uint32_t which = task < it.set.count ? task : GRT_ANALYSIS_NO_TASK;
            compare(analysis, (struct grt_sensitivity_change){(enum grt_sensitivity_of)of, which}, number);
        }
    }
}

static void test_linear_scan(void) {
    int cases = grt_suite_cases(8, 1000);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_of_key((uint64_t)i);
        size_t count = (size_t)grt_pick(&random, 1, MOST_TASKS);
        analysis_case_start(&it);
        analysis_case_random(&it, &random, count, LONGEST, grt_pick(&random, 20, 110));
        compare_all("np-edf-exact", i);
        compare_all("np-fp-response", i);
    }
}

/* ---- steps ---- */

static struct grt_step random_step(struct grt_random *random) {
    struct grt_step step = {.each = grt_pick(random, 1, 5000), .units = 1};
    switch (grt_pick(random, 0, 2)) {
    case 0: /* a kernel of blocks */
        step.once = grt_pick(random, 0, 500);
        step.units = grt_pick(random, 1, 20);
        step.blocks = grt_pick(random, 1, 64);
        break;
    case 1: /* one described by its time */
        step.once = grt_pick(random, 0, 500);
        step.each = grt_pick(random, 1, 3);
        step.units = grt_pick(random, 1, 100000);
        break;
    default: /* a copy */
        break;
    }
    return step;
}

/* A segment takes as long as its steps, or up to a tenth less, where launches overlap. */
static void test_steps(void) {
    const struct grt_analysis_ops *analysis = grt_analysis_find("utilisation");
    int cases = grt_suite_cases(1000, 100000);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_of_key((uint64_t)i);
        struct grt_step steps[4];
        size_t count = (size_t)grt_pick(&random, 1, 4);
        for (size_t j = 0; j < count; j++) {
            steps[j] = random_step(&random);
        }
        int64_t whole = grt_steps_time(steps, count);
        struct grt_analysis_segment segment = {.on_gpu = true, .steps = steps, .step_count = count};
        segment.longest = whole - grt_pick(&random, 0, whole / 10);
        segment.shortest = grt_pick(&random, 1, segment.longest);
        struct grt_analysis_task task = {
            .period = 1, .deadline = 1, .segments = &segment, .segment_count = 1};
        struct grt_analysis_set set = {.tasks = &task, .count = 1};
        struct grt_sensitivity *sensitivity =
            grt_sensitivity_begin(calloc(1, grt_sensitivity_size(&set)), &set, analysis);
        struct grt_sensitivity_change change = {GRT_SENSITIVITY_TIMES, 0};
        int64_t factor = grt_pick(&random, 1, 3000);
        grt_sensitivity_try(sensitivity, change, factor);
        const struct grt_analysis_segment *scaled = grt_sensitivity_set(sensitivity)->tasks[0].segments;
        int64_t time = grt_steps_time(scaled->steps, count);
        CU_ASSERT(time >= scaled->longest);
        CU_ASSERT(time * 1000 >= whole * factor);
        CU_ASSERT(scaled->longest * 1000 >= segment.longest * factor);
        CU_ASSERT(scaled->longest * 1000 < segment.longest * factor + 1000);
        CU_ASSERT(scaled->shortest >= 1 && scaled->shortest <= scaled->longest);
        free(sensitivity);
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"limits are those of a linear scan", test_linear_scan},
        {"steps grow with their segments", test_steps},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sensitivity", tests);
}
