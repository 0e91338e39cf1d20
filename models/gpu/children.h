/* Kernels that blocks launch; called where launches are used. */
#ifndef GRT_MODELS_GPU_CHILDREN_H
#define GRT_MODELS_GPU_CHILDREN_H

#include "models/gpu/command.h"

struct context;
struct grt_gpu;

/* What a grid has to do with those that its blocks launch; there is one beside every command where blocks launch
 * kernels: see children.c. */
struct family {
    bool used;      /* its command is */
    bool ended;     /* all its blocks have ended, or what is left was dropped */
    bool in_flight; /* its launch has not reached the device */
    bool held; /* it waits for the grid before it in its stream, or, a tail, for the one that launched it */
    bool is_tail;              /* launched into the tail stream */
    uint16_t number;           /* in the trace; 0 if the host launched it */
    uint32_t parent;           /* the grid that launched it, or NONE */
    uint32_t follower;         /* the grid that waits behind it in a block's stream, or NONE */
    uint32_t live;             /* launched by it and not complete, but for held tails */
    struct command_list tails; /* those, in the order of the launches */
    uint32_t launcher;         /* the cohort of the block that launched it, where its kernel waits, or NONE */
    uint32_t waiting;          /* blocks that wait inside: see waiting.c */
    bool away;                 /* all its blocks have begun, and those that have not ended wait */
    uint64_t key;              /* where its random numbers, and those of what it launches, start */
};

/* The last launch into the stream of a block. */
struct block_stream {
    uint32_t command; /* or NONE */
    uint64_t launch;  /* of it: tells whether it is still the same command */
};

/* What the blocks of a cohort have still to launch. */
struct launching {
    uint32_t next; /* index of the launches of their kernel */
    uint32_t capacity;
    uint32_t live;       /* its kernel waits: what the block has launched and is not complete */
    bool waits, returns; /* the block is off the SM; and nothing is left for which it waits */
    grt_time had;        /* of the block's time, before its present stay on an SM */
    uint64_t since;      /* position in the order of all calls: what was launched before is not the block's */
    grt_time work_began; /* contended: what their clock had done when they began */
    uint64_t rank;       /* contended: of their start */
    struct block_stream *streams; /* per block */
};

void gpu_children_submitted(struct grt_gpu *gpu, uint32_t command, uint64_t random_key);
void gpu_children_reserve(struct context *context);
void gpu_children_cohort_began(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_set_moment(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_launch(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_cohort_ends(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_children_grid_began(struct grt_gpu *gpu, uint32_t command);
void gpu_children_blocks_ended(struct grt_gpu *gpu, uint32_t command);
void gpu_children_schedule(struct grt_gpu *gpu, const struct context *context);
void gpu_children_schedule_arrivals(struct grt_gpu *gpu);

#endif
