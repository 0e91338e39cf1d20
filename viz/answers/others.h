/* Who was at work meanwhile: what a wait may be told with. */
#ifndef GRT_VIZ_ANSWERS_OTHERS_H
#define GRT_VIZ_ANSWERS_OTHERS_H

#include "viz/timeline/timeline.h"

/* The task that worked longest in a span, and how long; the task is GRT_TRACE_NO_TASK if none did, or it would take too long
 * to find out. */
struct grt_other {
    uint32_t task;
    grt_time time; /* ns */
};

/* On one core or copy engine, by everything but one job: another job of its task counts. */
struct grt_other grt_other_in_track(const struct grt_track *track, uint32_t task, uint32_t job, grt_time from,
                                    grt_time to);

/* By the kernels (GRT_PART_KERNEL) or copies (GRT_PART_COPY) of other tasks, wherever they ran. Where several of one task run at
 * a time, its time is no more than the span. It takes a search for each task. */
struct grt_other grt_other_on_gpu(const struct grt_timeline *timeline, enum grt_track_part part,
                                  uint32_t task, grt_time from, grt_time to);

/* What may be said of a task whose kernels and copies last at an instant. */
enum grt_gpu_use {
    GRT_USES_THE_GPU,
    GRT_IS_ON_THE_GPU, /* processes take turns: the kernels may have been switched out */
    GRT_IS_ON_SOME_GPU /* there are several, as the names of SMs or engines say: "gpu1 SM 0" */
};
enum grt_gpu_use grt_gpu_use(const struct grt_timeline *timeline);

/* Those who used the GPUs, the longest first. */
enum { GRT_USERS = 3 };
struct grt_users {
    struct grt_other longest[GRT_USERS]; /* the task is GRT_TRACE_NO_TASK where there are fewer */
    uint32_t count;                      /* of all */
};

/* Starts it empty, and adds one, who counts if the time is not 0. */
struct grt_users grt_users_none(void);
void grt_users_add(struct grt_users *users, struct grt_other user);

/* For how long of a span a task's kernels ran and, with `copies`, it copied, no more than the span. */
grt_time grt_time_on_gpu(const struct grt_timeline *timeline, uint32_t task, bool copies, grt_time from,
                         grt_time to);

/* All but one task who ran kernels or copied in a span; nobody if it would take too long to find out. */
struct grt_users grt_users_of_gpu(const struct grt_timeline *timeline, uint32_t task, grt_time from,
                                  grt_time to);

/* The one slice of a track in a span, as if it were cut out; GRT_NO_SLICE if there is none or more than one. */
uint32_t grt_track_only_in(const struct grt_track *track, grt_time from, grt_time to);

/* For how long of a span a track was at work, all its slices together, but no more than the span. */
grt_time grt_track_time_in(const struct grt_track *track, grt_time from, grt_time to);

#endif
