#include "calib/evt/step.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "sim/divisor.h"

#define QUANTUM_DIGITS 1e-5 /* of a quantum: to how many digits somebody says it, at least */

/* ---- decimals ---- */

static bool is_whole(double value) {
    return fabs(value - round(value)) <= 4 * DBL_EPSILON * value;
}

/* Beyond 2^45, any number is nearly whole. */
static bool are_whole(const double *sorted, size_t count, double scale) {
    const double most = 35184372088832.0;
    for (size_t i = 0; i < count; i++) {
        if (sorted[i] * scale > most || !is_whole(sorted[i] * scale)) {
            return false;
        }
    }
    return true;
}

static double digit_of(const double *sorted, size_t count) {
    enum { MOST_DIGITS = 9 };
    double scale = 1;
    for (int digits = 0; digits <= MOST_DIGITS; digits++, scale *= 10) {
        if (are_whole(sorted, count, scale)) {
            return 1 / scale;
        }
    }
    return 0;
}

/* ---- steps ---- */

static double least_apart(const double *sorted, size_t count) {
    double least = INFINITY;
    for (size_t i = 1; i < count; i++) {
        double apart = sorted[i] - sorted[i - 1];
        least = apart > 0 ? fmin(least, apart) : least;
    }
    return least;
}

/* Of whole multiples of the last digit. */
static double exact_step(const double *sorted, size_t count, double digit) {
    uint64_t common = 0;
    for (size_t i = 1; i < count && common != 1; i++) {
        common = grt_common_divisor(common, (uint64_t)llround((sorted[i] - sorted[0]) / digit));
    }
    return (double)common * digit;
}

/* Of values that are rounded to `slack`: each difference from the smallest value makes the step's estimate more exact, until it holds for all. 0: it does not. */
static double rounded_step(const double *sorted, size_t count, double slack) {
    double step = least_apart(sorted, count), ticks = 0;
    for (size_t i = 1; i < count; i++) {
        double next = ticks + round((sorted[i] - sorted[i - 1]) / step);
        step = next > ticks && next > 1 ? (sorted[i] - sorted[0]) / next : step;
        ticks = next;
    }
    for (size_t i = 1; i < count; i++) {
        double steps = (sorted[i] - sorted[0]) / step;
        if (fabs(steps - round(steps)) * step > slack * (1 + 1e-9)) {
            return 0;
        }
    }
    return step;
}

static size_t count_different(const double *sorted, size_t count) {
    size_t different = 1;
    for (size_t i = 1; i < count; i++) {
        different += sorted[i] != sorted[i - 1];
    }
    return different;
}

enum { LEAST_DIGITS = 8 }; /* of a step of fewer, rounding leaves nothing to recognise */

static double hidden_step(const double *sorted, size_t count, double digit, double exact) {
    double least = least_apart(sorted, count);
    bool is_hidden = digit > 0 && least >= LEAST_DIGITS * digit && exact < least / 2;
    return is_hidden ? rounded_step(sorted, count, digit) : 0;
}

struct grt_step grt_step_of(const double *sorted, size_t count) {
    struct grt_step step = {.different = count_different(sorted, count)};
    double digit = step.digit = digit_of(sorted, count);
    if (step.different == 1) {
        return step;
    }
    double exact = digit > 0 ? exact_step(sorted, count, digit)
                             : rounded_step(sorted, count, 1e-3 * least_apart(sorted, count));
    double hidden = hidden_step(sorted, count, digit, exact);
    bool is_easy = hidden > 0 || (exact > 1.5 * digit && exact < (LEAST_DIGITS - 0.5) * digit);
    size_t least = is_easy ? GRT_STEP_LEAST_DIFFERENT_OF_EASY : GRT_STEP_LEAST_DIFFERENT;
    step.likely = hidden > 0 ? hidden : exact;
    step.step = step.different >= least ? step.likely : 0;
    return step;
}

/* ---- claims ---- */

/* The place behind all values that equal the one at `i`. */
static size_t behind(const double *sorted, size_t count, size_t i) {
    size_t end = i + 1;
    while (end < count && sorted[end] == sorted[i]) {
        end++;
    }
    return end;
}

static size_t count_no_multiples(const struct grt_step *step, const double *sorted, size_t count,
                                 double quantum) {
    double of_each = fmax(step->digit, QUANTUM_DIGITS * quantum);
    size_t none = 0;
    for (size_t i = 0; i < count; i++) {
        double ticks = round(sorted[i] / quantum);
        none += fabs(sorted[i] - ticks * quantum) > step->digit + ticks * of_each;
    }
    return none;
}

bool grt_step_refutes(const struct grt_step *step, const double *sorted, size_t count, double quantum) {
    enum { ONE_IN = 20 };
    double least = quantum * (1 - 1e-6) - 2 * step->digit;
    size_t wrong = 0, before = 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = behind(sorted, count, i);
        if (i > 0 && sorted[i] - sorted[i - 1] < least) {
            wrong += before < end - i ? before : end - i;
        }
        before = end - i;
    }
    return wrong * ONE_IN > count || count_no_multiples(step, sorted, count, quantum) * ONE_IN > count;
}

size_t grt_step_clump(const struct grt_step *step, const double *sorted, size_t count, size_t tail) {
    enum { SIDE = 5, FREE = 6, TIMES = 3 };
    double reach = (SIDE + 0.5) * step->step;
    size_t low = 0, high = 0;
    for (size_t i = count - tail, end; i < count; i = end) {
        end = behind(sorted, count, i);
        while (sorted[i] - sorted[low] > reach) {
            low++;
        }
        while (high < count && sorted[high] - sorted[i] < reach) {
            high++;
        }
        size_t begin = i;
        while (begin > 0 && sorted[begin - 1] == sorted[i]) { /* some may be below the tail */
            begin--;
        }
        double here = (double)(end - begin), around = (double)(high - low) - here;
        if (here > FREE + TIMES * around / (2 * SIDE)) {
            return end - 1;
        }
    }
    return count;
}
