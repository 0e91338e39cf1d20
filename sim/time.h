/* Simulated time: signed 64-bit nanoseconds. There is no floating-point clock anywhere. */
#ifndef GRT_SIM_TIME_H
#define GRT_SIM_TIME_H

#include <stdint.h>

#include "sim/wide.h"

typedef int64_t grt_time; /* nanoseconds, an instant since the start of the run or a span */

/* "Never": the instant of an event source that has nothing pending. */
#define GRT_TIME_NEVER INT64_MAX

/* The longest span that an input may name, 10^18 ns (about 31.7 years). Sums of a few such spans cannot
 * overflow, so the engine adds instants and spans without further checks. */
#define GRT_TIME_LIMIT INT64_C(1000000000000000000)

#define GRT_NANOSECOND INT64_C(1)
#define GRT_MICROSECOND INT64_C(1000)
#define GRT_MILLISECOND INT64_C(1000000)
#define GRT_SECOND INT64_C(1000000000)

/* The one place where work becomes time: the least number of whole nanoseconds in which `work` units are done
 * at `rate` units per second. work >= 0, rate > 0; at most GRT_TIME_LIMIT is returned. */
grt_time grt_time_of_work(int64_t work, int64_t rate);

/* The same for a span that was computed in floating point (a random draw): rounds up to whole nanoseconds and
 * clamps to [0, GRT_TIME_LIMIT]; a NaN gives 0. */
grt_time grt_time_of_double(double span_ns);

/* A long sum of spans, clamped to what a grt_time can be besides GRT_TIME_NEVER. */
grt_time grt_time_of_wide(grt_signed_wide sum_ns);

/* Writes a span for people, exact and short: "0s", "250us", "1.5ms", "-33.333333ms". Picks the largest unit of
 * ns, us, ms, s in which the span is at least 1. `text` must hold GRT_TIME_TEXT_SIZE bytes; returns `text`. */
#define GRT_TIME_TEXT_SIZE 32
char *grt_time_text(grt_time span, char text[GRT_TIME_TEXT_SIZE]);

#endif
