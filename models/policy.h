/* What a scheduling policy is: a table of functions that the world calls, and the few things a policy may do.
 *
 * A job walks through its segments by itself. Where a GPU segment begins, the world tells the policy
 * (`gpu_request`), and the job waits until the policy has had it executed. All events of one instant are told
 * first; then the world calls `decide` once, and the policy says what shall happen: it submits requests to
 * streams, aborts jobs, sets timers. It never touches queues, jobs or the device itself.
 *
 *     released --> gpu_request --> [decide: grt_policy_submit] --> gpu_done --> ... --> job_ended
 *
 * A complete policy that keeps the GPU to one segment at a time, first come, first served:
 *
 *     struct fifo { grt_stream stream; struct grt_ready_queue waiting; bool busy; };
 *     static void decide(void *state, struct grt_world *world) {
 *         struct fifo *fifo = state;
 *         if (!fifo->busy && !grt_ready_queue_is_empty(&fifo->waiting)) {
 *             grt_policy_submit(world, grt_ready_queue_pop(&fifo->waiting), fifo->stream);
 *             fifo->busy = true;
 *         }
 *     }
 *
 * (gpurt's own does the same by policies/one_at_a_time.c). docs/writing-a-policy.md walks through one.
 *
 * A policy outside the tree is a plug-in: models/plugin.h. To add one to gpurt: put policies/NAME.c into the tree, which includes this header and defines
 * `const struct grt_policy_ops grt_policy_NAME`; declare that table and list it in policies/registry.c; say in
 * `.promise` what it does with the GPUs. The tests run every listed policy, on several
 * GPUs as well, and with kernels that launch kernels: it must not refuse those. CMake finds the file; scenarios, `--policy`
 * and `gpurt policies` find the policy by `.name`.
 *
 * What holds in every operation: within an instant the operations come in the order of the events, `decide` last. One event may
 * bring several, as gpu_done, then job_ended, then job_released of the task's next job under the same handle, then its
 * gpu_request. Everything that is reached through the functions below is valid until the run ends, a job's view until
 * job_ended. A call at the wrong moment is a bug of the policy: the program aborts with a sentence that says which. */
#ifndef GRT_MODELS_POLICY_H
#define GRT_MODELS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "models/adapt.h"
#include "models/promise.h"
#include "models/step.h"
#include "models/task.h"
#include "sim/error.h"
#include "sim/field.h"
#include "sim/memory.h"
#include "sim/ready_queue.h"
#include "sim/time.h"

/* The running world. A policy calls only the functions of this header. */
struct grt_world;

/* What a policy says of itself (`describe`). */
struct grt_description;

/* An analysis of the policy's schedules (models/analysis.h). */
struct grt_analysis_ops;

/* A job that is alive: from job_released until job_ended. Handles are small numbers below the scenario's
 * task_count and are used again later; which task a job belongs to is said by its view. */
typedef uint32_t grt_job;

/* What a process has on a GPU, made in `start`. */
typedef uint32_t grt_gpu_process;

/* A stream of a GPU, made in `start`. */
typedef uint32_t grt_stream;

/* An event of a GPU that the policy records, waits for and queries in streams, made in `start`. */
typedef uint32_t grt_stream_event;

/* What a policy has handed to a stream, until it hears that it is complete: commands of a job, or a call of its own. Handles are
 * used again after that. */
typedef uint32_t grt_submission;
#define GRT_NO_SUBMISSION UINT32_MAX
/* A thread of the policy's own on a core, made in `start`. */
typedef uint32_t grt_thread;

/* Who does what the cores have to do for a GPU segment: its host parts (struct grt_segment), and asking for the GPU. */
enum grt_host_by {
    /* A request comes as soon as the segment begins. Once it is submitted, the job's thread executes the first part, at the job's
     * priority; then the commands are called; the thread executes the second part; then gpu_done comes. Where there are no parts, the
     * cores have nothing to do with it. */
    GRT_HOST_BY_JOB,

    /* The same, but the thread does all of it, and it has to have its core: a request comes once the job's thread is dispatched at its
     * task's priority; after the submission it calls the commands once it is dispatched again, and it ends the segment so, or at once where it busy-waits on its core. What locks
     * are made of: see grt_policy_boost and grt_policy_spin. */
    GRT_HOST_BY_THREAD,

