#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "calib/evt/pwcet_parts.h"
#include "calib/evt/step.h"
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
        if (value > GRT_PWCET_LONGEST_VALUE) {
            grt_pwcet_refuse(work, "value %zu of %zu is too long for an execution time: %g is more than %g",
                             i + 1, input->count, value, GRT_PWCET_LONGEST_VALUE);
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
    }
    return count >= GRT_PWCET_LEAST_VALUES && count <= GRT_PWCET_MOST_VALUES;
}

/* ---- values that hardly vary ---- */

/* As many runs, none of them longer: of fewer than one run in so many, with 95 percent confidence, if they do not depend on each other. */
static double one_in(size_t count) {
    return floor(-1 / expm1(log(0.05) / (double)count));
}

/* All values are one. A clock shows what is up to a quantum longer as the same. */
static void say_constant(struct grt_pwcet_work *work) {
    struct grt_pwcet *out = work->out;
    const char *time = grt_pwcet_time(work, out->largest, 9);
    const char *longest = grt_pwcet_time(work, out->largest + out->quantum, 9);
    const char *answer =
        out->quantum > 0
            ? grt_pwcet_say(work,
                            "%s, on a clock that counts in %s. There is no distribution to fit, and %s, "
                            "one quantum more, since the clock shows a time up to that as the same,",
                            time, grt_pwcet_time(work, out->quantum, 9), longest)
            : grt_pwcet_say(work, "%s. There is no distribution to fit, and the time itself", time);
    out->constant = grt_pwcet_say(
        work,
        "all %zu times are equal: %s is the answer, for a device that always takes this time under these "
        "conditions. Whether it does, a cause that is rarer than these runs leaves open: by their number "
        "alone, fewer than one run in %.0f %s (95 %%)",
        out->count, answer, one_in(out->count), out->quantum > 0 ? "is longer" : "shows a longer time");
}

/* One duration shows as two neighbouring values; but so do durations that vary, drift or are longer now and then, and what tells them apart is lost in the quantum. */
static void refuse_neighbours(struct grt_pwcet_work *work) {
    const struct grt_pwcet *out = work->out;
    grt_pwcet_refuse(work,
                     "the clock is too coarse: all %zu values are from %s to %s, within one of its quanta of "
                     "%s, which hides whether and how they vary",
                     out->count, grt_pwcet_time(work, out->smallest, 9),
                     grt_pwcet_time(work, out->largest, 9), grt_pwcet_time(work, out->quantum, 6));
}

/* A tenth of the values or fewer differ from the others, which are constant. */
static void refuse_few(struct grt_pwcet_work *work, size_t others) {
    const struct grt_pwcet *out = work->out;
    size_t same = out->count - others;
    const char *least = grt_pwcet_time(work, work->sorted[0], 9),
               *most = grt_pwcet_time(work, work->sorted[same - 1], 9);
    const char *what = work->sorted[0] < work->sorted[same - 1]
                           ? grt_pwcet_say(work, "from %s to %s, within the clock's quantum", least, most)
                           : least;
    grt_pwcet_refuse(work,
                     "%zu of %zu values are %s; the other %zu are longer, from %s to %s: too few differ for "
                     "a tail to be seen. Look for what the longer ones have in common, or measure more",
                     same, out->count, what, others, grt_pwcet_time(work, work->sorted[same], 9),
                     grt_pwcet_time(work, out->largest, 9));
}

/* Whether values vary; else that is said, or refused. */
static bool do_vary(struct grt_pwcet_work *work) {
    size_t count = work->out->count, others = 0;
    double most = work->sorted[0] + work->out->quantum * (1 + 1e-9); /* decimals of a user's have errors */
    while (others < count && work->sorted[count - others - 1] > most) {
        others++;
    }
    bool is_few = others <= count / 10;
    if (work->sorted[0] == work->sorted[count - 1]) {
        say_constant(work);
    } else if (others == 0) {
        refuse_neighbours(work);
    } else if (is_few) {
        refuse_few(work, others);
    }
    return !is_few;
}

/* ---- clocks ---- */

static size_t ties_of_tail(const double *sorted, size_t count) {
    size_t ties = 0;
    for (size_t i = count - count / 10; i < count; i++) {
        ties += sorted[i] == sorted[i - 1];
    }
    return ties;
}

static void refuse_ties(struct grt_pwcet_work *work, size_t ties, size_t of, double step) {
    grt_pwcet_refuse(work,
                     "values repeat: %zu of the largest %zu are equal to another one; say the quantum "
                     "of the clock that they were measured with%s%s",
                     ties, of, step > 0 ? ", perhaps " : "",
                     step > 0 ? grt_pwcet_say(work, "%s, of which all differences are multiples",
                                              grt_pwcet_time(work, step, 6))
                              : "");
}

static void refuse_clump(struct grt_pwcet_work *work, size_t place, double step) {
    size_t same = 0;
    while (same <= place && work->sorted[place - same] == work->sorted[place]) {
        same++;
    }
    grt_pwcet_refuse(work,
                     "%zu values are all %s, more than there are around it, which steps of the clock, of "
                     "%s by the values, do not explain: look for what such runs have in common",
                     same, grt_pwcet_time(work, work->sorted[place], 9), grt_pwcet_time(work, step, 6));
}

