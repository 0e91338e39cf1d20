/* Indices of a timeline that is complete, which keep every question short however a trace is made. */
#ifndef GRT_VIZ_TIMELINE_FIND_H
#define GRT_VIZ_TIMELINE_FIND_H

#include "viz/timeline/timeline.h"

/* A kernel among those of all tasks: by task, job and grid, then as in its task's track, which is by end. */
struct grt_kernel_key {
    uint32_t job, number; /* number: in the track */
    uint16_t task, grid;
};

/* Makes the index that grt_timeline_kernel_of asks; the tracks of kernels are settled. */
void grt_timeline_index_kernels(struct grt_timeline *timeline);

/* The slices of a track by job. Free it with grt_job_index_free. */
struct grt_job_index {
    struct grt_job_key *keys; /* NULL where the track has them in order */
};
struct grt_job_index grt_job_index_of(const struct grt_track *track);
uint32_t grt_job_index_find(const struct grt_job_index *index, const struct grt_track *track, uint32_t job);
void grt_job_index_free(struct grt_job_index *index);

#endif