    /* A request comes as under GRT_HOST_BY_THREAD. The policy has the parts executed, by threads of its own (grt_policy_host_time,
     * grt_policy_run): grt_policy_submit has the commands called at once, gpu_done says that they have completed, and grt_policy_finish
     * ends the segment. */
    GRT_HOST_BY_POLICY
};

/* What a policy may know of a job. */
struct grt_job_view {
    uint32_t task;    /* index in the scenario */
    uint64_t number;  /* of the job within its task, from 0 */
    grt_time arrival; /* nominal arrival */
    grt_time release; /* arrival plus jitter: when it became ready */

    /* Absolute. GRT_TIME_NEVER where its task has none, which only tasks with a period or a least gap always have; so test it
     * before you calculate with it. As a key it is the last of all by itself. */
    grt_time deadline;

    int64_t priority; /* of its task; larger is more urgent */
    /* index of its current segment; in gpu_done still the one that is done; segment_count in job_ended of a job that finished */
    uint32_t segment;
    grt_time requested; /* when its current GPU segment asked for the GPU; GRT_TIME_NEVER in a CPU segment */
    uint64_t tie;       /* the scenario's tie rule as a number: the smaller goes first; then the lower task */
};

/* A policy. Any function but `start` and `decide` may be NULL: the world then skips the call. `state` points to
 * state_size zeroed bytes of the policy's own. Functions that are called in a run, after `start`, must not allocate memory. */
struct grt_policy_ops {
    const char *name;    /* as in scenario files: "np-edf" */
    const char *summary; /* one line for `gpurt policies`; required */
    size_t state_size;   /* bytes; 0: none, and `state` is NULL */

    /* The policy's own parameters: a plain struct of parameters_size bytes, which grt_policy_parameters returns. `parameters` describes its
     * fields (sim/field.h) in the scenario's "policy" object, and its `size` is parameters_size. A world that is made without gets the
     * defaults; without a table, zeroes. 0 and NULL where it has none. */
    size_t parameters_size;
    const struct grt_record *parameters;

    /* Parameters with which it takes every task set that it can run at all, and guarantees nothing: for comparisons of policies, and for
     * tests. NULL: the defaults are such. */
    const void *permissive;

    /* Finds what takes long to find and depends on nothing but the scenario's tasks and devices and these parameters: not on draws, on the
     * instants of arrivals or on the horizon. It is made once, in the arena, and only read by all worlds of them, in which
     * grt_policy_prepared returns it. NULL: there is no such thing. */
    const void *(*prepare)(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena);

    /* Whether, with these parameters, `prepare` trains networks where the scenario has none. Whoever makes worlds of many scenarios trains
     * them beforehand. NULL: it never does. */
    bool (*trains)(const void *parameters);

    /* Its decisions depend on nothing but the jobs' views and which requests are submitted: lets a run stop once
     * the jobs' state repeats (horizon "auto"). */
    bool memoryless;

    /* It keeps the processes of the tasks apart. Other policies are one process, the scenario's one with all that this says of
     * it, and scenarios with several are refused them. */
    bool many_processes;

    /* Who executes the host's side of GPU segments. Policies with gpu_piece_done: GRT_HOST_BY_JOB, and scenarios with host parts are
     * refused them. */
    enum grt_host_by host;

    /* Analyses of its own, NULL-terminated: they speak of this policy and of no other, whatever their `policies`, which may be NULL. Those of
     * gpurt's policies are listed in policies/analyses/registry.c instead. NULL: none. */
    const struct grt_analysis_ops *const *analyses;

    /* What it promises of the GPUs: the auditor and the tests go by it. Where that depends on the parameters: the weakest of it, and `promised` says what
     * it is with those. Ask grt_policy_promise. */
    struct grt_promise promise;
    struct grt_promise (*promised)(const void *parameters);

    /* Changes a scenario into what is executed under the policy (models/adapt.h): other versions of kernels, a task more. It may
     * change the struct, and what it has copied into the arena with the functions there; tasks that it adds stand behind all others. Returns
     * false after adding an error. NULL: everything is executed as it was written. */
    bool (*adapt)(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                  struct grt_errors *errors);

