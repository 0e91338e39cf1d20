/* labels: soak */
/* Published values and claims held against results that are made by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/random.h"
#include "study/results/compare.h"
#include "tests/support/suite.h"

enum { POINTS = 2, EVALUATIONS = 2 };

/* Two points of an axis, two evaluations a and b, one measure "load" of each. */
static const char *const values[] = {"0.1", "0.2"};
static const struct grt_axis axes[] = {{.name = "u", .label = "u", .count = 2, .values = values}};
static const char *const measures[] = {"load"};
static const struct grt_evaluation evaluations[EVALUATIONS] = {
    {.name = "a", .label = "A", .kind = GRT_EVALUATE_ANALYSIS, .measures = measures, .measure_count = 1},
    {.name = "b", .label = "B", .kind = GRT_EVALUATE_ANALYSIS, .measures = measures, .measure_count = 1}};
static const struct grt_point points[POINTS] = {{.values = {0}, .key = 1, .evaluations = evaluations},
                                                {.values = {1}, .key = 2, .evaluations = evaluations}};
static const struct grt_experiment experiment = {
    .axes = axes, .axis_count = 1, .points = points, .point_count = POINTS, .evaluation_count = EVALUATIONS};

static struct grt_moments moments[POINTS * EVALUATIONS];
static struct grt_tally tallies[POINTS * EVALUATIONS];
static uint64_t samples[POINTS];

/* So many of 100 sets pass: a and b at the first point, at the second. */
static struct grt_results results_of(const uint64_t passing[POINTS * EVALUATIONS]) {
    for (size_t i = 0; i < POINTS * EVALUATIONS; i++) {
        tallies[i] = (struct grt_tally){.moments = &moments[i]};
        moments[i] = (struct grt_moments){0};
        tallies[i].outcomes[GRT_OUTCOME_YES] = passing[i];
        tallies[i].outcomes[GRT_OUTCOME_UNKNOWN] = 100 - passing[i];
    }
    return (struct grt_results){
        .experiment = &experiment, .tallies = tallies, .samples = samples, .complete = true};
}

static const size_t first_axis[] = {0}, at_first[] = {0}, at_second[] = {1};

static struct grt_compared compare(const struct grt_results *results, struct grt_published published) {
    static struct grt_published kept;
    kept = published;
    return grt_compare_published(results, &kept);
}

/* R. G. Newcombe, Statistics in Medicine 17, 1998, table II, case (a), 56/70 - 48/80, method 10. */
static void intervals_are_newcombes(void) {
    const uint64_t passing[] = {0, 0, 0, 0};
    struct grt_results results = results_of(passing);
    tallies[0].outcomes[GRT_OUTCOME_YES] = 56;
    tallies[0].outcomes[GRT_OUTCOME_UNKNOWN] = 14;
    struct grt_compared compared = compare(&results, (struct grt_published){.axes = first_axis,
                                                                            .values = at_first,
                                                                            .axis_count = 1,
                                                                            .measure = "ratio",
                                                                            .value = 48.0 / 80,
                                                                            .samples = 80});
    CU_ASSERT_DOUBLE_EQUAL(compared.difference, 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(compared.within.low, 0.0524, 5e-5);
    CU_ASSERT_DOUBLE_EQUAL(compared.within.high, 0.3339, 5e-5);
    CU_ASSERT_EQUAL(compared.agreement, GRT_DISAGREES);
}

static struct grt_published ratio_of(double value, int64_t of, double digits) {
    return (struct grt_published){.axes = first_axis,
                                  .values = at_second,
                                  .axis_count = 1,
                                  .evaluation = 1,
                                  .measure = "ratio",
                                  .value = value,
                                  .digits = digits,
                                  .samples = of};
}

static void ratios_agree_within_chance(void) {
    const uint64_t passing[] = {0, 0, 0, 50};
    struct grt_results results = results_of(passing);
    /* Wilson's interval of 50 of 100 is 0.4038 to 0.5962. */
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.59, 0, 0)).agreement, GRT_AGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.60, 0, 0)).agreement, GRT_DISAGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.60, 0, 0.005)).agreement, GRT_AGREES); /* rounded */
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.60, 100, 0)).agreement,
                    GRT_AGREES); /* chance on both sides */
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.60, 1000000, 0)).agreement, GRT_DISAGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.40, 0, 0)).agreement, GRT_DISAGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0.41, 0, 0)).agreement, GRT_AGREES);
}

