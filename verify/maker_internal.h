/* Shared by maker.c, maker_lengths.c and maker_random.c. */
#ifndef GRT_VERIFY_MAKER_INTERNAL_H
#define GRT_VERIFY_MAKER_INTERNAL_H

#include "verify/maker.h"

/* How many instants of the worst pattern of a task are kept. */
enum { BEST_INSTANTS = 64 };

/* Empties a pattern and names it; printf-like. */
void maker_begin(const struct grt_pattern_maker *maker, struct grt_pattern *pattern, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *maker_name(const struct grt_pattern_maker *maker, uint32_t task);

/* ---- lengths ---- */

/* The largest window in which at most so many jobs arrive, at least `least` unless that has far too many. */
grt_time maker_window(const struct grt_scenario *scenario, double jobs, grt_time least);

/* How long tasks whose arrivals no pattern chooses may go on, so that nobody waits for the end of a run. */
grt_time maker_longest(const struct grt_scenario *scenario);

/* When the scenario itself ends: as it says, but earlier where that would be more jobs. */
grt_time maker_horizon_itself(const struct grt_scenario *scenario, double jobs);

grt_time maker_shorter(grt_time a, grt_time b);

/* The window, the tail and the horizon of patterns with about so many jobs. */
void maker_set_lengths(struct grt_pattern_maker *maker, uint32_t jobs);

/* ---- random ones ---- */

/* A random pattern, or a mutation of the worst one of some task. */
void maker_random(struct grt_pattern_maker *maker, struct grt_pattern *pattern);

#endif
