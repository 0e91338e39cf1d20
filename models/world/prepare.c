/* Turns the GPU segments of a task into commands ready to submit, and the kernels in them, those that the host launches and
 * those that their blocks launch, into what the device executes; or says why they can never run there. */
#include <stdio.h>

#include "models/occupancy.h"
#include "models/task/kernel_walk.h"
#include "models/world/internal.h"
#include "sim/unit.h"

enum { REASON_SIZE = 192 };

/* What the preparing of a segment's kernels needs. */
struct maker {
    struct grt_world *world;
    struct grt_gpu *gpu;
    const struct grt_device *device;
    struct grt_errors *errors;
    bool has_percentage; /* the process has an active_thread_percentage that limits it */
    uint32_t next_place; /* of a launch in the trace; they are numbered on, in the order of the scenario */
};

/* Whether a task's process may have blocks on a part of the TPCs only, whichever they are (rule M3). */
static bool has_percentage(const struct grt_scenario *scenario, const struct grt_task *task) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    int64_t percentage = grt_process_of(scenario, task)->spec.active_thread_percentage;
    return grt_device_mps_tpcs(device, percentage) < grt_device_tpcs(device);
}

static void refuse(const struct maker *maker, const struct grt_kernel *kernel, const struct grt_path *path,
                   const char *reason) {
    grt_error_add(maker->errors, path, "kernel \"%s\" can never run on \"%s\": %s", kernel->name,
                  maker->device->name, reason);
}

/* Keeps a kernel to TPCs; a sentence where that cannot be. */
static const char *restrict_kernel(const struct maker *maker, const struct grt_kernel *kernel,
                                   const struct grt_number_list *tpcs, struct grt_gpu_kernel *prepared) {
    if (maker->has_percentage) {
        return "it is kept to some TPCs, but its process has an active_thread_percentage";
    }
    if (kernel->whole_device) {
        return "it is kept to some TPCs, but its time is that of the whole device";
    }
    grt_gpu_use_partitions(maker->gpu);
    return grt_gpu_kernel_restrict(maker->device, tpcs, &maker->world->arena, prepared);
}

/* W8: pins a kernel that is described as a grid and launches nothing; a sentence where that cannot be. */
static const char *pin_kernel(const struct maker *maker, const struct grt_kernel *kernel,
                              struct grt_gpu_kernel *prepared) {
    grt_gpu_use_pins(maker->gpu);
    return grt_gpu_kernel_pin(maker->device, kernel, &maker->world->arena, prepared);
}

/* ---- what blocks launch ---- */

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

/* D4: blocks that wait inside are dispatched one by one, as each comes back by itself. `level`: of launches that they are
 * on, the host's being the first. */
static void prepare_waits(const struct maker *maker, const struct grt_kernel *kernel, int64_t level,
                          const struct grt_path *path, struct grt_gpu_kernel *prepared) {
    const struct grt_launch_spec *specs = kernel->launches.items;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        prepared->waits |= specs[i].wait;
    }
    if (!prepared->waits) {
        return;
    }
    prepared->together = false;
    grt_gpu_use_waits(maker->gpu);
    if (level > maker->device->max_sync_depth) {
        char reason[128];
        snprintf(reason, sizeof reason,
                 "its blocks wait for what they launch on level %lld of launches, but max_sync_depth is %lld",
                 (long long)level, (long long)maker->device->max_sync_depth);
        refuse(maker, kernel, path, reason);
    }
}

/* The device does what all kernels with launches need. */
static void check_launches(const struct maker *maker, const struct grt_kernel *kernel,
                           const struct grt_path *path) {
    if (maker->device->max_pending_launches == 0) {
        refuse(maker, kernel, path, "its blocks launch kernels, which they cannot on this device");
    }
    if (maker->device->context_preemption == GRT_CONTEXT_PREEMPTION_RESET) {
        refuse(maker, kernel, path,
               "its blocks launch kernels, so they cannot be thrown away as context_preemption says");
    }
}

