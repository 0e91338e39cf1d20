/* Blocks whose speeds may change: when they end. */
#ifndef GRT_MODELS_GPU_CLOCK_H
#define GRT_MODELS_GPU_CLOCK_H

#include "models/device/progress.h"
#include "models/gpu/command.h"
#include "sim/ready_queue.h"

struct context;
struct grt_gpu;

/* Blocks of one kernel that always have the same speed: all of them, those on one SM, or those that exit (W8). Their ends are kept by the work
 * that is done, so that a change of speed moves one event. Used where the device is contended: see clock.c. */
struct clock {
    struct grt_progress progress; /* by the context's clock */
    struct grt_ready_queue ends;  /* cohorts by (work done at their end, order of the starts) */
    uint32_t command, list;       /* list: of the SM, where speeds differ between SMs, or the one of all */
    uint32_t blocks;              /* running */
    uint32_t settled;             /* how many were when speeds were last settled */
    uint32_t next;                /* in its list, or in the free list */
    uint64_t own_speed;           /* before the memory's share */
};

void gpu_clocks_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_clock_add(struct grt_gpu *gpu, struct context *context, uint32_t cohort, grt_time clock);
void gpu_clock_add_moment(struct grt_gpu *gpu, struct context *context, uint32_t cohort, grt_time at);
/* The running clock of a kernel in a list, which its first clock names; NONE if it has none there. */
uint32_t gpu_clock_find(const struct context *context, uint32_t list, uint32_t command);
bool gpu_clock_is_moment(const struct grt_ready_entry *end);
bool gpu_clock_launch(struct grt_gpu *gpu, struct context *context, grt_time clock);
void gpu_clock_remove(struct grt_gpu *gpu, struct context *context, uint32_t cohort);
void gpu_clocks_drop_moments(struct grt_gpu *gpu, struct context *context);
uint32_t gpu_clock_pop(struct grt_gpu *gpu, struct context *context, grt_time clock);
void gpu_clock_set_speed(struct grt_gpu *gpu, struct context *context, uint32_t number, uint64_t speed);

#endif
