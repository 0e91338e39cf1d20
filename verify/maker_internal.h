/* Shared by maker.c and maker_random.c. */
#ifndef GRT_VERIFY_MAKER_INTERNAL_H
#define GRT_VERIFY_MAKER_INTERNAL_H

#include "verify/maker.h"

/* How many instants of the worst pattern of a task are kept. */
enum { BEST_INSTANTS = 64 };

/* Empties a pattern and names it; printf-like. */
void maker_begin(const struct grt_pattern_maker *maker, struct grt_pattern *pattern, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *maker_name(const struct grt_pattern_maker *maker, uint32_t task);

/* A random pattern, or a mutation of the worst one of some task. */
void maker_random(struct grt_pattern_maker *maker, struct grt_pattern *pattern);

#endif
