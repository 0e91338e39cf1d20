/* Threads that evaluate chunks. Where chunks come from and where they go is the caller's: a collector, or another rank. */
#ifndef GRT_STUDY_SWEEP_WORKERS_H
#define GRT_STUDY_SWEEP_WORKERS_H

#include "study/sweep/sweep_work.h"

/* A chunk that is done. */
struct grt_done_chunk {
    const struct grt_chunk *chunk;
    const char *line; /* its line in the journal, with "\n" */
    size_t size;
};

/* Called by the threads; these do their own locking. */
struct grt_chunk_supply {
    void *state;
    bool (*next)(void *state, uint64_t *number); /* waits until there is a chunk; false: there are no more */
    void (*give)(void *state, const struct grt_done_chunk *done);
};

struct grt_workers;

/* Starts threads, at least one, at most as many as wanted: as many as the system has. NULL after adding an error: not even one. */
struct grt_workers *grt_workers_start(const struct grt_sweep_work *work,
                                      const struct grt_chunk_supply *supply, size_t threads,
                                      struct grt_errors *errors);

/* How many samples they have evaluated so far. */
uint64_t grt_workers_samples(const struct grt_workers *workers);

/* Has all threads end after their current sample; the chunks that they are at are given up. */
void grt_workers_stop(struct grt_workers *workers);

/* Waits until all have ended, and frees. Returns how many samples they have evaluated. NULL: none. */
uint64_t grt_workers_join(struct grt_workers *workers);

/* How many threads there are cores for. */
size_t grt_workers_usual(void);

#endif
