/* Prepares the kernels that blocks of others launch for a device: models/world.c's part in dynamic parallelism. */
#ifndef GRT_MODELS_LAUNCHES_H
#define GRT_MODELS_LAUNCHES_H

#include "models/gpu.h"

/* What the preparing of a segment's launches needs. Their places are numbered on, in the order of the scenario. */
struct launch_maker {
    const struct grt_device *device;
    struct grt_gpu *gpu;
    struct grt_arena *arena;
    struct grt_errors *errors;
    bool has_percentage; /* the process has an active_thread_percentage that counts */
    uint32_t next_place;
    int64_t level; /* of the kernels that launched what is being prepared */
};

/* Prepares all that the blocks of a kernel launch, and what that launches; adds an error for each that can never run.
 * `prepared`, the kernel itself, is prepared but for its launches. */
void launches_prepare(struct launch_maker *maker, const struct grt_kernel *kernel,
                      const struct grt_path *path, struct grt_gpu_kernel *prepared);

#endif
