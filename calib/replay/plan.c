/* What a scenario needs of a device, and what a device cannot be told to do. */
#include <string.h>

#include "calib/replay/internal.h"

enum { SPARE_EVENTS = REPLAY_MARKS + 4 };

/* What can be called of a task's jobs. */
struct job_needs {
    int64_t records, table, commands;
};

/* --- what cannot be had */

static void check_policy(const struct grt_replay_options *options, struct grt_errors *errors) {
    const struct grt_policy_ops *policy = options->policy;
    struct grt_promise promise = grt_policy_promise(policy, options->parameters);
    bool asks_more = policy->gpu_begun != NULL || policy->gpu_piece_done != NULL || policy->adapt != NULL ||
                     policy->gpu_submission_done != NULL || policy->gpu_call_done != NULL ||
                     policy->sets_shares || policy->needs_blocks;
    if (asks_more || !promise.whole || !promise.aborts_nothing) {
        grt_error_add(
            errors, NULL,
            "policy: \"%s\" cannot be executed by a device: only policies that submit whole segments "
            "to streams, and take nothing back, can, as \"hardware\", \"fifo\" and \"np-edf\"",
            policy->name);
    }
}

static void check_kernel(const struct grt_kernel *kernel, struct grt_errors *errors,
                         const struct grt_path *path) {
    if (kernel->launches.count > 0) {
        grt_error_add(errors, path, "kernels that are launched by blocks cannot be executed by a device");
    }
    if (kernel->sms.count > 0 || kernel->tpcs.count > 0) {
        grt_error_add(errors, path,
                      "kernels that are kept to some SMs or TPCs cannot be executed by a device");
    }
}

static void check_command(const struct grt_command_spec *command, struct grt_errors *errors,
                          const struct grt_path *path) {
    switch (command->kind) {
    case GRT_COMMAND_KERNEL:
        check_kernel(&command->kernel, errors, path);
        break;
    case GRT_COMMAND_H2D:
    case GRT_COMMAND_D2H:
        if (command->pageable) {
            grt_error_add(errors, path,
                          "a copy of pageable memory holds up its caller, who is all tasks' here: leave out "
                          "\"pageable\"");
        }
        break;
    case GRT_COMMAND_RECORD:
    case GRT_COMMAND_WAIT:
        break;
    default:
        grt_error_add(errors, path,
                      "only kernels, copies, and records of and waits for events can be executed "
                      "by a device");
    }
}

static void check_task(const struct grt_task *task, struct grt_errors *errors, const struct grt_path *path) {
    if (task->stream != NULL && strcmp(task->stream, "null") == 0) {
        grt_error_add(errors, path,
                      "the NULL stream synchronises whatever measures: give the task a stream of "
                      "another name");
    }
    if (task->on_miss != GRT_MISS_CONTINUE) {
        grt_error_add(errors, path,
                      "a device cannot take back what it was given: on_miss must be \"continue\"");
    }
    if (task->tpcs.count > 0) {
        grt_error_add(errors, path, "tasks that are kept to some TPCs cannot be executed by a device");
    }
    struct grt_path segments = {path, "segments", 0}, segment = {&segments, NULL, 0};
    for (; segment.index < task->segment_count; segment.index++) {
        const struct grt_segment *spec = &task->segments[segment.index];
        struct grt_path gpu = {&segment, "gpu", 0}, command = {&gpu, NULL, 0};
        for (; spec->kind == GRT_SEGMENT_GPU && command.index < spec->command_count; command.index++) {
            check_command(&spec->commands[command.index], errors, &command);
        }
    }
}

static void check_scenario(const struct grt_scenario *scenario, struct grt_errors *errors) {
    if (scenario->gpu_count != 1) {
        grt_error_add(errors, NULL, "platform: one GPU can be executed by a device, not %zu",
                      scenario->gpu_count);
        return;
    }
    if (grt_device_has_shares(&scenario->gpus[0])) {
        grt_error_add(errors, NULL, "platform: a GPU that is simulated by shares has no blocks to execute");
    }
    if (scenario->process_count > 1) {
        grt_error_add(errors, NULL, "processes: one process can be executed, not %zu",
                      scenario->process_count);
    }
    if (scenario->horizon_kind == GRT_HORIZON_AUTO) {
        grt_error_add(errors, NULL, "horizon: \"auto\" looks into the simulated device: give a time");
    }
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, task = {&tasks, NULL, 0};
    for (; task.index < scenario->task_count; task.index++) {
        check_task(&scenario->tasks[task.index], errors, &task);
    }
}

/* --- how many jobs there can be */

static void no_stream(void *state, uint32_t stream, int64_t priority, bool is_null, uint32_t row) {
    (void)state, (void)stream, (void)priority, (void)is_null, (void)row;
}

static void count_stream(void *state, uint32_t stream, int64_t priority, bool is_null, uint32_t row) {
    uint32_t *count = state;
    no_stream(state, stream, priority, is_null, row);
    ++*count;
}

static void never_execute(void *state, uint32_t stream, const struct grt_gpu_command *command, uint32_t job,
                          uint64_t random_key) {
    (void)state, (void)stream, (void)command, (void)job, (void)random_key;
}

static bool be_there(void *state, struct grt_world *world, grt_time next) {
    (void)state, (void)world, (void)next;
    return true;
}

