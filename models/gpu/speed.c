/* How fast blocks and copies go beside each other.
 *
 * Rules (docs/gpu-model.md): B1, the memory's bandwidth is shared; B2, with the CPU on an integrated GPU; B3, an SM whose
 * cores have more threads than they can serve serves all of them more slowly; and a measured table of slowdowns, pair by
 * pair. The last two give a block a speed of its own, and with it a smaller demand; then the memory is shared. A kernel
 * alone goes at full speed: what its own blocks do to each other is in their times already. */
#include "models/gpu/speed.h"

#include "models/gpu/execute.h"
#include "models/gpu/internal.h"
#include <math.h>

/* ---- the table of slowdowns ---- */

/* The speeds of one class beside another: anywhere, and on the same SM. */
static uint64_t *slowdown(const struct grt_gpu *gpu, uint32_t number, uint32_t beside) {
    return &gpu->slowdowns[2 * ((size_t)number * gpu->class_count + beside)];
}

static uint64_t speed_of_factor(double factor) {
    return (uint64_t)ceil((double)GRT_FULL_SPEED / factor);
}

static void create_slowdowns(struct grt_gpu *gpu) {
    const struct grt_device *device = gpu->device;
    const struct grt_slowdown *rows = device->slowdowns.items;
    size_t cells = 4 * device->slowdowns.count * device->slowdowns.count;
    gpu->class_count = 2 * (uint32_t)device->slowdowns.count;
    gpu->slowdowns = grt_arena_array(gpu->options.arena, 2 * cells, sizeof *gpu->slowdowns);
    for (size_t i = 0; i < 2 * cells; i++) {
        gpu->slowdowns[i] = GRT_FULL_SPEED;
    }
    for (size_t i = 0; i < device->slowdowns.count; i++) {
        uint64_t *speeds = slowdown(gpu, grt_device_class(device, rows[i].class_name),
                                    grt_device_class(device, rows[i].beside));
        speeds[0] = speed_of_factor(rows[i].factor);
        speeds[1] = speed_of_factor(rows[i].same_sm > 0 ? rows[i].same_sm : rows[i].factor);
        gpu->uses.speeds_by_sm |= speeds[0] != speeds[1];
    }
}

/* Whether a kernel has blocks on an SM. */
static bool is_on(const struct context *context, uint32_t list, uint32_t command) {
    return gpu_clock_find(context, context->clock_lists[list], command) != NONE;
}

/* Whether a clock is the first of its kernel's: each kernel counts once, on how many SMs ever it is. */
static bool is_first(const struct context *context, uint32_t list, const struct clock *clock) {
    for (uint32_t i = 0; i < list; i++) {
        if (is_on(context, i, clock->command)) {
            return false;
        }
    }
    return true;
}

/* The speed of the blocks of one clock beside all other kernels. */
static uint64_t speed_by_table(const struct grt_gpu *gpu, const struct context *context, uint32_t list,
                               const struct clock *clock) {
    uint32_t class_number = gpu->commands[clock->command].kernel->class_number;
    uint64_t speed = GRT_FULL_SPEED;
    for (uint32_t i = 0; class_number != GRT_NO_CLASS && i < clock_list_count(gpu); i++) {
        for (uint32_t number = context->clock_lists[i]; number != NONE;
             number = context->clocks[number].next) {
            const struct clock *other = &context->clocks[number];
            uint32_t beside = gpu->commands[other->command].kernel->class_number;
            if (beside == GRT_NO_CLASS || other->command == clock->command || !is_first(context, i, other)) {
                continue;
            }
            bool same_sm = gpu->uses.speeds_by_sm && is_on(context, list, other->command);
            speed = grt_speed_product(speed, slowdown(gpu, class_number, beside)[same_sm]);
        }
    }
    return speed;
}

/* ---- the load of an SM (B3) ---- */

static uint64_t speed_by_load(const struct grt_gpu *gpu, const struct context *context, uint32_t list) {
    uint64_t capacity = (uint64_t)(gpu->device->cores_per_sm * gpu->device->threads_per_core), load = 0;
    for (uint32_t number = context->clock_lists[list]; number != NONE;
         number = context->clocks[number].next) {
        const struct clock *clock = &context->clocks[number];
        load += (uint64_t)clock->blocks * gpu->commands[clock->command].kernel->issue_threads;
    }
    return load <= capacity ? GRT_FULL_SPEED : ((capacity << 32) + load - 1) / load;
}

