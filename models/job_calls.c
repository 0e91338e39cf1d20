/* The host's calls of a submitted GPU segment. The job's thread makes them one after the other, all at one instant, but
 * for those that it waits for: what follows those is called when they have completed (rules E7, S1, S2). A command's place
 * among those of all streams is the time of its call. */
#include <string.h>

#include "models/world_internal.h"
#include "sim/check.h"

static inline void make_calls(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    const struct grt_gpu_command *commands = task->commands[task->view.segment];
    size_t count = task->spec->segments[task->view.segment].command_count;
    struct grt_gpu *gpu = world->gpus[task->spec->gpu];
    uint32_t stream = world->streams[task->stream].stream;
    uint32_t call = task->next_call;
    bool waits = false;
    while (!waits && call < count) {
        const struct grt_gpu_command *command = &commands[call++];
        uint64_t key = command->random ? task->draws[task->next_draw++] : 0;
        grt_gpu_submit(gpu, stream, command, (uint32_t)task->view.number, key);
        waits = command->waits;
    }
    task->next_call = call;
}

void job_make_calls(struct grt_world *world, uint32_t number) {
    make_calls(world, number);
}

void job_submit(struct grt_world *world, uint32_t number, uint32_t handle) {
    struct task_run *task = &world->tasks[number];
    GRT_REQUIRE(number < world->scenario->task_count && task->state == JOB_REQUESTED,
                "a policy submits a job between its gpu_request and its gpu_withdrawn, once");
    GRT_REQUIRE(handle < world->stream_count && world->streams[handle].gpu == (uint32_t)task->spec->gpu,
                "a policy submits a job to a stream of the job's own GPU");
    if (task->pieces != NULL) {
        job_piece_submit(world, number, handle, (struct grt_piece){.commands = UINT32_MAX});
        return;
    }
    task->state = JOB_SUBMITTED;
    task->stream = handle;
    task->next_call = 0;
    task->next_draw = task->first_draw[task->view.segment];
    blocking_submitted(world, number);
    if (task->host == NULL || !job_host_submitted(world, number)) {
        make_calls(world, number);
    }
}

/* The host waits no longer for the last command that it called. */
void job_gpu_returned(void *world, uint32_t number, grt_time now) {
    (void)now;
    if (((struct grt_world *)world)->tasks[number].pieces != NULL) {
        job_piece_calls(world, number);
    } else {
        job_make_calls(world, number);
    }
}

/* Events are their process's own, on every GPU. */
static uint32_t event_of(struct grt_world *world, const struct grt_task *task, const char *name) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        const struct named_event *event = &world->events[i];
        if (event->process == task->process && event->gpu == task->gpu && strcmp(event->name, name) == 0) {
            return event->number;
        }
    }
    world->events =
        grt_array_grow(world->events, &world->event_capacity, world->event_count + 1, sizeof *world->events);
    uint32_t number = grt_gpu_event(world->gpus[task->gpu]);
    world->events[world->event_count++] =
        (struct named_event){.process = task->process, .gpu = task->gpu, .name = name, .number = number};
    return number;
}

void job_prepare_call(struct grt_world *world, const struct task_run *task,
                      const struct grt_command_spec *spec, struct grt_gpu_command *command) {
    grt_gpu_use_call(world->gpus[task->spec->gpu], (enum grt_command_kind)spec->kind);
    command->time = &spec->callback_time;
    if (spec->event != NULL) {
        command->event = event_of(world, task->spec, spec->event);
    }
}
