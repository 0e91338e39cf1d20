/* The inside of a running world, shared by the files of this folder and nobody else. */
#ifndef GRT_MODELS_WORLD_INTERNAL_H
#define GRT_MODELS_WORLD_INTERNAL_H

#include "models/gpu.h"
#include "models/world.h"
#include "models/world/cpu.h"
#include "sim/inlining.h"
#include "sim/loop.h"
#include "sim/memory.h"
#include "sim/random.h"

#define NO_TASK UINT32_MAX
#define NO_SUBMISSION UINT32_MAX

/* A task has one thread and at most one current job: its number in the scenario is also the number of its thread on the
 * cores, the owner of its commands on the GPU, and the handle of its current job. */
enum task_job_state {
    JOB_NONE,      /* the task has no current job */
    JOB_ON_CPU,    /* in a CPU segment: running or ready */
    JOB_REQUESTED, /* in a GPU segment that the policy has not submitted */
    JOB_SUBMITTED, /* its GPU segment is with the device */
    JOB_EXECUTED, /* the same, but its commands have completed: the policy ends the segment (GRT_HOST_BY_POLICY) */
    JOB_FINISHING, /* the policy has said so, in the decision that is being made */
    JOB_DRAINING,  /* aborted, but the device is not rid of it yet */
};

/* A job that was released and waits for the task's earlier jobs, or is current. */
struct pending_job {
    uint64_t number;
    grt_time arrival, release, deadline;
    uint64_t tie;
    bool expired; /* aborted at its deadline before it could start */
};

/* A ring of pending jobs; the first is the current one while the task has one. */
struct job_ring {
    struct pending_job *jobs;
    uint32_t first, count, capacity; /* capacity: a power of two */
};

/* What a predecessor's finished or lost job leaves for a successor. */
struct hand_over {
    grt_time arrival; /* GRT_TIME_NEVER: the job is still going on, while a later one was lost */
    bool lost;
};

/* One item per job, from job number first_job on. */
struct hand_over_ring {
    struct hand_over *items;
    uint32_t first, count, capacity;
    uint64_t first_job;
};

/* One predecessor of one task. */
struct edge {
    uint32_t successor;
    struct hand_over_ring waiting;
};

/* How far a command of the current job's GPU segment has been submitted: see job_piece.c. */
struct command_progress {
    uint32_t taken_by; /* the submission that has it, or NO_SUBMISSION */
    bool whole;        /* all of it was called */
    int64_t unit;      /* of its step: those that were called; 0 where all were */
    int64_t blocks_done;
    grt_time time; /* of each of its blocks, where they take the same; what is left, where it has a time */
    struct grt_random times; /* of its next blocks, where each has its own */
    struct grt_random from;  /* the same as it was before the submitted piece */
};

struct job_pieces {
    uint64_t job; /* whose, and of which segment, the rest is said */
    uint32_t segment;
    uint32_t next; /* the first command that was not called wholly */
    uint32_t left; /* how many were not */
    bool begun;    /* the first of its kernels has */
    struct command_progress *commands;
    const struct grt_step **steps;   /* per GPU segment: one per command */
    struct grt_gpu_kernel **kernels; /* the same: a piece of each kernel */
    int64_t *begin_kinds;            /* per GPU segment: of the command with which its wait ends */
};

/* Commands of one job in one stream that a policy has handed over together, or a call of its own: see job_submission.c. */
struct submission {
    uint32_t job;            /* number of the task; NO_TASK: a call of the policy's own */
    uint32_t stream;         /* handle */
    uint32_t next_call;      /* the command that the host calls next */
    bool open, gone;         /* it is with the device; an abort has left nothing of it there */
    bool uncut;              /* of pieces, as those that follow: no kernel is cut off */
    uint32_t first, end;     /* among these commands are those that it has taken */
    struct grt_piece rest;   /* what the host has still to call */
    uint32_t next, previous; /* of the job's further ones; next: of the free ones, too */
};

/* A submission that may block, and its place in the order of all submissions. */
struct on_gpu {
    uint32_t number, job;
    uint64_t position;
};

/* A task whose request is blocked, and by which submission: the first of those that block it. */
struct blocked {
    uint32_t task, by;
};

