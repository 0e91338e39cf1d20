/* Calls of a policy's own: records of events, waits for them, queries and host functions in streams, between the commands of jobs: see
 * models/policy.h. And the events of the jobs' own calls. */
#include <string.h>

#include "models/world/internal.h"
#include "sim/check.h"

/* ---- events ---- */

/* Events are their process's own, on every GPU. */
static uint32_t event_of(struct grt_world *world, const struct grt_task *task, const char *name) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        const struct named_event *event = &world->events[i];
        if (event->name != NULL && event->process == task->process && event->gpu == task->gpu &&
            strcmp(event->name, name) == 0) {
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
    command->event = spec->event != NULL ? event_of(world, task->spec, spec->event) : GRT_GPU_NO_EVENT;
}

grt_stream_event grt_policy_event(struct grt_world *world, uint32_t gpu) {
    GRT_REQUIRE(!world->running && gpu < world->scenario->gpu_count && world->policy->gpu_call_done != NULL,
                "a policy with gpu_call_done makes events in `start`, on a GPU of the scenario");
    world->events =
        grt_array_grow(world->events, &world->event_capacity, world->event_count + 1, sizeof *world->events);
    world->events[world->event_count] =
        (struct named_event){.process = -1, .gpu = gpu, .number = grt_gpu_event(world->gpus[gpu])};
    return world->event_count++;
}

static const struct named_event *own_event(const struct grt_world *world, grt_stream_event event) {
    GRT_REQUIRE(event < world->event_count && world->events[event].name == NULL,
                "a policy calls with events that it made");
    return &world->events[event];
}

bool grt_policy_event_is_complete(const struct grt_world *world, grt_stream_event event) {
    const struct named_event *own = own_event(world, event);
    return grt_gpu_event_is_complete(world->gpus[own->gpu], own->number);
}

/* ---- calls ---- */

/* Tells the GPUs that there will be some; before streams are made. */
void policy_calls_create(struct grt_world *world) {
    for (size_t i = 0; i < world->scenario->gpu_count && world->policy->gpu_call_done != NULL; i++) {
        grt_gpu_use_call(world->gpus[i], GRT_COMMAND_RECORD);
    }
}

static grt_submission call(struct grt_world *world, grt_stream stream, uint32_t label, bool tell,
                           struct grt_gpu_command *command) {
    GRT_REQUIRE(world->deciding && world->policy->gpu_call_done != NULL,
                "a policy with gpu_call_done makes calls of its own in `decide` only");
    GRT_REQUIRE(stream < world->stream_count && label < world->label_count,
                "a policy makes calls in streams, with labels, that it made");
    const struct policy_stream *to = &world->streams[stream];
    grt_submission number = GRT_NO_SUBMISSION;
    if (tell) {
        number = submission_further(world);
        world->submissions[number].job = NO_TASK;
    }
    command->owner = number;
    command->last = tell;
    command->task = GRT_TRACE_NO_TASK;
    command->place = label;
    grt_gpu_submit(world->gpus[to->gpu], to->stream, command, 0, 0);
    return number;
}

static grt_submission call_event(struct grt_world *world, enum grt_command_kind kind, grt_stream stream,
                                 grt_stream_event event, uint32_t label, bool tell) {
    const struct named_event *own = own_event(world, event);
    GRT_REQUIRE(stream < world->stream_count && world->streams[stream].gpu == (uint32_t)own->gpu,
                "a policy's events and streams are of one GPU");
    struct grt_gpu_command command = {.kind = kind, .event = own->number};
    return call(world, stream, label, tell, &command);
}

grt_submission grt_policy_record_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                       uint32_t label, bool tell) {
    return call_event(world, GRT_COMMAND_RECORD, stream, event, label, tell);
}

grt_submission grt_policy_wait_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                     uint32_t label, bool tell) {
    return call_event(world, GRT_COMMAND_WAIT, stream, event, label, tell);
}

grt_submission grt_policy_query_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                      uint32_t label, bool tell) {
    return call_event(world, GRT_COMMAND_QUERY, stream, event, label, tell);
}

grt_submission grt_policy_query_stream(struct grt_world *world, grt_stream stream, uint32_t label,
                                       bool tell) {
    struct grt_gpu_command command = {.kind = GRT_COMMAND_QUERY, .event = GRT_GPU_NO_EVENT};
    return call(world, stream, label, tell, &command);
}

grt_submission grt_policy_callback(struct grt_world *world, grt_stream stream, grt_time time,
                                   uint32_t label) {
    GRT_REQUIRE(time >= 0 && time <= GRT_TIME_LIMIT,
                "a policy's host functions take a time within the limit");
    struct grt_distribution takes = {.kind = GRT_CONSTANT, .max = time};
    struct grt_gpu_command command = {.kind = GRT_COMMAND_CALLBACK, .time = &takes};
    return call(world, stream, label, true, &command);
}

void policy_call_completed(struct grt_world *world, uint32_t number) {
    submission_free(world, number);
    world->policy_told = true;
    world->policy->gpu_call_done(world->policy_state, world, number);
}
