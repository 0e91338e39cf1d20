/* Processes that work on one sweep: rank 0 hands out chunks and collects them, the others evaluate. How messages get from one to the other is behind a table of
 * functions: MPI's are in study/sweep/mpi/, tests have others. */
#ifndef GRT_STUDY_SWEEP_RANKS_H
#define GRT_STUDY_SWEEP_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "study/sweep/sweep.h"

/* A message; to be freed with free. */
struct grt_rank_message {
    uint32_t from;
    char *text; /* `size` bytes and a zero */
    size_t size;
};

/* One rank's view. All calls come from the thread that made it. */
struct grt_ranks {
    uint32_t rank, count;
    void *state;

    /* Sends bytes to another rank; those to one rank arrive in the order in which they were sent. */
    void (*send)(void *state, uint32_t to, const char *text, size_t size);

    /* Takes a message that has arrived; false: there is none now. */
    bool (*receive)(void *state, struct grt_rank_message *message);
};

/* What a module that is loaded at run time gives, under the name grt_ranks_module: so that gpurt itself needs no MPI. */
struct grt_ranks_module {
    const char *version; /* GRT_VERSION of its gpurt */

    /* Joins the other ranks; false with a reason. */
    bool (*open)(struct grt_ranks *ranks, char *reason, size_t size);

    /* Leaves them, when all of them do. */
    void (*close)(struct grt_ranks *ranks);
};

extern const struct grt_ranks_module grt_ranks_module;

/* Ends a rank that cannot begin, because of its input: tells rank 0 why, or, where this is rank 0, tells the others to end. Instead of a call of grt_sweep_run. */
void grt_ranks_give_up(const struct grt_ranks *ranks, const struct grt_errors *errors);

#endif
