/* What a policy may ask and do: see models/policy.h. */
#include "models/policy.h"

#include <string.h>

#include "models/demand/demand.h"
#include "models/demand/profile.h"
#include "models/world/internal.h"
#include "models/world/policy_question.h"
#include "models/world/policy_running.h"
#include "sim/check.h"
#include "sim/word.h"

grt_time grt_policy_now(const struct grt_world *world) {
    return world->loop.now;
}

const void *grt_policy_parameters(const struct grt_world *world) {
    return world->parameters;
}

const void *grt_policy_prepared(const struct grt_world *world) {
    return world->prepared;
}

const struct grt_scenario *grt_policy_scenario(const struct grt_world *world) {
    return world->scenario;
}

const struct grt_job_view *grt_policy_job(const struct grt_world *world, grt_job job) {
    GRT_REQUIRE(job < world->scenario->task_count, "a policy asks only for jobs that it was told of");
    return &world->tasks[job].view;
}

bool grt_policy_is_alive(const struct grt_world *world, grt_job job) {
    return job < world->scenario->task_count && job_is_alive(world, job);
}

bool grt_promise_is_valid(const struct grt_promise *promise) {
    return (unsigned)promise->gpu <= GRT_PROMISE_PLACES && (unsigned)promise->order <= GRT_ORDER_LATENESS &&
           (unsigned)promise->overlap <= GRT_OVERLAP_ALL &&
           (promise->order != GRT_ORDER_LATENESS || promise->gpu == GRT_PROMISE_BATCHES);
}

/* A question to a policy beside any run. */
struct question {
    struct grt_arena arena;
    struct grt_errors errors;
    struct grt_running running;
    const struct grt_running *before;
    void *parameters;
};

/* Whether it has parameters to answer by. */
static bool begin_question(struct question *question, const struct grt_policy_ops *policy,
                           const void *given) {
    *question = (struct question){.running = grt_policy_running(policy, NULL)};
    bool good =
        grt_policy_take_parameters(policy, given, &question->arena, &question->parameters, &question->errors);
    question->before = grt_running_begin(&question->running);
    return good;
}

static void end_question(struct question *question) {
    grt_running_end(question->before);
    grt_arena_clear(&question->arena);
    grt_errors_clear(&question->errors);
}

struct grt_promise grt_policy_promise(const struct grt_policy_ops *policy, const void *given) {
    if (policy->promised == NULL) {
        return policy->promise;
    }
    struct question question;
    bool good = begin_question(&question, policy, given);
    struct grt_promise promise = good ? policy->promised(question.parameters) : policy->promise;
    GRT_REQUIRE(
        grt_promise_is_valid(&promise),
        "a policy's `promised` says a place, an order and an overlap that there are, and the order by "
        "lateness of batches only");
    end_question(&question);
    return promise;
}

bool grt_policy_trains(const struct grt_policy_ops *policy, const void *given) {
    if (policy->trains == NULL) {
        return false;
    }
    struct question question;
    bool trains = begin_question(&question, policy, given) && policy->trains(question.parameters);
    end_question(&question);
    return trains;
}

grt_time grt_policy_segment_time(const struct grt_world *world, uint32_t number, uint32_t index) {
    GRT_REQUIRE(number < world->scenario->task_count && index < world->scenario->tasks[number].segment_count,
                "a policy asks for segments of the scenario's tasks");
    const struct grt_task *task = &world->scenario->tasks[number];
    return grt_segment_time(world->scenario, task, &task->segments[index]);
}

grt_time grt_policy_time_left(const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct task_run *task = &world->tasks[job];
    uint32_t first = view->segment + (task->segment_done ? 1 : 0);
    grt_time time = 0;
    for (uint32_t i = first; i < task->spec->segment_count && task->state != JOB_DRAINING; i++) {
        grt_time more = grt_policy_segment_time(world, view->task, i);
        time = time <= GRT_TIME_LIMIT && more <= GRT_TIME_LIMIT - time ? time + more : GRT_TIME_NEVER;
    }
    return time;
}

void *grt_policy_memory(struct grt_world *world, size_t count, size_t size) {
    GRT_REQUIRE(!world->running, "a policy takes memory in `start` only");
    return grt_arena_array(&world->arena, count, size);
}

struct grt_arena *grt_policy_arena(struct grt_world *world) {
    GRT_REQUIRE(!world->running, "a policy takes memory in `start` only");
    return &world->arena;
}

