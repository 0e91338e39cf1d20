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

static inline bool grt_place_is_some(const struct grt_place *place) {
    return place->row != GRT_NOWHERE;
}

static inline struct grt_place grt_place_none(void) {
    return (struct grt_place){GRT_NOWHERE, 0, 0};
}

/* Whether there is such a slice in this timeline: false of none, and of places in another timeline that had more. */
bool grt_place_exists(const struct grt_timeline *timeline, struct grt_place place);

/* The slice, and the part that it plays; of places that exist. */
struct grt_slice grt_place_slice(const struct grt_timeline *timeline, struct grt_place place);
enum grt_track_part grt_place_part(const struct grt_timeline *timeline, struct grt_place place);

/* The place of a slice of a row's track that plays a part; none if the number is GRT_NO_SLICE. */
struct grt_place grt_place_in(const struct grt_timeline *timeline, const struct grt_row *row,
                              enum grt_track_part part, uint32_t number);

/* What computed, was copied or ran as a kernel has two places: in the row of its task, and in that of the core, engine or stream.
 * The other one; none if there is none. It takes the time of a search in every row of the kind. */
struct grt_place grt_place_twin(const struct grt_timeline *timeline, struct grt_place place);

/* The slice before (step -1) or behind (1) in the same track, in the order of the ends; none beyond its ends. */
struct grt_place grt_place_beside(const struct grt_timeline *timeline, struct grt_place place, int step);

/* Whether two are the same. */
bool grt_place_is(struct grt_place a, struct grt_place b);

#endif
