/* RandFixedSum. Values are scaled to [0, 1]; their sum s lies between the whole numbers k and k + 1. The vectors with this sum
 * are a polytope, cut into simplices that each belong to a path through a triangle: from row n, column k + 1 down to row 1,
 * a step going straight down or down to the left. A path is drawn with the probability of its simplices' volume, a point of the simplex
 * with roots as in UUniFast, and the values are shuffled, which makes up for the simplices of other orders.
 *
 * Source: R. Stafford: Random vectors with fixed sum, MATLAB Central 2006; P. Emberson, R. Stafford, R. Davis: Techniques for the
 * synthesis of multiprocessor tasksets, WATERS 2010.
 * Deviates: 1. Only entries of the triangle that a path from (n, k + 1) can reach are computed, and each row is scaled to a largest
 * entry of 1 (only ratios within a row are used): no underflow at 1000 values, where the original's start with the largest double ends
 * in rows of zeros. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/generate/utilisation.h"
#include "sim/check.h"
#include "sim/elementary.h"
#include "sim/memory.h"

struct grt_fixed_sum {
    size_t count, column; /* column: k + 1 */
    double least, width, sum;
    double *left; /* of rows 2 to count, `column` columns each: the probability of stepping to the left */
};

static size_t first_column(size_t count, size_t column, size_t row) {
    size_t steps = count - row;
    return column > steps ? column - steps : 1;
}

static size_t last_column(size_t column, size_t row) {
    return column < row ? column : row;
}

static double *probabilities(const struct grt_fixed_sum *sum, size_t row) {
    return sum->left + (row - 2) * sum->column - 1; /* columns count from 1 */
}

/* One row of volumes from the one above it; `above` and `volumes` have a place for column 0. */
static void fill_row(const struct grt_fixed_sum *sum, size_t row, const double *above, double *volumes) {
    double *left = probabilities(sum, row), largest = 0;
    size_t first = first_column(sum->count, sum->column, row), last = last_column(sum->column, row);
    for (size_t j = first; j <= last; j++) {
        /* How far s is above the whole number of this column's lower end, and below that of its upper end. */
        double lower = sum->sum - (double)(sum->column - j),
               upper = (double)(sum->column + row - j) - sum->sum;
        double straight = above[j] * lower, leftwards = above[j - 1] * upper;
        volumes[j] = straight + leftwards;
        /* Without volume all values are at a bound: only column `row` is left to be at the upper one. */
        left[j] = volumes[j] > 0 ? leftwards / volumes[j] : j == row;
        largest = volumes[j] > largest ? volumes[j] : largest;
    }
    for (size_t j = first; j <= last && largest > 0; j++) {
        volumes[j] /= largest;
    }
}

static void fill_table(struct grt_fixed_sum *sum) {
    size_t width = sum->column + 1; /* with column 0, which stays 0 */
    double *volumes = grt_allocate(2 * width * sizeof *volumes);
    memset(volumes, 0, 2 * width * sizeof *volumes);
    double *above = volumes, *row = volumes + width;
    above[1] = 1;
    for (size_t i = 2; i <= sum->count; i++) {
        fill_row(sum, i, above, row);
        double *swap = above;
        above = row;
        row = swap;
    }
    free(volumes);
}

struct grt_fixed_sum *grt_fixed_sum_create(size_t count, double total, double least, double most) {
    GRT_REQUIRE(count >= 1 && count <= GRT_FIXED_SUM_MOST, "give 1 to GRT_FIXED_SUM_MOST values");
    struct grt_fixed_sum *sum = grt_allocate(sizeof *sum);
    double width = most - least, all = width > 0 ? (total - (double)count * least) / width : 0;
    all = all < 0 ? 0 : all; /* by rounding only */
    all = all > (double)count ? (double)count : all;
    size_t whole = (size_t)all < count ? (size_t)all : count - 1;
    *sum = (struct grt_fixed_sum){
        .count = count, .column = whole + 1, .least = least, .width = width, .sum = all};
    size_t size = (count - 1) * sum->column * sizeof *sum->left;
    sum->left = grt_allocate(size > 0 ? size : 1);
    memset(sum->left, 0, size);
    fill_table(sum);
    return sum;
}

void grt_fixed_sum_free(struct grt_fixed_sum *sum) {
    if (sum != NULL) {
        free(sum->left);
        free(sum);
    }
}

static void shuffle(struct grt_random *random, double *values, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)grt_random_below(random, i);
        double swap = values[i - 1];
        values[i - 1] = values[other];
        values[other] = swap;
    }
}

void grt_fixed_sum_draw(const struct grt_fixed_sum *sum, struct grt_random *random, double *values) {
    double rest = sum->sum, share = 1, base = 0;
    size_t column = sum->column;
    for (size_t row = sum->count; row >= 2; row--) {
        bool left = grt_random_uniform(random) < probabilities(sum, row)[column];
        double root = grt_elementary_root(1 - grt_random_uniform(random), (uint32_t)(row - 1));
        base += (1 - root) * share * rest / (double)row;
        share *= root;
        values[row - 1] = base + (left ? share : 0);
        rest -= left;
        column -= left;
    }
    values[0] = base + share * rest;
    shuffle(random, values, sum->count);
    for (size_t i = 0; i < sum->count; i++) {
        double value = values[i] < 0 ? 0 : values[i] > 1 ? 1 : values[i]; /* rounding */
        values[i] = sum->least + sum->width * value;
    }
}
