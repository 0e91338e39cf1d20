/* What a sweep needs to know of what it evaluates: so that tests can give it something that is slow, or ends the process. The real one is
 * in study/sweep/sweep.c. */
#ifndef GRT_STUDY_SWEEP_SWEEP_WORK_H
#define GRT_STUDY_SWEEP_SWEEP_WORK_H

#include "study/sweep/chunks.h"
#include "study/sweep/journal.h"
#include "study/sweep/sweep.h"

struct grt_sweep_work {
    const struct grt_experiment *experiment; /* its name, seed, samples, identity, and how many points */
    struct grt_chunk_shape shape;

    void *state;
    void *(*start)(void *state); /* a thread's own */
    void (*run)(void *own, size_t point, uint64_t sample,
                struct grt_found *found); /* fills found[0 .. evaluation_count) */
    void (*end)(void *own);
};

/* grt_sweep_run of anything. */
bool grt_sweep_work_run(const struct grt_sweep_work *work, const struct grt_sweep_options *options,
                        struct grt_results *results, struct grt_errors *errors);

/* grt_results_merge of anything of this shape. */
bool grt_sweep_work_merge(const struct grt_experiment *experiment, const struct grt_chunk_shape *shape,
                          const char *const *journals, size_t count, struct grt_results *results,
                          struct grt_errors *errors);

/* The head of its journals. */
struct grt_journal_head grt_sweep_head(const struct grt_experiment *experiment,
                                       const struct grt_chunk_shape *shape, struct grt_chunk_plan plan);

/* Whether a sweep of so many chunks can be held in memory; false after adding an error. */
bool grt_sweep_plan(const struct grt_experiment *experiment, uint32_t shard, uint32_t shards,
                    struct grt_chunk_plan *plan, struct grt_errors *errors);

#endif
