/* A place in the timeline: one slice, by where it lies. What the pointer rests on, what is chosen, where a search leads. */
#ifndef GRT_VIZ_ANSWERS_PLACE_H
#define GRT_VIZ_ANSWERS_PLACE_H

#include <stdbool.h>

#include "viz/timeline/timeline.h"

/* None is one whose row is GRT_NOWHERE. */
struct grt_place {
    uint32_t row;    /* in timeline->rows */
    uint32_t track;  /* in row->tracks */
    uint32_t number; /* of the slice */
};

#define GRT_NOWHERE UINT32_MAX

static inline bool grt_place_is_some(const struct grt_place *place)
{
    return place->row != GRT_NOWHERE;
}

#endif
