/* The checks that hold under the policy `hardware`: the published rules of streams, queues and dispatch. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/gpu_checks.h"

static bool fail(const struct grt_launch *launch, const char *sentence) {
    fprintf(stderr,
            "task %u job %u segment %u command %u (entered %" PRId64 ", %" PRId64 " to %" PRId64 "): %s\n",
            launch->task, launch->job, launch->segment, launch->command, launch->entered, launch->start,
            launch->end, sentence);
    return false;
}

static bool is_live_kernel(const struct grt_launch *launch) {
    return launch->kind == GRT_COMMAND_KERNEL && !launch->dropped;
}

/* ---- order ---- */

static bool entered_first(const struct grt_launch *launch) {
    return launch->start == GRT_TIME_NEVER || launch->start >= launch->entered ||
           fail(launch, "begins before it is in its queue");
}

/* Rules X1 and A2 for one kernel against all that may hold it back. */
static bool kernel_waited(const struct grt_launches *all, const struct grt_launch *kernel) {
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        if (!is_live_kernel(other) || other->gpu != kernel->gpu || other->level != kernel->level) {
            continue;
        }
        if (other->entered < kernel->entered && kernel->first_start < other->left_queue) {
            return fail(kernel, "overtakes an older kernel of its queue");
        }
    }
    return true;
}

/* A copy begins when it has entered the queue and the engine is rid of all that entered before. Copies that enter at
 * one instant may go in any order. */
static bool copy_went_in_turn(const struct grt_launches *all, const struct grt_launch *copy, grt_time end) {
    grt_time earliest = copy->entered;
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        if (other == copy || other->kind == GRT_COMMAND_KERNEL || other->dropped ||
            other->engine != copy->engine) {
            continue;
        }
        bool was_before =
            other->start != GRT_TIME_NEVER && (copy->start == GRT_TIME_NEVER || other->start < copy->start);
        if (other->entered < copy->entered && copy->start != GRT_TIME_NEVER && !was_before &&
            other->gone > copy->start) {
            return fail(copy, "overtakes an older copy");
        }
        if (was_before && other->end > earliest) {
            earliest = other->end;
        }
    }
    grt_time until = copy->start < copy->aborted ? copy->start : copy->aborted;
    return (until == GRT_TIME_NEVER ? end : until) <= earliest || fail(copy, "a copy waits for no reason");
}

/* ---- nothing waits that may go ---- */

struct room {
    int64_t warps, blocks, registers, shared_memory;
};

/* Whether some SM has room for one more block of the kernel after everything that starts at `now`. */
static bool has_room(const struct grt_launches *all, const struct grt_launch *kernel, grt_time now) {
    const struct grt_device *device = &all->scenario->gpus[kernel->gpu];
    uint32_t first = all->first_sm[kernel->gpu], count = all->first_sm[kernel->gpu + 1] - first;
    struct room rooms[GRT_DEVICE_MAX_SMS];
    for (uint32_t sm = 0; sm < count; sm++) {
        rooms[sm] = (struct room){device->max_threads_per_sm / device->warp_size, device->max_blocks_per_sm,
                                  device->registers_per_sm, device->shared_memory_per_sm};
    }
    for (uint32_t i = 0; i < all->block_count; i++) {
        const struct grt_seen_block *block = &all->blocks[i];
        if (block->start <= now && block->end > now && block->sm >= first && block->sm < first + count) {
            const struct grt_gpu_kernel *charges = &all->launches[block->launch].charges;
            struct room *room = &rooms[block->sm - first];
            room->warps -= charges->warps;
            room->blocks--;
            room->registers -= charges->registers;
            room->shared_memory -= charges->shared_memory;
        }
    }
    for (uint32_t sm = 0; sm < count; sm++) {
        if (rooms[sm].warps >= kernel->charges.warps && rooms[sm].blocks >= 1 &&
            rooms[sm].registers >= kernel->charges.registers &&
            rooms[sm].shared_memory >= kernel->charges.shared_memory) {
            return true;
        }
    }
    return false;
}

