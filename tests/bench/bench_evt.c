/* Worst-case times by extreme value theory: an analysis of 10,000 runs with 1,000 replicates beside the least that its bootstrap can do, which is to draw as many values as it
 * draws; and the same of more runs, which is more than its bootstrap. */
#include <math.h>
#include <stdlib.h>

#include "calib/evt/pwcet.h"
#include "tests/bench/bench.h"
#include "tests/support/execution_times.h"

enum { RUNS = 10000, MANY_RUNS = 1000000, REPLICATES = 1000, PEAKS_OF_MODES = 1000 };

struct bench {
    struct grt_pwcet_input input;
    size_t draws; /* of all replicates */
};

static uint64_t analyse(void *state) {
    const struct bench *bench = state;
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&bench->input, &arena, &errors);
    bench_use((uint64_t)pwcet->answers[0].value);
    grt_arena_clear(&arena);
    return 1;
}

/* What is drawn: a sample for each method's fit, and one for the search for slow modes. */
static size_t count_draws(const struct bench *bench) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_pwcet *pwcet = grt_pwcet_analyse(&bench->input, &arena, &errors);
    size_t tenth = pwcet->count / 10, draws = tenth < PEAKS_OF_MODES ? tenth : PEAKS_OF_MODES;
    for (size_t i = 0; i < GRT_PWCET_METHODS; i++) {
        draws += pwcet->fits[i].why_not == NULL ? pwcet->fits[i].count : 0;
    }
    grt_arena_clear(&arena);
    return draws * REPLICATES;
}

/* As many exponential values, each with a logarithm. */
static uint64_t draw(void *state) {
    const struct bench *bench = state;
    struct grt_random random = grt_random_of_key(1);
    double sum = 0;
    for (size_t i = 0; i < bench->draws; i++) {
        sum -= log1p(-grt_random_uniform(&random));
    }
    bench_use((uint64_t)sum);
    return 1;
}

void bench_evt(void) {
    double *values = malloc(MANY_RUNS * sizeof *values);
    struct grt_random random = grt_random_of_key(2);
    struct bench bench = {.input = grt_pwcet_defaults()};
    grt_times_fill(GRT_TIMES_GAMMA, &random, values, MANY_RUNS);
    bench.input.values = values;
    bench.input.replicates = REPLICATES;
    bench.input.count = RUNS;
    bench.draws = count_draws(&bench);
    double ns = bench_ns_per_unit(analyse, &bench, 3);
    bench_report("worst case of 10,000 runs, 1,000 replicates", ns, "as many draws by a logarithm",
                 bench_ns_per_unit(draw, &bench, 5), "5 * 10^9 ns");
    bench.input.count = MANY_RUNS;
    bench_report("the same of 1,000,000 runs", bench_ns_per_unit(analyse, &bench, 1), "of 10,000 runs", ns,
                 "");
    free(values);
}
