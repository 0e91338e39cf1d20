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
    GRT_PROMISE_ONE, /* one segment at a time on a GPU; it is given away in the instant in which it is free and somebody asks,
                             to the first by `order` */
    GRT_PROMISE_LOCK, /* a segment at a time holds a GPU; a free one goes to the first by `order` in the instant in which somebody asks or
                         the last holder has ended its segment; the holder's thread is more urgent than every task meanwhile */
    GRT_PROMISE_SERVER, /* a thread of the policy serves a segment at a time on a GPU, the first by `order` of those that it has heard of;
                           nothing on its core is more urgent than that thread */
    GRT_PROMISE_SLOTS,  /* one piece of a segment at a time on a GPU, in the slots of a reservation server */
};

/* Who goes first of those that wait. Ties go by the scenario's rule. */
enum grt_promise_order {
    GRT_ORDER_NONE,
    GRT_ORDER_REQUEST,  /* who asked first */
    GRT_ORDER_DEADLINE, /* the earliest absolute deadline */
    GRT_ORDER_PERIOD,   /* the shortest period, or relative deadline of a task without one */
    GRT_ORDER_PRIORITY, /* the highest priority of the task */
};

struct grt_promise {
    enum grt_promise_gpu gpu;
    enum grt_promise_order order;
    bool whole;      /* it never cuts a segment into pieces */
    bool never_idle; /* no GPU is idle while a segment waits for it */
    bool
        aborts_nothing; /* by itself: jobs are aborted where they miss their deadlines, if their tasks say so, and nowhere else */
};

#endif
