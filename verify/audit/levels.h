/* Two streams as the auditor sees them: who has them (levels.c), and what their blocks do (levels_block.c). */
#ifndef GRT_VERIFY_AUDIT_LEVELS_H
#define GRT_VERIFY_AUDIT_LEVELS_H

#include "verify/audit/internal.h"

enum {
    LEVELS_TWO,
    LEVELS_FIRST_GOES,
    LEVELS_MORE_URGENT,
    LEVELS_NEVER_IDLE,
    LEVELS_BLOCKS_WAIT,
    LEVELS_RULES
};

enum { LOW, HIGH, LEVELS };

/* From the instant at which a kernel was the first of its queue, as far as it is known, to its last block's start. */
struct window {
    grt_time first, last;
};

struct levels_gpu {
    uint32_t *waiting; /* tasks */
    uint32_t waiting_count, asked;
    uint32_t occupant[LEVELS];
    uint32_t row[LEVELS];    /* their streams, GRT_TRACE_NO_ROW: not yet known */
    uint32_t stream[LEVELS]; /* the same, whichever is which */
    grt_time stream_free[LEVELS];
    bool unknown;           /* it cannot be said who has what: until nobody asks */
    bool blocks;            /* those are checked, */
    bool queued;            /* also from the instant at which a kernel reaches its queue on */
    struct window *windows; /* of kernels of the high stream, while the low one has one segment */
    uint32_t window_count, window_capacity;
    grt_time *starts; /* of blocks of the low stream, since the last such kernel */
    uint32_t start_count, start_capacity;
    grt_time last_start; /* of the blocks of the present one */
};

struct levels_task {
    uint32_t wait_at;
    grt_time given; /* AUDIT_UNKNOWN: when is not known */
    grt_time begun; /* when its first command was called; AUDIT_UNKNOWN: it has none yet */
    bool alone;     /* it was given the GPU when nobody else had it */
};

struct levels {
    uint32_t rules;
    bool has_order, co_run;
    struct levels_gpu *gpus;
    struct levels_task *tasks;
};

/* The stream of a task's segment; LEVELS: none. */
static inline uint32_t levels_of(const struct levels_gpu *gpu, uint32_t task) {
    return gpu->occupant[LOW] == task ? LOW : gpu->occupant[HIGH] == task ? HIGH : LEVELS;
}

/* Whether two streams reach the device without each other (Q1, Q4). */
static inline bool levels_have_queues(const struct grt_device *device) {
    return device->queue_model != GRT_QUEUE_MODEL_SINGLE &&
           (device->hardware_queues == 0 || device->hardware_queues >= LEVELS);
}

/* ---- levels_block.c ---- */

/* Says what of the blocks of a GPU can be checked. */
void levels_blocks_create(const struct grt_audit *audit, struct levels *self, uint32_t gpu);
/* A kernel in the high stream has ended: no block of the low one began before its last one. */
void levels_kernel_end(struct grt_audit *audit, struct levels *self, struct levels_gpu *gpu,
                       const struct audit_task *task, const struct grt_trace_record *record);
void levels_block(struct grt_audit *audit, struct levels *self, const struct audit_task *task,
                  const struct grt_trace_record *record);
void levels_blocks_free(struct levels_gpu *gpu);

#endif
