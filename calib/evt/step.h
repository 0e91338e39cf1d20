/* What values of a clock that goes in steps show of its steps. */
#ifndef GRT_CALIB_EVT_STEP_H
#define GRT_CALIB_EVT_STEP_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer different values may have a common step by chance. Eight that have nothing to do with each other have one that is rounded, or one of two digits, in one draw of a hundred: such steps need more. */
enum { GRT_STEP_LEAST_DIFFERENT = 8, GRT_STEP_LEAST_DIFFERENT_OF_EASY = 16 };

struct grt_step {
    double digit; /* the power of ten, at most 1, of which all values are multiples; 0: none down to 1e-9 */
    /* what all differences are multiples of, as those of a clock are: exactly, or, of a step that is no multiple of `digit`, rounded to it; 0:
     * nothing, or too few different values to tell */
    double step;
    double likely;    /* the same, however few the different values are */
    size_t different; /* different values */
};

/* Of values in ascending order, finite and at least 0; count >= 1. */
struct grt_step grt_step_of(const double *sorted, size_t count);

/* Whether values speak against a clock that counts in `quantum`. More than one in 20 is nearer to another than that, by more than two of the last digit, since
 * both may be rounded; or is no multiple of the quantum, as the time between two readings of a clock is, by more than the last digit and as many digits as it has
 * quanta, since the quantum may be rounded. */
bool grt_step_refutes(const struct grt_step *step, const double *sorted, size_t count, double quantum);

/* Whether one value of the largest `tail` is there so often that steps do not explain it: more than six times and three times as often as the ten steps around it on average. Its
 * place in `sorted`, of the last of them; `count`: none. step->step is above 0. */
size_t grt_step_clump(const struct grt_step *step, const double *sorted, size_t count, size_t tail);

#endif
