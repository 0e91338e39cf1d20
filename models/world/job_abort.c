/* How jobs end before their end: aborts, what is done at missed deadlines, and the end of the run. */
#include "models/world/internal.h"
#include "sim/check.h"

/* Whether the task has a current job that has not been aborted. */
bool job_is_alive(const struct grt_world *world, uint32_t number) {
    enum task_job_state state = world->tasks[number].state;
    return state != JOB_NONE && state != JOB_DRAINING;
}

static void count_abort(struct grt_world *world, uint32_t number, const struct pending_job *job) {
    struct grt_task_result *result = world->tasks[number].result;
    result->aborted++;
    result->missed += job->deadline != GRT_TIME_NEVER;
    world_trace(world, number, GRT_TRACE_ABORT, 0, job->arrival, 0, 0, job->number);
}

/* Takes the current job out of wherever it is; true if something of it is gone then: all, or some of its submissions. */
static bool withdraw(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    switch (task->state) {
    case JOB_ON_CPU:
        grt_cpu_abort(world->cpu, number);
        if (task->host != NULL) {
            task->host->has_work = false;
            task->host->phase = HOST_NONE;
        }
        return true;
    case JOB_REQUESTED:
    case JOB_EXECUTED:
        job_end_wait(world, number);
        job_trace_segment(world, number, GRT_TRACE_ABORTED);
        world->policy_told = true;
        if (world->policy->gpu_withdrawn != NULL) {
            world->policy->gpu_withdrawn(world->policy_state, world, number);
        }
        return true;
    case JOB_SUBMITTED:
        job_note_held(world, number);
        task->state = JOB_DRAINING;
        job_end_wait(world, number);
        if (task->host != NULL) {
            job_host_withdraw(world, number);
            world->policy_told |= world->policy->host == GRT_HOST_BY_POLICY; /* its threads may work for it */
        }
        return submissions_cancel(world, number);
    default:
        GRT_REQUIRE(false, "a policy aborts only jobs that are alive");
        return false;
    }
}

void job_abort(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    struct pending_job job = *job_ring_at(&task->ring, 0);
    count_abort(world, number, &job);
    bool gone = withdraw(world, number);
    arrival_hand_over(world, number, job.number, job.arrival, true);
    if (task->state == JOB_DRAINING) {
        if (gone && submissions_leave(world, number)) {
            job_gpu_completed(world, number);
        }
        return;
    }
    if (world->policy->job_ended != NULL) {
        world->policy_told = true;
        world->policy->job_ended(world->policy_state, world, number);
    }
    job_next(world, number);
}

static void missed(struct grt_world *world, uint32_t number, struct pending_job *job, bool current) {
    struct task_run *task = &world->tasks[number];
    world_trace(world, number, GRT_TRACE_MISS, 0, job->deadline, 0, 0, job->number);
    if (current && world->policy->deadline_missed != NULL) {
        world->policy_told = true;
        world->policy->deadline_missed(world->policy_state, world, number);
    }
    switch (task->spec->on_miss) {
    case GRT_MISS_ABORT:
        if (current) {
            job_abort(world, number);
        } else {
            job->expired = true;
            count_abort(world, number, job);
            arrival_hand_over(world, number, job->number, job->arrival, true);
        }
        break;
    case GRT_MISS_SKIP_NEXT:
        task->skip_next = true;
        break;
    case GRT_MISS_STOP:
        world->result.stopped_by_miss = true;
        grt_loop_stop(&world->loop);
        break;
    default:
        break;
    }
}

/* Whether a job has executed everything, and ends as soon as its thread has its core for no time, or as soon as the policy says so: which may be later in
 * this instant, and then it has met a deadline that is now. */
static bool is_ending(const struct grt_world *world, uint32_t number) {
    const struct task_run *task = &world->tasks[number];
    const struct grt_segment *segment = &task->spec->segments[task->view.segment];
    if (task->host == NULL || task->view.segment + 1 < task->spec->segment_count) {
        return false;
    }
    if (task->state != JOB_SUBMITTED || task->host->phase != HOST_AFTER) {
        return task->state == JOB_EXECUTED;
    }
    bool part = segment->host_mode == GRT_HOST_SYNCHRONOUS && job_host_time(task, GRT_HOST_AFTER) > 0;
    return !part && grt_cpu_owes_nothing(world->cpu, number);
}

/* Jobs behind that one whose deadline is now as well have not begun, and are not to begin in this instant. */
static void put_off(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->deadline_waits = true;
    world->ending[world->ending_count++] = number;
    for (uint32_t i = 1; task->spec->on_miss == GRT_MISS_ABORT && i < task->ring.count; i++) {
        struct pending_job *job = job_ring_at(&task->ring, i);
        if (!job->expired && job->deadline <= world->loop.now) {
            missed(world, number, job, false);
        }
    }
}

/* The deadline of the watched job, unless it has finished meanwhile: then the event was left standing, and the next
 * job's deadline takes its place. */
void job_deadline_passed(void *owner, uint32_t number, grt_time now) {
    struct grt_world *world = owner;
    struct task_run *task = &world->tasks[number];
    while (task->watched < task->ring.count && job_ring_at(&task->ring, task->watched)->deadline <= now) {
        struct pending_job *job = job_ring_at(&task->ring, task->watched);
        bool current = task->watched == 0;
        if (current && !world->settles && is_ending(world, number)) {
            put_off(world, number);
            return;
        }
        task->watched++;
        if (!job->expired && !(current && task->state == JOB_DRAINING)) {
            missed(world, number, job, current);
        }
    }
    if (task->watched < task->ring.count &&
        job_ring_at(&task->ring, task->watched)->deadline != GRT_TIME_NEVER) {
        grt_loop_schedule(&world->loop, task->deadline_source,
                          job_ring_at(&task->ring, task->watched)->deadline);
    }
}

void job_settle_deadlines(struct grt_world *world) {
    world->settles = true;
    for (uint32_t i = 0; i < world->ending_count; i++) {
        world->tasks[world->ending[i]].deadline_waits = false;
        job_deadline_passed(world, world->ending[i], world->loop.now);
    }
    world->settles = false;
    world->ending_count = 0;
}

/* At the end of the run: jobs that are still alive. */
void job_finish_run(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (task->state >= JOB_REQUESTED) {
        job_end_wait(world, number);
        job_trace_segment(world, number,
                          task->state == JOB_DRAINING ? GRT_TRACE_OPEN | GRT_TRACE_ABORTED : GRT_TRACE_OPEN);
    }
    for (uint32_t i = 0; i < task->ring.count; i++) {
        const struct pending_job *job = job_ring_at(&task->ring, i);
        if (job->expired || (i == 0 && task->state == JOB_DRAINING)) {
            continue;
        }
        bool late = job->deadline <= world->loop.now;
        task->result->unfinished++;
        task->result->missed += late;
        world_trace(world, number, GRT_TRACE_UNFINISHED,
                    late ? GRT_TRACE_LATE | GRT_TRACE_OPEN : GRT_TRACE_OPEN, job->arrival, 0, 0, job->number);
    }
}
