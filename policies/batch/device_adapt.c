/* What is executed under a scheduler on the device: its kernel, as a task that never ends; kernels that it launches; copies over zero-copy memory, which
 * take longer; and behind each segment the message that tells the host of it.
 *
 * Refused is what could never go on beside a kernel that never ends. */
#include <stdio.h>
#include <string.h>

#include "models/occupancy.h"
#include "models/task/kernel_walk.h"
#include "policies/batch/batch.h"
#include "policies/names.h"

static bool is_used(const struct grt_scenario *scenario, size_t gpu) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (scenario->tasks[i].gpu == (int64_t)gpu && grt_task_uses_gpu(&scenario->tasks[i])) {
            return true;
        }
    }
    return false;
}

size_t batch_own_tasks(const struct grt_scenario *scenario, const struct batch_parameters *given) {
    size_t count = 0;
    for (size_t i = 0; i < scenario->gpu_count && given->scheduler_blocks > 0; i++) {
        count += is_used(scenario, i);
    }
    return count;
}

/* ---- what is refused ---- */

static struct grt_block_needs needs_of_scheduler(const struct batch_parameters *given) {
    return (struct grt_block_needs){.threads = given->scheduler_threads};
}

/* How many blocks of the scheduler may share an SM with a block of another kernel: none where there are fewer than SMs, and it may use
 * all of these; wherever the device puts them. */
static int64_t blocks_beside(const struct grt_device *device, const struct batch_parameters *given,
                             bool all_sms) {
    struct grt_block_needs needs = needs_of_scheduler(given);
    int64_t fit = grt_occupancy_of(device, &needs).blocks_per_sm;
    if (all_sms && given->scheduler_blocks < device->sm_count) {
        return 0;
    }
    return given->scheduler_blocks < fit ? given->scheduler_blocks : fit;
}

/* Whether a block of a kernel has room on an SM beside those. */
static bool has_room(const struct grt_device *device, const struct batch_parameters *given,
                     const struct grt_block_needs *needs, int64_t beside) {
    struct grt_block_needs own = needs_of_scheduler(given);
    struct grt_occupancy scheduler = grt_occupancy_of(device, &own), kernel = grt_occupancy_of(device, needs);
    return beside + 1 <= device->max_blocks_per_sm &&
           beside * scheduler.warps + kernel.warps <= device->max_threads_per_sm / device->warp_size &&
           beside * scheduler.registers + kernel.registers <= device->registers_per_sm &&
           beside * scheduler.shared_memory + kernel.shared_memory <= device->shared_memory_per_sm;
}

/* Calls that wait for all that was called before: also for a kernel that never ends. */
static bool waits_for_all(const struct grt_device *device, int64_t kind) {
    bool guide = device->implicit_sync == GRT_IMPLICIT_SYNC_GUIDE;
    switch (kind) {
    case GRT_COMMAND_SYNCHRONIZE_DEVICE:
        return true;
    case GRT_COMMAND_MALLOC:
    case GRT_COMMAND_MALLOC_HOST:
    case GRT_COMMAND_MEMSET:
    case GRT_COMMAND_D2D:
        return guide;
    case GRT_COMMAND_FREE:
        return device->implicit_sync == GRT_IMPLICIT_SYNC_MEASURED;
    default:
        return false;
    }
}

/* What is known while the kernels of a task are gone through. */
struct check {
    const struct grt_device *device;
    const struct batch_parameters *given;
    const struct grt_task *task;
    struct grt_errors *errors;
    bool kept_to_tpcs; /* the last kernel of the host is, and what its blocks launch with it */
};

static void check_kernel(void *state, const struct grt_kernel *kernel, size_t level,
                         const struct grt_path *path) {
    struct check *check = state;
    if (level == 0) {
        check->kept_to_tpcs = check->task->tpcs.count > 0 || kernel->tpcs.count > 0;
    }
    bool all_sms = !check->kept_to_tpcs && kernel->tpcs.count == 0;
    int64_t beside = blocks_beside(check->device, check->given, all_sms);
    if (kernel->whole_device || !has_room(check->device, check->given, &kernel->needs, beside)) {
        grt_error_add(check->errors, path,
                      "would never begin: it finds no room beside the kernel of the scheduler");
    }
}

