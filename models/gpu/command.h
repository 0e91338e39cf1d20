/* Commands between submission and completion, and lists of them. */
#ifndef GRT_MODELS_GPU_COMMAND_H
#define GRT_MODELS_GPU_COMMAND_H

#include "models/gpu.h"
#include "sim/check.h"
#include "sim/random.h"

#define NONE UINT32_MAX

enum command_state {
    COMMAND_WAITING, /* in its stream */
    COMMAND_QUEUED,  /* head of its stream and in an engine's queue */
    COMMAND_RUNNING, /* a kernel with a block dispatched, a copy on its engine, a call that takes its time */
};

/* The kind of a command that no host calls: it stands in a stream before a command that must know whether the kernel
 * before has ended (rule Q1b). */
enum { COMMAND_CHECK = GRT_COMMAND_KINDS };

/* A command between submission and completion. */
struct command {
    uint32_t next;       /* in its stream, or in the free list */
    uint32_t queue_next; /* in the queue of an engine, or before that in a hardware queue */
    uint32_t stream, owner;
    uint8_t kind, state;
    bool begins, last, aborted, waits;
    uint16_t task; /* trace labels */
    uint32_t job, place;
    uint64_t launch;  /* position in the order of all calls */
    grt_time arrival; /* when the launch has reached the device */
    grt_time start;
    union {
        struct {
            int64_t bytes;
            grt_time remaining; /* of the copy's time, while it is not on its engine */
            grt_time extra;     /* of its time: besides what the device's figures say */
            bool pageable;
        };
        struct {              /* calls: see call.c */
            grt_time since;   /* when it became the head of its stream; GRT_TIME_NEVER before */
            grt_time takes;   /* 0: nothing */
            uint32_t event;   /* record, wait, query */
            uint32_t awaits;  /* wait, query: the record that must complete before, or NONE */
            uint32_t waiters; /* record: the first that awaits it, or NONE */
            uint32_t next_waiter;
            uint8_t queue;      /* single model: its hardware queue */
            bool queued;        /* it stands in a hardware queue */
            bool after_streams; /* it waits for what was called before in all streams of its context */
            bool barrier;       /* and what is called later waits for it */
        };
        struct {
            const struct grt_gpu_kernel *kernel;
            uint32_t next_block, block_end, running; /* running: dispatched and not ended */
            uint32_t items_left;                     /* pinned, once a block has begun: that nobody took */
            grt_time block_time;                     /* of all blocks, where same_time */
            struct grt_random random;                /* of each block's time, where not */
            const grt_time *block_times;             /* those, where they are given */
        };
        uint64_t room[9]; /* makes the struct 128 bytes long, so that it is found by a shift */
    };
};

/* A first-in first-out list of commands. */
struct command_list {
    uint32_t head, tail;
};

static inline uint32_t *stream_link(struct command *command) {
    return &command->next;
}

static inline uint32_t *queue_link(struct command *command) {
    return &command->queue_next;
}

static inline void list_push(struct command_list *list, struct command *commands, uint32_t command,
                             uint32_t *(*link)(struct command *)) {
    *link(&commands[command]) = NONE;
    if (list->head == NONE) {
        list->head = command;
    } else {
        *link(&commands[list->tail]) = command;
    }
    list->tail = command;
}

/* Takes the first command out of a list that has one. */
static inline uint32_t list_pop(struct command_list *list, struct command *commands,
                                uint32_t *(*link)(struct command *)) {
    uint32_t command = list->head;
    list->head = *link(&commands[command]);
    if (list->head == NONE) {
        list->tail = NONE;
    }
    return command;
}

/* Removes a command from anywhere in a list. */
void list_remove(struct command_list *list, struct command *commands, uint32_t command,
                 uint32_t *(*link)(struct command *));

struct grt_gpu;

/* A command that is in no list; the pool may move. */
uint32_t gpu_command_allocate(struct grt_gpu *gpu);

/* Makes it a kernel that has no block yet; the times of its blocks follow from `random_key` where they are random. */
void gpu_command_set_kernel(struct command *command, const struct grt_gpu_kernel *kernel, bool random,
                            uint64_t random_key);

#endif