    /* It sets shares, and scenarios with GPUs of another granularity are refused it. */
    bool sets_shares;

    /* It works with blocks and SMs, and scenarios with GPUs of granularity shares are refused it. */
    bool needs_blocks;

    /* Called once before the first instant: checks that the scenario suits the policy, makes streams, takes
     * memory from grt_policy_memory. Returns false after adding an error. */
    bool (*start)(void *state, struct grt_world *world, struct grt_errors *errors);

    /* Says with which numbers the policy works, where it found them itself: slots, ceilings, the cost of a server. Called once, behind a
     * `start` that was successful. They are shown with the results; nobody goes by them. */
    void (*describe)(const void *state, const struct grt_world *world, struct grt_description *out);

    /* Says what came out: measures of the policy's own, with grt_describe_time and grt_describe_number. Called once when the run has ended, for the
     * results. */
    void (*conclude)(const void *state, const struct grt_world *world, struct grt_description *out);

    /* A job became its task's current job: it is released, and the task's earlier jobs have ended. */
    void (*job_released)(void *state, struct grt_world *world, grt_job job);

    /* The job reached a GPU segment and waits for it to be executed. */
    void (*gpu_request)(void *state, struct grt_world *world, grt_job job);

    /* The first kernel of the request to begin began on the device (the first copy, if it has no kernel; the first call,
     * if it has neither). */
    void (*gpu_begun)(void *state, struct grt_world *world, grt_job job);

    /* A request was taken back before it, or its next piece, was submitted, or under GRT_HOST_BY_POLICY after its gpu_done: its job was
     * aborted. Forget it. */
    void (*gpu_withdrawn)(void *state, struct grt_world *world, grt_job job);

    /* The request waits again, for its next piece or its rest: what was submitted of it has completed, and something is left. (In the
     * results its wait for the GPU, and its blocking, ended when its first piece began.) Being present this operation or the next
     * says that the policy has segments cut (grt_policy_submit_piece, grt_policy_issue). */
    void (*gpu_piece_done)(void *state, struct grt_world *world, grt_job job);

    /* A submission of the job has completed: of its commands, those that were submitted with it. The handle is free after this call.
     * Not told of jobs that were aborted, whose handles are free when the policy decides next. gpu_piece_done or gpu_done follows where it was the last that was open. */
    void (*gpu_submission_done)(void *state, struct grt_world *world, grt_job job, grt_submission submission);

    /* A call of the policy's own has completed, of those that were to be told. The handle is free after this call. Being present
     * it says that the policy makes calls of its own. */
    void (*gpu_call_done)(void *state, struct grt_world *world, grt_submission call);

    /* All commands of the request have completed, or were cut short by an abort and the
     * device is rid of them. */
    void (*gpu_done)(void *state, struct grt_world *world, grt_job job);

    /* The job finished, or was aborted and has left the device. The handle is free after this call. */
    void (*job_ended)(void *state, struct grt_world *world, grt_job job);

    /* The job's deadline passed before it finished. Asked for by being present: it costs an event per job. */
    void (*deadline_missed)(void *state, struct grt_world *world, grt_job job);

    /* Timer `timer` reached the instant set by grt_policy_timer. `decide` comes in that instant, too, even where this is NULL. */
    void (*timer)(void *state, struct grt_world *world, uint32_t timer);

    /* A thread of the policy's own has done its work. */
    void (*thread_done)(void *state, struct grt_world *world, grt_thread thread);

    /* Whether job `a` is more urgent than job `b` in this policy's own order. Used only to measure blocking; it must
     * not change while both are alive. NULL: by the tasks' priorities. */
    bool (*outranks)(const void *state, const struct grt_world *world, grt_job a, grt_job b);

    /* All events of the instant have been told: decide. Called at every instant in which anything above was
     * called, in which a job reached a GPU segment or was done with one, or a timer was due, under GRT_HOST_BY_POLICY also one in which a job that has
     * the device was aborted (grt_policy_is_alive); again if the decisions themselves cause events in the same instant; but not at the end of the run. */
    void (*decide)(void *state, struct grt_world *world);

    /* The file of the plug-in that it comes from, as seen from the working directory. Set by gpurt; the policy leaves it NULL. */
    const char *plugin;
};

