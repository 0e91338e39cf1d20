#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/bench.h"

static volatile uint64_t sink;

void bench_use(uint64_t value) {
    sink += value;
}

double bench_cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_ns_per_unit(uint64_t (*work)(void *state), void *state, int tries) {
    double best = 1e300;
    for (int i = 0; i <= tries; i++) {
        double start = bench_cpu_seconds();
        uint64_t units = work(state);
        double ns = (bench_cpu_seconds() - start) * 1e9 / (double)units;
        best = i > 0 && ns < best ? ns : best;
    }
    return best;
}

void bench_report(const char *name, double ns, const char *reference, double reference_ns,
                  const char *target) {
    printf("%-46s %9.2f ns  | %-34s %9.2f ns  | ratio %7.3f%s%s\n", name, ns, reference, reference_ns,
           ns / reference_ns, target[0] != '\0' ? "  | target " : "", target);
}

static uint64_t argument; /* 0: none */

uint64_t bench_argument(uint64_t usual) {
    return argument > 0 ? argument : usual;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } suites[] = {
        /* clang-format off: one a line */
        {"events", bench_events},
        {"jobs", bench_jobs},
        {"blocks", bench_blocks},
        {"paint", bench_paint},
        {"export", bench_export},
        {"timeline", bench_timeline},
        {"open", bench_open},
        {"answers", bench_answers},
        {"window", bench_window},
        {"generate", bench_generate},
        {"tdm", bench_tdm},
        {"analyses", bench_analyses},
        {"worlds", bench_worlds},
        {"audit", bench_audit},
        {"verify", bench_verify},
        {"locks", bench_locks},
        {"host", bench_host},
        {"locked-jobs", bench_locked_jobs},
        {"batch", bench_batch},
        {"shares", bench_shares},
        {"contention", bench_contention},
        {"learning", bench_learning},
        {"wamp2s", bench_wamp2s},
        {"sweep", bench_sweep},
        {"evt", bench_evt},
        {"pretended", bench_pretended},
        /* clang-format on */
    };
    argument = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        if (argc < 2 || strcmp(argv[1], suites[i].name) == 0) {
            suites[i].run();
        }
    }
    return 0;
}
