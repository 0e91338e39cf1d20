/* What cores do for GPU segments: the host parts of a segment, executed by the job's own thread or by threads of the policy; busy-waiting;
 * priorities that a policy raises; and when a job may ask at all (enum grt_host_by, models/policy.h).
 *
 *     asks --> [policy submits] --> before --> commands on the device --> after --> the segment has ended     synchronous
 *                                          \-> after beside them ------/                                      asynchronous
 *
 * Only tasks that need one of these have a struct job_host; all others pay a test for NULL. */
#include "models/world/internal.h"
#include "sim/check.h"

void job_host_create(struct grt_world *world, struct task_run *task) {
    bool parts = false;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        parts |= grt_segment_has_host_parts(&task->spec->segments[i]);
    }
    if (parts || (world->policy->host != GRT_HOST_BY_JOB && grt_task_uses_gpu(task->spec))) {
        task->host = grt_arena_array(&world->arena, 1, sizeof *task->host);
        task->host->priority = task->spec->priority;
    }
}

bool job_needs_thread(const struct grt_policy_ops *policy, const struct grt_task *task) {
    return grt_task_uses_cpu(task) || (policy->host != GRT_HOST_BY_JOB && grt_task_uses_gpu(task));
}

/* ---- the job's thread ---- */

static const struct grt_segment *segment_of(const struct task_run *task) {
    return &task->spec->segments[task->view.segment];
}

int64_t job_priority(const struct task_run *task) {
    return task->host != NULL ? task->host->priority : task->spec->priority;
}

static void start_thread(struct grt_world *world, uint32_t number, enum host_phase phase, grt_time amount,
                         uint8_t flags) {
    struct task_run *task = &world->tasks[number];
    struct grt_cpu_work work = {
        .amount = amount,
        .priority = task->host->priority,
        .tie = task->view.tie,
        .task = (uint16_t)number,
        .job = (uint32_t)task->view.number,
        .detail = task->view.segment,
        .kind = GRT_TRACE_CPU,
        .flags = flags,
    };
    task->host->phase = phase;
    task->host->has_work = true;
    grt_cpu_start(world->cpu, number, &work);
}

/* It busy-waits no longer. */
static void stop_thread(struct grt_world *world, uint32_t number) {
    struct job_host *host = world->tasks[number].host;
    if (host->has_work) {
        host->has_work = false;
        grt_cpu_stop(world->cpu, number, 0);
    }
}

grt_time job_host_time(const struct task_run *task, enum grt_host_part part) {
    const struct grt_distribution *time = &segment_of(task)->host_part[part];
    return grt_distribution_is_constant(time)
               ? time->max
               : (grt_time)task->draws[task->first_host_draw[task->view.segment] +
                                       (part == GRT_HOST_AFTER &&
                                        !grt_distribution_is_constant(&segment_of(task)->host_part[0]))];
}

/* ---- asking ---- */

/* A job has reached a GPU segment. Its thread asks for it while it is dispatched at its own priority: at once where it has just computed,
 * else as soon as it is its turn. */
bool job_host_asks(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (world->policy->host == GRT_HOST_BY_JOB || task->host->dispatched) {
        return true;
    }
    task->state = JOB_ON_CPU;
    task->view.requested = GRT_TIME_NEVER;
    start_thread(world, number, HOST_ASKS, 0, 0);
    return false;
}

/* ---- executing ---- */

/* The thread waits for the device. */
static void wait_for_device(struct grt_world *world, uint32_t number) {
    struct job_host *host = world->tasks[number].host;
    host->phase = HOST_WAITS;
    if (host->spins) {
        start_thread(world, number, HOST_WAITS, GRT_TIME_NEVER, GRT_TRACE_SPIN);
    }
}

/* The commands are called now. */
static void call_commands(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    grt_time after = job_host_time(task, GRT_HOST_AFTER);
    task->host->device_done = false;
    task->host->beside_end = -1;
    job_make_calls(world, number);
    if (segment_of(task)->host_mode == GRT_HOST_ASYNCHRONOUS && after > 0) {
        start_thread(world, number, HOST_BESIDE, after, 0);
    } else {
        wait_for_device(world, number);
    }
}

/* The policy has submitted the segment; true if its commands are called later, by job_make_calls. */
bool job_host_submitted(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (world->policy->host == GRT_HOST_BY_POLICY) {
        return false;
    }
    grt_time before = job_host_time(task, GRT_HOST_BEFORE);
    if (world->policy->host == GRT_HOST_BY_THREAD || before > 0) {
        start_thread(world, number, HOST_BEFORE, before, 0);
    } else {
        call_commands(world, number);
    }
    return true;
}

/* The commands have completed; true if the segment has not ended with them. */
bool job_host_device_done(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (task->host->phase == HOST_BESIDE) {
        task->host->device_done = true;
        return true;
    }
    bool beside = segment_of(task)->host_mode == GRT_HOST_ASYNCHRONOUS;
    grt_time after = beside ? 0 : job_host_time(task, GRT_HOST_AFTER);
    bool notices = world->policy->host == GRT_HOST_BY_JOB ||
                   task->host->beside_end == world->loop.now || /* it had its core until now */
                   (task->host->has_work && grt_cpu_is_running(world->cpu, number)); /* it busy-waits */
    stop_thread(world, number);
    task->host->phase = HOST_NONE;
    if (!notices || after > 0) {
        start_thread(world, number, HOST_AFTER, after, 0);
        return true;
    }
    return false;
}

/* The thread has done what it did for a GPU segment. */
void job_host_thread_done(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    enum host_phase phase = task->host->phase;
    task->host->has_work = false;
    task->host->phase = HOST_NONE;
    switch (phase) {
    case HOST_ASKS:
        job_request(world, number);
        break;
    case HOST_BEFORE:
        call_commands(world, number);
        break;
    case HOST_BESIDE:
        if (task->host->device_done) {
            job_segment_ended(world, number, false);
        } else {
            task->host->beside_end = world->loop.now;
            wait_for_device(world, number);
        }
        break;
    default:
        job_segment_ended(world, number, false);
        break;
    }
}

/* The job is aborted in a GPU segment: its thread leaves its core. */
void job_host_withdraw(struct grt_world *world, uint32_t number) {
    struct job_host *host = world->tasks[number].host;
    if (host->has_work) {
        host->has_work = false;
        grt_cpu_abort(world->cpu, number);
    }
    host->phase = HOST_NONE;
}

/* ---- priorities ---- */

void job_set_priority(struct grt_world *world, uint32_t number, int64_t priority) {
    struct task_run *task = &world->tasks[number];
    if (task->host->priority == priority) {
        return;
    }
    bool boosted = priority != task->spec->priority;
    task->host->priority = priority;
    world_trace(world, number, GRT_TRACE_PRIORITY, boosted ? GRT_TRACE_BOOSTED : 0, priority, 0,
                task->view.segment, task->view.number);
    if (task->state == JOB_ON_CPU || task->host->has_work) {
        grt_cpu_set_priority(world->cpu, number, priority);
    }
}

/* The current job is gone. */
void job_host_job_ended(struct grt_world *world, uint32_t number) {
    struct job_host *host = world->tasks[number].host;
    job_set_priority(world, number, world->tasks[number].spec->priority);
    host->spins = false;
    host->dispatched = false; /* the next job has not been yet */
}