/* What a policy promises with parameters; NULL: the defaults, where it has any. */
struct grt_promise grt_policy_promise(const struct grt_policy_ops *policy, const void *parameters);

/* ---- What a policy may ask, at any time ---- */

/* The current instant. */
grt_time grt_policy_now(const struct grt_world *world);

/* The scenario (models/task.h), as the policy has adapted it: tasks with their segments, devices, tie rule. A job's task is
 * `tasks[view->task]`, its GPU `gpus[task->gpu]`, its current segment `task->segments[view->segment]`. */
const struct grt_scenario *grt_policy_scenario(const struct grt_world *world);

/* The policy's parameters, parameters_size bytes; valid until the run ends. NULL where it has none. */
const void *grt_policy_parameters(const struct grt_world *world);

/* What `prepare` made; NULL where it has none. */
const void *grt_policy_prepared(const struct grt_world *world);

/* The job's data, kept up to date by the world; valid until job_ended. */
const struct grt_job_view *grt_policy_job(const struct grt_world *world, grt_job job);

/* How long a host part of a job's current GPU segment takes; 0: there is none. It is drawn: a policy that plans by it knows more than a real
 * one would. */
grt_time grt_policy_host_time(const struct grt_world *world, grt_job job, enum grt_host_part part);

/* Whether a job is alive that was not aborted. An aborted one is heard of until the device is rid of it. */
bool grt_policy_is_alive(const struct grt_world *world, grt_job job);

/* How long segment `segment` of task `task` takes, in ns, at least 1, if it has the platform to itself and all that is drawn
 * comes out longest: what laxity and slack are computed from. Takes time linear in the segment's commands.
 *
 * Of a GPU segment: from grt_policy_submit to gpu_done. Copies (E1, E7), launch times (G1), kernels as waves of as many
 * blocks as fit on the SMs that the task may use (R1 to R3, W1, M3), calls (V1 to V3, K1, K2, S1, S2), at full speed, each
 * after the one before. With nothing else on the GPU this is exact for constant times and an upper bound for drawn ones. It is
 * an upper bound, too, for pinned kernels where exits outlast the work (W8, models/demand/pinned.h), and where the process has an active_thread_percentage and the device's last TPC is smaller than the
 * others, because the placement decides whether that is among those used. Not included: waiting for whatever others do, such as contention, turns
 * and switches of contexts, updates of the runlist, a NULL stream, events that other tasks record, the delivery of calls
 * that stand before it in its stream. GRT_TIME_NEVER: a block of it launches kernels (D1) or its launches take tokens (F4), for which there is no closed form,
 * or it takes longer than GRT_TIME_LIMIT.
 *
 * Host parts are included: in front and behind, or beside the commands where they are asynchronous, as if nothing else were on the core.
 *
 * Of a CPU segment: its longest time on its core. (models/demand/demand.c)
 *
 * Test it for GRT_TIME_NEVER, the largest number, before you calculate with it: a deadline minus that would be the most urgent of
 * all. */
grt_time grt_policy_segment_time(const struct grt_world *world, uint32_t task, uint32_t segment);

/* The same for all that is left of a job: the sum over its segments from its current one on, whole even if that has begun; in
 * gpu_done from the next one on. GRT_TIME_NEVER where one of them is, or the sum is above GRT_TIME_LIMIT. Zero of a job that was
 * aborted, and in job_ended of one that finished. */
grt_time grt_policy_time_left(const struct grt_world *world, grt_job job);

/* The steps of a GPU segment (models/step.h), one per command; lives as long as the run. Only for policies that have segments cut. */
const struct grt_step *grt_policy_steps(const struct grt_world *world, uint32_t task, uint32_t segment);

/* Whether the last record of an event that was called has completed, or none was ever called: what a host finds that polls. */
bool grt_policy_event_is_complete(const struct grt_world *world, grt_stream_event event);

/* A piece of what is left of a job's GPU segment: the next `commands` commands whole, then `units` of the command behind them, a kernel. Units
 * are those of its step: waves of blocks, or ns of a kernel that is described by its time. Of a command that is no kernel, or a kernel whose
 * blocks launch kernels, a unit is the whole: {0, 1} is the least piece, whatever comes next. Of a kernel that was begun in an earlier piece,
 * the whole is what is left of it. A kernel that is described by its time and takes longer than declared is cut off there, and ends the piece. More
 * commands than there are mean all; commands = UINT32_MAX is the rest as grt_policy_submit means it, in which nothing is cut off. */
