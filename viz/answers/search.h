/* Search: what a person types, understood, and the way from hit to hit.
 *
 * A text finds every row whose name contains it, the jobs of tasks, and the kernels, calls, policies' slices and what policies'
 * threads do, whose names contain it; ASCII letters of either case are equal. Where no name contains the whole text, "detect 12" and "detect#12" find
 * job 12 of tasks whose names contain "detect", and "#12" job 12 of every task. "@12.5ms" is an instant. */
#ifndef GRT_VIZ_ANSWERS_SEARCH_H
#define GRT_VIZ_ANSWERS_SEARCH_H

#include "viz/answers/place.h"

enum grt_search_kind {
    GRT_SEARCH_EMPTY, /* nothing but blanks */
    GRT_SEARCH_TEXT,  /* names that contain `text` */
    GRT_SEARCH_JOB, /* job number `job` of tasks whose names contain `text`; of all tasks where it is empty */
    GRT_SEARCH_INSTANT, /* `instant` */
    GRT_SEARCH_WRONG    /* `error` says what is wrong with the text */
};

struct grt_search_names; /* which names contain the text */
struct grt_search_track; /* where hits are, and how many */

struct grt_search {
    enum grt_search_kind kind;
    char *text; /* without the blanks around it */
    uint32_t job;
    grt_time instant;
    const char *error; /* a static part of a sentence: "must end in a unit of time (...)" */
    uint64_t hit_count;
    uint32_t row_count; /* the hits that are rows by their names */
    uint32_t *rows;     /* these, ascending */

    const struct grt_timeline *timeline;
    struct grt_arena arena;
    struct grt_search_names *names;
    struct grt_search_track *tracks; /* ascending by row and track */
    uint32_t track_count, track_capacity;
};

/* Understands a text of any bytes and counts its hits: at most one pass over the slices that can be hits, a tenth of a second for ten
 * million. The timeline must stay. Free the search with grt_search_free. */
void grt_search_make(struct grt_search *search, const struct grt_timeline *timeline, const char *text);
void grt_search_free(struct grt_search *search);

/* One hit. Hits that are rows come first, in the order of the rows, as places whose number is GRT_NO_SLICE; then the slices in
 * the order of their ends, of rows, of tracks, and of their numbers. An instant has one hit, whose place is nowhere. */
struct grt_search_hit {
    struct grt_place place;
    grt_time instant; /* the end of the slice, or the instant; of rows GRT_TIME_NEVER: no matter which */
    uint64_t number;  /* of all hits, from 0 */
    bool wrapped;     /* there was none in that direction: it is the first, or the last */
};

/* The next or previous hit from a place, a hit or not; from nowhere: the first or the last. False if there is none at all. */
bool grt_search_next(const struct grt_search *search, const struct grt_place *from,
                     struct grt_search_hit *hit);
bool grt_search_previous(const struct grt_search *search, const struct grt_place *from,
                         struct grt_search_hit *hit);

/* The next hit that ends behind an instant, the last that has ended by then. */
bool grt_search_next_at(const struct grt_search *search, grt_time from, struct grt_search_hit *hit);
bool grt_search_previous_at(const struct grt_search *search, grt_time from, struct grt_search_hit *hit);

#endif
