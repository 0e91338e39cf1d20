/* Parameter assignments of GPU-TDMh per second: sets of ten tasks as in the paper's section 4.1, against GSL's cubic alone. */
#include <gsl/gsl_poly.h>

#include "policies/tdm/assignment.h"
#include "tests/bench/bench.h"
#include "tests/support/tdm_sets.h"

enum { SETS = 200, TASKS = 10 };

struct assignments {
    struct grt_tdm_set sets[SETS];
    struct tdm_rule rule;
    int rounds;
};

static uint64_t assign(void *state) {
    struct assignments *work = state;
    for (int round = 0; round < work->rounds; round++) {
        for (int i = 0; i < SETS; i++) {
            struct tdm_slot slots[TASKS];
            struct tdm_assignment found;
            tdm_assign(work->sets[i].tasks, TASKS, &work->rule, slots, &found);
            bench_use((uint64_t)found.period);
        }
    }
    return (uint64_t)work->rounds * SETS;
}

static uint64_t solve(void *state) {
    const uint64_t count = 1000000;
    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        gsl_poly_solve_cubic(0.0, -0.2 - 1e-9 * (double)i, 0.01, &x[0], &x[1], &x[2]);
        bench_use((uint64_t)(x[1] * 1e9));
    }
    return count;
}

void bench_tdm(void) {
    static struct assignments work;
    for (int i = 0; i < SETS; i++) {
        struct grt_random random = grt_random_stream((uint64_t)i, "bench-tdm", 0, 0);
        grt_tdm_random(&work.sets[i], &random, TASKS, 0.7, 6000000);
    }
    double reference = bench_ns_per_unit(solve, NULL, 5);
    const char *of = "gsl_poly_solve_cubic";
    work.rule = (struct tdm_rule){.method = TDM_CUBIC, .count = TDM_COUNT_PAPER};
    work.rounds = 1000;
    bench_report("tdm, 10 tasks: cubic", bench_ns_per_unit(assign, &work, 5), of, reference, "<= 5000 ns");
    work.rule = (struct tdm_rule){.method = TDM_EXACT, .count = TDM_COUNT_SOUND};
    work.rounds = 3;
    bench_report("tdm, 10 tasks: exact", bench_ns_per_unit(assign, &work, 5), of, reference, "");
    work.rule = (struct tdm_rule){TDM_EXACT, TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 0};
    bench_report("tdm, 10 tasks: exact, slot table", bench_ns_per_unit(assign, &work, 5), of, reference, "");
}