struct grt_piece {
    uint32_t commands;
    int64_t units;
};

/* The largest piece of what is left of a waiting request that takes at most `budget` ns in the worst case; {0, 0} where nothing fits.
 * *takes, unless NULL, becomes what it takes in the worst case. A kernel that has taken longer than its declared worst case is of unknown
 * length: as much of it is taken as fits. It ends before a command that was issued out of its turn. Only for policies that have segments cut. */
struct grt_piece grt_policy_piece_within(struct grt_world *world, grt_job job, grt_time budget,
                                         grt_time *takes);

/* How far a job's current GPU segment has been submitted: the step, which is the number of the command, that comes next, the first that was
 * not wholly submitted, and its units that were. Where a kernel was cut off because it takes longer than declared, these are no less than
 * the step has. Only for policies that have segments cut. */
struct grt_step_cursor grt_policy_progress(struct grt_world *world, grt_job job);

/* Whether all of a command of a job's current GPU segment was submitted. Only for policies that have segments cut. */
bool grt_policy_is_submitted(struct grt_world *world, grt_job job, uint32_t command);

/* What a monitor of the GPU's performance counters finds of all streams of the stream's GPU but that one: GRT_INDICATORS numbers (models/usage.h), the
 * events per second at the speeds of this instant, which are those from its beginning on where it is asked before the instant's decisions
 * have taken effect. Only on GPUs of granularity shares. */
void grt_policy_workload(const struct grt_world *world, grt_stream stream, double *indicators);

/* How much of the current kernel of a stream is done, 0 to 1, and 0 where none is running: what only a simulator knows. To compare estimates
 * with; a policy that decides by it knows more than a real one could. Only on GPUs of granularity shares. */
double grt_policy_completion(const struct grt_world *world, grt_stream stream);

/* ---- What a policy may do in `start` ---- */

/* Zeroed memory that lives as long as the run. */
void *grt_policy_memory(struct grt_world *world, size_t count, size_t size);

/* Where that is, for what else a policy makes that takes memory of an arena, such as a contention model of its own. */
struct grt_arena *grt_policy_arena(struct grt_world *world);

/* An empty ready queue for up to `capacity` jobs, which lives as long as the run: the smallest (key, tie, job) comes first. Use
 * grt_ready_queue_push, _pop, _top, _remove and _is_empty (sim/ready_queue.h). task_count is capacity enough. */
struct grt_ready_queue grt_policy_ready_queue(struct grt_world *world, uint32_t capacity);

/* Makes a process on GPU number `gpu`; `name` is shown in traces and copied. grt_process_of (models/task.h) says what a task's
 * process has; grt_policy_segment_time goes by that. A GPU on which the policy makes none gets one, which is the scenario's
 * process where there is only one. */
grt_gpu_process grt_policy_process(struct grt_world *world, uint32_t gpu, const struct grt_process_spec *spec,
                                   const char *name);

/* The same as the next two functions for the streams of a process. */
grt_stream grt_policy_process_stream(struct grt_world *world, grt_gpu_process process, int64_t priority,
                                     const char *name);
grt_stream grt_policy_process_null_stream(struct grt_world *world, grt_gpu_process process);

/* Makes a stream on GPU number `gpu`. Commands of one stream run one after the other, in the order of the submissions, those of
 * different streams beside each other as far as the device's rules let them. `priority`: 0 is the lowest, -1, -2, ... more urgent, clamped to the device's
 * levels. `name` is shown in traces and copied. */
grt_stream grt_policy_stream(struct grt_world *world, uint32_t gpu, int64_t priority, const char *name);

/* The NULL stream of GPU `gpu`: rules N1 and N2 order it against every stream made by grt_policy_stream. */
grt_stream grt_policy_null_stream(struct grt_world *world, uint32_t gpu);

/* Makes an event on GPU number `gpu`, of which nothing is recorded. For policies with gpu_call_done. */
grt_stream_event grt_policy_event(struct grt_world *world, uint32_t gpu);

