#include "scenarios/generate/utilisation.h"

#include <math.h>
#include <stdlib.h>

#include "sim/elementary.h"

/* In (0, 1]: its roots need no case for 0. */
static double draw_above_zero(struct grt_random *random) {
    return 1 - grt_random_uniform(random);
}

/* UUniFast that stops at the first value out of bounds. What is discarded is independent of the next try, so that
 * stopping early only saves time. */
static bool try_uunifast(struct grt_random *random, double *values, size_t count, double total, double least,
                         double most) {
    double rest = total;
    for (size_t i = 0; i + 1 < count; i++) {
        double next = rest * grt_elementary_root(draw_above_zero(random), (uint32_t)(count - 1 - i));
        values[i] = rest - next;
        if (values[i] < least || values[i] > most) {
            return false;
        }
        rest = next;
    }
    values[count - 1] = rest;
    return rest >= least && rest <= most;
}

void grt_uunifast(struct grt_random *random, double *values, size_t count, double total) {
    try_uunifast(random, values, count, total, -INFINITY, INFINITY);
}

static int compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Few numbers are sorted faster without calls. */
static void sort(double *values, size_t count) {
    if (count > 40) {
        qsort(values, count, sizeof *values, compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t place = i;
        for (; place > 0 && values[place - 1] > value; place--) {
            values[place] = values[place - 1];
        }
        values[place] = value;
    }
}

void grt_uunisort(struct grt_random *random, double *values, size_t count, double total) {
    for (size_t i = 0; i + 1 < count; i++) {
        values[i] = total * grt_random_uniform(random);
    }
    sort(values, count - 1);
    values[count - 1] = total;
    for (size_t i = count - 1; i > 0; i--) {
        values[i] -= values[i - 1];
    }
}

bool grt_uunifast_discard(struct grt_random *random, double *values, size_t count, double total, double least,
                          double most, unsigned long tries, unsigned long *tried) {
    bool found = false;
    unsigned long drawn = 0;
    while (!found && drawn < tries) {
        found = try_uunifast(random, values, count, total, least, most);
        drawn++;
    }
    if (tried != NULL) {
        *tried = drawn;
    }
    return found;
}

/* With all values at least `least`, and k chosen ones above `most`, there is left a simplex of side total - n least - k (most - least):
 * its volume against that of side total, with alternating signs. */
double grt_uunifast_share_within(size_t count, double total, double least, double most) {
    if (count > 20) {
        return NAN;
    }
    if (count == 1) {
        return total >= least && total <= most ? 1 : 0;
    }
    double share = 0, choices = 1;
    for (size_t k = 0; k <= count; k++) {
        double side = (total - (double)count * least - (double)k * (most - least)) / total;
        double power = side >= 0 ? 1 : 0;
        for (size_t i = 1; i < count; i++) {
            power *= side;
        }
        share += (k % 2 == 0 ? choices : -choices) * power;
        choices = choices * (double)(count - k) / (double)(k + 1);
    }
    return share < 0 ? 0 : share;
}
