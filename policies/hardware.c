/* No policy above the driver: every GPU segment is submitted at once to its task's stream, and the device decides.
 * Tasks of different processes are different on the GPU.
 * Tasks that name the same stream share it; a task that names none has its own; "null" is the NULL stream. */
#include <string.h>

#include "models/policy.h"
#include "policies/request_list.h"

struct hardware {
    grt_gpu_process *process_of; /* by task */
    grt_stream *stream_of;       /* by task */
    struct request_list requests;
};

static bool same_process(const struct grt_task *a, const struct grt_task *b) {
    return a->gpu == b->gpu && a->process == b->process;
}

static bool same_stream(const struct grt_task *a, const struct grt_task *b) {
    return same_process(a, b) && a->stream != NULL && b->stream != NULL && strcmp(a->stream, b->stream) == 0;
}

/* The process of task `number`: that of the first earlier task of its process on its GPU, or a new one. */
static void find_process(struct hardware *self, struct grt_world *world, uint32_t number) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct grt_task *tasks = scenario->tasks, *task = &tasks[number];
    for (uint32_t earlier = 0; earlier < number; earlier++) {
        if (same_process(&tasks[earlier], task)) {
            self->process_of[number] = self->process_of[earlier];
            return;
        }
    }
    const struct grt_process *process = grt_process_of(scenario, task);
    self->process_of[number] = grt_policy_process(world, (uint32_t)task->gpu, &process->spec, process->name);
}

/* The stream of task `number`: that of the first earlier task that names the same one, or a new one. Tasks that share
 * a stream must agree on its priority. */
static bool find_stream(struct hardware *self, struct grt_world *world, uint32_t number,
                        struct grt_errors *errors) {
    const struct grt_task *tasks = grt_policy_scenario(world)->tasks, *task = &tasks[number];
    for (uint32_t earlier = 0; earlier < number; earlier++) {
        if (!same_stream(&tasks[earlier], task)) {
            continue;
        }
        self->stream_of[number] = self->stream_of[earlier];
        if (tasks[earlier].stream_priority != task->stream_priority) {
            grt_error_add(errors, NULL,
                          "tasks[%u].stream_priority: must be %lld as for \"%s\", which shares the stream "
                          "(got %lld)",
                          number, (long long)tasks[earlier].stream_priority, tasks[earlier].name,
                          (long long)task->stream_priority);
            return false;
        }
        return true;
    }
    if (task->stream != NULL && strcmp(task->stream, "null") == 0) {
        if (task->stream_priority != 0) {
            grt_error_add(
                errors, NULL,
                "tasks[%u].stream_priority: must be 0, because the NULL stream has no priority (got "
                "%lld)",
                number, (long long)task->stream_priority);
            return false;
        }
        self->stream_of[number] = grt_policy_process_null_stream(world, self->process_of[number]);
        return true;
    }
    self->stream_of[number] =
        grt_policy_process_stream(world, self->process_of[number], task->stream_priority,
                                  task->stream != NULL ? task->stream : task->name);
    return true;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct hardware *self = state;
    size_t count = grt_policy_scenario(world)->task_count;
    self->process_of = grt_policy_memory(world, count, sizeof *self->process_of);
    self->stream_of = grt_policy_memory(world, count, sizeof *self->stream_of);
    self->requests = request_list_for(world);
    bool good = true;
    for (uint32_t task = 0; task < count; task++) {
        find_process(self, world, task);
        good &= find_stream(self, world, task, errors);
    }
    return good;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct hardware *self = state;
    (void)world;
    request_list_add(&self->requests, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct hardware *self = state;
    (void)world;
    request_list_remove(&self->requests, job);
}

static void decide(void *state, struct grt_world *world) {
    struct hardware *self = state;
    request_list_sort(&self->requests, world);
    for (uint32_t i = 0; i < self->requests.count; i++) {
        grt_job job = self->requests.jobs[i];
        grt_policy_submit(world, job, self->stream_of[grt_policy_job(world, job)->task]);
    }
    self->requests.count = 0;
}

/* The priority that the device gives a job's stream: clamped to its levels. */
static int64_t level_of(const struct grt_world *world, const struct grt_job_view *job) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct grt_task *task = &scenario->tasks[job->task];
    int64_t most_urgent = 1 - scenario->gpus[task->gpu].priority_levels;
    return task->stream_priority > most_urgent ? task->stream_priority : most_urgent;
}

/* Whether the device compares the priorities of two tasks' streams (A1, M2). */
static bool compares_priorities(const struct grt_scenario *scenario, const struct grt_task *a,
                                const struct grt_task *b) {
    const struct grt_device *device = &scenario->gpus[a->gpu];
    bool across = device->mps && device->mps_priorities == GRT_MPS_PRIORITIES_DEVICE;
    return a->gpu == b->gpu && (across || a->process == b->process);
}

/* The device's order: the stream's priority, a smaller number first, where the device compares them; then the task's. */
static bool outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b) {
    const struct grt_job_view *job_a = grt_policy_job(world, a), *job_b = grt_policy_job(world, b);
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct grt_task *tasks = scenario->tasks;
    int64_t level_a = level_of(world, job_a), level_b = level_of(world, job_b);
    bool together = compares_priorities(scenario, &tasks[job_a->task], &tasks[job_b->task]);
    (void)state;
    return together && level_a != level_b ? level_a < level_b : job_a->priority > job_b->priority;
}

const struct grt_policy_ops grt_policy_hardware = {
    .name = "hardware",
    .summary = "submit at once, each task in its stream, and let the device decide",
    .state_size = sizeof(struct hardware),
    .memoryless = true,
    .many_processes = true,
    .promise = {.gpu = GRT_PROMISE_AT_ONCE, .whole = true, .never_idle = true, .aborts_nothing = true},
    .start = start,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .outranks = outranks,
    .decide = decide,
};