static void check_calls(const struct check *check, const struct grt_path *path) {
    struct grt_path segments = {path, "segments", 0};
    for (size_t i = 0; i < check->task->segment_count; i++) {
        struct grt_path segment = {&segments, NULL, i}, gpu = {&segment, "gpu", 0};
        for (size_t j = 0; j < check->task->segments[i].command_count; j++) {
            struct grt_path command = {&gpu, NULL, j};
            if (waits_for_all(check->device, check->task->segments[i].commands[j].kind)) {
                grt_error_add(check->errors, &command,
                              "would wait for the kernel of the scheduler, which never ends");
            }
        }
    }
}

static void check_task(const struct grt_scenario *scenario, const struct batch_parameters *given,
                       size_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
    const struct grt_task *task = &scenario->tasks[number];
    struct check check = {&scenario->gpus[task->gpu], given, task, errors, false};
    check_calls(&check, &item);
    grt_task_walk_kernels(task, &item, check_kernel, &check);
}

static void check_device(const struct grt_scenario *scenario, const struct batch_parameters *given,
                         size_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_device *device = &scenario->gpus[number];
    struct grt_path platform = {&root, "platform", 0}, gpus = {&platform, "gpus", 0},
                    gpu = {&gpus, NULL, number};
    struct grt_block_needs needs = needs_of_scheduler(given);
    int64_t fit = grt_occupancy_of(device, &needs).blocks_per_sm * device->sm_count;
    if (device->max_pending_launches == 0) {
        grt_error_add(errors, &gpu,
                      "the policy is a kernel that launches kernels, which this device cannot: "
                      "max_pending_launches is 0");
    } else if (given->scheduler_blocks > fit) {
        grt_error_add(errors, &gpu, "holds %lld blocks of the scheduler's kernel at a time, not %lld",
                      (long long)fit, (long long)given->scheduler_blocks);
    } else if (device->max_resident_grids < 2 || device->task_slots == 1) {
        grt_error_add(errors, &gpu, "has no room for another kernel beside that of the scheduler");
    }
}

static bool check(const struct grt_scenario *scenario, const struct batch_parameters *given,
                  struct grt_errors *errors) {
    size_t before = errors->count;
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        if (is_used(scenario, i)) {
            check_device(scenario, given, i, errors);
        }
    }
    for (size_t i = 0; errors->count == before && i < scenario->task_count; i++) {
        check_task(scenario, given, i, errors);
    }
    return errors->count == before;
}

/* ---- what is executed ---- */

static int64_t percent_of(int64_t bytes, int64_t percent) {
    return bytes <= (INT64_MAX - 99) / percent ? (bytes * percent + 99) / 100 : bytes / 100 * percent;
}

/* The commands of a segment, as the device's scheduler has them executed, with the message behind them. */
static bool change_segment(struct grt_segment *segment, const struct batch_parameters *given,
                           struct grt_arena *arena, struct grt_errors *errors, const struct grt_path *path) {
    bool message = given->message_time > 0;
    size_t count = segment->command_count;
    if (count + message > GRT_MAX_COMMANDS) {
        grt_error_add(errors, path,
                      "leaves no place for the message behind it: at most %d commands (got %zu)",
                      GRT_MAX_COMMANDS - 1, count);
        return false;
    }
    struct grt_command_spec *commands = grt_arena_array(arena, count + message, sizeof *commands);
    memcpy(commands, segment->commands, count * sizeof *commands);
    for (size_t i = 0; i < count; i++) {
        if (commands[i].kind == GRT_COMMAND_H2D || commands[i].kind == GRT_COMMAND_D2H) {
            commands[i].bytes = percent_of(commands[i].bytes, given->zero_copy_percent);
        }
        commands[i].kernel.from_device =
            commands[i].kind == GRT_COMMAND_KERNEL && given->scheduler_blocks > 0;
    }
    if (message) {
        commands[count] = (struct grt_command_spec){
            .kind = GRT_COMMAND_CALLBACK,
            .callback_time = {.kind = GRT_CONSTANT, .min = given->message_time, .max = given->message_time}};
    }
    segment->commands = commands;
    segment->command_count = count + message;
    return true;
}

