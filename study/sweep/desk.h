/* Where chunks are handed out and handed in: a collector and a journal, behind one lock. */
#ifndef GRT_STUDY_SWEEP_DESK_H
#define GRT_STUDY_SWEEP_DESK_H

#include <pthread.h>

#include "study/sweep/collect.h"
#include "study/sweep/journal.h"
#include "study/sweep/workers.h"

struct grt_desk {
    const struct grt_sweep_options *options;
    struct grt_journal_head head;
    struct grt_collector collector;
    struct grt_journal *journal; /* NULL: none */
    uint64_t resumed;            /* chunks that it had */
    uint64_t samples;            /* handed in since */
    int64_t start, flushed;      /* ns, monotonic */
    bool stopped;                /* nothing is handed out any more */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* there is room again, all is done, or it is stopped */
};

/* Opens a sweep, with what its journal has. False after adding errors; then there is no desk and no results. */
bool grt_desk_open(struct grt_desk *desk, const struct grt_sweep_work *work,
                   const struct grt_sweep_options *options, struct grt_results *results,
                   struct grt_errors *errors);

/* What threads get their chunks from. */
struct grt_chunk_supply grt_desk_supply(struct grt_desk *desk);

/* The same without waiting, for those that wait elsewhere. */
enum grt_collector_answer grt_desk_next(struct grt_desk *desk, uint64_t *number);
void grt_desk_give(struct grt_desk *desk, const struct grt_done_chunk *done);

/* Waits until all chunks are there, but not longer than so many ms; whether they are. */
bool grt_desk_wait(struct grt_desk *desk, uint32_t ms);

/* Hands out nothing more. */
void grt_desk_stop(struct grt_desk *desk);

/* Writes the journal where it is time to. False after adding an error. */
bool grt_desk_flush(struct grt_desk *desk, struct grt_errors *errors);

/* How far the sweep is; but for `samples`, which counts whole chunks. */
struct grt_sweep_progress grt_desk_progress(struct grt_desk *desk);

/* Ends the journal and the results. False after adding an error. */
bool grt_desk_close(struct grt_desk *desk, struct grt_errors *errors);

/* A clock in ns that never goes back. */
int64_t grt_monotonic(void);

#endif