/* Says that a stream begins as if a command of that kind, a kernel or a copy, had been executed in it before: on devices with one hardware
 * queue per engine, events stand in the queue of the command before them (Q1). What programs reach by a dummy command. */
void grt_policy_stream_begins(struct grt_world *world, grt_stream stream, enum grt_command_kind kind);

/* How long GPU segment `segment` of task `task` takes on average, in `runs` executions, 1 or more, one after the other with the
 * platform to themselves: a profiling run, in a simulation of its own with draws of its own. From grt_policy_submit to gpu_done, without host parts.
 * GRT_TIME_NEVER: it does not end. */
grt_time grt_policy_average_time(struct grt_world *world, uint32_t task, uint32_t segment, uint32_t runs);

/* Makes a timer; returns its number, 0, 1, ... in the order of the calls. */
uint32_t grt_policy_new_timer(struct grt_world *world);

/* Makes a thread of the policy's own on a core of the platform, or, with core -1, on a core that only it has. `priority`: as tasks'; larger
 * is more urgent. `name` is shown in traces and copied. */
grt_thread grt_policy_thread(struct grt_world *world, int64_t core, int64_t priority, const char *name);

/* Makes a row of the policy's own in the timeline ("server", "slots"), or a label for what happens on such rows
 * ("slot of map"); returns its number. The text is copied. */
uint32_t grt_policy_row(struct grt_world *world, const char *name);
uint32_t grt_policy_label(struct grt_world *world, const char *text);

/* Makes a counter of the policy's own, which is shown with the results; returns its number. The name is a key of JSON as for grt_describe_time, "overruns". The text is copied. */
uint32_t grt_policy_counter(struct grt_world *world, const char *name);

/* No job, where a row's event belongs to none. */
#define GRT_NO_JOB UINT32_MAX

/* ---- What a policy may do in `describe` ---- */

/* Tells a time in ns, a number, or a percentage, which is kept to four digits behind the point. `name` is a constant, and a key of JSON in lower case, of at most 32 letters, digits and "_": "slot_length". `gpu`, `task`: whose it is; GRT_NUMBER_OF_NONE:
 * nobody's. Tell the numbers of one name one after the other. */
void grt_describe_time(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                       grt_time time);
void grt_describe_number(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                         int64_t number);
void grt_describe_percent(struct grt_description *out, const char *name, uint32_t gpu, uint32_t task,
                          double percent);

/* ---- What a policy may do in `decide` ---- */

/* Hands the whole GPU segment of a waiting job to a stream of the job's GPU, command by command, in order: at once, but for
 * what is behind a command that the host waits for (models/world/job_submission.c). */
void grt_policy_submit(struct grt_world *world, grt_job job, grt_stream stream);

/* Hands a piece of a waiting job's GPU segment to a stream, like grt_policy_submit, which then means the rest. When it has completed the
 * policy hears gpu_piece_done, or gpu_done if nothing is left. A kernel's blocks and times are the same whatever the pieces. Only for policies that
 * have segments cut. */
void grt_policy_submit_piece(struct grt_world *world, grt_job job, grt_stream stream, struct grt_piece piece);

/* The same of the commands from number `first_command` on, while earlier pieces may still be with the device: the piece means, in their
 * order, those from there on that have not been submitted; there must be one. So a job's commands may be executed in any order, and in
 * several streams of its GPU: {1, 0} issues the next one. Commands in one stream follow each other; between streams only the policy's
 * events keep an order. Each issue is a thread of the host, which alone waits where a command makes the host wait. A kernel of which
 * a piece is with the device waits for that: its next piece can be issued when it has completed. */
grt_submission grt_policy_issue(struct grt_world *world, grt_job job, uint32_t first_command,
                                struct grt_piece piece, grt_stream stream);

/* Calls of the policy's own in a stream, behind what was submitted to it before; for policies with gpu_call_done. A record marks the event when
 * what stands before it has completed, a wait holds the stream up until the last record called before it has (V1, V2), a query
 * asks for that, and waits only where the device has one hardware queue (V3, Q1c), and a host function takes `time` ns of the driver's
 * thread (K1). In the trace each is a call in its stream with the `label`. `tell`: the policy hears gpu_call_done, 1 ns after it
 * has passed, because nothing that is told takes no time; a host function is always told. Without `tell` it takes none, and the
 * return value is GRT_NO_SUBMISSION. Aborts leave these calls as they are. */
