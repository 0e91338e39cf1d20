/* What a kept trace says of the GPUs: every command that was launched, with its blocks, put together again from the
 * records and the scenario alone. */
#ifndef GRT_TESTS_SUPPORT_GPU_LAUNCHES_H
#define GRT_TESTS_SUPPORT_GPU_LAUNCHES_H

#include "models/gpu.h"
#include "tests/support/world_builder.h"

/* One block that was seen; `end` is GRT_TIME_NEVER if it was still running when the run ended. */
struct grt_seen_block {
    uint32_t launch, index;
    uint32_t sm; /* row in the trace */
    grt_time start, end;
};

/* One command of one job. Instants that did not come are GRT_TIME_NEVER. */
struct grt_launch {
    uint32_t task, job, segment, command;
    enum grt_command_kind kind;
    uint32_t gpu, stream; /* stream: index of the first task that uses it */
    int64_t process;
    uint32_t level; /* 0: the most urgent queue */
    bool is_null;
    const struct grt_kernel *kernel;  /* kernels */
    struct grt_gpu_kernel charges;    /* kernels: as the simulator counts them */
    int64_t bytes;                    /* copies */
    uint32_t engine;                  /* copies: row in the trace */
    grt_time submitted;               /* under `hardware`: when its segment was requested */
    grt_time arrival;                 /* when the launch reached the device */
    grt_time entered;                 /* when it entered its engine's queue, by rules G2, C1, N1, N2 */
    bool dropped;                     /* its request was taken back before it was submitted */
    grt_time aborted;                 /* when its job was aborted while the segment was going on */
    grt_time start, end;              /* as recorded: first block or begin of the copy, completion */
    grt_time first_start, last_start; /* of the blocks that were seen */
    grt_time left_queue;              /* when the last block was dispatched, or the rest dropped */
    grt_time gone;                    /* when it left its stream */
    uint32_t blocks, blocks_seen;     /* of the grid */
};

/* All of a run. Free it with grt_launches_free. */
struct grt_launches {
    const struct grt_scenario *scenario;
    struct grt_launch *launches; /* in the order in which `hardware` submits them */
    uint32_t launch_count, launch_capacity;
    struct grt_seen_block *blocks; /* in the order of the records */
    uint32_t block_count, block_capacity;
    uint32_t first_sm[GRT_MAX_GPUS + 1]; /* rows of each GPU's SMs */
};

/* Puts the commands together; false, with a sentence on standard error, if the records do not fit the scenario.
 * arrival, entered and the order of the launches are those of the policy `hardware` with ties by task. */
bool grt_launches_read(struct grt_launches *all, const struct grt_scenario *scenario,
                       const struct grt_built_run *run);

void grt_launches_free(struct grt_launches *all);

#endif
