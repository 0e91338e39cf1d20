/* labels: soak */
/* Steps explain what repeats in samples of one distribution, from steps that are so coarse that there are only 3 to the mean excess of the tail, to such that hardly anything repeats; and no such
 * sample refutes its own quantum, or is said to have another one. */
#include <gsl/gsl_sort.h>
#include <math.h>

#include "calib/evt/step.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 10000 };
static double values[MANY];

static double mean_excess(size_t count) {
    size_t above = count / 10;
    double sum = 0;
    for (size_t i = count - above; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)above - values[count - above - 1];
}

/* Steps are whole, from 1 up, so that values have a last digit. */
static void make(enum grt_times_kind kind, uint64_t seed, size_t count, double steps) {
    struct grt_random random = grt_random_stream(seed, "clumps", (uint64_t)kind, 0);
    grt_times_fill(kind, &random, values, count);
    gsl_sort(values, 1, count);
    double quantum = mean_excess(count) / steps;
    for (size_t i = 0; i < count; i++) {
        values[i] = 32 * round(values[i] / quantum);
    }
}

static void steps_explain_what_repeats(void) {
    static const double steps[] = {3, 5, 20, 100, 1000, 10000};
    static const size_t counts[] = {1000, 3000, MANY};
    int cases = grt_suite_cases(4, 400), tried = 0, clumps = 0;
    for (int i = 0; i < cases; i++) {
        for (size_t j = 0; j < (size_t)GRT_TIMES_KINDS * 18; j++) {
            size_t count = counts[j % 3];
            make((enum grt_times_kind)(j / 18), (uint64_t)i, count, steps[j / 3 % 6]);
            struct grt_step step = grt_step_of(values, count);
            bool repeats = step.different < count;
            CU_ASSERT_FALSE(grt_step_refutes(&step, values, count, 32));
            CU_ASSERT_TRUE(step.step == 32 || !repeats);
            clumps += step.step > 0 && grt_step_clump(&step, values, count, count / 10) < count;
            tried++;
        }
    }
    printf("  %d of %d samples have clumps\n", clumps, tried);
    CU_ASSERT_TRUE(clumps <= tried / 2000); /* of 64,800 samples 22 */
}

int main(void) {
    CU_TestInfo tests[] = {{"steps explain what repeats", steps_explain_what_repeats}, CU_TEST_INFO_NULL};
    return grt_suite_run("clumps", tests);
}
