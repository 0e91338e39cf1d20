/* The inside of a GPU, shared by models/gpu*.c and nobody else. */
#ifndef GRT_MODELS_GPU_INTERNAL_H
#define GRT_MODELS_GPU_INTERNAL_H

#include "models/gpu.h"
#include "models/placement.h"
#include "sim/random.h"
#include "sim/wide.h"

#define NONE UINT32_MAX

enum command_state {
    COMMAND_WAITING, /* in its stream */
    COMMAND_QUEUED,  /* head of its stream and in an engine's queue */
    COMMAND_RUNNING, /* a kernel with a block dispatched, a copy on its engine */
};

/* A command between submission and completion. */
struct command {
    uint32_t next;       /* in its stream, or in the free list */
    uint32_t queue_next; /* in the queue of an engine */
    uint32_t stream, owner;
    uint8_t kind, state;
    bool begins, last, aborted;
    uint16_t task; /* trace labels */
    uint32_t job, place;
    uint64_t launch;  /* position in the order of all calls */
    grt_time arrival; /* when the launch has reached the device */
    grt_time start;
    union {
        int64_t bytes;
        struct {
            const struct grt_gpu_kernel *kernel;
            uint32_t next_block, block_end, running; /* running: dispatched and not ended */
            grt_time block_time;                     /* of all blocks, where same_time */
            struct grt_random random;                /* of each block's time, where not */
        };
    };
};

/* A first-in first-out list of commands. */
struct command_list {
    uint32_t head, tail;
};

struct stream {
    struct command_list commands;
    grt_source source; /* tells when the head's launch reaches the device; used where launches take time */
    grt_time last_arrival;
    struct context *context;
    uint32_t level; /* of its execution-engine queue; 0 is the most urgent */
    uint32_t row;   /* in the trace */
    bool is_null, touched;
};

/* Equal blocks of one launch that began and end together. */
struct cohort {
    uint32_t command, first, count;
    uint32_t place;     /* the place of the SM if all are on one, else NONE */
    uint8_t *per_place; /* blocks on each place, where place is NONE */
    uint16_t *places;   /* place of each block in order, kept for the trace only */
    uint32_t next_free;
    grt_time start; /* ns of the run */
    grt_time began; /* ns of the context's clock */
};

/* A process on the GPU: its execution-engine queues and what it has on the SMs. Its clock stands still while it is
 * switched out: it is behind the run by `lag`. Ends and busy times are by this clock. */
struct context {
    struct grt_placement *placement;
    grt_time lag;
    uint32_t null_stream; /* or NONE */

    struct command_list *levels; /* execution-engine queues, by priority level */
    uint32_t resident_kernels;
    bool undispatched; /* something changed that may let a block be placed */

    struct grt_event_queue ends; /* of cohorts, by (time, order of the starts) */
    struct cohort *cohorts;
    uint32_t cohort_capacity, cohort_count, free_cohort;
    uint64_t starts;

    uint32_t running_blocks;
    grt_time busy, busy_since; /* at least one block resident */
};

struct engine {
    struct command_list queue;
    uint32_t running; /* command or NONE */
    grt_source source;
    grt_time busy;
    int64_t h2d_rate, d2h_rate; /* bytes per second; 0: no time beyond the latency */
};

struct grt_gpu {
    const struct grt_device *device;
    struct grt_gpu_options options;
    grt_source source;         /* tells the earliest end of a cohort */
    struct context **contexts; /* the first is made with the GPU */
    uint32_t context_count, context_capacity;
    struct context *active; /* whose kernels the SMs execute */
    uint32_t level_count;   /* of priorities */

    struct command *commands;
    uint32_t command_capacity, command_count, free_command;
    uint64_t launches;

    struct stream *streams;
    uint32_t stream_count, stream_capacity;
    uint32_t *touched; /* streams whose head may have changed, in the order of the changes */
    uint32_t touched_count, touched_capacity;
    bool has_null_stream; /* in some context */

    bool uncopied; /* something changed that may let a copy begin */

    struct engine engines[2];
    uint32_t engine_count;

    uint64_t kernels, blocks, copies; /* completed */
    grt_wide thread_time;             /* threads times ns */
};

static inline struct context *context_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->streams[gpu->commands[command].stream].context;
}

/* The clock of a context that is not switched out. */
static inline grt_time clock_of(const struct grt_gpu *gpu, const struct context *context) {
    return gpu->options.loop->now - context->lag;
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

static inline uint32_t *stream_link(struct command *command) {
    return &command->next;
}

static inline uint32_t *queue_link(struct command *command) {
    return &command->queue_next;
}

/* Removes a command from anywhere in a list. */
void list_remove(struct command_list *list, struct command *commands, uint32_t command,
                 uint32_t *(*link)(struct command *));

/* gpu_stream.c: the heads of streams. */
void gpu_stream_touch(struct grt_gpu *gpu, uint32_t stream);
void gpu_streams_advance(struct grt_gpu *gpu);
void gpu_command_begin(struct grt_gpu *gpu, struct command *command);
void gpu_command_complete(struct grt_gpu *gpu, uint32_t command);

/* gpu_execute.c: kernels and blocks. */
void gpu_execute_create(struct grt_gpu *gpu);
void gpu_execute_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_execute_enqueue(struct grt_gpu *gpu, uint32_t command);
bool gpu_execute_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_execute_decide(struct grt_gpu *gpu);
void gpu_execute_finish(struct grt_gpu *gpu, struct context *context);

/* gpu_copy.c: copy engines. */
void gpu_copy_create(struct grt_gpu *gpu);
void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t command);
bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_copy_decide(struct grt_gpu *gpu);
void gpu_copy_finish(struct grt_gpu *gpu);

#endif
