/* What a timeline says of one job, found without going through it all: the ground of explanations, chains and causes. */
#ifndef GRT_VIZ_ANSWERS_JOB_STORY_H
#define GRT_VIZ_ANSWERS_JOB_STORY_H

#include "viz/answers/place.h"

/* Where a job is not known by what follows, it has the times of what is: of one without an end, the end of the timeline. */
struct grt_job_story {
    uint32_t task, job;
    struct grt_place window; /* from release to deadline; none if the trace does not have it */
    struct grt_place whole;  /* from arrival to end; none if the trace does not have it */
    grt_time arrival, release;
    grt_time deadline; /* GRT_TIME_NEVER if it has none, or none is known */
    grt_time end;
    uint8_t kind; /* of its end: GRT_TRACE_FINISH, ABORT or UNFINISHED; 0 if the trace does not have it */
    bool late;
};

/* Finds a job; false if the timeline has neither its release nor its end. Where the jobs of the task are in order, which
 * they are in every simulated run, it takes the time of a search; else that of going through the task's jobs. */
bool grt_job_story_find(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                        struct grt_job_story *story);

/* The same at once in any timeline, for a job that was alive or about to be at an instant; it may miss one in a timeline whose
 * jobs are not in order and thousands at a time. */
bool grt_job_story_near(const struct grt_timeline *timeline, uint32_t task, uint32_t job, grt_time instant,
                        struct grt_job_story *story);

/* Whether a slice belongs to a job. */
static inline bool grt_slice_is_of(const struct grt_slice *slice, uint32_t task, uint32_t job) {
    return slice->task == task && slice->job == job;
}

/* The last slice of a job in a track that ends at or before an instant, among the few hundred before it; GRT_NO_SLICE if
 * there is none. */
uint32_t grt_track_last_of(const struct grt_track *track, uint32_t task, uint32_t job, grt_time instant);

/* The slice of a job that holds an instant, its ends included, that starts last; GRT_NO_SLICE if there is none. */
uint32_t grt_track_around(const struct grt_track *track, uint32_t task, uint32_t job, grt_time instant);

/* The row of a task, and its track of a part; the row must exist. */
const struct grt_track *grt_task_track(const struct grt_timeline *timeline, uint32_t task,
                                       enum grt_track_part part);

#endif
