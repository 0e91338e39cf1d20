/* Submissions: what a policy has handed to a stream and what is not complete. A submission is commands of one job's GPU segment, all to
 * one stream, in their order: the whole segment, a piece of it, or a single command; a job has as many at a time as its policy
 * likes. The device knows commands by the number of their submission. A stream executes in order, so that a submission is
 * complete when the last command that was called of it is, and an abort cuts short one command of it at most.
 *
 * The host makes the calls of a submission one after the other, all at one instant, but for those that it waits for: what follows
 * those is called when they have completed (rules E7, S1, S2). A command's place among those of all streams is the time of its
 * call. Submissions do not wait for each other: each is a thread of the host.
 *
 * The first open submission of a job has the number of its task, which costs nothing to find; the others have numbers behind
 * those of all tasks, as have the calls of the policy's own (models/world/policy_calls.c). */
#include "models/world/internal.h"
#include "sim/check.h"
#include "sim/hash.h"

/* ---- numbers ---- */

void submissions_create(struct grt_world *world) {
    uint32_t count = (uint32_t)world->scenario->task_count;
    world->free_submission = NO_SUBMISSION;
    world->submission_count = count;
    world->submissions =
        grt_array_grow(world->submissions, &world->submission_capacity, count, sizeof *world->submissions);
    world->on_gpu = grt_array_grow(world->on_gpu, &world->on_gpu_capacity, count, sizeof *world->on_gpu);
    for (uint32_t i = 0; i < count; i++) {
        world->submissions[i] = (struct submission){.job = i, .next = NO_SUBMISSION};
        world->tasks[i].more_submissions = NO_SUBMISSION;
    }
}

/* A number behind those of the tasks. */
GRT_RARE uint32_t submission_further(struct grt_world *world) {
    uint32_t number = world->free_submission;
    if (number != NO_SUBMISSION) {
        world->free_submission = world->submissions[number].next;
        return number;
    }
    number = world->submission_count++;
    world->submissions = grt_array_grow(world->submissions, &world->submission_capacity,
                                        world->submission_count, sizeof *world->submissions);
    world->on_gpu = grt_array_grow(world->on_gpu, &world->on_gpu_capacity, world->submission_count,
                                   sizeof *world->on_gpu);
    return number;
}

void submission_free(struct grt_world *world, uint32_t number) {
    world->submissions[number].next = world->free_submission;
    world->free_submission = number;
}

static GRT_RARE uint32_t open_further(struct grt_world *world, uint32_t job) {
    uint32_t number = submission_further(world), first = world->tasks[job].more_submissions;
    struct submission *submission = &world->submissions[number];
    submission->job = job;
    submission->previous = NO_SUBMISSION;
    submission->next = first;
    if (first != NO_SUBMISSION) {
        world->submissions[first].previous = number;
    }
    world->tasks[job].more_submissions = number;
    return number;
}

static GRT_RARE void close_further(struct grt_world *world, uint32_t number) {
    const struct submission *submission = &world->submissions[number];
    if (submission->next != NO_SUBMISSION) {
        world->submissions[submission->next].previous = submission->previous;
    }
    if (submission->previous != NO_SUBMISSION) {
        world->submissions[submission->previous].next = submission->next;
    } else {
        world->tasks[submission->job].more_submissions = submission->next;
    }
    submission_free(world, number);
}

static uint32_t open(struct grt_world *world, uint32_t job, uint32_t stream) {
    uint32_t number = world->submissions[job].open ? open_further(world, job) : job;
    struct submission *submission = &world->submissions[number];
    submission->stream = stream;
    submission->open = true;
    submission->gone = false;
    world->tasks[job].open_submissions++;
    return number;
}

/* Nothing of a submission is on the device any longer. */
static void leave(struct grt_world *world, uint32_t number) {
    struct submission *submission = &world->submissions[number];
    blocking_left(world, number);
    submission->open = false;
    world->tasks[submission->job].open_submissions--;
    if (number != submission->job) {
        close_further(world, number);
    }
}

