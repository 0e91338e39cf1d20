/* How long a segment takes that has the platform to itself, in closed form: what a policy may ask for
 * (grt_policy_segment_time). The simulator is not asked: a property test holds the two against each other.
 *
 * Source: the rules named here, docs/gpu-model.md. Blocks of one kernel are equal, so an SM holds a fixed number of them, and
 * the kernel is a list of jobs on that many identical machines for each SM: no machine is free while a block is left (X1, P1
 * to P7 only choose among free ones), and shorter blocks can only end it earlier. */
#include "models/occupancy.h"
#include "models/policy.h"
#include "models/world_internal.h"
#include "sim/check.h"
#include "sim/wide.h"

static grt_time at_least_one(grt_time time) {
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

/* Spans of years are long enough to say "for ever". */
static grt_time sum_of(grt_time a, grt_time b) {
    return a <= GRT_TIME_LIMIT && b <= GRT_TIME_LIMIT - a ? a + b : GRT_TIME_NEVER;
}

static grt_time product_of(grt_time time, int64_t count) {
    grt_wide product = (grt_wide)(uint64_t)time * (uint64_t)count;
    return product <= (grt_wide)GRT_TIME_LIMIT ? (grt_time)product : GRT_TIME_NEVER;
}

/* ---- kernels ---- */

/* M3: how many SMs the TPCs have on which the task's process may have blocks at a time. The last TPC may be smaller than
 * the others; whether it is among them is up to the placement, so that it is counted. */
static int64_t sms_of_client(const struct grt_scenario *scenario, const struct grt_task *task) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    int64_t percentage = grt_process_of(scenario, task)->spec.active_thread_percentage;
    int64_t per_tpc = device->sms_per_tpc, last = device->sm_count % per_tpc;
    int64_t most = grt_device_mps_tpcs(device, percentage);
    return last == 0 ? most * per_tpc : (most - 1) * per_tpc + last;
}

/* W1: how many SMs a kernel may use. */
static int64_t sms_of_kernel(const struct grt_gpu_kernel *kernel, int64_t most) {
    int64_t count = 0;
    if (kernel->places == NULL) {
        return most;
    }
    for (uint32_t place = 0; place < GRT_DEVICE_MAX_SMS; place++) {
        count += (int64_t)(kernel->places[place / 64] >> place % 64 & 1);
    }
    return count;
}

/* Waves of as many blocks as fit. */
static grt_time time_of_kernel(const struct grt_scenario *scenario, const struct grt_task *task,
                               const struct grt_command_spec *spec, const struct grt_gpu_kernel *kernel) {
    if (kernel->launches != NULL) {
        return GRT_TIME_NEVER;
    }
    const struct grt_device *device = &scenario->gpus[task->gpu];
    bool whole = spec->kernel.whole_device;
    int64_t per_sm = whole ? 1 : grt_occupancy_of(device, &spec->kernel.needs).blocks_per_sm;
    int64_t together = per_sm * sms_of_kernel(kernel, sms_of_client(scenario, task));
    if (together == 0) { /* it can never run: the scenario is about to be refused */
        return GRT_TIME_NEVER;
    }
    int64_t waves = (kernel->blocks + together - 1) / together;
    return product_of(at_least_one(kernel->block_time.max), waves);
}

/* ---- copies and calls ---- */

/* E1, E7. */
static grt_time time_of_copy(const struct grt_device *device, const struct grt_command_spec *copy) {
    int64_t link =
        copy->kind == GRT_COMMAND_H2D ? device->h2d_bytes_per_second : device->d2h_bytes_per_second;
    grt_wide staged = (grt_wide)(uint64_t)link * (uint64_t)device->pageable_percent / 100;
    int64_t rate = !copy->pageable ? link : staged > 0 ? (int64_t)staged : 1;
    bool moves = device->copy_engines > 0 && rate > 0;
    return at_least_one(sum_of(device->copy_latency, moves ? grt_time_of_work(copy->bytes, rate) : 0));
}

/* V1 to V3, K1, K2, S1, S2. A call takes time where it is work, or where somebody hears of its end. */
static grt_time time_of_call(const struct grt_device *device, const struct grt_command_spec *call,
                             bool told) {
    int64_t rate = device->memory_bytes_per_second;
    bool synchronises = device->implicit_sync == GRT_IMPLICIT_SYNC_GUIDE;
    grt_time time = 0;
    switch (call->kind) {
    case GRT_COMMAND_CALLBACK:
        return at_least_one(call->callback_time.max);
    case GRT_COMMAND_MEMSET:
        time = rate > 0 ? grt_time_of_work(call->bytes, rate) : 0;
        return told || synchronises ? at_least_one(time) : time;
    case GRT_COMMAND_D2D:
        time = rate > 0 ? product_of(grt_time_of_work(call->bytes, rate), 2) : 0;
        return told || synchronises ? at_least_one(time) : time;
    default:
        return told ? 1 : 0;
    }
}

static grt_time time_of_command(const struct grt_world *world, const struct grt_task *task,
                                const struct grt_command_spec *spec, const struct grt_gpu_command *command) {
    const struct grt_device *device = &world->scenario->gpus[task->gpu];
    if (spec->kind == GRT_COMMAND_KERNEL) {
        return time_of_kernel(world->scenario, task, spec, command->kernel);
    }
    if (!grt_command_is_call(spec->kind)) {
        return time_of_copy(device, spec);
    }
    return time_of_call(device, spec, command->last || command->waits);
}

/* ---- segments ---- */

/* G1, G4, C4: a command begins when its call has reached the device and the one before it has completed. The host makes the
 * calls one after the other, each as soon as it need not wait for the one before. */
static grt_time time_of_commands(const struct grt_world *world, const struct grt_task *task,
                                 const struct grt_segment *segment, const struct grt_gpu_command *commands) {
    grt_time reached = 0, completed = 0, launch = world->scenario->gpus[task->gpu].kernel_launch;
    for (size_t i = 0; i < segment->command_count; i++) {
        bool is_kernel = commands[i].kind == GRT_COMMAND_KERNEL;
        reached = sum_of(reached, is_kernel ? launch : 0);
        completed = sum_of(completed > reached ? completed : reached,
                           time_of_command(world, task, &segment->commands[i], &commands[i]));
        if (commands[i].waits) {
            reached = completed;
        }
    }
    return completed;
}

grt_time grt_policy_segment_time(const struct grt_world *world, uint32_t number, uint32_t index) {
    GRT_REQUIRE(number < world->scenario->task_count && index < world->scenario->tasks[number].segment_count,
                "a policy asks for segments of the scenario's tasks");
    const struct grt_task *task = &world->scenario->tasks[number];
    const struct grt_segment *segment = &task->segments[index];
    if (segment->kind == GRT_SEGMENT_CPU) {
        return at_least_one(segment->cpu_time.max);
    }
    return time_of_commands(world, task, segment, world->tasks[number].commands[index]);
}

grt_time grt_policy_time_left(const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_time time = 0;
    for (uint32_t i = view->segment; i < world->scenario->tasks[view->task].segment_count; i++) {
        time = sum_of(time, grt_policy_segment_time(world, view->task, i));
    }
    return time;
}
