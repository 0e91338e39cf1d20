/* A job followed from its release over cores, copies, kernels and blocks to its end: steps in the order of time, and which came
 * after which. */
#ifndef GRT_VIZ_ANSWERS_CHAIN_H
#define GRT_VIZ_ANSWERS_CHAIN_H

#include <stddef.h>

#include "viz/answers/job_story.h"

enum grt_chain_step_kind {
    GRT_STEP_SKIP, /* it was not released */
    GRT_STEP_RELEASE,
    GRT_STEP_CPU,     /* one stay on a core */
    GRT_STEP_REQUEST, /* of a GPU segment: an instant; its place is the segment's slice */
    GRT_STEP_BLOCKED,
    GRT_STEP_COPY,
    GRT_STEP_KERNEL,
    GRT_STEP_BLOCKS, /* of one kernel on one SM: from the first one's start to the last one's end */
    GRT_STEP_CALL,
    GRT_STEP_LAUNCH_FAILED,
    GRT_STEP_LOST_ITEMS, /* of a pinned kernel */
    GRT_STEP_FINISH,     /* instants: how it ended */
    GRT_STEP_ABORT,
    GRT_STEP_UNFINISHED,
    GRT_STEP_DEADLINE,
    GRT_STEP_MISS,
    GRT_STEP_WAIT, /* for the GPU, from the end of what came before to the begin of a copy or kernel: 10 us or more that are not
                      wholly within a BLOCKED; its place is the segment's slice, but that slice's step is the REQUEST. Also before a HOST that
                      comes first, and before a THREAD */
    GRT_STEP_HOST,     /* a stay on a core for a host part of a GPU segment */
    GRT_STEP_SPIN,     /* the same, busy-waiting for the GPU: nothing comes after it */
    GRT_STEP_OVERHEAD, /* the same, a context switch to its thread or its wake-up */
    GRT_STEP_THREAD,   /* a thread of the policy's own did something for the job; its place is on the core */
    GRT_STEP_KINDS
};

#define GRT_NO_STEP UINT32_MAX

struct grt_chain_step {
    enum grt_chain_step_kind kind;
    bool lead; /* of blocks: the first step of their kernel */
    /* where it happened: on the core, engine, stream or SM if the timeline has that row, else `home` */
    struct grt_place place;
    struct grt_place home; /* in the row of the task; of blocks: their kernel; of calls: as `place` */
    grt_time begin, end;
    /* an earlier step, from whose end an arrow leads to this one's begin; of blocks: their kernel, which began when its first block did;
     * GRT_NO_STEP of the first, and of what leads nowhere: deadlines, misses, waits */
    uint32_t after;
    uint32_t count; /* of blocks: how many stays there are; place is the first one's to end. Else 1 */
};

enum { GRT_CHAIN_STEPS = 4096 };

/* Start it as {0}. */
struct grt_chain {
    struct grt_job_story story;
    struct grt_chain_step *steps;
    uint32_t count, capacity;
    bool cut; /* there was more than GRT_CHAIN_STEPS, or too much beside it to look through */
};

/* Finds all steps of a job, ordered by their begin; false if the timeline does not have the job. At most some hundred
 * thousand slices are looked at: what ends on the rows in question while the job is alive, and on the SMs while its kernels
 * run. The second leaves out the blocks and the waits and looks at a tenth of that, for who points at something. What the chain held before
 * is replaced. Free it with grt_chain_free. */
bool grt_chain_find(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                    struct grt_chain *chain);
bool grt_chain_outline(const struct grt_timeline *timeline, uint32_t task, uint32_t job,
                       struct grt_chain *chain);
void grt_chain_free(struct grt_chain *chain);

/* A step in few words: "kernel convolutions", "copy in", "960 blocks on SM 3", "blocked by map", "waits 27.898 ms for the GPU, used
 * longest by map". Returns the length; what does not fit into `size` bytes, of which there must be one at least, is left out:
 * GRT_STEP_TEXT are enough. */
#define GRT_STEP_TEXT 160
size_t grt_step_text(const struct grt_timeline *timeline, const struct grt_chain *chain, uint32_t step,
                     char *text, size_t size);

/* The step that a place belongs to: its slice, the slice's twin, or one block of the blocks, and of a window
 * the release; GRT_NO_STEP if it is of another job. */
uint32_t grt_chain_step_at(const struct grt_timeline *timeline, const struct grt_chain *chain,
                           struct grt_place place);

#endif
