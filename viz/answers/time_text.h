/* Times in sentences: in the unit that fits, with three digits behind the point at most, rounded. */
#ifndef GRT_VIZ_ANSWERS_TIME_TEXT_H
#define GRT_VIZ_ANSWERS_TIME_TEXT_H

#include "sim/time.h"

#define GRT_TIME_WORDS 64

/* How long: "3.214 ms", "250 us", "1.5 s"; in the largest unit of ns, us, ms, s in which it is at least 1. Returns `text`. */
char *grt_time_words(grt_time span, char text[GRT_TIME_WORDS]);

/* When: the same, but seconds only for whole milliseconds: "1234.568 ms" tells neighbours apart, "1.235 s" does not. */
char *grt_instant_words(grt_time instant, char text[GRT_TIME_WORDS]);

/* From when to when, both in one unit in which they differ: "12.300 to 15.514 ms"; "at 12.3 ms" if they are equal, or so near that
 * they would have more than five digits before the point: how long it was must be said beside it anyway. */
char *grt_span_words(grt_time from, grt_time to, char text[GRT_TIME_WORDS]);

#endif
