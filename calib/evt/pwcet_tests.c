#include <math.h>

#include "calib/evt/pwcet_parts.h"

/* ---- independent, and alike ---- */

/* The largest tenth of the values, in the order of measuring. */
struct peaks {
    double *is_one; /* of each value: 1 or 0 */
    double *values;
    size_t count;
};

static struct peaks find_peaks(struct grt_pwcet_work *work) {
    size_t count = work->out->count;
    struct peaks peaks = {.is_one = grt_arena_array(work->arena, count, sizeof *peaks.is_one),
                          .values = grt_arena_array(work->arena, count, sizeof *peaks.values)};
    double threshold = work->out->sorted[count - count / 10 - 1];
    for (size_t i = 0; i < count; i++) {
        double value = work->out->series[i];
        peaks.is_one[i] = value > threshold;
        peaks.values[peaks.count] = value;
        peaks.count += value > threshold;
    }
    return peaks;
}

/* The step-down procedure: the smallest p counts times the number of tests, the next one times one less, and none less than those before it. */
static void adjust(struct grt_pwcet_checked tests[GRT_PWCET_TESTS]) {
    bool is_done[GRT_PWCET_TESTS] = {false};
    size_t left = 0;
    double most = 0;
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        is_done[i] = isnan(tests[i].test.p);
        left += !is_done[i];
    }
    for (; left > 0; left--) {
        size_t least = GRT_PWCET_TESTS;
        for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
            if (!is_done[i] && (least == GRT_PWCET_TESTS || tests[i].test.p < tests[least].test.p)) {
                least = i;
            }
        }
        most = fmax(most, fmin(1, (double)left * tests[least].test.p));
        tests[least].p = most;
        is_done[least] = true;
    }
}

void grt_pwcet_test_series(struct grt_pwcet_work *work) {
    static const char *const meanings[GRT_PWCET_TESTS] = {
        "neighbouring values depend on each other",
        "values above and below the median do not alternate at random",
        "the first half is distributed differently from the second",
        "the level does not stay",
        "values depend on each other over long distances",
        "large values come in groups",
        "large values become more or fewer",
        "large values become larger or smaller"};
    struct grt_pwcet *out = work->out;
    const double *series = out->series;
    struct peaks peaks = find_peaks(work);
    const struct grt_test tests[GRT_PWCET_TESTS] = {
        grt_test_ljung_box(series, out->count, 20),    grt_test_runs(series, out->count),
        grt_test_halves(series, out->count),           grt_test_stationary(series, out->count),
        grt_test_memory(series, out->count),           grt_test_ljung_box(peaks.is_one, out->count, 20),
        grt_test_stationary(peaks.is_one, out->count), grt_test_halves(peaks.values, peaks.count)};
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        out->tests[i] = (struct grt_pwcet_checked){tests[i], NAN};
    }
    adjust(out->tests);
    for (size_t i = 0; i < GRT_PWCET_TESTS; i++) {
        if (out->tests[i].p < GRT_PWCET_REFUSAL_LEVEL) {
            grt_pwcet_refuse(work, "%s: %s, p = %.2g for %d tests together", meanings[i],
                             grt_pwcet_test_names[i], out->tests[i].p, (int)GRT_PWCET_TESTS);
        }
    }
}

/* ---- one mode ---- */

enum { MOST_EXCESSES = 1000, DISTANCES_USED = 3 };

/* `by_gap`: a gap alone would have been enough. */
static void say_modes(struct grt_pwcet_work *work, const struct grt_extreme *extreme, const double *excesses,
                      size_t count, bool by_gap) {
    size_t above = by_gap ? grt_goodness_above_spacing(extreme, excesses, count) : 0;
    const double *end = work->measured + work->out->count; /* times that somebody can find */
    if (above > 0 && above < count) {
        grt_pwcet_refuse(
            work,
            "the largest %zu values have a gap, p = %.2g: %zu values (%.3g %%) are above it, from "
            "%s, the others end at %s. There may be a rare slow mode, which has to be measured "
            "apart or explained",
            count, work->out->one_mode.p, above, 100 * (double)above / (double)work->out->count,
            grt_pwcet_time(work, end[-(ptrdiff_t)above], 9),
            grt_pwcet_time(work, end[-(ptrdiff_t)above - 1], 9));
    } else {
        grt_pwcet_refuse(
            work,
            "no single distribution describes the largest %zu values, p = %.2g: there may be a rare "
            "slow mode, which has to be measured apart or explained",
            count, work->out->one_mode.p);
    }
}

void grt_pwcet_test_modes(struct grt_pwcet_work *work) {
    static const enum grt_distance used[DISTANCES_USED] = {GRT_DISTANCE_ANDERSON_DARLING,
                                                           GRT_DISTANCE_UPPER_TAIL, GRT_DISTANCE_SPACING};
    const struct grt_pwcet *out = work->out;
    size_t tenth = out->count / 10, count = tenth < MOST_EXCESSES ? tenth : MOST_EXCESSES;
    const double *excesses = out->sorted + out->count - count;
    struct grt_estimate estimate;
    double distances[GRT_DISTANCES], least = 1;
    if (!grt_estimate_of(excesses, count, GRT_EXTREME_GPD, excesses[-1], &estimate)) {
        work->out->one_mode = (struct grt_test){INFINITY, 0};
        grt_pwcet_refuse(
            work,
            "no generalised Pareto distribution has a tail like the largest %zu values: it would "
            "not even have a mean. The largest value is %s, the median %s",
            count, grt_pwcet_time(work, out->largest, 9), grt_pwcet_time(work, out->median, 9));
        return;
    }
    const struct grt_extreme *extreme = &estimate.likely.extreme;
    grt_goodness(extreme, excesses, count, distances);
    struct grt_bootstrap setup = {.extreme = *extreme,
                                  .count = count,
                                  .block = 1,
                                  .replicates = work->input->replicates,
                                  .purpose = "one mode",
                                  .seed = work->input->seed};
    struct grt_bootstrapped drawn = grt_bootstrap_run(&setup, distances);
    for (size_t i = 0; i < DISTANCES_USED; i++) {
        least = fmin(least, drawn.p[used[i]]);
    }
    work->out->one_mode = (struct grt_test){distances[GRT_DISTANCE_SPACING], fmin(1, DISTANCES_USED * least)};
    /* the smallest p that so few replicates can show counts as below the level, or few would never refuse */
    double level = fmax(GRT_PWCET_REFUSAL_LEVEL, DISTANCES_USED / (1 + (double)drawn.fitted));
    if (work->out->one_mode.p <= level) {
        bool by_gap = DISTANCES_USED * drawn.p[GRT_DISTANCE_SPACING] <= level;
        say_modes(work, extreme, excesses, count, by_gap);
    }
}