/* What the job's thread does for its GPU segment: see job_host.c. */
enum host_phase {
    HOST_NONE,
    HOST_ASKS,   /* it waits for its core to ask */
    HOST_BEFORE, /* the first host part */
    HOST_BESIDE, /* the second, beside the commands */
    HOST_WAITS,  /* for the device, busy-waiting if it spins */
    HOST_AFTER,  /* the second, behind the commands */
};

struct job_host {
    enum host_phase phase;
    bool has_work;       /* its thread has work for the segment */
    bool dispatched;     /* its thread has computed until now, at its own priority */
    bool spins;          /* it busy-waits for the device */
    bool device_done;    /* HOST_BESIDE: the commands have completed */
    grt_time beside_end; /* when the part beside them ended, if that was before they did */
    int64_t priority;    /* that its thread has now */
};

/* A task while the world runs; what every job touches stands first. */
struct task_run {
    const struct grt_task *spec;
    struct grt_job_view view; /* of the current job */
    enum task_job_state state;
    uint32_t stream;       /* of the segment's first submission; GRT_TRACE_NO_ROW before */
    bool begun;            /* the current GPU segment no longer waits */
    bool held;             /* under `at_once`: something of it was submitted later than it asked */
    bool segment_done;     /* the policy hears that it is complete */
    bool watches_deadline; /* deadlines are events */
    bool deadline_waits;   /* its deadline is now, and is handled at the end of the instant */
    bool skip_next;
    bool random_times; /* some segment draws */
    bool records_ends; /* they matter even where no job is late: job_slack.c */
    grt_source release_source, deadline_source;
    uint64_t *draws;      /* of the current job: one per random CPU segment or kernel, in order */
    uint32_t *first_draw; /* per segment: index into draws */
    uint32_t **draw_of;   /* per GPU segment: index into draws of each command, where that draws */
    struct grt_gpu_command **commands; /* per GPU segment: one per command, ready to submit */
    struct job_pieces *pieces;         /* NULL: the policy has segments executed whole */
    struct job_host *host;             /* NULL: its thread has nothing to do with GPU segments */
    struct grt_task_result *result;
    struct job_ring ring;
    uint32_t watched; /* ring offset of the job whose deadline comes next */
    uint64_t next_number;
    grt_time next_arrival;
    size_t next_time; /* index into spec->times */
    struct grt_random arrival_random, jitter_random, time_random, tie_random;
    struct edge **incoming; /* one per predecessor */
    struct edge *outgoing;
    uint32_t incoming_count, outgoing_count;

    uint32_t open_submissions, more_submissions; /* how many; the first with a number behind the tasks' */

    /* Blocking of the current GPU segment: see blocking.c. */
    uint64_t asked_at; /* the length of the order of submissions at the request */
    bool is_blocked;   /* it is in the list of those that are */
    grt_time blocked_for;

    uint32_t *first_host_draw; /* like first_draw, of the host parts */
};

/* Which process of which GPU a policy's handle means. */
struct policy_process {
    uint32_t gpu, number; /* on that GPU */
    const char *name;
};

/* A thread of the policy's own. */
struct policy_thread {
    uint32_t number; /* on the cores */
    int64_t priority;
    const char *name;
    uint32_t own_core; /* that only it has; UINT32_MAX: it is on one of the platform */
    bool has_work;
};

/* Which stream number of which GPU a policy's stream handle means. */
struct policy_stream {
    uint32_t gpu, stream;
    uint32_t process; /* handle */
    const char *name;
};

/* A row or a label that the policy made for the trace. */
struct policy_name {
    enum grt_trace_name_kind kind;
    uint32_t index;
    const char *text;
};

/* An event of a process on a GPU, or of the policy's own. */
struct named_event {
    int64_t process, gpu;
    const char *name; /* NULL: the policy's own */
    uint32_t number;  /* on the GPU */
};

/* What the policy told of itself. */
struct grt_description {
    struct grt_number_result *items;
    uint32_t count, capacity;
    const struct grt_scenario *scenario; /* whose GPUs and tasks they are */
};