struct grt_ready_queue grt_policy_ready_queue(struct grt_world *world, uint32_t capacity) {
    GRT_REQUIRE(!world->running, "a policy makes its queues in `start` only");
    return grt_ready_queue_create(&world->arena, capacity);
}

grt_gpu_process grt_policy_process(struct grt_world *world, uint32_t gpu, const struct grt_process_spec *spec,
                                   const char *name) {
    GRT_REQUIRE(!world->running && gpu < world->scenario->gpu_count,
                "a policy makes processes in `start`, on a GPU of the scenario");
    grt_gpu_process handle = world->process_count++;
    world->processes = grt_array_grow(world->processes, &world->process_capacity, world->process_count,
                                      sizeof *world->processes);
    world->processes[handle] = (struct policy_process){
        .gpu = gpu,
        .number = grt_gpu_process_create(world->gpus[gpu], spec, handle),
        .name = grt_arena_text(&world->arena, name),
    };
    return handle;
}

/* The first process of a GPU. Where the policy made none, all tasks are of one process (world_check_processes), or the GPU has
 * none. */
grt_gpu_process world_default_process(struct grt_world *world, uint32_t gpu) {
    static const struct grt_process unused = {.name = "main"};
    const struct grt_scenario *scenario = world->scenario;
    for (uint32_t i = 0; i < world->process_count; i++) {
        if (world->processes[i].gpu == gpu) {
            return i;
        }
    }
    const struct grt_process *process =
        scenario->process_count <= 1 ? grt_process_of(scenario, scenario->tasks) : &unused;
    return grt_policy_process(world, gpu, &process->spec, process->name);
}

static grt_stream add_stream(struct grt_world *world, grt_gpu_process handle, int64_t priority, bool is_null,
                             const char *name) {
    GRT_REQUIRE(!world->running && handle < world->process_count,
                "a policy makes streams in `start`, in a process that it made");
    grt_stream stream = world->stream_count++;
    const struct policy_process *process = &world->processes[handle];
    world->streams =
        grt_array_grow(world->streams, &world->stream_capacity, world->stream_count, sizeof *world->streams);
    world->streams[stream] = (struct policy_stream){
        .gpu = process->gpu,
        .stream =
            grt_gpu_stream_create(world->gpus[process->gpu], process->number, priority, is_null, stream),
        .process = handle,
        .name = grt_arena_text(&world->arena, name),
    };
    return stream;
}

grt_stream grt_policy_process_stream(struct grt_world *world, grt_gpu_process process, int64_t priority,
                                     const char *name) {
    return add_stream(world, process, priority, false, name);
}

grt_stream grt_policy_process_null_stream(struct grt_world *world, grt_gpu_process process) {
    return add_stream(world, process, 0, true, "NULL");
}

grt_stream grt_policy_stream(struct grt_world *world, uint32_t gpu, int64_t priority, const char *name) {
    GRT_REQUIRE(!world->running && gpu < world->scenario->gpu_count,
                "a policy makes streams in `start`, on a GPU of the scenario");
    return add_stream(world, world_default_process(world, gpu), priority, false, name);
}

grt_stream grt_policy_null_stream(struct grt_world *world, uint32_t gpu) {
    GRT_REQUIRE(!world->running && gpu < world->scenario->gpu_count,
                "a policy makes streams in `start`, on a GPU of the scenario");
    return add_stream(world, world_default_process(world, gpu), 0, true, "NULL");
}

void grt_policy_stream_begins(struct grt_world *world, grt_stream stream, enum grt_command_kind kind) {
    GRT_REQUIRE(!world->running && stream < world->stream_count && !grt_command_is_call(kind),
                "a policy says in `start` with which kernel or copy a stream begins that it made");
    const struct policy_stream *begun = &world->streams[stream];
    grt_gpu_stream_begins(world->gpus[begun->gpu], begun->stream, kind);
}

grt_time grt_policy_average_time(struct grt_world *world, uint32_t task, uint32_t segment, uint32_t runs) {
    GRT_REQUIRE(!world->running && task < world->scenario->task_count &&
                    segment < world->scenario->tasks[task].segment_count,
                "a policy profiles segments of the scenario's tasks, in `start`");
    return grt_profile_segment(world->scenario, task, segment, runs);
}