static bool may_begin(const struct grt_launches *all, const struct grt_launch *kernel, grt_time now) {
    int64_t resident = 0;
    if (kernel->start <= now) {
        return true;
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        resident +=
            is_live_kernel(other) && other->gpu == kernel->gpu && other->start <= now && other->end > now;
    }
    return resident < all->scenario->gpus[kernel->gpu].max_resident_grids;
}

static bool block_waited(const struct grt_launches *all, const struct grt_seen_block *block) {
    const struct grt_launch *kernel = &all->launches[block->launch];
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        bool more_urgent = is_live_kernel(other) && other->gpu == kernel->gpu && other->level < kernel->level;
        bool without_grid = other->start > block->start && !may_begin(all, other, block->start);
        if (more_urgent && !without_grid && other->entered <= block->start &&
            block->start < other->left_queue) {
            return fail(kernel, "a block starts while a more urgent kernel waits");
        }
    }
    return true;
}

static bool waits_in_queue(const struct grt_launch *kernel, uint32_t gpu, grt_time now) {
    return is_live_kernel(kernel) && kernel->gpu == gpu && kernel->entered <= now && kernel->left_queue > now;
}

/* After the decisions of an instant the kernel in front cannot go on. Of several that entered at one instant any may
 * be in front. */
static bool front_is_stuck(const struct grt_launches *all, uint32_t gpu, grt_time now) {
    uint32_t level = UINT32_MAX;
    grt_time entered = GRT_TIME_NEVER;
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *kernel = &all->launches[i];
        if (waits_in_queue(kernel, gpu, now) &&
            (kernel->level < level || (kernel->level == level && kernel->entered < entered))) {
            level = kernel->level;
            entered = kernel->entered;
        }
    }
    for (uint32_t i = 0; level != UINT32_MAX && i < all->launch_count; i++) {
        const struct grt_launch *kernel = &all->launches[i];
        bool in_front =
            waits_in_queue(kernel, gpu, now) && kernel->level == level && kernel->entered == entered;
        if (in_front && (!may_begin(all, kernel, now) || !has_room(all, kernel, now))) {
            return true;
        }
    }
    return level == UINT32_MAX;
}

/* The room changes only where a block or a kernel ends; a queue where a kernel enters or leaves it. `until`: the last
 * instant at which decisions were made. */
static bool nothing_waits(const struct grt_launches *all, grt_time until) {
    for (uint32_t gpu = 0; gpu < all->scenario->gpu_count; gpu++) {
        for (uint32_t i = 0; i < all->launch_count; i++) {
            const struct grt_launch *launch = &all->launches[i];
            const grt_time instants[] = {launch->entered, launch->left_queue, launch->end};
            for (int which = 0; which < 3; which++) {
                if (is_live_kernel(launch) && instants[which] <= until &&
                    !front_is_stuck(all, gpu, instants[which])) {
                    fprintf(stderr, "at %" PRId64 " a kernel waits for no reason\n", instants[which]);
                    return false;
                }
            }
        }
        for (uint32_t i = 0; i < all->block_count; i++) {
            if (all->blocks[i].end <= until && !front_is_stuck(all, gpu, all->blocks[i].end)) {
                fprintf(stderr, "at %" PRId64 " a block waits for no reason\n", all->blocks[i].end);
                return false;
            }
        }
    }
    return true;
}

bool grt_gpu_checks_pass_rules(const struct grt_launches *all, const struct grt_built_run *run) {
    bool good = true;
    for (uint32_t i = 0; good && i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        if (launch->dropped) {
            continue;
        }
        good = entered_first(launch);
        if (launch->kind == GRT_COMMAND_KERNEL) {
            good = good && kernel_waited(all, launch);
        } else if (launch->entered != GRT_TIME_NEVER) {
            good = good && copy_went_in_turn(all, launch, run->result->end);
        }
    }
    for (uint32_t i = 0; good && i < all->block_count; i++) {
        good = block_waited(all, &all->blocks[i]);
    }
    return good && nothing_waits(all, run->result->end - 1);
}
