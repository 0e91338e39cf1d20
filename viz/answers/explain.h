/* A slice in one or two sentences, for who points at it: what it was, for whom, how long, where, and what it had waited for.
 * They say only what the trace shows: who else worked during a wait is told as that, not as its reason. */
#ifndef GRT_VIZ_ANSWERS_EXPLAIN_H
#define GRT_VIZ_ANSWERS_EXPLAIN_H

#include <stddef.h>

#include "viz/answers/place.h"

/* In a text of so many bytes every explanation has room. */
enum { GRT_EXPLAIN_SIZE = 1280 };

/* Writes the sentences, each with its period, and returns their length; what does not fit into `size` bytes, of which there must
 * be one at least, is left out. Empty for a place that does not exist. Well under a millisecond, however long the trace. */
size_t grt_explain(const struct grt_timeline *timeline, struct grt_place place, char *text, size_t size);

#endif
