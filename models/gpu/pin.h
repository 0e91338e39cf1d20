/* Blocks of pinned kernels, which look on which SM they are: rule W8. The dispatch of apart.c calls them. */
#ifndef GRT_MODELS_GPU_PIN_H
#define GRT_MODELS_GPU_PIN_H

#include "models/gpu/cohort.h"

/* A block has been placed: takes an item of work, or exits. Returns how long that takes. */
grt_time gpu_pin_block_begins(struct command *command, struct cohort *cohort);

/* A block, which is a cohort of its own and stands in no queue of ends any more, is done with what it began: true if it takes another item
 * of work and runs on. Of a kernel that is not pinned false. */
bool gpu_pin_goes_on(struct grt_gpu *gpu, struct context *context, uint32_t cohort);

/* Which item of work a block has just taken; GRT_GPU_NO_ITEM where it exits. */
static inline uint32_t gpu_pin_item(const struct command *command, const struct cohort *cohort) {
    return cohort->exits ? GRT_GPU_NO_ITEM : command->kernel->items - command->items_left - 1;
}

/* GRT_TRACE_EXITED for blocks that exit, else 0. */
static inline uint8_t gpu_pin_flags(const struct grt_gpu *gpu, const struct cohort *cohort) {
    return gpu->commands[cohort->command].kernel->items > 0 && cohort->exits ? GRT_TRACE_EXITED : 0;
}

/* Items of a kernel that nobody took; 0 where none has been looked for, or it is not pinned. */
static inline uint32_t gpu_pin_items_left(const struct command *kernel) {
    return kernel->kernel->items > 0 && kernel->state == COMMAND_RUNNING ? kernel->items_left : 0;
}

#endif
