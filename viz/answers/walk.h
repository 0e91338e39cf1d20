/* From one slice to the next: along a job, over the jobs of a task, over all misses. */
#ifndef GRT_VIZ_ANSWERS_WALK_H
#define GRT_VIZ_ANSWERS_WALK_H

#include "viz/answers/place.h"

/* The task and job that a place belongs to; false if it belongs to none: turns of processes, and what a policy says of no
 * task. */
bool grt_place_job(const struct grt_timeline *timeline, struct grt_place place, uint32_t *task,
                   uint32_t *job);

/* The next (step 1) or previous (-1) step of the job of a place, in the order of time; of a kernel's blocks only the SM where they
 * began first. From a job as a whole, and from its window, the next is the first thing that it did after its release, and there is no
 * previous one. None at the ends. */
struct grt_place grt_walk_along_job(const struct grt_timeline *timeline, struct grt_place place, int step);

/* The whole of the next or previous job of the place's task, in the order of their ends; its window where the trace has no
 * ends. None at the ends. */
struct grt_place grt_walk_jobs(const struct grt_timeline *timeline, struct grt_place place, int step);

/* The number, in timeline->misses, of the first miss behind an instant (step 1) or the last before it (-1); GRT_NO_SLICE if
 * there is none. */
uint32_t grt_miss_beside(const struct grt_timeline *timeline, grt_time instant, int step);

/* The place of the sign of a miss; none if its task has no row. */
struct grt_place grt_miss_place(const struct grt_timeline *timeline, uint32_t miss);

/* The next or previous miss: from a place that is a miss, the one beside it, so that those at one instant follow each other;
 * else from the instant. The place may be none. */
struct grt_place grt_walk_misses(const struct grt_timeline *timeline, struct grt_place place,
                                 grt_time instant, int step);

#endif
