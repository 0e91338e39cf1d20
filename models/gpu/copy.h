/* Copy engines. */
#ifndef GRT_MODELS_GPU_COPY_H
#define GRT_MODELS_GPU_COPY_H

#include "models/device/progress.h"
#include "models/gpu/context.h"

struct grt_gpu;

struct engine {
    struct context *active;       /* whose copies it takes */
    bool held;                    /* it takes no further copy: the turn is about to pass */
    uint32_t running;             /* command or NONE */
    grt_time since;               /* when that began, or went on */
    struct grt_progress progress; /* since then */
    grt_time latency_ends;        /* the work at which its latency is over; not above 0: it is */
    grt_time stop_at;             /* the work at which it leaves the engine, complete or not */
    grt_source source;
    grt_time busy;
    int64_t h2d_rate, d2h_rate; /* bytes per second; 0: no time beyond the latency */
};

/* `stop` suspends what runs on an engine at the end of its chunk; true once nothing runs. */
void gpu_copy_create(struct grt_gpu *gpu);
void gpu_copy_create_context(struct grt_gpu *gpu, struct context *context);
void gpu_copy_enqueue(struct grt_gpu *gpu, uint32_t command);
bool gpu_copy_cancel(struct grt_gpu *gpu, uint32_t command);
void gpu_copy_decide(struct grt_gpu *gpu);
bool gpu_copy_stop(struct grt_gpu *gpu, uint32_t engine);
uint64_t gpu_copy_demand(const struct grt_gpu *gpu, uint32_t engine);
void gpu_copy_set_speed(struct grt_gpu *gpu, uint32_t engine, uint64_t speed);
void gpu_copy_finish(struct grt_gpu *gpu);

#endif
