#include <stdbool.h>
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
        bool only_by_name; /* what it prints is for a program */
    } suites[] = {
        /* clang-format off: one a line */
        {"events", bench_events, false},
        {"jobs", bench_jobs, false},
        {"blocks", bench_blocks, false},
        {"paint", bench_paint, false},
        {"export", bench_export, false},
        {"timeline", bench_timeline, false},
        {"open", bench_open, false},
        {"answers", bench_answers, false},
        {"window", bench_window, false},
        {"generate", bench_generate, false},
        {"tdm", bench_tdm, false},
        {"analyses", bench_analyses, false},
        {"worlds", bench_worlds, false},
        {"audit", bench_audit, false},
        {"verify", bench_verify, false},
        {"locks", bench_locks, false},
        {"host", bench_host, false},
        {"locked-jobs", bench_locked_jobs, false},
        {"batch", bench_batch, false},
        {"shares", bench_shares, false},
        {"contention", bench_contention, false},
        {"learning", bench_learning, false},
        {"wamp2s", bench_wamp2s, false},
        {"sweep", bench_sweep, false},
        {"evt", bench_evt, false},
        {"pretended", bench_pretended, false},
        {"growth", bench_growth, true},
        /* clang-format on */
    };
    argument = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        if (argc < 2 ? !suites[i].only_by_name : strcmp(argv[1], suites[i].name) == 0) {
            suites[i].run();
        }
    }
    return 0;
}
