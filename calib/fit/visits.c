/* Medians of samples that are not independent: of each launch, then of each visit, and an interval from the visits, which were taken at random times of the measurement. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/build.h"
#include "calib/fit/quantum.h"
#include "sim/check.h"

/* Fewer visits have no two order statistics with their median between them in 95 %. */
enum { ENOUGH_VISITS = 6 };

static bool same_visit(const struct grt_fit_series *series, size_t a, size_t b) {
    if (series->visits != NULL) {
        return series->visits[a] == series->visits[b];
    }
    return series->launches != NULL && series->launches[a] == series->launches[b];
}

static bool same_launch(const struct grt_fit_series *series, size_t a, size_t b) {
    return series->launches != NULL && series->launches[a] == series->launches[b] && same_visit(series, a, b);
}

static double median_of(double *values, size_t count) {
    gsl_sort(values, 1, count);
    return grt_sorted_quantile(values, count, 0.5);
}

size_t grt_fit_visit_medians(const struct grt_fit_series *series, double *medians) {
    double *rows = grt_allocate((2 * series->count + 1) * sizeof *rows), *launches = rows + series->count;
    size_t visits = 0, launch_count = 0, row_count = 0;
    for (size_t i = 0; i < series->count; i++) {
        bool is_last = i + 1 == series->count;
        rows[row_count++] = series->values[i];
        if (is_last || !same_launch(series, i, i + 1)) {
            launches[launch_count++] = median_of(rows, row_count);
            row_count = 0;
        }
        if (is_last || !same_visit(series, i, i + 1)) {
            medians[visits++] = median_of(launches, launch_count);
            launch_count = 0;
        }
    }
    free(rows);
    return visits;
}

struct grt_visit_signs grt_fit_visit_signs(const struct grt_fit_series *series) {
    struct grt_visit_signs signs = {0};
    double *sorted = grt_allocate((series->count + 1) * sizeof *sorted);
    for (size_t i = 0; i < series->count; i++) {
        sorted[i] = series->values[i];
    }
    double middle = median_of(sorted, series->count), sum = 0, most = 0, rows = 0;
    free(sorted);
    for (size_t i = 0; i < series->count; i++) {
        sum += (series->values[i] > middle) - (series->values[i] < middle);
        signs.independent += series->values[i] > middle || series->values[i] < middle;
        rows++;
        if (i + 1 == series->count || !same_visit(series, i, i + 1)) {
            signs.squares += sum * sum;
            most = fmax(most, rows);
            sum = rows = 0;
        }
    }
    double count = (double)series->count; /* about their own median all signs together are none */
    if (most >= count) {
        return (struct grt_visit_signs){0};
    }
    signs.squares *= (count - 1) / (count - most);
    return signs;
}

/* Of two visits or more, as if their medians were normal: Student's. */
static struct grt_ranged mean_of_few(const double *medians, size_t count) {
    double mean = gsl_stats_mean(medians, 1, count);
    double error = gsl_stats_sd(medians, 1, count) / sqrt((double)count);
    double half = gsl_cdf_tdist_Pinv(0.975, (double)count - 1) * error;
    return (struct grt_ranged){mean, mean - half, mean + half};
}

/* A sample, of which visit it is, and for how much of it: each launch counts the same, and of a launch each sample. */
struct sign {
    double place, weight;
    size_t visit;
};

static int by_place(const void *a, const void *b) {
    const struct sign *one = a, *other = b;
    return (one->place > other->place) - (one->place < other->place);
}

static void weigh_launch(struct sign *signs, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        signs[i].weight = 1 / (double)(end - first);
    }
}

static void weigh_visit(struct sign *signs, size_t first, size_t end, size_t launches) {
    for (size_t i = first; i < end; i++) {
        signs[i].weight /= (double)launches;
    }
}

/* The samples in ascending order. */
static struct sign *signs_of(const struct grt_fit_series *series) {
    struct sign *signs = grt_allocate((series->count + 1) * sizeof *signs);
    size_t visit = 0, visit_first = 0, launch_first = 0, launches = 0;
    for (size_t i = 0; i < series->count; i++) {
        bool is_last = i + 1 == series->count;
        signs[i] = (struct sign){.place = series->values[i], .visit = visit};
        if (is_last || !same_launch(series, i, i + 1)) {
            weigh_launch(signs, launch_first, i + 1);
            launch_first = i + 1;
            launches++;
        }
        if (is_last || !same_visit(series, i, i + 1)) {
            weigh_visit(signs, visit_first, i + 1, launches);
            visit_first = i + 1;
            launches = 0;
            visit++;
        }
    }
    qsort(signs, series->count, sizeof *signs, by_place);
    return signs;
}

/* How far from even the signs of visits are, as Student's t. */
static double sign_statistic(const double *means, size_t visits) {
    static const double rounding = 1e-9;
    double sum = 0, squares = 0, n = (double)visits;
    for (size_t i = 0; i < visits; i++) {
        sum += means[i];
        squares += means[i] * means[i];
    }
    double variance = fmax(squares - sum * sum / n, 0) / (n - 1);
    return fabs(sum) < rounding ? 0 : fabs(sum / n) / sqrt(variance / n);
}

/* Medians of few samples are on the long side where times are skewed, and so is their mean: an interval about that may be beside the median of all. The places about which
 * the signs of samples are even know nothing of that, but never leave the sample, as a median of few visits may. So the interval reaches over both. `visits` below ENOUGH_VISITS. */
