/* A job's way through its segments, from release to its end. Every task runs its jobs one after the other: the first
 * of its ring is current, the others wait. */
#include <stdlib.h>

#include "models/world/internal.h"
#include "sim/check.h"

/* ---- the ring of pending jobs ---- */

static GRT_RARE void ring_grow(struct grt_world *world, struct job_ring *ring) {
    uint32_t capacity = ring->capacity > 0 ? 2 * ring->capacity : GRT_FIRST_CAPACITY(4);
    world_grow_backlog(world, ring->capacity, capacity);
    struct pending_job *jobs = grt_allocate(capacity * sizeof *jobs);
    for (uint32_t i = 0; i < ring->count; i++) {
        jobs[i] = *job_ring_at(ring, i);
    }
    free(ring->jobs);
    *ring = (struct job_ring){jobs, 0, ring->count, capacity};
}

/* Adds a job, which the caller fills in; only `expired` is set. */
static inline struct pending_job *ring_push(struct grt_world *world, struct job_ring *ring) {
    if (ring->count == ring->capacity) {
        ring_grow(world, ring);
    }
    struct pending_job *job = job_ring_at(ring, ring->count++);
    job->expired = false;
    return job;
}

static void ring_pop(struct task_run *task) {
    task->ring.first = (task->ring.first + 1) & (task->ring.capacity - 1);
    task->ring.count--;
    task->watched -= task->watched > 0;
}

/* ---- segments ---- */

static void draw_time(struct task_run *task, const struct grt_distribution *time, uint32_t *draw) {
    if (!grt_distribution_is_constant(time)) {
        task->draws[(*draw)++] = (uint64_t)grt_distribution_draw(time, &task->time_random);
    }
}

/* Makes the draws of a job that has become current, or is thrown away: job k of a task draws the same whatever the
 * policy does. */
static void draw_times(struct task_run *task) {
    uint32_t draw = 0;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        if (segment->kind == GRT_SEGMENT_CPU) {
            draw_time(task, &segment->cpu_time, &draw);
            continue;
        }
        for (size_t j = 0; j < segment->command_count; j++) {
            if (task->commands[i][j].random) {
                task->draws[draw++] = grt_random_bits(&task->time_random);
            }
        }
        draw_time(task, &segment->host_part[GRT_HOST_BEFORE], &draw);
        draw_time(task, &segment->host_part[GRT_HOST_AFTER], &draw);
    }
}

static GRT_APART void begin_cpu(struct grt_world *world, uint32_t number, const struct grt_segment *segment) {
    struct task_run *task = &world->tasks[number];
    bool constant = grt_distribution_is_constant(&segment->cpu_time);
    grt_time drawn =
        constant ? segment->cpu_time.max : (grt_time)task->draws[task->first_draw[task->view.segment]];
    struct grt_cpu_work work = {
        .amount = drawn > 0 ? drawn : 1, /* nothing takes no time: see decision 2 */
        .priority = job_priority(task),
        .tie = task->view.tie,
        .bandwidth = segment->cpu_bandwidth,
        .task = (uint16_t)number,
        .job = (uint32_t)task->view.number,
        .detail = task->view.segment,
        .kind = GRT_TRACE_CPU,
    };
    task->state = JOB_ON_CPU;
    task->view.requested = GRT_TIME_NEVER;
    grt_cpu_start(world->cpu, number, &work);
}

static inline void request(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->state = JOB_REQUESTED;
    task->begun = false;
    task->held = false;
    task->stream = GRT_TRACE_NO_ROW;
    task->view.requested = world->loop.now;
    world_trace(world, number, GRT_TRACE_GPU_REQUEST, 0, 0, 0, task->view.segment, task->view.number);
    blocking_requested(world, number);
    world->policy_told = true;
    if (world->policy->gpu_request != NULL) {
        world->policy->gpu_request(world->policy_state, world, number);
    }
}

void job_request(struct grt_world *world, uint32_t number) {
    request(world, number);
}

static inline void begin_segment(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    const struct grt_segment *segment = &task->spec->segments[task->view.segment];
    if (segment->kind == GRT_SEGMENT_CPU) {
        begin_cpu(world, number, segment);
    } else if (task->host == NULL || job_host_asks(world, number)) {
        request(world, number);
    }
}

/* ---- from release to the current job ---- */