/* ---- the host's calls ---- */

/* Of a whole segment, from command `call` on: its commands are ready, with the task's number. */
static inline void call_whole(struct grt_world *world, uint32_t job, uint32_t call) {
    const struct task_run *task = &world->tasks[job];
    const struct grt_gpu_command *commands = task->commands[task->view.segment];
    size_t count = task->spec->segments[task->view.segment].command_count;
    struct grt_gpu *gpu = world->gpus[task->spec->gpu];
    uint32_t stream = world->streams[task->stream].stream;
    bool waits = false;
    while (!waits && call < count) {
        const struct grt_gpu_command *command = &commands[call];
        uint64_t key = command->random ? task->draws[task->draw_of[task->view.segment][call]] : 0;
        grt_gpu_submit(gpu, stream, command, (uint32_t)task->view.number, key);
        waits = command->waits;
        call++;
    }
    world->submissions[job].next_call = call;
}

void job_make_calls(struct grt_world *world, uint32_t job) {
    call_whole(world, job, world->submissions[job].next_call);
}

static void require_stream(const struct grt_world *world, const struct task_run *task, uint32_t stream) {
    GRT_REQUIRE(stream < world->stream_count && world->streams[stream].gpu == (uint32_t)task->spec->gpu,
                "a policy submits a job to a stream of the job's own GPU");
}

/* Where segments are not cut a job has one submission at most, of a whole segment, and its state says whether that is open. */
void job_submit(struct grt_world *world, uint32_t job, uint32_t stream) {
    struct task_run *task = &world->tasks[job];
    GRT_REQUIRE(job < world->scenario->task_count && task->state == JOB_REQUESTED,
                "a policy submits a job between its gpu_request and its gpu_withdrawn, once");
    if (world->cuts) {
        job_issue(world, job, 0, (struct grt_piece){.commands = UINT32_MAX}, stream);
        return;
    }
    require_stream(world, task, stream);
    task->state = JOB_SUBMITTED;
    task->stream = stream;
    task->held = world->at_once && world->loop.now > task->view.requested;
    blocking_submitted(world, job, job);
    world->submissions[job].next_call = 0;
    if (task->host == NULL || !job_host_submitted(world, job)) {
        call_whole(world, job, 0);
    }
}

/* Hands over a piece of what has not been handed over of the commands from `first` on. */
uint32_t job_issue(struct grt_world *world, uint32_t job, uint32_t first, struct grt_piece piece,
                   uint32_t stream) {
    struct task_run *task = &world->tasks[job];
    GRT_REQUIRE(piece.units >= 0 && (piece.commands > 0 || piece.units > 0),
                "a policy submits pieces that are not empty");
    require_stream(world, task, stream);
    uint32_t number = open(world, job, stream);
    world->submissions[number].next_call = first;
    job_piece_take(world, number, piece);
    task->state = JOB_SUBMITTED;
    task->stream = task->stream == GRT_TRACE_NO_ROW ? stream : task->stream;
    task->held |= world->at_once && world->loop.now > task->view.requested;
    blocking_submitted(world, job, number);
    job_piece_calls(world, number);
    return number;
}

/* ---- what the device tells ---- */

/* Where no submission has another number than its task there is nothing to look up. */
static GRT_APART void numbered_begun(struct grt_world *world, uint32_t number) {
    uint32_t job = world->submissions[number].job;
    if (!world->cuts || !world->tasks[job].pieces->begun) { /* whichever of its kernels begins first */
        if (world->cuts) {
            world->tasks[job].pieces->begun = true;
        }
        job_gpu_begun(world, job);
    }
}

void submission_begun(void *owner, uint32_t number, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    if (world->numbers_differ) {
        numbered_begun(world, number);
    } else {
        job_gpu_begun(world, number);
    }
}