struct grt_world {
    struct grt_loop loop;
    struct grt_arena arena;
    const struct grt_scenario *scenario;
    grt_time horizon; /* nothing is released from here on */
    const struct grt_policy_ops *policy;
    void *policy_state;
    void *parameters;     /* of the policy; NULL: it has none */
    const void *prepared; /* the same */
    struct grt_description description, conclusion;
    bool policy_told;               /* something was told since the last decision */
    bool cpu_changed, gpus_changed; /* there is something to decide */
    bool running;                   /* past `start` */
    bool deciding;                  /* in the policy's `decide` */
    bool in_thread_done;            /* in its `thread_done` */
    bool cuts;                      /* tasks have `pieces` */
    bool numbers_differ;            /* not every submission has the number of its task */
    bool at_once;                   /* the policy promises to submit segments as they ask */
    struct grt_trace *trace;
    bool ends_unheard; /* see struct grt_world_options */
    struct task_run *tasks;
    struct grt_cpu *cpu;
    struct grt_gpu **gpus;
    struct grt_memory_bus *buses; /* of the GPUs' memories */
    struct elsewhere *elsewhere;  /* NULL: the GPUs are simulated */

    struct policy_process *processes;
    uint32_t process_count, process_capacity;
    struct policy_stream *streams;
    uint32_t stream_count, stream_capacity;
    struct policy_name *names;
    uint32_t name_count, name_capacity, row_count, label_count;
    struct named_event *events;
    uint32_t event_count, event_capacity;
    struct grt_counter_result *counters;
    uint32_t counter_count, counter_capacity;
    /* tasks whose job's deadline is now, and which may still end now (job_settle_deadlines) */
    uint32_t *ending;
    uint32_t ending_count;
    bool settles;     /* it is known that they do not */
    uint32_t *aborts; /* jobs that the policy's decision aborts */
    uint32_t abort_count;
    uint32_t *finishes; /* jobs whose GPU segments the policy's decision ends */
    uint32_t finish_count;
    struct policy_thread *threads;
    uint32_t thread_count, thread_capacity;
    grt_source *timers;
    uint32_t timer_count, timer_capacity;
    grt_time again_at;    /* when the policy last had itself called again in the same instant, */
    uint32_t again_count; /* and how often by then */

    /* repeat.c */
    grt_source repeat_source;
    grt_time repeat_period;
    uint64_t repeat_count; /* of comparisons so far */
    uint64_t repeat_state; /* what to compare with */

    /* blocking.c */
    struct on_gpu *on_gpu; /* submissions of jobs */
    struct blocked *blocked;
    uint32_t on_gpu_count, on_gpu_capacity, blocked_count;
    uint64_t submission_positions; /* given until now */

    /* job_submission.c */
    struct submission *submissions;
    uint32_t submission_count, submission_capacity, free_submission;

    /* jobs that wait: world_grow_backlog */
    uint64_t most_waiting, waiting_room; /* of all rings of jobs and hand-overs, beyond FREE_WAITING each */
    bool is_over;                        /* the run */

    struct grt_result result;
    struct grt_task_result *task_results;
    struct grt_stats_log stats_log; /* of the tasks' results, in which it counts once the run has ended */
};

enum { FREE_WAITING = 4 }; /* every ring may have room for so many */

static inline uint32_t world_backlog_of(uint32_t capacity) {
    return capacity > FREE_WAITING ? capacity - FREE_WAITING : 0;
}

/* A ring that is full is about to grow. Ends the run if there is more room then than it may have: at this instant, with what has been counted. */
static inline void world_grow_backlog(struct grt_world *world, uint32_t from, uint32_t to) {
    world->waiting_room += world_backlog_of(to) - world_backlog_of(from);
    if (world->waiting_room > world->most_waiting) {
        world->result.stopped_by_backlog = true;
        grt_loop_stop(&world->loop);
    }
}

/* check.c: adds an error for what does not fit together; true if there is none. */
bool world_check(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                 struct grt_errors *errors);

/* Whether a run to the horizon has at most GRT_MAX_JOBS; after world_check. (check.c) */
bool world_check_jobs(const struct grt_scenario *scenario, struct grt_errors *errors);
/* share_check.c: the same of GPUs of granularity shares. */
bool world_check_shares(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                        struct grt_errors *errors);
bool world_check_processes(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                           struct grt_errors *errors);