static void prepare_kernel(struct maker *maker, const struct grt_kernel *kernel,
                           const struct grt_number_list *tpcs, const struct grt_gpu_kernel *parent,
                           int64_t level, const struct grt_path *path, struct grt_gpu_kernel *prepared);

static void prepare_launches(struct maker *maker, const struct grt_kernel *kernel, int64_t level,
                             const struct grt_path *path, struct grt_gpu_kernel *prepared) {
    const struct grt_launch_spec *specs = kernel->launches.items;
    struct grt_path list = {path, "launches", 0}, place = {&list, NULL, 0};
    size_t count = kernel->launches.count;
    check_launches(maker, kernel, path);
    grt_gpu_use_launches(maker->gpu);
    prepare_waits(maker, kernel, level, path, prepared);
    struct grt_gpu_launch *launches = grt_arena_array(&maker->world->arena, count, sizeof *launches);
    for (; place.index < count; place.index++) {
        const struct grt_launch_spec *spec = &specs[place.index];
        describe(&launches[place.index], spec, maker->next_place++);
        prepare_kernel(maker, &spec->kernel, &spec->kernel.tpcs, prepared, level + 1, &place,
                       &launches[place.index].kernel);
    }
    sort(launches, count);
    prepared->launches = launches;
    prepared->launch_count = (uint32_t)count;
}

/* ---- kernels ---- */

/* How much of what limits a block it needs, and how much the device allows in one; 0 and 0 where that is not the reason. */
static void find_excess(const struct grt_device *device, const struct grt_block_needs *needs,
                        enum grt_occupancy_limit limit, int64_t *uses, int64_t *most) {
    int64_t opt_in = device->shared_memory_per_block_opt_in;
    bool opts_in = needs->shared_memory_opt_in || needs->shared_memory > opt_in;
    if (limit == GRT_LIMIT_WARPS) {
        *uses = needs->threads, *most = device->max_threads_per_block;
    } else if (limit == GRT_LIMIT_REGISTERS) {
        *uses = needs->registers_per_thread, *most = device->max_registers_per_thread;
    } else {
        *uses = needs->shared_memory, *most = opts_in ? opt_in : device->shared_memory_per_block;
    }
    if (*uses <= *most) {
        *uses = *most = 0;
    }
}

/* Puts both numbers behind the sentence that says why no block fits; returns `text`. */
static const char *with_excess(const struct grt_device *device, const struct grt_block_needs *needs,
                               const char *refusal, char text[REASON_SIZE]) {
    enum grt_occupancy_limit limit = grt_occupancy_of(device, needs).limit;
    int64_t uses, most;
    find_excess(device, needs, limit, &uses, &most);
    if (most == 0) {
        snprintf(text, REASON_SIZE, "%s", refusal);
    } else if (limit == GRT_LIMIT_SHARED_MEMORY) {
        char used[GRT_UNIT_TEXT_SIZE], allowed[GRT_UNIT_TEXT_SIZE];
        snprintf(text, REASON_SIZE, "%s (%s, at most %s)", refusal,
                 grt_unit_text(GRT_QUANTITY_SIZE, uses, used),
                 grt_unit_text(GRT_QUANTITY_SIZE, most, allowed));
    } else {
        snprintf(text, REASON_SIZE, "%s (%lld, at most %lld)", refusal, (long long)uses, (long long)most);
    }
    return text;
}

/* Prepares a kernel and all that its blocks launch, and adds an error for each that can never run. `tpcs`: what it is kept
 * to; none: to what the kernel is whose blocks launch it, `parent`. `level`: 1 where the host launches it. */