static void timer_due(void *owner, uint32_t timer, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    world->policy_told = true;
    if (world->policy->timer != NULL) {
        world->policy->timer(world->policy_state, world, timer);
    }
}

uint32_t grt_policy_new_timer(struct grt_world *world) {
    GRT_REQUIRE(!world->running, "a policy makes timers in `start` only");
    uint32_t timer = world->timer_count++;
    world->timers =
        grt_array_grow(world->timers, &world->timer_capacity, world->timer_count, sizeof *world->timers);
    world->timers[timer] = grt_loop_add(&world->loop, GRT_CLASS_TIMER, timer_due, world, timer);
    return timer;
}

static uint32_t add_name(struct grt_world *world, enum grt_trace_name_kind kind, uint32_t index,
                         const char *text) {
    GRT_REQUIRE(!world->running, "a policy makes rows and labels in `start` only");
    uint32_t place = world->name_count++;
    world->names =
        grt_array_grow(world->names, &world->name_capacity, world->name_count, sizeof *world->names);
    world->names[place] = (struct policy_name){kind, index, grt_arena_text(&world->arena, text)};
    return index;
}

uint32_t grt_policy_row(struct grt_world *world, const char *name) {
    return add_name(world, GRT_NAME_ROW, world->row_count++, name);
}

uint32_t grt_policy_label(struct grt_world *world, const char *text) {
    return add_name(world, GRT_NAME_LABEL, world->label_count++, text);
}

uint32_t grt_policy_counter(struct grt_world *world, const char *name) {
    GRT_REQUIRE(!world->running, "a policy makes counters in `start` only");
    GRT_REQUIRE(grt_word_is_valid(name, "_"), "a policy gives its counters names that are keys: letters, "
                                              "digits and \"_\" in lower case, a letter first, at most 32");
    uint32_t counter = world->counter_count++;
    world->counters = grt_array_grow(world->counters, &world->counter_capacity, world->counter_count,
                                     sizeof *world->counters);
    world->counters[counter] = (struct grt_counter_result){.name = grt_arena_text(&world->arena, name)};
    return counter;
}

void grt_policy_count(struct grt_world *world, uint32_t counter) {
    GRT_REQUIRE(counter < world->counter_count, "a policy counts with counters that it made");
    world->counters[counter].count++;
}

static void trace_row(struct grt_world *world, enum grt_trace_kind kind, uint32_t row, uint32_t label,
                      grt_job job, grt_time other) {
    GRT_REQUIRE(row < world->row_count && label < world->label_count,
                "a policy traces rows and labels that it made");
    GRT_REQUIRE(job == GRT_NO_JOB || job < world->scenario->task_count,
                "a policy traces what concerns a job that it was told of, or GRT_NO_JOB");
    uint32_t task = job == GRT_NO_JOB ? GRT_TRACE_NO_TASK : job;
    uint64_t number = job == GRT_NO_JOB ? 0 : world->tasks[job].view.number;
    world_trace(world, task, kind, 0, other, row, label, number);
}

void grt_policy_trace_slice(struct grt_world *world, uint32_t row, uint32_t label, grt_job job,
                            grt_time start) {
    GRT_REQUIRE(start <= world->loop.now, "a policy traces slices that began before now");
    trace_row(world, GRT_TRACE_ROW_SLICE, row, label, job, start);
}

void grt_policy_trace_mark(struct grt_world *world, uint32_t row, uint32_t label, grt_job job) {
    trace_row(world, GRT_TRACE_ROW_MARK, row, label, job, 0);
}

void grt_policy_submit(struct grt_world *world, grt_job job, grt_stream stream) {
    GRT_REQUIRE(world->deciding, "a policy submits in `decide` only");
    job_submit(world, job, stream);
}

const struct grt_step *grt_policy_steps(const struct grt_world *world, uint32_t task, uint32_t segment) {
    GRT_REQUIRE(task < world->scenario->task_count && segment < world->scenario->tasks[task].segment_count &&
                    world->tasks[task].pieces != NULL,
                "a policy that has segments cut asks for the steps of the scenario's segments");
    return world->tasks[task].pieces->steps[segment];
}

struct grt_step_cursor grt_policy_progress(struct grt_world *world, grt_job job) {
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state >= JOB_REQUESTED &&
                    world->tasks[job].pieces != NULL,
                "a policy that has segments cut asks for the progress of jobs in a GPU segment");
    return job_piece_progress(world, job);
}