/* build.c: makes everything in a world that has its scenario, its policy and its loop. False after adding errors; what
 * has been made is freed with the world. */
bool world_build(struct grt_world *world, const struct grt_world_options *options, struct grt_errors *errors);

/* prepare.c: makes the commands of a GPU segment; adds an error for each kernel that can never run. */
void prepare_segment(struct grt_world *world, struct task_run *task, size_t index,
                     const struct grt_path *path, struct grt_errors *errors);

/* arrival.c: when jobs come. */
void arrival_start(struct grt_world *world, uint32_t task);
void arrival_happened(void *world, uint32_t task, grt_time now);
void arrival_hand_over(struct grt_world *world, uint32_t task, uint64_t job, grt_time arrival, bool lost);

/* The pending job at an offset from the first. */
static inline struct pending_job *job_ring_at(const struct job_ring *ring, uint32_t offset) {
    return &ring->jobs[(ring->first + offset) & (ring->capacity - 1)];
}

/* job.c: a job's way through its segments. */
void job_release(struct grt_world *world, uint32_t task, grt_time arrival);
void job_skip(struct grt_world *world, uint32_t task, grt_time arrival);
void job_thread_completed(void *world, uint32_t thread, grt_time now);
void job_request(struct grt_world *world, uint32_t task);
void job_segment_ended(struct grt_world *world, uint32_t task, bool aborted);
void job_finish_segment(struct grt_world *world, uint32_t task);
void job_gpu_begun(struct grt_world *world, uint32_t task);
void job_gpu_completed(struct grt_world *world, uint32_t task);
void job_end_wait(struct grt_world *world, uint32_t task);
/* Remembers whether something of the segment, which a policy promised to submit at once, waits later than that. */
void job_note_held(struct grt_world *world, uint32_t task);
void job_trace_segment(struct grt_world *world, uint32_t task, uint8_t flags);
void job_next(struct grt_world *world, uint32_t task);

/* job_slack.c: how late jobs are, and how far apart they end. A job has finished and was counted; the run has ended. */
bool job_slack_records_ends(const struct grt_task *spec);
void job_slack_finished(struct grt_world *world, uint32_t task, bool late);
void job_slack_sum(struct grt_world *world, uint32_t task);

/* job_submission.c: what is with the device. The device's listener hears of submissions. */
void submissions_create(struct grt_world *world);
void job_submit(struct grt_world *world, uint32_t task, uint32_t stream);
void job_make_calls(struct grt_world *world, uint32_t task);
uint32_t job_issue(struct grt_world *world, uint32_t task, uint32_t first, struct grt_piece piece,
                   uint32_t stream);
void submission_begun(void *world, uint32_t submission, grt_time now);
void submission_completed(void *world, uint32_t submission, grt_time now);
void submission_returned(void *world, uint32_t submission, grt_time now);
uint32_t submission_further(struct grt_world *world); /* a number that is no task's, for submission_free */
void submission_free(struct grt_world *world, uint32_t submission);
/* Takes back what has not begun of all submissions of a job; true if some are gone then, for submissions_leave to forget, which
 * returns true if none are left. */
bool submissions_cancel(struct grt_world *world, uint32_t task);
bool submissions_leave(struct grt_world *world, uint32_t task);
uint64_t submissions_state(const struct grt_world *world, uint32_t task, uint64_t hash);

/* policy_state.c: the policy's state. After its `start`, and at the end of the run, it must not have written behind it. */
void policy_state_create(struct grt_world *world);
void policy_state_started(struct grt_world *world);
void policy_state_ended(const struct grt_world *world);

/* policy_calls.c: the policy's own calls, and the events of all. */
void job_prepare_call(struct grt_world *world, const struct task_run *task,
                      const struct grt_command_spec *spec, struct grt_gpu_command *command);
void policy_calls_create(struct grt_world *world);
void policy_call_completed(struct grt_world *world, uint32_t submission);

