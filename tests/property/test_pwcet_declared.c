/* labels: soak */
/* What is declared for a rarer exceedance is no shorter, whatever it is by: each exceedance is asked for alone, beside those that are asked for anyway. */
#include <math.h>

#include "calib/evt/pwcet.h"
#include "tests/support/execution_times.h"
#include "tests/support/suite.h"

enum { MANY = 3000, ASKED = 9 };
static const double asked[ASKED] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-11, 1e-13};

static struct grt_pwcet_answer answer_for(const double *series, double exceedance, struct grt_arena *arena) {
    struct grt_errors errors = {0};
    struct grt_pwcet_input input = grt_pwcet_defaults();
    input.values = series, input.count = MANY, input.replicates = 200;
    input.exceedances[input.exceedance_count++] = exceedance;
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&input, arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pwcet);
    CU_ASSERT_TRUE(pwcet->answers[3].declared >= pwcet->largest);
    return pwcet->answers[3];
}

/* Answers with and without a model must both have been seen, or nothing was tested. */
static void rarer_is_no_shorter(void) {
    static double series[MANY];
    size_t cases = (size_t)grt_suite_cases(6, 200), models = 0, without = 0;
    for (size_t i = 0; i < cases; i++) {
        static const enum grt_times_kind kinds[] = {GRT_TIMES_HEAVY,     GRT_TIMES_GAMMA,
                                                    GRT_TIMES_LOGNORMAL, GRT_TIMES_EXPONENTIAL,
                                                    GRT_TIMES_BOUNDED,   GRT_TIMES_SLOW_MODE};
        struct grt_random random = grt_random_stream(i, "declared", 0, 0);
        struct grt_arena arena = {0};
        double last = 0;
        grt_times_fill(kinds[i % (sizeof kinds / sizeof kinds[0])], &random, series, MANY);
        for (size_t j = 0; j < ASKED; j++) {
            struct grt_pwcet_answer answer = answer_for(series, asked[j], &arena);
            models += answer.verdict == GRT_PWCET_MODEL;
            without += answer.verdict == GRT_PWCET_NO_MODEL;
            CU_ASSERT_TRUE(answer.declared >= last);
            last = answer.declared;
        }
        grt_arena_clear(&arena);
    }
    CU_ASSERT_TRUE(models > 0 && without > 0);
}

int main(void) {
    CU_TestInfo tests[] = {{"rarer is no shorter", rarer_is_no_shorter}, CU_TEST_INFO_NULL};
    return grt_suite_run("declared worst cases", tests);
}