/* Makes the first job of the ring current and starts its first segment. */
static inline void become_current(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    const struct pending_job *job = job_ring_at(&task->ring, 0);
    task->view.number = job->number;
    task->view.arrival = job->arrival;
    task->view.release = job->release;
    task->view.deadline = job->deadline;
    task->view.tie = job->tie;
    task->view.segment = 0;
    task->view.requested = GRT_TIME_NEVER;
    if (task->random_times) {
        draw_times(task);
    }
    if (world->policy->job_released != NULL) {
        world->policy_told = true;
        world->policy->job_released(world->policy_state, world, number);
    }
    begin_segment(world, number);
}

/* The current job is gone: the next one that has not expired becomes current. */
void job_next(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->state = JOB_NONE;
    if (task->host != NULL) {
        job_host_job_ended(world, number);
    }
    ring_pop(task);
    while (task->ring.count > 0 && job_ring_at(&task->ring, 0)->expired) {
        if (task->random_times) {
            draw_times(task);
        }
        ring_pop(task);
    }
    if (task->ring.count > 0) {
        become_current(world, number);
    }
}

static grt_time absolute_deadline(const struct grt_world *world, const struct grt_task *spec,
                                  grt_time arrival) {
    if (spec->deadline == GRT_TIME_NEVER) {
        return GRT_TIME_NEVER;
    }
    return (spec->deadline_from == GRT_DEADLINE_FROM_ARRIVAL ? arrival : world->loop.now) + spec->deadline;
}

static uint64_t tie_of(const struct grt_world *world, struct task_run *task) {
    switch (world->scenario->ties) {
    case GRT_TIES_ARRIVAL:
        return (uint64_t)world->loop.now;
    case GRT_TIES_SHUFFLE:
        return grt_random_bits(&task->tie_random);
    default:
        return 0;
    }
}

/* A job was released: its deadline is the next event of its task's deadlines, unless an earlier one is pending. */
static void watch(struct grt_world *world, struct task_run *task, grt_time deadline) {
    if (grt_loop_pending(&world->loop, task->deadline_source) == GRT_TIME_NEVER &&
        deadline != GRT_TIME_NEVER && !task->deadline_waits) {
        task->watched = task->ring.count - 1;
        grt_time instant = deadline > world->loop.now ? deadline : world->loop.now;
        grt_loop_schedule(&world->loop, task->deadline_source, instant);
    }
}

void job_release(struct grt_world *world, uint32_t number, grt_time arrival) {
    struct task_run *task = &world->tasks[number];
    struct pending_job *job = ring_push(world, &task->ring);
    job->number = task->next_number++;
    job->arrival = arrival;
    job->release = world->loop.now;
    job->deadline = absolute_deadline(world, task->spec, arrival);
    job->tie = tie_of(world, task);
    task->result->released++;
    world_trace(world, number, GRT_TRACE_RELEASE, 0, job->deadline, 0, 0, job->number);
    if (task->watches_deadline) {
        watch(world, task, job->deadline);
    }
    if (task->ring.count == 1) {
        become_current(world, number);
    }
}

void job_skip(struct grt_world *world, uint32_t number, grt_time arrival) {
    struct task_run *task = &world->tasks[number];
    uint64_t skipped = task->next_number++;
    tie_of(world, task); /* job k draws the same key whether or not earlier ones were skipped */
    task->result->skipped++;
    world_trace(world, number, GRT_TRACE_SKIP, 0, arrival, 0, 0, skipped);
    if (task->random_times) { /* its draws are made in its turn */
        struct pending_job *placeholder = ring_push(world, &task->ring);
        placeholder->number = skipped;
        placeholder->arrival = placeholder->release = arrival;
        placeholder->deadline = world->loop.now;
        placeholder->expired = true;
        if (task->ring.count == 1) {
            draw_times(task);
            ring_pop(task);
        }
    }
    arrival_hand_over(world, number, skipped, arrival, true);
}

/* ---- progress ---- */

static void finish(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    struct grt_task_result *result = task->result;
    grt_time now = world->loop.now;
    bool late =
        now > task->view.deadline || task->watched > 0; /* its miss may have been told in this instant */
    result->finished++;
    result->met += !late;
    result->missed += late;
    if (late | task->records_ends) {
        job_slack_finished(world, number, late);
    }
    grt_stats_log_add(&world->stats_log, &result->response, now - task->view.arrival);
    world_trace(world, number, GRT_TRACE_FINISH, late ? GRT_TRACE_LATE : 0, task->view.arrival, 0, 0,
                task->view.number);
    if (world->policy->job_ended != NULL) {
        world->policy_told = true;
        world->policy->job_ended(world->policy_state, world, number);
    }
    if (task->outgoing_count > 0) {
        arrival_hand_over(world, number, task->view.number, task->view.arrival, false);
    }
    job_next(world, number);
}