static void extremes_agree_with_themselves(void) {
    const uint64_t passing[] = {0, 0, 0, 100};
    struct grt_results results = results_of(passing);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(1, 500, 0)).agreement, GRT_AGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(1, 0, 0)).agreement, GRT_AGREES);
    CU_ASSERT_EQUAL(compare(&results, ratio_of(0, 500, 0)).agreement, GRT_DISAGREES);
}

static void points_are_taken_together(void) {
    const uint64_t passing[] = {10, 0, 30, 0};
    struct grt_results results = results_of(passing);
    struct grt_estimate all = grt_results_estimate(&results, NULL, NULL, 0, 0, "ratio");
    CU_ASSERT_EQUAL(all.sets, 200);
    CU_ASSERT_DOUBLE_EQUAL(all.value, 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.within.low, grt_wilson(40, 200, GRT_WILSON_95).low, 0);
}

static void means_have_intervals(void) {
    const uint64_t passing[] = {0, 0, 0, 0};
    struct grt_results results = results_of(passing);
    for (int i = 1; i <= 5; i++) {
        grt_moments_add(&moments[2], i); /* mean 3, deviation sqrt(2.5) */
    }
    struct grt_estimate load = grt_results_estimate(&results, first_axis, at_second, 1, 0, "load");
    CU_ASSERT_EQUAL(load.sets, 5);
    CU_ASSERT_DOUBLE_EQUAL(load.value, 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(load.within.high - 3, 2.776445 * sqrt(2.5 / 5), 1e-5); /* Student's t of 4 */
    CU_ASSERT_DOUBLE_EQUAL(load.independent, 5, 0);
    CU_ASSERT_TRUE(isnan(grt_results_estimate(&results, first_axis, at_first, 1, 0, "load").value));
    CU_ASSERT_TRUE(isnan(grt_results_estimate(&results, first_axis, at_second, 1, 0, "nothing").value));
    struct grt_published none = {.axes = first_axis, .values = at_first, .axis_count = 1, .measure = "load"};
    CU_ASSERT_EQUAL(compare(&results, none).agreement, GRT_NOT_COMPARABLE);
}

/* A table of a deterministic simulation has one set a point: only digits excuse a difference. */
static void one_set_has_no_interval(void) {
    const uint64_t passing[] = {0, 0, 0, 0};
    struct grt_results results = results_of(passing);
    grt_moments_add(&moments[0], 12.25);
    struct grt_published near = {
        .axes = first_axis, .values = at_first, .axis_count = 1, .measure = "load", .value = 12.3};
    struct grt_compared compared = compare(&results, near);
    CU_ASSERT_TRUE(isnan(compared.simulated.within.low) && isnan(compared.simulated.within.high));
    CU_ASSERT_EQUAL(compared.agreement, GRT_DISAGREES);
    near.digits = 0.051;
    CU_ASSERT_EQUAL(compare(&results, near).agreement, GRT_AGREES);
}

/* ---- the same sets at several points ---- */

enum { SHARED_VALUES = 4, SHARED_POINTS = 2 * SHARED_VALUES };

/* An axis of two values with sets of their own, and one of four that see the same sets. */
struct shared {
    struct grt_axis axes[2];
    struct grt_point points[SHARED_POINTS];
    struct grt_experiment experiment;
    struct grt_moments moments[SHARED_POINTS];
    struct grt_tally tallies[SHARED_POINTS];
    struct grt_results results;
};

static void make_shared(struct shared *shared) {
    *shared = (struct shared){
        .axes = {{.name = "u", .count = 2}, {.name = "overhead", .count = SHARED_VALUES, .same_sets = true}}};
    for (size_t i = 0; i < SHARED_POINTS; i++) {
        shared->points[i] = (struct grt_point){.values = {i / SHARED_VALUES, i % SHARED_VALUES},
                                               .key = i / SHARED_VALUES,
                                               .evaluations = evaluations};
        shared->tallies[i].moments = &shared->moments[i];
    }
    shared->experiment = (struct grt_experiment){.axes = shared->axes,
                                                 .axis_count = 2,
                                                 .points = shared->points,
                                                 .point_count = SHARED_POINTS,
                                                 .evaluation_count = 1};
    shared->results = (struct grt_results){.experiment = &shared->experiment, .tallies = shared->tallies};
}

/* Sets with a difficulty each, evenly distributed; it passes where that is below 0.5 and an overhead's part; its load is that and the overhead. */
static void draw_shared(struct shared *shared, uint64_t trial, int sets) {
    struct grt_random random = grt_random_stream(3, "shared", trial, 0);
    for (int i = 0; i < 2 * sets; i++) {
        double difficulty = (double)grt_random_below(&random, 1000000) / 1e6;
        for (size_t j = 0; j < SHARED_VALUES; j++) {
            size_t point = (size_t)(i / sets) * SHARED_VALUES + j;
            bool passes = difficulty < 0.5 - 0.05 * (double)j;
            shared->tallies[point].outcomes[passes ? GRT_OUTCOME_YES : GRT_OUTCOME_UNKNOWN]++;
            grt_moments_add(&shared->moments[point], difficulty + 0.05 * (double)j);
        }
    }
}

/* The share of 95 percent intervals in which the true value is, over the axes of which no value is given: nearly all of them; intervals as of independent
 * sets have it in two of three cases. */
static void same_sets_are_not_counted_twice(void) {
    const double ratio = 0.425, load = 0.575;
    int trials = grt_suite_all_cases(1000, 20000), ratios = 0, loads = 0, naive = 0;
    for (int i = 0; i < trials; i++) {
        struct shared shared;
        make_shared(&shared);
        draw_shared(&shared, (uint64_t)i, 50);
        struct grt_estimate found = grt_results_estimate(&shared.results, NULL, NULL, 0, 0, "ratio");
        struct grt_interval pooled = grt_wilson_of(found.value, (double)found.sets, GRT_WILSON_95);
        ratios += found.within.low <= ratio && ratio <= found.within.high;
        naive += pooled.low <= ratio && ratio <= pooled.high;
        found = grt_results_estimate(&shared.results, NULL, NULL, 0, 0, "load");
        loads += found.within.low <= load && load <= found.within.high;
        CU_ASSERT(found.sets == 400 && found.independent == 100);
    }
    CU_ASSERT(ratios >= 0.94 * trials && loads >= 0.94 * trials);
    CU_ASSERT(naive < 0.8 * trials); /* so the test can tell */
}

/* Where a value of the axis is given, its sets are all different. */
static void a_value_given_of_same_sets_is_one_point(void) {
    static const size_t both[] = {0, 1}, second[] = {1}, where[] = {1, 2}, third[] = {2};
    struct shared shared;
    make_shared(&shared);
    draw_shared(&shared, 0, 50);
    CU_ASSERT_EQUAL(grt_results_estimate(&shared.results, both, where, 2, 0, "ratio").independent, 50);
    CU_ASSERT_EQUAL(grt_results_estimate(&shared.results, second, third, 1, 0, "load").independent, 100);
    CU_ASSERT_EQUAL(grt_results_estimate(&shared.results, both, where, 1, 0, "load").independent, 50);
}

/* ---- claims ---- */

static struct grt_claim_found claim(const uint64_t *passing, double margin, bool everywhere) {
    static const size_t order[] = {0, 1}; /* a above b */
    static struct grt_claimed kept;
    struct grt_results results = results_of(passing);
    kept = (struct grt_claimed){
        .measure = "ratio", .order = order, .order_count = 2, .margin = margin, .everywhere = everywhere};
    return grt_compare_claim(&results, &kept);
}

static void claims_hold_or_not(void) {
    const uint64_t mixed[] = {60, 50, 40, 45};
    struct grt_claim_found found = claim(mixed, 0, true);
    CU_ASSERT_FALSE(found.holds);
    CU_ASSERT_EQUAL(found.points, 2);
    CU_ASSERT_EQUAL(found.held, 1);
    CU_ASSERT_EQUAL(found.point, 1); /* the worst */
    CU_ASSERT_DOUBLE_EQUAL(found.by, -0.05, 1e-12);
    found = claim(mixed, 0, false);
    CU_ASSERT_TRUE(found.holds);
    CU_ASSERT_EQUAL(found.point, 0);                /* the best */
    CU_ASSERT_TRUE(claim(mixed, 0.1, false).holds); /* 0.6 - 0.5 is not quite 0.1 in doubles */
    CU_ASSERT_FALSE(claim(mixed, 0.11, false).holds);
    CU_ASSERT_TRUE(claim(mixed, -0.05, true).holds);
    CU_ASSERT_FALSE(claim(mixed, -0.04, true).holds);
}

static void claims_without_values_do_not_hold(void) {
    const uint64_t passing[] = {60, 50, 40, 45};
    struct grt_results results = results_of(passing);
    static const size_t order[] = {0, 1};
    const struct grt_claimed claimed = {
        .measure = "load", .order = order, .order_count = 2, .everywhere = true};
    struct grt_claim_found found = grt_compare_claim(&results, &claimed);
    CU_ASSERT_FALSE(found.holds);
    CU_ASSERT(found.points == 2 && found.without_values == 2 && found.held == 0);
    CU_ASSERT_EQUAL(found.point, SIZE_MAX);
}

/* One point without values: not everywhere, but somewhere. */
static void points_without_values_are_counted(void) {
    const uint64_t passing[] = {60, 50, 40, 45};
    struct grt_results results = results_of(passing);
    static const size_t order[] = {0, 1};
    struct grt_claimed claimed = {.measure = "load", .order = order, .order_count = 2, .everywhere = true};
    grt_moments_add(&moments[0], 2), grt_moments_add(&moments[1], 1); /* the first point: a 2, b 1 */
    grt_moments_add(&moments[2], 2);                                  /* the second one: b has none */
    struct grt_claim_found found = grt_compare_claim(&results, &claimed);
    CU_ASSERT_FALSE(found.holds);
    CU_ASSERT(found.points == 2 && found.held == 1 && found.without_values == 1);
    CU_ASSERT(found.point == 0 && found.by == 1);
    claimed.everywhere = false;
    CU_ASSERT_TRUE(grt_compare_claim(&results, &claimed).holds);
}

/* What was recalculated is not counted as published. */
static void values_are_counted_by_who_says_them(void) {
    const struct grt_published paper = {.from = GRT_FROM_PAPER}, other = {.from = GRT_FROM_RECALCULATION};
    struct grt_agreed agreed = {0};
    char text[GRT_AGREED_TEXT_SIZE];
    grt_agreed_count(&agreed, &(struct grt_compared){.published = &other, .agreement = GRT_AGREES});
    grt_agreed_count(&agreed, &(struct grt_compared){.published = &other, .agreement = GRT_DISAGREES});
    CU_ASSERT_STRING_EQUAL(grt_agreed_text(&agreed, text),
                           "1 of 2 values agree that were recalculated apart from gpurt");
    grt_agreed_count(&agreed, &(struct grt_compared){.published = &paper, .agreement = GRT_NOT_COMPARABLE});
    CU_ASSERT_STRING_EQUAL(grt_agreed_text(&agreed, text),
                           "0 of 1 published values agree, 1 of 2 that were recalculated apart from gpurt");
    const struct grt_agreed published = {.agreeing = {2, 0}, .all = {3, 0}};
    CU_ASSERT_STRING_EQUAL(grt_agreed_text(&published, text), "2 of 3 published values agree");
}

int main(void) {
    CU_TestInfo tests[] = {{"intervals are Newcombe's", intervals_are_newcombes},
                           {"ratios agree within chance", ratios_agree_within_chance},
                           {"extremes agree with themselves", extremes_agree_with_themselves},
                           {"points are taken together", points_are_taken_together},
                           {"means have intervals", means_have_intervals},
                           {"one set has no interval", one_set_has_no_interval},
                           {"same sets are not counted twice", same_sets_are_not_counted_twice},
                           {"a value given of same sets", a_value_given_of_same_sets_is_one_point},
                           {"points without values", points_without_values_are_counted},
                           {"claims hold or not", claims_hold_or_not},
                           {"claims without values do not hold", claims_without_values_do_not_hold},
                           {"counted by who says them", values_are_counted_by_who_says_them},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("compare", tests);
}