/* Releases in a world whose device never completes anything: those of all tasks that wait for no other. */
static bool count_releases(const struct grt_replay_options *options, uint64_t *releases, uint32_t *streams,
                           struct grt_errors *errors) {
    struct grt_elsewhere nowhere = {streams, count_stream, never_execute, be_there};
    struct grt_world_options world_options = {.elsewhere = &nowhere};
    struct grt_world *world =
        grt_world_create(options->scenario, options->policy, options->parameters, &world_options, errors);
    if (world == NULL) {
        return false;
    }
    grt_world_run(world);
    for (size_t i = 0; i < options->scenario->task_count; i++) {
        releases[i] = grt_world_result(world)->tasks[i].released;
    }
    grt_world_free(world);
    return true;
}

/* A job that comes after others has as many as the one of them that has the fewest. There are no circles, so that as many rounds as there are tasks
 * are enough. */
static void count_successors(const struct grt_scenario *scenario, uint64_t *releases) {
    bool changed = true;
    for (size_t i = 0; i < scenario->task_count; i++) {
        releases[i] = scenario->tasks[i].after_count > 0 ? UINT64_MAX : releases[i];
    }
    while (changed) {
        changed = false;
        for (size_t i = 0; i < scenario->task_count; i++) {
            const struct grt_task *task = &scenario->tasks[i];
            for (size_t j = 0; j < task->after_count; j++) {
                if (releases[task->after[j]] < releases[i]) {
                    releases[i] = releases[task->after[j]];
                    changed = true;
                }
            }
        }
    }
}

/* --- what it takes */

static bool is_real(const struct grt_replay_options *options, const struct grt_kernel *kernel) {
    for (size_t i = 0; i < options->real_count; i++) {
        if (strcmp(options->real[i].name, kernel->name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_kernel(const struct grt_replay_options *options, const struct grt_kernel *kernel,
                       struct job_needs *needs) {
    int64_t blocks = kernel->whole_device ? options->scenario->gpus[0].sm_count : kernel->blocks;
    bool same_time = kernel->whole_device || kernel->draw_per == GRT_DRAW_PER_KERNEL ||
                     grt_distribution_is_constant(&kernel->block_time);
    needs->records += blocks;
    needs->table += same_time || is_real(options, kernel) ? 0 : blocks;
}

/* Of a task's job; returns the events that it needs at a time, and notes whether it has copies or calls. */
static uint32_t count_job(const struct grt_replay_options *options, const struct grt_task *task,
                          struct job_needs *job, struct grt_replay_needs *needs) {
    uint32_t most = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        uint32_t events = 1;
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            const struct grt_command_spec *command = &segment->commands[j];
            job->commands++;
            if (command->kind == GRT_COMMAND_KERNEL) {
                add_kernel(options, &command->kernel, job);
            } else {
                size_t bytes = (size_t)command->bytes;
                needs->times_events = true;
                needs->copy_bytes = bytes > needs->copy_bytes ? bytes : needs->copy_bytes;
                events += 2;
            }
        }
        most = events > most ? events : most;
    }
    return most;
}

static uint32_t count_user_events(const struct grt_scenario *scenario) {
    uint32_t records = 0; /* an event has a record or a wait at least: no more than these */
    for (size_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &scenario->tasks[i].segments[j];
            for (size_t k = 0; segment->kind == GRT_SEGMENT_GPU && k < segment->command_count; k++) {
                records += segment->commands[k].event != NULL;
            }
        }
    }
    return records;
}

static void count_needs(const struct grt_replay_options *options, const uint64_t *releases,
                        struct grt_replay_needs *needs, struct grt_errors *errors) {
    const struct grt_scenario *scenario = options->scenario;
    double records = 0, table = 0, commands = 0;
    *needs = (struct grt_replay_needs){.events = SPARE_EVENTS};
    for (size_t i = 0; i < scenario->task_count; i++) {
        struct job_needs job = {0};
        needs->events += count_job(options, &scenario->tasks[i], &job, needs);
        records += (double)job.records * (double)releases[i];
        table += (double)job.table * (double)releases[i];
        commands += (double)job.commands * (double)releases[i];
    }
    needs->user_events = count_user_events(scenario);
    if (records > GRT_REPLAY_RECORDS || commands > GRT_REPLAY_RECORDS) {
        grt_error_add(
            errors, NULL,
            "horizon: up to %.0f blocks of %.0f commands would be executed before it, and no more than "
            "%d of each can be recorded: give an earlier horizon",
            records, commands, GRT_REPLAY_RECORDS);
        return;
    }
    if (needs->events + needs->user_events > GRT_BENCH_EVENTS) {
        grt_error_add(errors, NULL, "tasks: %u events would be needed at a time, and there are %d",
                      needs->events + needs->user_events, GRT_BENCH_EVENTS);
    }
    needs->records = (uint32_t)records + 1; /* one for finding out the time of events */
    needs->table = (uint32_t)table;
    needs->commands = (uint32_t)commands;
}

bool grt_replay_plan(const struct grt_replay_options *options, struct grt_replay_needs *needs,
                     struct grt_errors *errors) {
    size_t before = errors->count;
    check_policy(options, errors);
    check_scenario(options->scenario, errors);
    if (errors->count > before) {
        return false;
    }
    struct grt_arena arena = {0};
    uint64_t *releases = grt_arena_array(&arena, options->scenario->task_count, sizeof *releases);
    uint32_t streams = 0;
    if (count_releases(options, releases, &streams, errors)) {
        if (streams > GRT_REPLAY_STREAMS) {
            grt_error_add(errors, NULL,
                          "tasks: %u streams would be needed, and there are %d: have tasks share "
                          "streams",
                          streams, GRT_REPLAY_STREAMS);
        }
        count_successors(options->scenario, releases);
        count_needs(options, releases, needs, errors);
    }
    grt_arena_clear(&arena);
    return errors->count == before;
}