static void advance(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (++task->view.segment < task->spec->segment_count) {
        begin_segment(world, number);
    } else {
        finish(world, number);
    }
}

/* A CPU segment of a task whose thread has to do with GPU segments is done: what follows it may ask at once. */
static GRT_APART void advance_dispatched(struct grt_world *world, uint32_t number) {
    struct job_host *host = world->tasks[number].host;
    host->dispatched = host->priority == world->tasks[number].spec->priority;
    advance(world, number);
    host->dispatched = false;
}

void job_thread_completed(void *owner, uint32_t thread, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    if (thread >= world->scenario->task_count) {
        policy_thread_completed(world, thread);
        return;
    }
    const struct task_run *task = &world->tasks[thread];
    if (task->host == NULL) {
        advance(world, thread);
    } else if (task->host->phase != HOST_NONE) {
        job_host_thread_done(world, thread);
    } else {
        advance_dispatched(world, thread);
    }
}

static inline void end_wait(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->begun = true;
    grt_stats_log_add(&world->stats_log, &task->result->gpu_wait, world->loop.now - task->view.requested);
    blocking_ended(world, number);
}

/* The wait of the current GPU segment is over, if it is not already: it begins, or it never will. */
void job_end_wait(struct grt_world *world, uint32_t number) {
    if (!world->tasks[number].begun) {
        end_wait(world, number);
    }
}

void job_note_held(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    bool late = world->at_once && world->loop.now > task->view.requested;
    task->held |= late && world->cuts && job_piece_rest_waits(task);
}

void job_trace_segment(struct grt_world *world, uint32_t number, uint8_t flags) {
    struct task_run *task = &world->tasks[number];
    if (task->state != JOB_DRAINING) {
        job_note_held(world, number);
    }
    flags |= task->held ? GRT_TRACE_HELD : 0;
    world_trace(world, number, GRT_TRACE_GPU_SEGMENT, flags, task->view.requested, task->stream,
                task->view.segment, task->view.number);
}

void job_gpu_begun(struct grt_world *world, uint32_t number) {
    if (!world->tasks[number].begun) {
        end_wait(world, number);
    }
    if (world->policy->gpu_begun != NULL) {
        world->policy_told = true;
        world->policy->gpu_begun(world->policy_state, world, number);
    }
}

/* A segment that was submitted whole blocks others until it has ended, or its commands have under policies that end it themselves. */
static inline void left_device(struct grt_world *world, uint32_t number) {
    if (!world->cuts) {
        blocking_left(world, number);
    }
}

/* The current segment, on the GPU, has ended, or what is left of an aborted job is rid of the device. */
static inline void segment_ended(struct grt_world *world, uint32_t number, bool aborted) {
    left_device(world, number);
    world->policy_told = true;
    job_trace_segment(world, number, aborted ? GRT_TRACE_ABORTED : 0);
    if (world->policy->gpu_done != NULL) {
        world->tasks[number].segment_done = true;
        world->policy->gpu_done(world->policy_state, world, number);
        world->tasks[number].segment_done = false;
    }
    if (!aborted) {
        advance(world, number);
        return;
    }
    if (world->policy->job_ended != NULL) {
        world->policy->job_ended(world->policy_state, world, number);
    }
    job_next(world, number);
}

void job_segment_ended(struct grt_world *world, uint32_t number, bool aborted) {
    segment_ended(world, number, aborted);
}

/* Under policies that end segments themselves: the commands of one have completed; and its end. */
static void executed(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    left_device(world, number);
    world->policy_told = true;
    task->state = JOB_EXECUTED;
    if (world->policy->gpu_done != NULL) {
        world->policy->gpu_done(world->policy_state, world, number);
    }
}

void job_finish_segment(struct grt_world *world, uint32_t number) {
    job_trace_segment(world, number, 0);
    world->policy_told = true;
    advance(world, number);
}

/* All commands of the segment have completed, or the job was aborted and nothing of it is left on the device. */
void job_gpu_completed(struct grt_world *world, uint32_t number) {
    const struct task_run *task = &world->tasks[number];
    bool aborted = task->state == JOB_DRAINING;
    job_end_wait(world, number);
    if (task->host != NULL && !aborted && world->policy->host == GRT_HOST_BY_POLICY) {
        executed(world, number);
    } else if (task->host == NULL || aborted || !job_host_device_done(world, number)) {
        segment_ended(world, number, aborted);
    }
}
