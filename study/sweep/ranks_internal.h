/* The two sides of a sweep on several ranks. Messages are texts; their first letter says what they are:
 *   to rank 0: "h<identity>" here I am; "r<count>" I could do with so many chunks; "d<lines>" these are done; "e<text>" I cannot, since; "b" that was all
 *   from it:   "w<numbers>" do these; "s" there are no more; "x" give up what you are at; "z" leave */
#ifndef GRT_STUDY_SWEEP_RANKS_INTERNAL_H
#define GRT_STUDY_SWEEP_RANKS_INTERNAL_H

#include "study/sweep/desk.h"
#include "study/sweep/ranks.h"

enum {
    GRT_RANK_MOST_HANDED = 64, /* chunks in a message: stays below what MPI sends without waiting */
    GRT_RANK_PATIENCE_MS =
        500 /* how long to wait for ranks that were told to end: some may be gone, and launchers kill soon */
};

/* Rank 0's view of the others. */
struct grt_rank_lead {
    const struct grt_ranks *ranks;
    struct grt_desk *desk;   /* NULL: there is nothing to hand out */
    struct grt_chunk *chunk; /* for what comes in */
    uint64_t *wanted;        /* by rank: chunks asked for and not handed out */
    bool *told, *gone;       /* by rank: that there are no more; said that this was all */
    uint32_t gone_count;
};

/* `desk` may be NULL: then all are told to give up. */
void grt_rank_lead_start(struct grt_rank_lead *lead, const struct grt_ranks *ranks, struct grt_desk *desk);

/* Answers what has arrived. False after adding an error: a rank failed. */
bool grt_rank_lead_poll(struct grt_rank_lead *lead, struct grt_errors *errors);

/* Ends all the others: after all chunks are there, or by telling them to give up. */
void grt_rank_lead_end(struct grt_rank_lead *lead, bool give_up);

/* What every other rank does. False after adding an error, which rank 0 knows. */
bool grt_rank_follow(const struct grt_sweep_work *work, const struct grt_sweep_options *options,
                     struct grt_errors *errors);

/* The last two messages of a rank. */
void grt_rank_leave(const struct grt_ranks *ranks);

/* Waits a millisecond. */
void grt_rank_rest(void);

#endif
