#include "models/task/kernel_walk.h"

static void walk(const struct grt_kernel *kernel, size_t level, const struct grt_path *path,
                 grt_kernel_visitor *visit, void *state) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    struct grt_path list = {path, "launches", 0}, place = {&list, NULL, 0};
    visit(state, kernel, level, path);
    for (; place.index < kernel->launches.count; place.index++) {
        walk(&launches[place.index].kernel, level + 1, &place, visit, state);
    }
}

void grt_kernel_walk(const struct grt_kernel *kernel, const struct grt_path *path, grt_kernel_visitor *visit,
                     void *state) {
    walk(kernel, 0, path, visit, state);
}

void grt_task_walk_kernels(const struct grt_task *task, const struct grt_path *path,
                           grt_kernel_visitor *visit, void *state) {
    struct grt_path segments = {path, "segments", 0}, segment = {&segments, NULL, 0};
    for (; segment.index < task->segment_count; segment.index++) {
        const struct grt_segment *spec = &task->segments[segment.index];
        struct grt_path gpu = {&segment, "gpu", 0}, command = {&gpu, NULL, 0};
        for (; command.index < spec->command_count; command.index++) {
            if (spec->commands[command.index].kind == GRT_COMMAND_KERNEL) {
                walk(&spec->commands[command.index].kernel, 0, &command, visit, state);
            }
        }
    }
}

const struct grt_kernel *grt_task_next_kernel(const struct grt_task *task, struct grt_kernel_place *place) {
    for (; place->segment < task->segment_count; place->segment++, place->command = 0) {
        const struct grt_segment *segment = &task->segments[place->segment];
        while (segment->kind == GRT_SEGMENT_GPU && place->command < segment->command_count) {
            const struct grt_command_spec *command = &segment->commands[place->command++];
            if (command->kind == GRT_COMMAND_KERNEL) {
                return &command->kernel;
            }
        }
    }
    return NULL;
}

struct totals {
    size_t kernels, deepest;
    bool random;
};

static void add(void *state, const struct grt_kernel *kernel, size_t level, const struct grt_path *path) {
    struct totals *totals = state;
    (void)path;
    totals->kernels++;
    totals->deepest = level > totals->deepest ? level : totals->deepest;
    totals->random |= !grt_distribution_is_constant(&kernel->block_time);
}

static struct totals totals_of(const struct grt_kernel *kernel) {
    struct totals totals = {0};
    walk(kernel, 0, NULL, add, &totals);
    return totals;
}

size_t grt_launches_count(const struct grt_kernel *kernel) {
    return totals_of(kernel).kernels - 1;
}

size_t grt_launches_depth(const struct grt_kernel *kernel) {
    return totals_of(kernel).deepest;
}

bool grt_command_is_random(const struct grt_command_spec *command) {
    return command->kind == GRT_COMMAND_CALLBACK
               ? !grt_distribution_is_constant(&command->callback_time)
               : command->kind == GRT_COMMAND_KERNEL && totals_of(&command->kernel).random;
}
