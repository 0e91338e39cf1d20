/* What a policy promises of what it does with the GPUs, as plain data. The auditor picks its rules by it, and the tests what they may
 * ask for; nobody goes by a policy's name. Zero is the weakest: nothing is promised. It includes nothing, so that those who share no code with
 * policies may read it. */
#ifndef GRT_MODELS_PROMISE_H
#define GRT_MODELS_PROMISE_H

#include <stdbool.h>

/* How the segments that ask for a GPU come to it. Every registered policy says one of those behind the first. */
enum grt_promise_gpu {
    GRT_PROMISE_UNSTATED, /* nobody has thought of it; audited like the next one */
    GRT_PROMISE_ANYHOW,   /* nothing can be said beforehand */
    GRT_PROMISE_AT_ONCE,  /* every segment is submitted in the instant of its request */
    GRT_PROMISE_ONE, /* one segment at a time on a GPU, which is given to the first by `order` of those that ask; with never_idle in the instant
                             in which it is free and somebody asks */
    GRT_PROMISE_LOCK, /* a segment at a time holds a GPU; a free one goes to the first by `order` in the instant in which somebody asks or
                         the last holder has ended its segment; the holder's thread is more urgent than every task meanwhile */
    GRT_PROMISE_SERVER, /* a thread of the policy serves a segment at a time on a GPU, the first by `order` of those that it has heard of;
                           nothing on its core is more urgent than that thread */
    GRT_PROMISE_SLOTS,  /* one piece of a segment at a time on a GPU, in the slots of a reservation server */
    GRT_PROMISE_BATCHES, /* so many segments of a GPU at a time, the first by `order` of those that ask when a scheduler of the policy's own forms the
                            batch; nothing of others until all of it have ended */
    GRT_PROMISE_TWO_LEVELS, /* at most two segments have a GPU, in a stream each: the second is more urgent by `order` than the first was, and goes
                               before it block by block */
    GRT_PROMISE_SHARES, /* a stream per task with a share of its GPU; the shares of those that have a segment on it never sum to more than all of it */
    GRT_PROMISE_PLACES, /* segments that are pinned to a part of a GPU, one at a time on each part; others have all of it */
};

/* Who goes first of those that wait. Ties go by the scenario's rule. */
enum grt_promise_order {
    GRT_ORDER_NONE,
    GRT_ORDER_REQUEST,  /* who asked first */
    GRT_ORDER_DEADLINE, /* the earliest absolute deadline */
    GRT_ORDER_PERIOD,   /* the shortest period, or relative deadline of a task without one */
    GRT_ORDER_PRIORITY, /* the highest priority of the task */
    GRT_ORDER_LATENESS, /* GRT_PROMISE_BATCHES: who would be the latest if it began now and took its average runtime: equation (1) of P. Muyan-Ozcelik, J. D. Owens,
                           "Multitasking Real-time Embedded GPU Computing Tasks", PMAM 2016 */
};

/* What of a batch goes on beside what else of it. */
enum grt_promise_overlap {
    GRT_OVERLAP_NONE,   /* one segment after the other, the first by `order` first */
    GRT_OVERLAP_COPIES, /* kernels of two segments never run at once */
    GRT_OVERLAP_ALL
};

struct grt_promise {
    enum grt_promise_gpu gpu;
    enum grt_promise_order order;
    enum grt_promise_overlap overlap; /* GRT_PROMISE_BATCHES */
    /* GRT_PROMISE_BATCHES: copies in front of a segment's first kernel wait for those of the batch that go before it by `order` */
    bool copies_follow;
    /* GRT_PROMISE_TWO_LEVELS: with somebody in the more urgent stream alone, the other one takes the first of those that wait; else they wait */
    bool co_run;
    /* it never cuts a segment into pieces. Nobody audits it: a replay by a device, and tests, rely on it */
    bool whole;
    /* no GPU is idle while a segment waits for it. Audited where it says more than `gpu` does: GRT_PROMISE_ONE */
    bool never_idle;
    /* by itself: jobs are aborted where they miss their deadlines, if their tasks say so, and nowhere else */
    bool aborts_nothing;
};

#endif