static void prepare_kernel(struct maker *maker, const struct grt_kernel *kernel,
                           const struct grt_number_list *tpcs, const struct grt_gpu_kernel *parent,
                           int64_t level, const struct grt_path *path, struct grt_gpu_kernel *prepared) {
    grt_device_check_demand(maker->device, kernel->bandwidth, maker->errors, path);
    char reason[REASON_SIZE];
    const char *refusal = grt_gpu_kernel_prepare(maker->device, kernel, prepared);
    prepared->places = parent != NULL ? parent->places : NULL;
    if (refusal != NULL) {
        refusal = with_excess(maker->device, &kernel->needs, refusal, reason);
    }
    if (refusal == NULL && tpcs->count > 0) {
        refusal = restrict_kernel(maker, kernel, tpcs, prepared);
    }
    if (refusal == NULL && kernel->sms.count > 0) {
        refusal = pin_kernel(maker, kernel, prepared);
    }
    if (refusal == NULL && grt_device_has_shares(maker->device)) {
        grt_gpu_kernel_share(maker->device, kernel, &maker->world->arena, prepared);
    }
    if (refusal != NULL) {
        refuse(maker, kernel, path, refusal);
    }
    if (kernel->launches.count > 0) {
        prepare_launches(maker, kernel, level, path, prepared);
    }
}

/* ---- commands ---- */

/* The command with whose beginning a segment's wait is over: its first kernel, its first copy if it has none, or its
 * first call. */
static size_t first_kernel(const struct grt_segment *segment) {
    size_t first = 0;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            return i;
        }
        bool call = grt_command_is_call(segment->commands[i].kind);
        first = !call && grt_command_is_call(segment->commands[first].kind) ? i : first;
    }
    return first;
}

static void prepare_command(struct maker *maker, const struct task_run *task, size_t segment, size_t index,
                            struct grt_gpu_command *command) {
    const struct grt_segment *commands = &task->spec->segments[segment];
    const struct grt_command_spec *spec = &commands->commands[index];
    *command = (struct grt_gpu_command){
        .kind = (enum grt_command_kind)spec->kind,
        .bytes = spec->bytes,
        .owner = task->view.task,
        .begins = index == first_kernel(commands),
        .last = index + 1 == commands->command_count,
        .pageable = spec->pageable,
        .waits = grt_gpu_host_waits(maker->device, spec),
        .random = grt_command_is_random(spec),
        .task = (uint16_t)task->view.task,
        .place = grt_trace_place((uint32_t)segment, (uint32_t)index),
    };
    if (grt_command_is_call(spec->kind)) {
        job_prepare_call(maker->world, task, spec, command);
    }
}

void prepare_segment(struct grt_world *world, struct task_run *task, size_t index,
                     const struct grt_path *path, struct grt_errors *errors) {
    const struct grt_segment *segment = &task->spec->segments[index];
    size_t count = segment->command_count;
    struct grt_path gpu = {path, "gpu", 0}, place = {&gpu, NULL, 0};
    struct maker maker = {.world = world,
                          .gpu = world->gpus[task->spec->gpu],
                          .device = &world->scenario->gpus[task->spec->gpu],
                          .errors = errors,
                          .has_percentage = has_percentage(world->scenario, task->spec),
                          .next_place = grt_trace_place((uint32_t)index, (uint32_t)count)};
    struct grt_gpu_kernel *kernels = grt_arena_array(&world->arena, count, sizeof *kernels);
    task->commands[index] = grt_arena_array(&world->arena, count, sizeof *task->commands[index]);
    for (; place.index < count; place.index++) {
        const struct grt_command_spec *spec = &segment->commands[place.index];
        struct grt_gpu_command *command = &task->commands[index][place.index];
        prepare_command(&maker, task, index, place.index, command);
        if (spec->kind == GRT_COMMAND_KERNEL) {
            bool own = spec->kernel.tpcs.count > 0;
            command->kernel = &kernels[place.index];
            prepare_kernel(&maker, &spec->kernel, own ? &spec->kernel.tpcs : &task->spec->tpcs, NULL, 1,
                           &place, &kernels[place.index]);
        }
    }
}