/* The quantum that is said, or more where all values are multiples of more and repeat, as they do in steps. False: they repeat for another reason, which is refused. */
static bool find_quantum(struct grt_pwcet_work *work) {
    struct grt_pwcet *out = work->out;
    size_t count = out->count, tenth = count / 10, ties = ties_of_tail(work->sorted, count);
    const struct grt_step step = grt_step_of(work->sorted, count);
    bool is_more = step.step > out->quantum + step.digit * (1 - 1e-6); /* what is said may be rounded */
    if (step.step > 0 && step.different < count && (is_more || out->quantum == 0)) {
        size_t clump = grt_step_clump(&step, work->sorted, count, tenth);
        if (clump < count) {
            refuse_clump(work, clump, step.step);
            return false;
        }
        if (out->quantum > 0) {
            grt_pwcet_warn(work,
                           "the values look quantised by %s, of which all differences are multiples: it is "
                           "taken for the clock's quantum, not %s",
                           grt_pwcet_time(work, step.step, 6), grt_pwcet_time(work, out->quantum, 6));
        }
        out->quantum = step.step;
        out->quantum_is_seen = true;
    } else if (out->quantum == 0 && (double)ties > MOST_TIES * (double)tenth) {
        refuse_ties(work, ties, tenth, step.likely);
        return false;
    }
    return true;
}

static void warn_of_few(struct grt_pwcet_work *work) {
    if (work->out->count < GRT_PWCET_FEW_VALUES) {
        grt_pwcet_warn(work, "%zu values are few: intervals are wide below %d", work->out->count,
                       (int)GRT_PWCET_FEW_VALUES);
    }
}

/* Whether the clock is fine enough for the tail; `sorted` as measured. */
static bool is_fine(struct grt_pwcet_work *work) {
    size_t count = work->out->count, tenth = count / 10;
    const double *sorted = work->sorted;
    double quantum = work->out->quantum, threshold = sorted[count - tenth - 1];
    double excess = gsl_stats_mean(sorted + count - tenth, 1, tenth) - threshold;
    if (quantum > 0 && excess < LEAST_QUANTA * quantum) {
        grt_pwcet_refuse(work,
                         "the clock is too coarse: the largest tenth of the values is above the others by "
                         "%.3g of its quanta of %s%s on average; at least %d are needed. There are %zu "
                         "different values",
                         excess / quantum, grt_pwcet_time(work, quantum, 6),
                         work->out->quantum_is_seen ? ", which the values show," : "", LEAST_QUANTA,
                         grt_step_of(sorted, count).different);
        return false;
    }
    return true;
}

/* Uniform shares of a quantum. Of all clocks, however fine: even a thousand values in 200 quanta repeat, which no continuous distribution does. */
static void jitter(struct grt_pwcet_work *work) {
    struct grt_random random = grt_random_stream(work->input->seed, "clock quantum", 0, 0);
    double quantum = work->out->quantum;
    for (size_t i = 0; i < work->out->count; i++) {
        work->series[i] += quantum * (grt_random_uniform(&random) - 0.5);
    }
    memcpy(work->sorted, work->series, work->out->count * sizeof *work->sorted);
    gsl_sort(work->sorted, 1, work->out->count);
    work->out->was_jittered = true;
    if (work->out->middle_half < WARNED_QUANTA * quantum) {
        grt_pwcet_warn(
            work,
            "half of the values are within %.3g quanta of the clock, of %s: each was moved by a random "
            "share of up to half a quantum",
            work->out->middle_half / quantum, grt_pwcet_time(work, quantum, 6));
    }
}

/* ---- claims ---- */

bool grt_pwcet_check_quantum(const struct grt_pwcet_input *input, struct grt_arena *arena,
                             struct grt_errors *errors) {
    struct grt_pwcet_work work = {.input = input, .arena = arena};
    double *sorted = grt_arena_array(arena, input->count + 1, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < input->count && input->quantum > 0; i++) {
        bool is_time = isfinite(input->values[i]) && input->values[i] >= 0; /* else it is refused later */
        sorted[count] = input->values[i];
        count += is_time;
    }
    if (count == 0) {
        return true;
    }
    gsl_sort(sorted, 1, count);
    const struct grt_step step = grt_step_of(sorted, count);
    bool good = !grt_step_refutes(&step, sorted, count, input->quantum);
    if (!good) {
        grt_error_add(errors, NULL, "the values are no multiples of the quantum of %s%s%s",
                      grt_pwcet_time(&work, input->quantum, 6), step.likely > 0 ? ": their own step is " : "",
                      step.likely > 0 ? grt_pwcet_time(&work, step.likely, 6) : "");
    }
    return good;
}

bool grt_pwcet_prepare(struct grt_pwcet_work *work) {
    const struct grt_pwcet_input *input = work->input;
    struct grt_pwcet *out = work->out;
    out->count = input->count;
    out->quantum = input->quantum;
    if (input->count == 0) {
        grt_pwcet_refuse(work, "there are no values");
    }
    if (input->count == 0 || !are_times(work)) {
        return false;
    }
    work->series = grt_arena_array(work->arena, input->count, sizeof *work->series);
    work->sorted = grt_arena_array(work->arena, input->count, sizeof *work->sorted);
    work->measured = grt_arena_array(work->arena, input->count, sizeof *work->measured);
    memcpy(work->series, input->values, input->count * sizeof *work->series);
    memcpy(work->sorted, input->values, input->count * sizeof *work->sorted);
    gsl_sort(work->sorted, 1, input->count);
    memcpy(work->measured, work->sorted, input->count * sizeof *work->measured);
    out->series = work->series;
    out->sorted = work->sorted;
    describe(out, work->sorted);
    if (!are_enough(work) || !do_vary(work) || !find_quantum(work) || !is_fine(work)) {
        return false;
    }
    warn_of_few(work);
    if (out->quantum > 0) {
        jitter(work);
    }
    return true;
}
