/* A world of ten made-up applications that contend for a GPU, for tests of performance models: a plain damped fixed point with libm's pow, which shares no code with
 * models/device/contention.h. Every execution that is sampled goes beside a random subset of the others, with shares that are a random partition. */
#ifndef GRT_TESTS_SUPPORT_CONTENDED_H
#define GRT_TESTS_SUPPORT_CONTENDED_H

#include <stdbool.h>
#include <stddef.h>

#include "models/learning/sample.h"
#include "sim/random.h"

enum { GRT_CONTENDED = 10 };

/* How application `number` uses the GPU, and its time alone, ns. */
struct grt_usage grt_contended_usage(size_t number);
double grt_contended_time(size_t number);

/* The speeds of `count` applications with those shares, each at least 1. */
void grt_contended_speeds(const size_t *numbers, const int64_t *shares, size_t count, double *speeds);

/* Executions of an application; `noise`: relative standard deviation of their times. */
void grt_contended_samples(struct grt_random *random, size_t number, double noise, struct grt_sample *samples,
                           size_t count);

#endif
