#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "calib/evt/pwcet_parts.h"
#include "sim/random.h"

/* A uniform share of a quantum makes steps that exponential tails of so many quanta do not notice; below so few the shape comes from the steps: 0033. */
#define LEAST_QUANTA 3
#define WARNED_QUANTA 20 /* between the quartiles: below this the moves are said aloud */
#define MOST_TIES 0.05   /* share of the largest tenth that may be equal to a neighbour without a quantum */

static bool are_times(struct grt_pwcet_work *work) {
    const struct grt_pwcet_input *input = work->input;
    for (size_t i = 0; i < input->count; i++) {
        double value = input->values[i];
        if (!isfinite(value) || value < 0) {
            grt_pwcet_refuse(work, "value %zu of %zu is no execution time: %g", i + 1, input->count, value);
            return false;
        }
    }
    return true;
}

static void describe(struct grt_pwcet *out, const double *sorted) {
    size_t count = out->count;
    out->smallest = sorted[0];
    out->median = gsl_stats_median_from_sorted_data(sorted, 1, count);
    out->largest = sorted[count - 1];
    out->middle_half = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.75) -
                       gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.25);
    out->fallback = out->largest * out->margin;
}

/* So many that they can be worked on at all. */
static bool are_enough(struct grt_pwcet_work *work) {
    size_t count = work->input->count;
    if (count < GRT_PWCET_LEAST_VALUES) {
        grt_pwcet_refuse(work, "%zu values are too few: at least %d are needed, 10000 are recommended", count,
                         (int)GRT_PWCET_LEAST_VALUES);
    } else if (count > GRT_PWCET_MOST_VALUES) {
        grt_pwcet_refuse(work, "%zu values are too many: at most %d are possible", count,
                         (int)GRT_PWCET_MOST_VALUES);
    } else if (count < GRT_PWCET_FEW_VALUES) {
        grt_pwcet_warn(work, "%zu values are few: intervals are wide below %d", count,
                       (int)GRT_PWCET_FEW_VALUES);
    }
    return count >= GRT_PWCET_LEAST_VALUES && count <= GRT_PWCET_MOST_VALUES;
}

static size_t ties_of_tail(const double *sorted, size_t count) {
    size_t ties = 0;
    for (size_t i = count - count / 10; i < count; i++) {
        ties += sorted[i] == sorted[i - 1];
    }
    return ties;
}

/* Whether the clock is fine enough for the tail; `sorted` as measured. */
static bool is_fine(struct grt_pwcet_work *work) {
    size_t count = work->out->count, tenth = count / 10;
    const double *sorted = work->sorted;
    double quantum = work->input->quantum, threshold = sorted[count - tenth - 1];
    double excess = gsl_stats_mean(sorted + count - tenth, 1, tenth) - threshold;
    size_t ties = ties_of_tail(sorted, count);
    if (quantum == 0 && (double)ties > MOST_TIES * (double)tenth) {
        grt_pwcet_refuse(work,
                         "values repeat: %zu of the largest %zu are equal to another one; say the quantum "
                         "of the clock that they were measured with",
                         ties, tenth);
        return false;
    }
    if (quantum > 0 && excess < LEAST_QUANTA * quantum) {
        grt_pwcet_refuse(work,
                         "the clock is too coarse: the largest tenth of the values is above the others by "
                         "%.3g of its quanta on average; at least %d are needed",
                         excess / quantum, LEAST_QUANTA);
        return false;
    }
    return true;
}

/* Uniform shares of a quantum. Of all clocks, however fine: even a thousand values in 200 quanta repeat, which no continuous distribution does. */
static void jitter(struct grt_pwcet_work *work) {
    struct grt_random random = grt_random_stream(work->input->seed, "clock quantum", 0, 0);
    double quantum = work->input->quantum;
    for (size_t i = 0; i < work->out->count; i++) {
        work->series[i] += quantum * (grt_random_uniform(&random) - 0.5);
    }
    memcpy(work->sorted, work->series, work->out->count * sizeof *work->sorted);
    gsl_sort(work->sorted, 1, work->out->count);
    work->out->was_jittered = true;
    if (work->out->middle_half < WARNED_QUANTA * quantum) {
        grt_pwcet_warn(work,
                       "half of the values are within %.3g quanta of the clock: each was moved by a random "
                       "share of up to half a quantum",
                       work->out->middle_half / quantum);
    }
}

bool grt_pwcet_prepare(struct grt_pwcet_work *work) {
    const struct grt_pwcet_input *input = work->input;
    struct grt_pwcet *out = work->out;
    out->count = input->count;
    if (input->count == 0) {
        grt_pwcet_refuse(work, "there are no values");
    }
    if (input->count == 0 || !are_times(work)) {
        return false;
    }
    work->series = grt_arena_array(work->arena, input->count, sizeof *work->series);
    work->sorted = grt_arena_array(work->arena, input->count, sizeof *work->sorted);
    memcpy(work->series, input->values, input->count * sizeof *work->series);
    memcpy(work->sorted, input->values, input->count * sizeof *work->sorted);
    gsl_sort(work->sorted, 1, input->count);
    out->series = work->series;
    out->sorted = work->sorted;
    describe(out, work->sorted);
    bool is_constant = out->smallest == out->largest;
    if (is_constant) {
        grt_pwcet_refuse(work, "all %zu values are %.17g: there is no tail to extrapolate", out->count,
                         out->largest);
    }
    if (!are_enough(work) || is_constant || !is_fine(work)) {
        return false;
    }
    if (input->quantum > 0) {
        jitter(work);
    }
    return true;
}
