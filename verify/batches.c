#include "verify/batches.h"

#include <string.h>

#include "models/demand/profile.h"
#include "policies/batch/parameters.h"

/* At most so many calls does a scheduler make for a segment, besides those of its commands: events in front of three operations and behind them, waits
 * and queries between them. */
enum { CALLS_OF_SEGMENT = 24 };

/* The average runtime of a task: that which is given, or that of all its GPU segments, by profiling runs. */
static grt_time average_of(const struct grt_scenario *scenario, uint32_t number,
                           const struct batch_parameters *given) {
    const struct grt_task *task = &scenario->tasks[number];
    const struct batch_average *items = given->averages.items;
    grt_time sum = 0;
    for (size_t i = 0; i < given->averages.count; i++) {
        if (strcmp(items[i].task, task->name) == 0) {
            return items[i].time;
        }
    }
    if (!batch_can_be_profiled(scenario, number, given)) {
        return GRT_TIME_NEVER; /* the scheduler refuses the task */
    }
    for (uint32_t i = 0; i < task->segment_count && sum < GRT_TIME_NEVER; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_GPU) {
            grt_time time = grt_profile_segment(scenario, number, i, (uint32_t)given->profile_runs);
            sum = time <= GRT_TIME_LIMIT - sum ? sum + time : GRT_TIME_NEVER;
        }
    }
    return sum;
}

/* How many tasks at the end are kernels of schedulers: one for each GPU that is used. */
static size_t count_own(const struct grt_scenario *scenario) {
    size_t count = 0;
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        bool used = false;
        for (size_t j = 0; j < scenario->task_count; j++) {
            used |= scenario->tasks[j].gpu == (int64_t)i && grt_task_uses_gpu(&scenario->tasks[j]);
        }
        count += used;
    }
    return count;
}

static size_t most_commands(const struct grt_scenario *scenario) {
    size_t most = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            size_t count = scenario->tasks[i].segments[j].command_count;
            most = count > most ? count : most;
        }
    }
    return most;
}

/* What a scheduler on a core takes to choose, and to call what is in front of the first command. It may still be at work for the batch
 * before, if jobs of that were aborted: for all calls of a batch. Its thread may have to be woken up and to be switched to, on a core of its own, too, but
 * only once: it is the most urgent one there, and does not rest before the first command. */
static void set_times(const struct grt_scenario *scenario, const struct batch_parameters *given,
                      struct grt_audit_batches *batches) {
    grt_time calls = (grt_time)(batches->most * (CALLS_OF_SEGMENT + most_commands(scenario)));
    grt_time start = scenario->wake_up + scenario->context_switch;
    bool works = given->issue_time > 0 || given->decision_time > 0 || given->poll_interval > 0;
    bool chooses = given->issue_time == 0 && given->poll_interval == 0;
    bool small = given->issue_time < GRT_SECOND && given->decision_time < GRT_SECOND &&
                 given->poll_interval < GRT_SECOND && start < GRT_SECOND;
    batches->choice = !works ? 0 : chooses ? start + given->decision_time : GRT_TIME_NEVER;
    batches->begin =
        !works  ? 0
        : small ? start + 2 * (given->decision_time + given->poll_interval) + calls * given->issue_time
                : GRT_TIME_NEVER;
}

/* The same on the device: its times where its kernel is there are not known. */
static void set_device_times(const struct batch_parameters *given, struct grt_audit_batches *batches) {
    bool works = given->scheduler_blocks > 0 || given->device_issue_time > 0 ||
                 given->device_decision_time > 0 || given->synchronize_time > 0 || given->poll_interval > 0;
    batches->choice = works ? GRT_TIME_NEVER : 0;
    batches->begin = works ? GRT_TIME_NEVER : 0;
    batches->told = given->message_time;
}

size_t grt_batches_own_tasks(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                             const void *parameters) {
    const struct batch_parameters defaults = batch_default_parameters(),
                                  *given = parameters != NULL ? parameters : &defaults;
    bool on_device = policy->parameters == &batch_device_parameters_record;
    return on_device && given->scheduler_blocks > 0 ? count_own(scenario) : 0;
}

const struct grt_audit_batches *grt_batches_of(const struct grt_scenario *scenario,
                                               const struct grt_policy_ops *policy, const void *parameters,
                                               struct grt_arena *arena) {
    bool on_device = policy->parameters == &batch_device_parameters_record;
    if (!on_device && policy->parameters != &batch_parameters_record) {
        return NULL;
    }
    const struct batch_parameters defaults = batch_default_parameters();
    const struct batch_parameters *given = parameters != NULL ? parameters : &defaults;
    struct grt_audit_batches *batches = grt_arena_array(arena, 1, sizeof *batches);
    grt_time *averages = grt_arena_array(arena, scenario->task_count, sizeof *averages);
    bool *outside = grt_arena_array(arena, scenario->task_count, sizeof *outside);
    size_t own = grt_batches_own_tasks(scenario, policy, parameters);
    batches->most = (uint32_t)given->batch;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        outside[i] = i >= scenario->task_count - own;
        averages[i] = outside[i] ? 0 : average_of(scenario, i, given);
    }
    batches->averages = averages;
    batches->at_once = !on_device; /* on the device kernels are launched one after the other */
    batches->outside = outside;
    if (on_device) {
        set_device_times(given, batches);
    } else {
        set_times(scenario, given, batches);
    }
    return batches;
}
