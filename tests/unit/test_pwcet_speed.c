/* What an analysis costs: 10,000 runs and 1,000 replicates, against drawing as many values as the replicates are of. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "calib/evt/pwcet.h"
#include "sim/random.h"
#include "tests/support/suite.h"

enum { RUNS = 10000, REPLICATES = 1000, TRIES = 2 };

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double draw_all(double *values) {
    double from = processor_seconds(), sum = 0;
    for (uint64_t k = 0; k < REPLICATES; k++) {
        struct grt_random random = grt_random_stream(1, "speed", k, 0);
        for (size_t i = 0; i < RUNS; i++) {
            values[i] = 1e5 - 1000 * log1p(-grt_random_uniform(&random));
        }
        sum += values[RUNS - 1];
    }
    CU_ASSERT(sum > 0);
    return processor_seconds() - from;
}

static double analyse(const double *values) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.values = values;
    input.count = RUNS;
    CU_ASSERT_EQUAL(input.replicates, REPLICATES);
    double from = processor_seconds();
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, &arena, &errors);
    double seconds = processor_seconds() - from;
    CU_ASSERT_FATAL(pwcet != NULL && pwcet->answer_count == 3);
    CU_ASSERT_EQUAL(pwcet->answers[1].verdict, GRT_PWCET_MODEL);
    grt_arena_clear(&arena);
    return seconds;
}

/* As good as 5 times what drawing takes, which is 0.1 s on a processor of 2023: three times that is another method, whatever the machine. Both times are the processor's, taken one after the other, so that other
 * programs slow both; the least of several is the least disturbed. */
#define MOST_RATIO 14

/* What docs/worst-case-times.md promises. */
#define MOST_SECONDS 5

static void ten_thousand_runs_take_less_than_five_seconds(void) {
    static double values[RUNS];
    double ratio = INFINITY, least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double drawn = draw_all(values), analysed = analyse(values);
        ratio = fmin(ratio, analysed / drawn);
        least = fmin(least, analysed);
    }
    printf("\n  %.2f s, %.2f times what drawing takes", least, ratio);
    CU_ASSERT(ratio < MOST_RATIO);
#ifdef NDEBUG
    CU_ASSERT(least < MOST_SECONDS);
#endif
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"10,000 runs take less than five seconds", ten_thousand_runs_take_less_than_five_seconds},
        CU_TEST_INFO_NULL};
    return grt_suite_run("speed of worst cases", tests);
}