bool grt_policy_is_submitted(struct grt_world *world, grt_job job, uint32_t command) {
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state >= JOB_REQUESTED &&
                    world->tasks[job].pieces != NULL,
                "a policy that has segments cut asks for the commands of jobs in a GPU segment");
    return job_piece_is_whole(world, job, command);
}

struct grt_piece grt_policy_piece_within(struct grt_world *world, grt_job job, grt_time budget,
                                         grt_time *takes) {
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state == JOB_REQUESTED &&
                    world->tasks[job].pieces != NULL,
                "a policy that has segments cut asks for pieces of requests that wait");
    return job_piece_within(world, job, budget, takes);
}

void grt_policy_submit_piece(struct grt_world *world, grt_job job, grt_stream stream,
                             struct grt_piece piece) {
    GRT_REQUIRE(world->deciding, "a policy submits in `decide` only");
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state == JOB_REQUESTED &&
                    world->tasks[job].pieces != NULL,
                "a policy with gpu_piece_done submits pieces of requests that wait");
    job_issue(world, job, 0, piece, stream);
}

grt_submission grt_policy_issue(struct grt_world *world, grt_job job, uint32_t first_command,
                                struct grt_piece piece, grt_stream stream) {
    GRT_REQUIRE(world->deciding, "a policy issues in `decide` only");
    GRT_REQUIRE(job < world->scenario->task_count &&
                    (world->tasks[job].state == JOB_REQUESTED || world->tasks[job].state == JOB_SUBMITTED) &&
                    world->tasks[job].pieces != NULL,
                "a policy with gpu_submission_done issues commands of jobs in a GPU segment");
    return job_issue(world, job, first_command, piece, stream);
}

bool world_is_to_abort(const struct grt_world *world, grt_job job) {
    uint32_t i = 0;
    while (i < world->abort_count && world->aborts[i] != job) {
        i++;
    }
    return i < world->abort_count;
}

void grt_policy_abort(struct grt_world *world, grt_job job) {
    GRT_REQUIRE(world->deciding, "a policy aborts in `decide` only");
    GRT_REQUIRE(job < world->scenario->task_count && job_is_alive(world, job),
                "a policy aborts only jobs that are alive");
    GRT_REQUIRE(world->tasks[job].state != JOB_FINISHING,
                "a policy does not abort a job in the decision that finishes its segment");
    GRT_REQUIRE(!world_is_to_abort(world, job), "a policy aborts each job once");
    world->aborts[world->abort_count++] = job;
}

static const struct policy_stream *shared_stream(const struct grt_world *world, grt_stream stream) {
    GRT_REQUIRE(stream < world->stream_count, "a policy asks for streams that it made");
    return &world->streams[stream];
}

void grt_policy_set_share(struct grt_world *world, grt_stream stream, int64_t share) {
    const struct policy_stream *of = shared_stream(world, stream);
    GRT_REQUIRE(world->deciding && world->policy->sets_shares,
                "a policy that sets shares does so in `decide`");
    grt_gpu_set_share(world->gpus[of->gpu], of->stream, share);
}

void grt_policy_workload(const struct grt_world *world, grt_stream stream, double *indicators) {
    const struct policy_stream *of = shared_stream(world, stream);
    grt_gpu_workload(world->gpus[of->gpu], of->stream, indicators);
}

double grt_policy_completion(const struct grt_world *world, grt_stream stream) {
    const struct policy_stream *of = shared_stream(world, stream);
    return grt_gpu_completion(world->gpus[of->gpu], of->stream);
}

/* A policy that has itself called again within an instant, without end, would hang the program. */
void policy_within_instant(struct grt_world *world) {
    enum { MOST = 1 << 20 };
    world->again_count = world->again_at == world->loop.now ? world->again_count + 1 : 1;
    world->again_at = world->loop.now;
    GRT_REQUIRE(world->again_count < MOST, "a policy comes to an end within an instant: it set timers to the "
                                           "present, or gave threads work of 0 ns, "
                                           "a million times");
}

void grt_policy_timer(struct grt_world *world, uint32_t timer, grt_time instant) {
    GRT_REQUIRE(timer < world->timer_count && instant >= world->loop.now,
                "a policy sets timers that it made, to instants that are not past");
    if (instant == world->loop.now) {
        policy_within_instant(world);
    }
    grt_loop_schedule(&world->loop, world->timers[timer], instant);
}
