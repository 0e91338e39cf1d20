/* The part of a difference (difference.h) that compares rows. */
#ifndef GRT_VIZ_ANSWERS_DIFFERENCE_ROWS_H
#define GRT_VIZ_ANSWERS_DIFFERENCE_ROWS_H

#include "viz/answers/difference.h"

/* What of both runs is compared, and how B's numbers become A's. */
struct grt_difference_scope {
    const struct grt_timeline *timelines[2];
    const uint32_t *pairs[2]; /* of each row */
    uint32_t *labels[2];      /* what is the same for labels with the same text */
    uint32_t *threads[2];     /* likewise for the threads of policies */
    bool parts[GRT_PARTS];    /* which are compared */
    bool deadlines;           /* else only releases are */
    grt_time tolerance;
};

void grt_difference_scope_make(struct grt_difference_scope *scope, const struct grt_timeline *a,
                               const struct grt_timeline *b, const struct grt_row_pairs *pairs,
                               const struct grt_difference_options *options);
void grt_difference_scope_free(struct grt_difference_scope *scope);

/* Whatever a comparison of two rows needs while it goes on, used again for the next. */
struct grt_difference_sweep;
struct grt_difference_sweep *grt_difference_sweep_create(const struct grt_difference_scope *scope);
void grt_difference_sweep_free(struct grt_difference_sweep *sweep);

/* Fills an empty track with the spans in which two rows differ, and settles it. */
void grt_difference_sweep_rows(struct grt_difference_sweep *sweep, struct grt_row_pair rows,
                               struct grt_track *track);

#endif
