/* The kernels that blocks of others launch, as the scenario describes them: counts, and what a GPU needs to know. */
#include "models/launches.h"

#include "sim/check.h"

static const struct grt_launch_spec *spec_of(const struct grt_kernel *kernel, size_t index) {
    return (const struct grt_launch_spec *)kernel->launches.items + index;
}

bool grt_launches_are_random(const struct grt_kernel *kernel) {
    for (size_t i = 0; i < kernel->launches.count; i++) {
        const struct grt_kernel *child = &spec_of(kernel, i)->kernel;
        if (!grt_distribution_is_constant(&child->block_time) || grt_launches_are_random(child)) {
            return true;
        }
    }
    return false;
}

size_t grt_launches_count(const struct grt_kernel *kernel) {
    size_t count = kernel->launches.count;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        count += grt_launches_count(&spec_of(kernel, i)->kernel);
    }
    return count;
}

size_t grt_launches_depth(const struct grt_kernel *kernel) {
    size_t deepest = 0;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        size_t depth = 1 + grt_launches_depth(&spec_of(kernel, i)->kernel);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static void describe(struct grt_gpu_launch *launch, const struct grt_launch_spec *spec, uint32_t place) {
    launch->at = spec->at > 0 ? spec->at : GRT_TIME_NEVER;
    launch->first_block_only = spec->from == GRT_LAUNCH_FROM_FIRST_BLOCK;
    launch->stream = (uint8_t)spec->stream;
    launch->wait = spec->wait;
    launch->random = !grt_distribution_is_constant(&spec->kernel.block_time);
    launch->place = place;
    launch->name = spec->kernel.name;
}

/* By the time; those of one time stay in their order. */
static void sort(struct grt_gpu_launch *launches, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct grt_gpu_launch launch = launches[i];
        size_t place = i;
        for (; place > 0 && launches[place - 1].at > launch.at; place--) {
            launches[place] = launches[place - 1];
        }
        launches[place] = launch;
    }
}

static void prepare_one(struct launch_maker *maker, const struct grt_launch_spec *spec,
                        const struct grt_gpu_kernel *parent, const struct grt_path *path,
                        struct grt_gpu_launch *launch) {
    grt_device_check_demand(maker->device, spec->kernel.bandwidth, maker->errors, path);
    const char *refusal = grt_gpu_kernel_prepare(maker->device, &spec->kernel, &launch->kernel);
    describe(launch, spec, maker->next_place++);
    launch->kernel.places = parent->places;
    if (refusal == NULL && spec->kernel.tpcs.count > 0 && maker->has_percentage) {
        refusal = "it is kept to some TPCs, but its process has an active_thread_percentage";
    } else if (refusal == NULL && spec->kernel.tpcs.count > 0) {
        grt_gpu_use_partitions(maker->gpu);
        refusal = grt_gpu_kernel_restrict(maker->device, &spec->kernel.tpcs, maker->arena, &launch->kernel);
    }
    if (refusal != NULL) {
        grt_error_add(maker->errors, path, "kernel \"%s\" can never run on \"%s\": %s", spec->kernel.name,
                      maker->device->name, refusal);
    }
    launches_prepare(maker, &spec->kernel, path, &launch->kernel);
}

/* D4: blocks that wait inside are dispatched one by one, as each comes back by itself. */
static void prepare_waits(struct launch_maker *maker, const struct grt_kernel *kernel,
                          const struct grt_path *path, struct grt_gpu_kernel *prepared) {
    for (size_t i = 0; i < kernel->launches.count; i++) {
        prepared->waits |= spec_of(kernel, i)->wait;
    }
    if (!prepared->waits) {
        return;
    }
    prepared->together = false;
    grt_gpu_use_waits(maker->gpu);
    if (maker->level > maker->device->max_sync_depth) {
        grt_error_add(
            maker->errors, path,
            "kernel \"%s\" can never run on \"%s\": its blocks wait for what they launch on level %lld of "
            "launches, but max_sync_depth is %lld",
            kernel->name, maker->device->name, (long long)maker->level,
            (long long)maker->device->max_sync_depth);
    }
}

void launches_prepare(struct launch_maker *maker, const struct grt_kernel *kernel,
                      const struct grt_path *path, struct grt_gpu_kernel *prepared) {
    struct grt_path list = {path, "launches", 0}, place = {&list, NULL, 0};
    size_t count = kernel->launches.count;
    if (count == 0) {
        return;
    }
    if (maker->device->max_pending_launches == 0) {
        grt_error_add(maker->errors, path, "kernel \"%s\" can never run on \"%s\": %s", kernel->name,
                      maker->device->name, "its blocks launch kernels, which they cannot on this device");
    }
    if (maker->device->context_preemption == GRT_CONTEXT_PREEMPTION_RESET) {
        grt_error_add(maker->errors, path, "kernel \"%s\" can never run on \"%s\": %s", kernel->name,
                      maker->device->name,
                      "its blocks launch kernels, so they cannot be thrown away as context_preemption says");
    }
    grt_gpu_use_launches(maker->gpu);
    maker->level++;
    prepare_waits(maker, kernel, path, prepared);
    struct grt_gpu_launch *launches = grt_arena_array(maker->arena, count, sizeof *launches);
    for (; place.index < count; place.index++) {
        prepare_one(maker, spec_of(kernel, place.index), prepared, &place, &launches[place.index]);
    }
    maker->level--;
    sort(launches, count);
    prepared->launches = launches;
    prepared->launch_count = (uint32_t)count;
}