static void settle_own_speeds(const struct grt_gpu *gpu, const struct context *context) {
    for (uint32_t list = 0; list < clock_list_count(gpu); list++) {
        uint64_t by_load =
            gpu->device->threads_per_core > 0 ? speed_by_load(gpu, context, list) : GRT_FULL_SPEED;
        for (uint32_t number = context->clock_lists[list]; number != NONE;
             number = context->clocks[number].next) {
            struct clock *clock = &context->clocks[number];
            clock->own_speed = grt_speed_product(by_load, speed_by_table(gpu, context, list, clock));
        }
    }
}

/* ---- the memory's share (B1) ---- */

/* The context whose blocks run, NULL while contexts are switched. */
static struct context *running_context(const struct grt_gpu *gpu) {
    return gpu->active->paused_at == GRT_TIME_NEVER ? gpu->active : NULL;
}

static void ask(void *owner, struct grt_memory_bus *bus) {
    struct grt_gpu *gpu = owner;
    struct context *context = running_context(gpu);
    if (gpu->uses.own_speeds && context != NULL) {
        settle_own_speeds(gpu, context);
    }
    for (uint32_t list = 0; context != NULL && list < clock_list_count(gpu); list++) {
        for (uint32_t number = context->clock_lists[list]; number != NONE;
             number = context->clocks[number].next) {
            const struct clock *clock = &context->clocks[number];
            uint64_t demand = gpu->commands[clock->command].kernel->demand;
            grt_bus_request(bus, grt_speed_product(demand, clock->own_speed), clock->blocks);
        }
    }
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        grt_bus_request(bus, gpu_copy_demand(gpu, i), 1);
    }
}

static void granted(void *owner, const uint64_t *shares) {
    struct grt_gpu *gpu = owner;
    struct context *context = running_context(gpu);
    for (uint32_t list = 0; context != NULL && list < clock_list_count(gpu); list++) {
        for (uint32_t number = context->clock_lists[list]; number != NONE;
             number = context->clocks[number].next) {
            struct clock *clock = &context->clocks[number];
            clock->settled = clock->blocks;
            gpu_clock_set_speed(gpu, context, number, grt_speed_product(clock->own_speed, *shares++));
        }
    }
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        gpu_copy_set_speed(gpu, i, *shares++);
    }
    gpu_execute_schedule(gpu);
}

/* ---- what the device calls ---- */

void gpu_speeds_create(struct grt_gpu *gpu) {
    const struct grt_device *device = gpu->device;
    gpu->uses.contention = gpu->uses.more_than_ends = grt_device_is_contended(device);
    if (!gpu->uses.contention) {
        return;
    }
    create_slowdowns(gpu);
    gpu->uses.own_speeds = device->threads_per_core > 0 || device->slowdowns.count > 0;
    gpu->uses.speeds_by_sm |= device->threads_per_core > 0;
    gpu->options.no_cohorts |= gpu->uses.speeds_by_sm; /* blocks on different SMs need not end together */
    grt_bus_add_user(gpu->options.bus, &(struct grt_bus_user){gpu, ask, granted});
}

/* Whether other blocks run than when speeds were last settled: one that took the place of another of its kernel changes
 * nothing. */
static bool is_unsettled(const struct grt_gpu *gpu, const struct context *context) {
    if (gpu->unsettled) {
        return true;
    }
    for (uint32_t list = 0; list < clock_list_count(gpu); list++) {
        for (uint32_t number = context->clock_lists[list]; number != NONE;
             number = context->clocks[number].next) {
            if (context->clocks[number].blocks != context->clocks[number].settled) {
                return true;
            }
        }
    }
    return false;
}

void gpu_speeds_settle(struct grt_gpu *gpu) {
    if (!is_unsettled(gpu, gpu->active)) {
        return;
    }
    grt_bus_settle(gpu->options.bus);
    gpu->unsettled = false;
}
