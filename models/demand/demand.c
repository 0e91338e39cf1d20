/* Source: the rules named here, docs/gpu-model.md. Blocks of one kernel are equal, so an SM holds a fixed number of them, and
 * the kernel is a list of jobs on that many identical machines for each SM: no machine is free while a block is left (X1, P1
 * to P7 only choose among free ones), and shorter blocks can only end it earlier. */
#include "models/demand/demand.h"

#include "models/demand/pinned.h"
#include "models/gpu.h"
#include "models/occupancy.h"
#include "models/span.h"
#include "sim/wide.h"

static grt_time at_least_one(grt_time time) {
    return time > 0 ? time : 1; /* nothing takes no time: see decision 2 */
}

/* Spans of years are long enough to say "for ever". */
static grt_time sum_of(grt_time a, grt_time b) {
    return grt_span_sum_within(a, b, GRT_TIME_LIMIT);
}

static grt_time product_of(grt_time time, int64_t count) {
    return grt_span_product_within(time, count, GRT_TIME_LIMIT);
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

/* W1: how many SMs the TPCs have that a kernel may use. */
static int64_t sms_of_tpcs(const struct grt_device *device, const struct grt_number_list *tpcs) {
    int64_t count = 0, last = device->sm_count % device->sms_per_tpc;
    for (size_t i = 0; i < tpcs->count; i++) {
        bool is_last = tpcs->items[i] == grt_device_tpcs(device) - 1, again = false;
        for (size_t j = 0; j < i; j++) {
            again |= tpcs->items[j] == tpcs->items[i];
        }
        count += again ? 0 : is_last && last > 0 ? last : device->sms_per_tpc;
    }
    return count;
}

static const struct grt_number_list *tpcs_of(const struct grt_task *task, const struct grt_kernel *kernel) {
    return kernel->tpcs.count > 0 ? &kernel->tpcs : &task->tpcs;
}

/* On how many SMs a kernel runs at most. */
static int64_t sms_of_kernel(const struct grt_scenario *scenario, const struct grt_task *task,
                             const struct grt_kernel *kernel) {
    const struct grt_number_list *tpcs = tpcs_of(task, kernel);
    return tpcs->count > 0 ? sms_of_tpcs(&scenario->gpus[task->gpu], tpcs) : sms_of_client(scenario, task);
}

/* Waves of as many blocks as fit. Each nanosecond of a kernel that fills the device takes as many as its SMs need turns. */
static struct grt_step step_at_full_speed(const struct grt_scenario *scenario, const struct grt_task *task,
                                          const struct grt_kernel *kernel) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    int64_t sms = sms_of_kernel(scenario, task, kernel),
            longest = at_least_one(grt_distribution_worst(&kernel->block_time));
    struct grt_step step = {.once = kernel->from_device ? device->device_launch : device->kernel_launch,
                            .each = GRT_TIME_NEVER,
                            .units = 1,
                            .block = longest};
    if (sms == 0 || kernel->launches.count > 0) { /* it can never run; or there is no closed form */
        return step;
    }
    if (kernel->whole_device) {
        step.units = longest;
        step.each = (device->sm_count + sms - 1) / sms;
        return step;
    }
    int64_t per_sm = grt_occupancy_of(device, &kernel->needs).blocks_per_sm, together = sms * per_sm;
    if (together > 0 && kernel->sms.count > 0) {
        step.each = grt_pinned_kernel_time(device, kernel, tpcs_of(task, kernel), sms, per_sm);
        step.block = step.each;
    } else if (together > 0) {
        step.units = (kernel->blocks + together - 1) / together;
        step.each = longest;
        step.blocks = together;
    }
    return step;
}

/* F4: launches may wait for tokens even with all of them, and nobody knows how long; but a unit is what it is. */
static struct grt_step step_of_kernel(const struct grt_scenario *scenario, const struct grt_task *task,
                                      const struct grt_kernel *kernel) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    struct grt_step step = step_at_full_speed(scenario, task, kernel);
    step.each = grt_device_has_shares(device) && device->share_interval > 0 ? GRT_TIME_NEVER : step.each;
    return step;
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
        return at_least_one(grt_distribution_worst(&call->callback_time));
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

/* What a command that is not a kernel takes; `told`: somebody hears of its end. */
static grt_time time_of_other(const struct grt_device *device, const struct grt_command_spec *command,
                              bool told) {
    return grt_command_is_call(command->kind) ? time_of_call(device, command, told)
                                              : time_of_copy(device, command);
}

/* ---- segments ---- */

/* G1, G4, C4: a command begins when its call has reached the device and the one before it has completed. The host makes the
 * calls one after the other, each as soon as it need not wait for the one before. */
static grt_time time_of_commands(const struct grt_scenario *scenario, const struct grt_task *task,
                                 const struct grt_segment *segment) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    grt_time reached = 0, completed = 0;
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        bool waits = grt_gpu_host_waits(device, command);
        grt_time time;
        if (command->kind == GRT_COMMAND_KERNEL) {
            struct grt_step step = step_of_kernel(scenario, task, &command->kernel);
            reached = sum_of(reached, step.once);
            time = product_of(step.each, step.units);
        } else {
            time = time_of_other(device, command, waits || i + 1 == segment->command_count);
        }
        completed = sum_of(completed > reached ? completed : reached, time);
        reached = waits ? completed : reached;
    }
    return completed;
}

grt_time grt_segment_device_time(const struct grt_scenario *scenario, const struct grt_task *task,
                                 const struct grt_segment *segment) {
    return time_of_commands(scenario, task, segment);
}

grt_time grt_segment_time(const struct grt_scenario *scenario, const struct grt_task *task,
                          const struct grt_segment *segment) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        return at_least_one(grt_distribution_worst(&segment->cpu_time));
    }
    grt_time device = time_of_commands(scenario, task, segment),
             before = grt_distribution_worst(&segment->host_part[GRT_HOST_BEFORE]),
             after = grt_distribution_worst(&segment->host_part[GRT_HOST_AFTER]);
    bool beside = segment->host_mode == GRT_HOST_ASYNCHRONOUS;
    return sum_of(before, beside ? (device > after ? device : after) : sum_of(device, after));
}

void grt_segment_steps(const struct grt_scenario *scenario, const struct grt_task *task,
                       const struct grt_segment *segment, struct grt_step *steps) {
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (command->kind == GRT_COMMAND_KERNEL) {
            steps[i] = step_of_kernel(scenario, task, &command->kernel);
        } else {
            grt_time time = time_of_other(&scenario->gpus[task->gpu], command, true);
            steps[i] = (struct grt_step){.each = at_least_one(time), .units = 1};
        }
        steps[i].new_segment = i == 0;
    }
}
