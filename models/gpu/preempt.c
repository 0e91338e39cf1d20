/* What becomes of blocks inside of which the turn of their context ends.
 *
 * Source: Amert et al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017, appendix A, for saving them (T4r); J. J. K. Park,
 * Y. Park, S. Mahlke, "Chimera: Collaborative Preemption for Multitasking on a Shared GPU", ASPLOS 2015, for throwing them
 * away. That a switch takes the longer the larger the state is: Y. Wang, C. Liu, D. Wong, H. Kim, "GCAPS: GPU
 * Context-Aware Preemptive Priority-Based Scheduling for Real-Time Tasks", ECRTS 2024.
 *
 * A context has its SMs to itself, so that its blocks keep their places while it is switched out, whatever becomes of them. */
#include "models/gpu/preempt.h"

#include "models/gpu/cohort.h"
#include "models/gpu/internal.h"

static int64_t state_of_blocks(const struct grt_gpu *gpu, uint32_t command, uint32_t blocks) {
    return blocks * gpu->commands[command].kernel->state_bytes;
}

/* Registers and shared memory of all blocks that are on the SMs. */
static int64_t state_of(const struct grt_gpu *gpu, const struct context *context) {
    const struct grt_event_queue *ends = &context->ends;
    int64_t bytes = 0;
    for (uint32_t slot = 0; slot < ends->capacity; slot++) {
        if (grt_event_time(ends, slot) == GRT_TIME_NEVER) {
            continue;
        }
        if (gpu->uses.contention) {
            bytes += state_of_blocks(gpu, context->clocks[slot].command, context->clocks[slot].blocks);
        } else {
            bytes += state_of_blocks(gpu, context->cohorts[slot].command, context->cohorts[slot].count);
        }
    }
    return bytes;
}

/* T4s: the time of moving a context's state between the SMs and the memory, once. */
grt_time gpu_preempt_move_time(const struct grt_gpu *gpu, const struct context *context) {
    const struct grt_device *device = gpu->device;
    if (device->context_save == GRT_CONTEXT_SAVE_FIXED ||
        device->context_preemption != GRT_CONTEXT_PREEMPTION_INSTRUCTION) {
        return 0;
    }
    int64_t bytes = state_of(gpu, context);
    return bytes > 0 ? grt_time_of_work(bytes, device->memory_bytes_per_second) : 0;
}

/* T4x: what the blocks have done is lost. They are kept in the order in which they would have ended. */
void gpu_preempt_throw_away(struct grt_gpu *gpu, struct context *context) {
    uint32_t *last = &context->thrown;
    for (uint32_t number; (number = gpu_cohorts_pop(gpu, context)) != NONE;) {
        gpu_cohort_cut(gpu, context, &context->cohorts[number], GRT_TRACE_PREEMPTED);
        *last = number;
        last = &context->cohorts[number].next_free;
    }
    *last = NONE;
}

/* The context has the SMs again: the blocks begin from the beginning, where they were. */
void gpu_preempt_run_again(struct grt_gpu *gpu, struct context *context) {
    grt_time clock = clock_of(gpu, context);
    for (uint32_t number = context->thrown, next; number != NONE; number = next) {
        next = context->cohorts[number].next_free;
        gpu_cohort_run(gpu, context, number, clock);
    }
    context->thrown = NONE;
}
