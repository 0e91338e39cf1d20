/* Adds chunks up to results: in the order of their numbers, in whatever order they come, so that the same sums come out. Used by one
 * thread at a time. */
#ifndef GRT_STUDY_SWEEP_COLLECT_H
#define GRT_STUDY_SWEEP_COLLECT_H

#include "sim/error.h"
#include "study/sweep/chunks.h"
#include "study/sweep/sweep.h"

struct grt_collector {
    struct grt_chunk_plan plan;
    struct grt_chunk_shape shape;
    struct grt_results *results;
    uint64_t count, done;       /* chunks of the shard */
    uint64_t merged;            /* of them, how many are in the results: the first ones */
    uint64_t cursor;            /* the first that may not be handed out yet */
    uint64_t window;            /* how far ahead of `merged` chunks are handed out: bounds what waits */
    uint32_t *digests;          /* by chunk of the experiment: of its line; 0: not there */
    struct grt_chunk **waiting; /* a heap: the smallest number first */
    uint32_t waiting_count, waiting_capacity;
};

/* Begins empty results. */
void grt_collector_start(struct grt_collector *collector, const struct grt_chunk_plan *plan,
                         const struct grt_chunk_shape *shape, const struct grt_experiment *experiment,
                         struct grt_results *results);

enum grt_collector_answer { GRT_COLLECTOR_CHUNK, GRT_COLLECTOR_WAIT, GRT_COLLECTOR_END };

/* The next chunk that nobody has: its number; or that it is too far ahead, or that there is none. */
enum grt_collector_answer grt_collector_next(struct grt_collector *collector, uint64_t *number);

enum grt_collector_taken { GRT_COLLECTOR_NEW, GRT_COLLECTOR_KNOWN, GRT_COLLECTOR_CONFLICT };

/* Takes a copy of a chunk; its line's hash tells whether it is the one that is there already. One that is not of the shard is only kept in mind. */
enum grt_collector_taken grt_collector_take(struct grt_collector *collector, const struct grt_chunk *chunk,
                                            uint64_t hash);

/* Adds what waits behind holes, and says whether the results are complete. The collector is gone, the results stay. */
void grt_collector_end(struct grt_collector *collector);

#endif
