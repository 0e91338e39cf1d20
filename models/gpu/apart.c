/* Dispatch where kernels may pass a stuck one: some are kept to some SMs, or clients of an MPS server have limits or
 * priorities of their own, or blocks that waited for what they launched come back.
 *
 * Source: J. Bakita, J. H. Anderson, "Hardware Compute Partitioning on NVIDIA GPUs", RTAS 2023 (W3). */
#include "models/gpu/apart.h"

#include "models/gpu/cohort.h"
#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include "models/gpu/limit.h"
#include "models/gpu/waiting.h"
#include <string.h>

/* Takes places out of a set; NULL: all. False once it is empty. */
static bool take_away(uint64_t *set, const uint64_t *places) {
    uint64_t left = 0;
    for (uint32_t word = 0; word < GRT_PLACE_WORDS; word++) {
        set[word] &= places != NULL ? ~places[word] : 0;
        left |= set[word];
    }
    return left != 0;
}

/* Writes which of a set are among some places, NULL: all; false if none. */
static bool intersect(uint64_t *usable, const uint64_t *set, const uint64_t *places) {
    uint64_t any = 0;
    for (uint32_t word = 0; word < GRT_PLACE_WORDS; word++) {
        usable[word] = set[word] & (places != NULL ? places[word] : UINT64_MAX);
        any |= usable[word];
    }
    return any != 0;
}

/* Which places a kernel may use now; NULL: all. */
static const uint64_t *places_of(const struct grt_gpu *gpu, uint32_t number) {
    const struct process *process = process_of(gpu, number);
    return gpu_limit_is_reached(process) ? process->places : gpu->commands[number].kernel->places;
}

/* What is left over to the kernels behind one. */
struct leftover {
    uint64_t places[GRT_PLACE_WORDS];
    uint32_t slots;
};

/* Q10: a kernel that has begun keeps its slot; the others get what is left by priority and order in their queues. So one
 * that came first loses its slot to a more urgent one, but not to its like. */
static bool has_slot(const struct command *command, struct leftover *left) {
    if (command->state == COMMAND_RUNNING) {
        return true;
    }
    bool has = left->slots > 0;
    left->slots -= has;
    return has;
}

/* D4: the same for a grid of which a block comes back; its slot it has, unless all its blocks waited. */
static bool may_return(const struct grt_gpu *gpu, const struct context *context, uint32_t number,
                       struct leftover *left) {
    if (!gpu->families[number].away) {
        return gpu_execute_may_dispatch(gpu, context, &gpu->commands[number]);
    }
    bool may = !gpu->held && context->resident_kernels < gpu->most_begun && left->slots > 0;
    left->slots -= may;
    return may;
}

/* D4: blocks that have waited go before those of the kernels in the queue. False if no SM is left for anybody. */
static bool dispatch_returning(struct grt_gpu *gpu, struct context *context, uint32_t level,
                               struct leftover *left) {
    for (uint32_t at = context->returning[level].head, next; at != NONE; at = next) {
        uint32_t number = context->cohorts[at].command;
        uint64_t usable[GRT_PLACE_WORDS];
        next = context->cohorts[at].next_free;
        if (!intersect(usable, left->places, places_of(gpu, number)) ||
            !may_return(gpu, context, number, left)) {
            continue;
        }
        grt_placement_restrict(context->placement, usable);
        if (!gpu_waiting_dispatch(gpu, context, at) && !take_away(left->places, places_of(gpu, number))) {
            return false;
        }
    }
    return true;
}

/* W3, M4, the exceptions to X1: kernels hand out blocks by priority and order in the queue, and one that has blocks left
 * keeps only those SMs from those behind it that it may use itself. False if no SM is left for anybody. */
static bool dispatch_level(struct grt_gpu *gpu, struct context *context, struct command_list *level,
                           struct leftover *left) {
    for (uint32_t number = level->head, next; number != NONE; number = next) {
        const struct command *command = &gpu->commands[number];
        uint64_t usable[GRT_PLACE_WORDS];
        next = command->queue_next;
        if (!has_slot(command, left) || !gpu_execute_may_dispatch(gpu, context, command) ||
            !intersect(usable, left->places, places_of(gpu, number))) {
            continue;
        }
        grt_placement_restrict(context->placement, usable);
        if (gpu_execute_dispatch(gpu, context, number)) {
            gpu_execute_leave_queue(gpu, number);
            list_remove(level, gpu->commands, number, queue_link);
        } else if (!take_away(left->places, places_of(gpu, number))) {
            return false;
        }
    }
    return true;
}

static void dispatch_all(struct grt_gpu *gpu, struct context *context) {
    uint32_t slots = (uint32_t)gpu->device->task_slots;
    struct leftover left = {.slots = slots > 0 ? slots - context->resident_kernels : UINT32_MAX};
    memset(left.places, 0xff, sizeof left.places);
    for (uint32_t level = 0; level < gpu->level_count; level++) {
        if ((context->returning_count > 0 && !dispatch_returning(gpu, context, level, &left)) ||
            !dispatch_level(gpu, context, &context->levels[level], &left)) {
            return;
        }
    }
}

/* A kernel that has no place among the resident grids keeps no SMs from others. Where the last such place was just given away
 * behind a stuck kernel that has not begun, that kernel's SMs are free for others after all. */
void gpu_apart_dispatch(struct grt_gpu *gpu, struct context *context) {
    uint32_t before = context->resident_kernels;
    dispatch_all(gpu, context);
    if (context->resident_kernels > before && context->resident_kernels == gpu->most_begun) {
        dispatch_all(gpu, context);
    }
}