static bool change_task(struct grt_task *task, size_t number, const struct batch_parameters *given,
                        struct grt_arena *arena, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number},
                    segments = {&item, "segments", 0};
    struct grt_segment *changed = grt_adapt_segments(task, arena);
    bool good = true;
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_path segment = {&segments, NULL, i}, gpu = {&segment, "gpu", 0};
        if (changed[i].kind == GRT_SEGMENT_GPU) {
            good &= change_segment(&changed[i], given, arena, errors, &gpu);
        }
    }
    return good;
}

static bool is_taken(const struct grt_scenario *scenario, const char *name) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (strcmp(scenario->tasks[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* No two tasks have one name: as many strokes behind it as it takes. */
static const char *name_of_scheduler(const struct grt_scenario *scenario, size_t gpu,
                                     struct grt_arena *arena) {
    char text[POLICY_NAME_SIZE];
    const char *name = "scheduler";
    if (scenario->gpu_count > 1) {
        snprintf(text, sizeof text, "scheduler of gpu %zu", gpu);
        name = grt_arena_text(arena, text);
    }
    while (is_taken(scenario, name)) {
        size_t length = strlen(name);
        char *longer = grt_arena_array(arena, length + 2, 1);
        memcpy(longer, name, length);
        memcpy(longer + length, "'", 2);
        name = longer;
    }
    return name;
}

static struct grt_task make_scheduler(const struct grt_scenario *scenario,
                                      const struct batch_parameters *given, size_t gpu,
                                      struct grt_arena *arena) {
    static const grt_time at_the_start[] = {0};
    struct grt_command_spec *command = grt_arena_new(arena, struct grt_command_spec);
    struct grt_segment *segment = grt_arena_new(arena, struct grt_segment);
    command->kernel = (struct grt_kernel){
        .name = "scheduler",
        .blocks = given->scheduler_blocks,
        .needs = needs_of_scheduler(given),
        .block_time = {.kind = GRT_CONSTANT, .min = GRT_TIME_LIMIT, .max = GRT_TIME_LIMIT}, /* for ever */
    };
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = command, .command_count = 1};
    return (struct grt_task){
        .name = name_of_scheduler(scenario, gpu, arena),
        .arrival = GRT_ARRIVAL_TIMES,
        .times = at_the_start,
        .time_count = 1,
        .deadline = GRT_TIME_NEVER,
        .cpu = -1,
        .gpu = (int64_t)gpu,
        .segments = segment,
        .segment_count = 1,
    };
}

bool batch_adapt_device(struct grt_scenario *scenario, const struct batch_parameters *given,
                        struct grt_arena *arena, struct grt_errors *errors) {
    size_t own = batch_own_tasks(scenario, given), count = scenario->task_count;
    if (own > 0 && !check(scenario, given, errors)) {
        return false;
    }
    if (count + own > GRT_MAX_TASKS) {
        grt_error_add(errors, NULL, "policy: leaves no place for the task of the scheduler: at most %d tasks",
                      GRT_MAX_TASKS);
        return false;
    }
    struct grt_task *tasks = grt_adapt_tasks(scenario, own, arena);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good &= !grt_task_uses_gpu(&tasks[i]) || change_task(&tasks[i], i, given, arena, errors);
    }
    for (size_t i = 0; i < scenario->gpu_count && own > 0; i++) {
        if (is_used(scenario, i)) {
            tasks[scenario->task_count] = make_scheduler(scenario, given, i, arena);
            scenario->task_count++;
        }
    }
    return good;
}
