/* Why a job was late: where its response time went, to the nanosecond, and what most of it went to. */
#ifndef GRT_VIZ_ANSWERS_CAUSE_H
#define GRT_VIZ_ANSWERS_CAUSE_H

#include "viz/answers/others.h"

/* Every instant from arrival to end is of one part, the first that fits in this order. */
enum grt_cause_part {
    GRT_CAUSE_JITTER, /* before its release: jitter, or waiting for the jobs that it comes after */
    GRT_CAUSE_COMPUTE, /* on a core, but for busy-waiting; or a thread of the policy's own did something for it */
    GRT_CAUSE_STILL, /* while its kernels stood still: their streams had a share of 0 */
    GRT_CAUSE_SHARED, /* while a kernel of its own and one of another task were under way, which may slow both */
    GRT_CAUSE_LIMITED, /* while its kernels were under way alone, but with a share of less than all of the GPU */
    GRT_CAUSE_KERNEL,  /* while a kernel of its own was under way alone */
    GRT_CAUSE_COPY,    /* while a copy of its own ran */
    GRT_CAUSE_CALL,    /* while a call held its stream: a host function, a wait for an event */
    GRT_CAUSE_BLOCKED, /* by a less urgent task, as the trace says */
    GRT_CAUSE_GPU,     /* the rest of its GPU segments: it waited for the GPU */
    GRT_CAUSE_EARLIER, /* while the job before it of its own task was not finished */
    GRT_CAUSE_CORE,    /* the rest: it waited for a core */
    GRT_CAUSE_PARTS
};

enum { GRT_CAUSE_NO_SHARE = 101 };

struct grt_cause {
    uint32_t task, job;
    grt_time arrival, end;
    grt_time deadline; /* GRT_TIME_NEVER if it has none */
    uint8_t kind;      /* of its end, as in struct grt_job_story */

    grt_time parts[GRT_CAUSE_PARTS]; /* ns; their sum is end - arrival */

    /* The share that its kernels had, in vprocessors, on average over their time; GRT_CAUSE_NO_SHARE where no share was ever set for them. */
    uint32_t share;

    /* Of STILL, SHARED and CORE: the task that worked longest meanwhile, on whichever GPU; of BLOCKED the one that blocked to the end;
     * GRT_TRACE_NO_TASK if none did or it is not known, and of the other parts. */
    struct grt_other others[GRT_CAUSE_PARTS];

    /* BLOCKED and GPU are one wait. Who used the GPUs, whichever, in that time; nobody if it is not known. */
    struct grt_users users;

    /* ns that the BLOCKED steps of its chain last. They may hold work of its own, as a copy before its first kernel: then they are
     * longer than its part BLOCKED. */
    grt_time blocked;

    /* Its own work (COMPUTE, KERNEL, COPY, CALL) alone took longer than from arrival to deadline. */
    bool own_work;

    /* The longest of the other parts, where the longer of BLOCKED and GPU stands for both; the longest of its own work where there
     * are no others, or where own_work is set and none of them was longer than all its work. */
    enum grt_cause_part chief;

    /* It did too much to look through: the parts still add up, but what was not seen counts as waiting. */
    bool cut;
};

/* Of a job; false if the timeline does not have it. It takes as long as grt_chain_outline. */
bool grt_cause_of_job(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                      struct grt_cause *cause);

/* Of a miss, by its number in timeline->misses. */
bool grt_cause_find(const struct grt_timeline *timeline, uint32_t miss, struct grt_cause *cause);

/* How long a part was; of BLOCKED and GPU both together. */
grt_time grt_cause_wait(const struct grt_cause *cause, enum grt_cause_part part);

/* A sentence: "detect missed the deadline of job 12 by 3.1 ms: it was blocked for 5 ms by map." Where it would have been late without
 * its chief part too, the other parts are told. Returns `text`. */
#define GRT_CAUSE_TEXT 1200
char *grt_cause_text(const struct grt_timeline *timeline, const struct grt_cause *cause,
                     char text[GRT_CAUSE_TEXT]);

/* The numbers of all misses, the worst first: jobs that had not finished when the run ended, then those that were given up, then
 * those that finished late; among them by how late they ended, then by deadline. timeline->miss_count of them; free it. */
uint32_t *grt_misses_worst_first(const struct grt_timeline *timeline);

#endif
