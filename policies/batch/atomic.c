/* The versions of kernels that count their threads: "an atomic counter is increased when the thread is done. When this counter is equal to the
 * number of threads that are launched, it means that the kernel is done" (section 4.2 of the paper).
 *
 * What that costs is not in the paper, but in its results: nothing to speak of for small kernels, about the kernel's own time for large ones (table 2,
 * case 4). The model: threads count themselves one after the other, in a time each; blocks that run beside each other end at about the same time,
 * so that each of them ends later by the time of all threads that are resident with it. A kernel of W waves takes W times that longer.
 *
 * 44 ns, the default, is a round trip over PCIe of 1.4 us for every 32 threads, since the additions of a warp to one counter are sent as one. 8 blocks of 256
 * threads take 90 us longer, which is 1.5 % of 6 ms; 128 blocks of 1024 threads, 5.8 ms, which is 96 %, in however many waves. Not measured. The
 * counters of gpu-atomics are in the device's own memory and might be cheaper; in the paper they cost as much (0.63 and 0.66 of case 4). */
#include "models/occupancy.h"
#include "policies/batch/batch.h"

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The SMs that a kernel may use. */
static int64_t sms_of(const struct grt_device *device, const struct grt_task *task,
                      const struct grt_kernel *kernel) {
    const struct grt_number_list *tpcs = kernel->tpcs.count > 0 ? &kernel->tpcs : &task->tpcs;
    int64_t allowed = (int64_t)tpcs->count * device->sms_per_tpc;
    return tpcs->count > 0 ? least(allowed, device->sm_count) : device->sm_count;
}

/* How many blocks of a kernel are resident at a time, if it is alone. A kernel that cannot run is refused elsewhere. */
static int64_t resident_blocks(const struct grt_device *device, const struct grt_task *task,
                               const struct grt_kernel *kernel) {
    int64_t fit = grt_occupancy_of(device, &kernel->needs).blocks_per_sm * sms_of(device, task, kernel);
    return fit > 0 ? least(kernel->blocks, fit) : kernel->blocks;
}

/* What each of its blocks takes longer. */
static grt_time cost_of_block(const struct grt_device *device, const struct grt_task *task,
                              const struct grt_kernel *kernel, grt_time atomic_time) {
    int64_t threads = kernel->whole_device ? sms_of(device, task, kernel) * device->max_threads_per_sm
                                           : resident_blocks(device, task, kernel) * kernel->needs.threads;
    return threads < GRT_TIME_LIMIT / atomic_time ? threads * atomic_time : GRT_TIME_LIMIT;
}

static int64_t waves_of(const struct grt_device *device, const struct grt_task *task,
                        const struct grt_kernel *kernel) {
    int64_t blocks = kernel->whole_device ? 1 : resident_blocks(device, task, kernel);
    return kernel->whole_device ? 1 : (kernel->blocks + blocks - 1) / blocks;
}

grt_time batch_atomic_cost(const struct grt_scenario *scenario, const struct grt_task *task,
                           grt_time atomic_time) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    grt_time sum = 0;
    for (size_t i = 0; i < task->segment_count && atomic_time > 0; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            const struct grt_command_spec *command = &task->segments[i].commands[j];
            if (command->kind == GRT_COMMAND_KERNEL) {
                grt_time cost = cost_of_block(device, task, &command->kernel, atomic_time);
                int64_t waves = waves_of(device, task, &command->kernel);
                sum = cost < (GRT_TIME_LIMIT - sum) / waves ? sum + cost * waves : GRT_TIME_LIMIT;
            }
        }
    }
    return sum;
}

static void count_threads(const struct grt_device *device, struct grt_task *task, grt_time atomic_time,
                          struct grt_arena *arena) {
    struct grt_segment *segments = grt_adapt_segments(task, arena);
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_command_spec *commands = grt_adapt_commands(&segments[i]);
        for (size_t j = 0; j < segments[i].command_count; j++) {
            if (commands[j].kind == GRT_COMMAND_KERNEL) {
                grt_adapt_add(&commands[j].kernel.block_time,
                              cost_of_block(device, task, &commands[j].kernel, atomic_time), arena);
            }
        }
    }
}

void batch_count_threads(struct grt_scenario *scenario, grt_time atomic_time, struct grt_arena *arena) {
    if (atomic_time == 0) {
        return;
    }
    struct grt_task *tasks = grt_adapt_tasks(scenario, 0, arena);
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (grt_task_uses_gpu(&tasks[i])) {
            count_threads(&scenario->gpus[tasks[i].gpu], &tasks[i], atomic_time, arena);
        }
    }
}