/* job_host.c: what the job's thread does for GPU segments, of tasks with `host`. */
void job_host_create(struct grt_world *world, struct task_run *task);
bool job_needs_thread(const struct grt_policy_ops *policy, const struct grt_task *task);
int64_t job_priority(const struct task_run *task);
grt_time job_host_time(const struct task_run *task, enum grt_host_part part);
bool job_host_asks(struct grt_world *world, uint32_t task);
bool job_host_submitted(struct grt_world *world, uint32_t task);
bool job_host_device_done(struct grt_world *world, uint32_t task);
void job_host_thread_done(struct grt_world *world, uint32_t task);
void job_host_withdraw(struct grt_world *world, uint32_t task);
void job_set_priority(struct grt_world *world, uint32_t task, int64_t priority);
void job_host_job_ended(struct grt_world *world, uint32_t task);

/* job_piece.c: GPU segments that are executed in pieces, of tasks with `pieces`. */
void job_pieces_create(struct grt_world *world, struct task_run *task);
struct grt_piece job_piece_within(struct grt_world *world, uint32_t task, grt_time budget, grt_time *takes);
struct grt_step_cursor job_piece_progress(struct grt_world *world, uint32_t task);
bool job_piece_rest_waits(struct task_run *task); /* something of the segment was not handed over */
bool job_piece_is_whole(struct grt_world *world, uint32_t task, uint32_t command);
void job_piece_take(struct grt_world *world, uint32_t submission, struct grt_piece piece);
void job_piece_give_back(struct grt_world *world, uint32_t submission);
void job_piece_calls(struct grt_world *world, uint32_t submission);
uint64_t job_piece_state(const struct task_run *task, uint64_t hash);

/* job_abort.c: how jobs end before their end. */
bool job_is_alive(const struct grt_world *world, uint32_t task);
void job_abort(struct grt_world *world, uint32_t task);
void job_deadline_passed(void *world, uint32_t task, grt_time now);

/* At the end of an instant: the deadlines of jobs that could still have ended at it. */
void job_settle_deadlines(struct grt_world *world);
void job_finish_run(struct grt_world *world, uint32_t task);

/* blocking.c: who waits because a less urgent segment is on the GPU. */
void blocking_requested(struct grt_world *world, uint32_t task);
void blocking_submitted(struct grt_world *world, uint32_t task, uint32_t submission);
void blocking_ended(struct grt_world *world, uint32_t task);
void blocking_left(struct grt_world *world, uint32_t submission);

/* repeat.c: horizon "auto". */
bool repeat_possible(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                     struct grt_errors *errors);
grt_time repeat_horizon(const struct grt_scenario *scenario);
void repeat_start(struct grt_world *world);

/* world.c: ends the GPU segments that the policy has said are over. */
void world_finish_segments(struct grt_world *world);

/* policy.c: whether the decision that is being made aborts the job. */
bool world_is_to_abort(const struct grt_world *world, grt_job job);
/* policy.c: the first process of a GPU, made if there is none. */
uint32_t world_default_process(struct grt_world *world, uint32_t gpu);
/* policy.c: counts how often the policy has had itself called again in the same instant, and ends the program where it does so without end. */
void policy_within_instant(struct grt_world *world);
/* policy_host.c: a thread of the policy's has done its work. */
void policy_thread_completed(struct grt_world *world, uint32_t thread);

/* names.c: what the trace's numbers are called. */
void world_trace_names(struct grt_world *world);

static inline void world_trace(struct grt_world *world, uint32_t task, enum grt_trace_kind kind,
                               uint8_t flags, grt_time other, uint32_t row, uint32_t detail, uint64_t job) {
    if (world->trace != NULL) {
        grt_trace_add(world->trace, (struct grt_trace_record){.time = world->loop.now,
                                                              .other = other,
                                                              .job = (uint32_t)job,
                                                              .detail = detail,
                                                              .row = row,
                                                              .task = (uint16_t)task,
                                                              .kind = (uint8_t)kind,
                                                              .flags = flags});
    }
}

/* elsewhere.c: where commands are executed by somebody else. */
void elsewhere_create(struct grt_world *world, const struct grt_elsewhere *executor);
void elsewhere_run(struct grt_world *world, grt_time until);
void elsewhere_free(struct grt_world *world);

/* ---- describe.c ---- */

/* Asks the policy for its numbers. */
void world_describe(struct grt_world *world);
void world_conclude(struct grt_world *world);

#endif
