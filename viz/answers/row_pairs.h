/* Which rows of two timelines show the same thing: of the same kind and name, the first with the first where several share a
 * name. Hardware that is left over, cores, copy engines and SMs, has the same number within its kind; tasks, streams, processes
 * and rows of policies with other names are other things, which have no partner. */
#ifndef GRT_VIZ_ANSWERS_ROW_PAIRS_H
#define GRT_VIZ_ANSWERS_ROW_PAIRS_H

#include "viz/timeline/timeline.h"

#define GRT_NO_ROW UINT32_MAX

struct grt_row_pair {
    uint32_t a, b; /* in the rows of each timeline; GRT_NO_ROW where the other has no partner */
};

/* By kind; of a kind first the rows of A in their order, then those that only B has. */
struct grt_row_pairs {
    struct grt_row_pair *pairs;
    uint32_t count;
    uint32_t task_count;   /* pairs of tasks, which are the first */
    uint32_t *of_a, *of_b; /* the pair of each row */
};

void grt_row_pairs_make(struct grt_row_pairs *pairs, const struct grt_timeline *a,
                        const struct grt_timeline *b);
void grt_row_pairs_free(struct grt_row_pairs *pairs);

#endif