/* The host waits no longer for the last command that it called. */
void submission_returned(void *owner, uint32_t number, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    if (world->cuts) {
        job_piece_calls(world, number);
    } else {
        job_make_calls(world, number);
    }
}

/* A submission of a job whose segments are cut has completed; true if that was all of the segment. */
static GRT_APART bool piece_completed(struct grt_world *world, uint32_t job, uint32_t number) {
    struct task_run *task = &world->tasks[job];
    const struct grt_policy_ops *policy = world->policy;
    job_piece_give_back(world, number);
    leave(world, number);
    if (task->state == JOB_DRAINING) {
        return task->open_submissions == 0;
    }
    bool complete = task->open_submissions == 0 && task->pieces->left == 0;
    bool waits = task->open_submissions == 0 && !complete;
    task->state = waits ? JOB_REQUESTED : task->state;
    world->policy_told = true;
    if (policy->gpu_submission_done != NULL) {
        policy->gpu_submission_done(world->policy_state, world, job, number);
    }
    if (waits && policy->gpu_piece_done != NULL) {
        policy->gpu_piece_done(world->policy_state, world, job);
    }
    return complete;
}

static GRT_APART void numbered_completed(struct grt_world *world, uint32_t number) {
    uint32_t job = world->submissions[number].job;
    if (job == NO_TASK) {
        policy_call_completed(world, number);
        return;
    }
    if (world->cuts) {
        job_end_wait(world, job);
        if (!piece_completed(world, job, number)) {
            return;
        }
    }
    job_gpu_completed(world, job);
}

void submission_completed(void *owner, uint32_t number, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    if (world->numbers_differ) {
        numbered_completed(world, number);
    } else {
        job_gpu_completed(world, number);
    }
}

/* ---- aborts ---- */

static bool cancel(struct grt_world *world, uint32_t number) {
    struct submission *submission = &world->submissions[number];
    const struct task_run *task = &world->tasks[submission->job];
    const struct policy_stream *stream = &world->streams[world->cuts ? submission->stream : task->stream];
    submission->gone = grt_gpu_cancel(world->gpus[stream->gpu], stream->stream, number);
    return submission->gone;
}

bool submissions_cancel(struct grt_world *world, uint32_t job) {
    bool any = (!world->cuts || world->submissions[job].open) && cancel(world, job);
    for (uint32_t i = world->tasks[job].more_submissions; i != NO_SUBMISSION;
         i = world->submissions[i].next) {
        any |= cancel(world, i);
    }
    return any;
}

bool submissions_leave(struct grt_world *world, uint32_t job) {
    if (!world->cuts) {
        return world->submissions[job].gone;
    }
    if (world->submissions[job].open && world->submissions[job].gone) {
        leave(world, job);
    }
    uint32_t next;
    for (uint32_t i = world->tasks[job].more_submissions; i != NO_SUBMISSION; i = next) {
        next = world->submissions[i].next;
        if (world->submissions[i].gone) {
            leave(world, i);
        }
    }
    return world->tasks[job].open_submissions == 0;
}

/* ---- the state ---- */

static uint64_t state_of(const struct submission *submission) {
    uint64_t hash = grt_hash_add(submission->next_call, submission->stream);
    hash = grt_hash_add(hash, submission->rest.commands);
    return grt_hash_add(hash, (uint64_t)submission->rest.units << 1 | submission->uncut);
}

/* Numbers are given by chance, so the hashes are added up. */
uint64_t submissions_state(const struct grt_world *world, uint32_t job, uint64_t hash) {
    const struct task_run *task = &world->tasks[job];
    bool open = world->cuts ? world->submissions[job].open : task->state >= JOB_SUBMITTED;
    uint64_t sum = open ? state_of(&world->submissions[job]) : 0;
    for (uint32_t i = task->more_submissions; i != NO_SUBMISSION; i = world->submissions[i].next) {
        sum += state_of(&world->submissions[i]);
    }
    hash = grt_hash_add(hash, sum);
    return task->pieces != NULL ? job_piece_state(task, hash) : hash;
}