grt_submission grt_policy_record_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                       uint32_t label, bool tell);
grt_submission grt_policy_wait_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                     uint32_t label, bool tell);
grt_submission grt_policy_query_event(struct grt_world *world, grt_stream stream, grt_stream_event event,
                                      uint32_t label, bool tell);
/* A query whether the whole stream has completed (cudaStreamQuery). It waits for nothing; on devices with one hardware queue it is as much in the
 * way as one of an event (Q1b). The host learns what it finds from what is told anyway. */
grt_submission grt_policy_query_stream(struct grt_world *world, grt_stream stream, uint32_t label, bool tell);
grt_submission grt_policy_callback(struct grt_world *world, grt_stream stream, grt_time time, uint32_t label);

/* Sets the share of a stream on a GPU of granularity shares: how many vprocessors, hundredths of its SMs, the kernels of the stream may use, 0 to
 * 100; at 0 they stand still. It counts from the end of the instant; a stream begins with 100. Streams' shares may sum to more than 100: then they
 * are limits, not reservations. Only on such GPUs. */
void grt_policy_set_share(struct grt_world *world, grt_stream stream, int64_t share);

/* Ends a job, as an abort, as soon as `decide` returns: a waiting request is taken back; of a submitted one, what has
 * not begun is dropped, and what the device is executing runs out, since blocks and copies cannot be stopped. The
 * policy hears of it like of any abort, and decides once more in the same instant. Not a job whose segment the same
 * decision finishes. */
void grt_policy_abort(struct grt_world *world, grt_job job);

/* Gives a thread of the policy's own `amount` ns of work, after which thread_done comes, as soon as it has been dispatched even where that is 0;
 * it must have none. `label`: what is shown of it; `job`: whom it is for, or GRT_NO_JOB. */
void grt_policy_run(struct grt_world *world, grt_thread thread, grt_time amount, uint32_t label, grt_job job);

/* Takes the work of a thread away for good; it must have some. Costs that it has not paid (docs/host-model.md) come before its next work. */
void grt_policy_stop(struct grt_world *world, grt_thread thread);

/* The same for now: returns how much of it is left, so that it can be given back later. */
grt_time grt_policy_interrupt(struct grt_world *world, grt_thread thread);

/* Ends the GPU segment of a job whose gpu_done came: its next segment begins, or it is done, as soon as `decide` returns, or `thread_done`, where it
 * may be called, too. A job that is done within the instant of its deadline has met it. Not of a
 * job that the same decision aborts. Under GRT_HOST_BY_POLICY. */
void grt_policy_finish(struct grt_world *world, grt_job job);

/* Gives the thread of a job another priority than its task's, until it is taken back or the job ends. It counts from the end of the instant.
 * Under GRT_HOST_BY_THREAD. */
void grt_policy_boost(struct grt_world *world, grt_job job, int64_t priority);
void grt_policy_unboost(struct grt_world *world, grt_job job);

/* Whether the thread of a job whose request waits will busy-wait while its commands are on the device; if not, it leaves its core meanwhile.
 * It counts until the job ends. Under GRT_HOST_BY_THREAD. */
void grt_policy_spin(struct grt_world *world, grt_job job, bool spins);

/* ---- What a policy may do at any time, in `start` too ---- */

/* Writes to the trace what happened on a row of the policy's own: a slice from `start` until now, or a mark at this
 * instant. `job`: whom it concerns, or GRT_NO_JOB. Nothing happens where no trace is made. */
void grt_policy_trace_slice(struct grt_world *world, uint32_t row, uint32_t label, grt_job job,
                            grt_time start);
void grt_policy_trace_mark(struct grt_world *world, uint32_t row, uint32_t label, grt_job job);

/* Adds one to a counter. */
void grt_policy_count(struct grt_world *world, uint32_t counter);

/* Sets timer `timer` to an instant not before now, replacing an earlier setting; GRT_TIME_NEVER stops it. */
void grt_policy_timer(struct grt_world *world, uint32_t timer, grt_time instant);

#endif
