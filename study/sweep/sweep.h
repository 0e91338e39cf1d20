/* Runs an experiment: chunks of samples, in any order, on threads, ranks and shards, with a journal of what is done. The result depends on
 * the experiment alone. */
#ifndef GRT_STUDY_SWEEP_SWEEP_H
#define GRT_STUDY_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "study/evaluate/sample.h"
#include "study/tally.h"

/* Samples of one point that are worked on together: what the journal has a line of. */
enum { GRT_CHUNK_SAMPLES = 20 };
#define GRT_MOST_CHUNKS (UINT64_C(1) << 30) /* of a sweep */

/* What an experiment comes to: a tally for each point and evaluation, in their order. */
struct grt_results {
    const struct grt_experiment *experiment;
    struct grt_tally *tallies; /* point_count * evaluation_count */
    uint64_t *samples;         /* by point: how many sets were evaluated */
    bool complete;             /* all of them */
    struct grt_arena arena;
};

const struct grt_tally *grt_results_tally(const struct grt_results *results, size_t point, size_t evaluation);
void grt_results_free(struct grt_results *results);

/* How far a sweep is. */
struct grt_sweep_progress {
    uint64_t done, total; /* chunks; done includes what the journal had */
    uint64_t resumed;     /* of done: from the journal */
    uint64_t samples;     /* evaluated by this run */
    double seconds;       /* since it began */
};

struct grt_ranks; /* study/sweep/ranks.h */

struct grt_sweep_options {
    size_t threads;         /* 0: as many as there are cores for this process */
    const char *journal;    /* path; NULL: none is kept */
    bool keep_journal;      /* also where it would first be needed after the sweep has ended */
    bool restart;           /* throw an old journal away */
    uint32_t flush_ms;      /* how often it is written; 0: the usual */
    uint32_t shard, shards; /* this one of so many, from 0; shards 0 or 1: all */

    const struct grt_ranks *ranks; /* the processes that share the work; NULL: this one has it all */

    /* Asked some times a second, and once at the end: false ends the sweep with what is done. NULL: nobody is asked. */
    bool (*go_on)(void *state, const struct grt_sweep_progress *progress);
    void *state;
};

/* Runs what the journal does not have yet. False after adding errors: a journal of something else, a full disk; what was done by then is in the journal.
 * A sweep that was ended by go_on is a success with results->complete false. A journal that was written stays, also of a complete sweep. Of several ranks all call
 * this; only rank 0 gets results, errors and calls of go_on with numbers, the others come back with results->complete false. */
bool grt_sweep_run(const struct grt_study *study, const struct grt_sweep_options *options,
                   struct grt_results *results, struct grt_errors *errors);

/* Joins journals, of shards say, to a whole: refuses those of other experiments, and chunks that two have with different content. */
bool grt_results_merge(const struct grt_experiment *experiment, const char *const *journals, size_t count,
                       struct grt_results *results, struct grt_errors *errors);

#endif
