/* Speed, measured: each figure beside a reference loop of the same run, because machines differ. */
#ifndef GRT_TESTS_BENCH_H
#define GRT_TESTS_BENCH_H

#include <stdint.h>

/* CPU seconds that this process has used. */
double bench_cpu_seconds(void);

/* Seconds of one call of `work`, which returns how many units it did: the best of `tries` after one for warming up;
 * stores nanoseconds per unit. Keeps results alive by adding them to a sink. */
double bench_ns_per_unit(uint64_t (*work)(void *state), void *state, int tries);

/* Makes the compiler believe that a value is used. */
void bench_use(uint64_t value);

/* Prints one line: name, our ns per unit, reference's name and ns per unit, ratio, and the target if there is one. */
void bench_report(const char *name, double ns, const char *reference, double reference_ns,
                  const char *target);

/* The number behind the name of the suite on the command line, or `usual` if there is none. */
uint64_t bench_argument(uint64_t usual);

/* The suites. */
void bench_events(void);
void bench_jobs(void);
void bench_host(void);
void bench_blocks(void);
void bench_paint(void);
void bench_export(void);
void bench_timeline(void);
void bench_open(void);
void bench_answers(void);
void bench_window(void);
void bench_generate(void);
void bench_tdm(void);
void bench_analyses(void);
void bench_audit(void);
void bench_worlds(void);
void bench_verify(void);
void bench_locks(void);
void bench_locked_jobs(void);
void bench_batch(void);
void bench_contention(void);
void bench_shares(void);
void bench_learning(void);
void bench_wamp2s(void);
void bench_sweep(void);
void bench_evt(void);
void bench_pretended(void);
void bench_growth(void);

#endif