static void reach_over_signs(const struct grt_fit_series *series, size_t visits, struct grt_ranged *value) {
    double most = gsl_cdf_tdist_Pinv(0.975, (double)visits - 1);
    double means[ENOUGH_VISITS]; /* of the signs about a place that passes all samples, from the first on */
    struct sign *signs = signs_of(series);
    for (size_t i = 0; i < visits; i++) {
        means[i] = 1;
    }
    for (size_t i = 0, next = 0; i < series->count; i = next) {
        double place = signs[i].place;
        for (next = i; next < series->count && signs[next].place <= place; next++) {
            means[signs[next].visit] -= signs[next].weight; /* on it: neither above nor below */
        }
        if ((place < value->low || place > value->high) && sign_statistic(means, visits) <= most) {
            value->low = fmin(value->low, place);
            value->high = fmax(value->high, place);
        }
        for (size_t k = i; k < next; k++) {
            means[signs[k].visit] -= signs[k].weight;
        }
    }
    free(signs);
}

static const char *how_of(struct grt_fit_build *build, const struct grt_fit_series *series, size_t visits,
                          struct grt_ranged value) {
    if (series->visits == NULL || visits == series->count) {
        return value.low <= value.high
                   ? grt_fit_text(build,
                                  "median of %zu samples; interval by order statistics, "
                                  "and the clock's step",
                                  series->count)
                   : grt_fit_text(build, "median of %zu samples, too few for an interval", series->count);
    }
    if (visits < 2) {
        return grt_fit_text(build, "median of %zu samples of one visit, which allow no interval",
                            series->count);
    }
    return visits < ENOUGH_VISITS
               ? grt_fit_text(build,
                              "mean of the medians of %zu visits with %zu samples; interval by Student's t "
                              "of these and of "
                              "signs, and the clock's step",
                              visits, series->count)
               : grt_fit_text(build,
                              "median of the medians of %zu visits with %zu samples; interval by order "
                              "statistics, and the clock's step",
                              visits, series->count);
}

/* One span agrees with all samples. */
static struct grt_fit_center one_for_all(struct grt_fit_build *build, const double *sorted, size_t count,
                                         double hidden) {
    struct grt_ranged value = {.low = sorted[count - 1] - hidden, .high = sorted[0] + hidden};
    value.value = grt_roundest(value.low, value.high);
    return (struct grt_fit_center){
        .value = value,
        .how =
            sorted[0] == sorted[count - 1]
                ? grt_fit_text(build, "all %zu samples are the same", count)
                : grt_fit_text(build, "one value agrees with all %zu samples, by the clock's step", count)};
}

static struct grt_fit_center middle_of_all(struct grt_fit_build *build, const struct grt_fit_series *series,
                                           double hidden) {
    double *medians = grt_arena_array(build->arena, series->count, sizeof *medians);
    size_t visits = grt_fit_visit_medians(series, medians);
    bool few = series->visits != NULL && visits >= 2 && visits < ENOUGH_VISITS;
    gsl_sort(medians, 1, visits);
    struct grt_ranged value = few ? mean_of_few(medians, visits) : grt_sorted_median(medians, visits);
    if (few) {
        reach_over_signs(series, visits, &value);
    }
    value.low -= hidden;
    value.high += hidden;
    return (struct grt_fit_center){
        .value = value, .how = how_of(build, series, visits, value), .varied = true};
}

/* Of few visits or launches all medians may be in one mode, though it is chance which. */
static void reach_over_modes(struct grt_fit_build *build, const struct grt_fit_modes *modes, const char *unit,
                             struct grt_fit_center *center) {
    struct grt_ranged *value = &center->value;
    bool has_interval = value->low <= value->high;
    if (has_interval) {
        value->low = fmin(value->low, modes->low);
        value->high = fmax(value->high, modes->high);
    }
    center->modes = modes->text;
    center->how = grt_fit_text(build, "%s; %s%s%s", center->how, modes->text, unit,
                               has_interval ? ", and the interval reaches over both" : "");
}

struct grt_fit_center grt_fit_center(struct grt_fit_build *build, const struct grt_fit_series *series,
                                     int64_t step) {
    double hidden = (double)(step - 1);
    size_t count = series->count;
    GRT_REQUIRE(count > 0, "look for the centre of at least one value");
    double *sorted = grt_arena_array(build->arena, count, sizeof *sorted);
    memcpy(sorted, series->values, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    if (sorted[count - 1] - hidden <= sorted[0] + hidden) {
        return one_for_all(build, sorted, count, hidden);
    }
    struct grt_fit_center center = middle_of_all(build, series, hidden);
    struct grt_fit_modes modes = grt_fit_modes(build, sorted, count, step);
    if (modes.text != NULL) {
        reach_over_modes(build, &modes, series->unit != NULL ? series->unit : " ns", &center);
    }
    return center;
}

struct grt_fit_series grt_fit_series(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                                     const char *column) {
    const int64_t *values = grt_raw_values(cell, column);
    struct grt_fit_series series = {.launches = grt_raw_values(cell, "launch"), .visits = cell->visits};
    if (values != NULL && cell->count > 0) {
        double *copy = grt_arena_array(build->arena, cell->count, sizeof *copy);
        for (size_t i = 0; i < cell->count; i++) {
            copy[i] = (double)values[i];
        }
        series.values = copy;
        series.count = cell->count;
    }
    return series;
}

struct grt_fit_center grt_fit_median(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                                     const char *column, int64_t step) {
    struct grt_fit_series series = grt_fit_series(build, cell, column);
    return grt_fit_center(build, &series, step);
}
