/* The scheduler of a GPU: what it does, one call after the other, each after the time that its thread takes for it.
 *
 * A batch in which a job is aborted goes on: nothing more of the job is issued, and the policy's own calls are made all the same, since others
 * may wait for these events; they complete when what was issued before them has left the stream. */
#include "policies/batch/batch.h"

#include "models/gpu.h"
#include "policies/names.h"

/* ---- start ---- */

void batch_scheduler_create(struct batch *batch, struct grt_world *world, uint32_t gpu) {
    const struct batch_parameters *given = batch->given;
    struct batch_scheduler *scheduler = &batch->schedulers[gpu];
    uint32_t tasks = (uint32_t)batch->scenario->task_count;
    scheduler->gpu = gpu;
    scheduler->waiting = grt_policy_ready_queue(world, tasks);
    scheduler->messages = grt_policy_ready_queue(world, tasks);
    scheduler->message_timer = grt_policy_new_timer(world);
    scheduler->places = grt_policy_memory(world, (size_t)given->batch, sizeof *scheduler->places);
    scheduler->steps =
        grt_policy_memory(world, (size_t)given->batch * BATCH_STEPS_OF_PLACE, sizeof *scheduler->steps);
    for (uint32_t i = 0; i < given->batch; i++) {
        batch_place_create(world, scheduler, i);
    }
    scheduler->blocked_by = GRT_NO_SUBMISSION;
    batch_thread_create(batch, world, scheduler);
    scheduler->kernel = GRT_NO_JOB;
    scheduler->is_up = batch_own_tasks(batch->scenario, given) == 0 || !batch->kind->on_device;
    if (!scheduler->is_up) {
        scheduler->kernel_stream = grt_policy_stream(world, gpu, 0, "scheduler");
    }
}

/* ---- what it hears ---- */

static void enqueue(struct batch *batch, const struct grt_world *world, struct batch_scheduler *scheduler,
                    grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    grt_ready_queue_push(&scheduler->waiting, batch->keys[view->task], view->tie, job);
}

static void await_message(struct grt_world *world, struct batch_scheduler *scheduler) {
    bool none = grt_ready_queue_is_empty(&scheduler->messages);
    grt_policy_timer(world, scheduler->message_timer,
                     none ? GRT_TIME_NEVER : grt_ready_queue_top(&scheduler->messages)->key);
}

void batch_scheduler_request(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                             grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    if (view->task >= batch->first_own) {
        scheduler->kernel = job;
    } else if (batch->message_time == 0) {
        enqueue(batch, world, scheduler, job);
    } else {
        grt_ready_queue_push(&scheduler->messages, grt_policy_now(world) + batch->message_time, view->tie,
                             job);
        await_message(world, scheduler);
    }
}

bool batch_scheduler_timer(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                           uint32_t timer) {
    if (timer == scheduler->message_timer) {
        while (!grt_ready_queue_is_empty(&scheduler->messages) &&
               grt_ready_queue_top(&scheduler->messages)->key <= grt_policy_now(world)) {
            enqueue(batch, world, scheduler, grt_ready_queue_pop(&scheduler->messages));
        }
        await_message(world, scheduler);
    } else if (timer == scheduler->poll_timer) {
        scheduler->poll_ended = true;
    } else if (batch->kind->on_device && timer == scheduler->work_timer) {
        batch_thread_done(batch, world, scheduler);
    } else {
        return false;
    }
    return true;
}

/* ---- what takes time ---- */

/* True once the thread has computed what comes next. */
static bool has_paid(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                     grt_time cost, uint32_t label, grt_job job) {
    if (cost == 0 || scheduler->paid) {
        scheduler->paid = false;
        return true;
    }
    batch_thread_work(batch, world, scheduler, cost, label, job);
    return false;
}

/* ---- batches ---- */

static bool choose(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    if (!has_paid(batch, world, scheduler, batch->decision_time, batch->decides_label, GRT_NO_JOB)) {
        return false;
    }
    scheduler->count = scheduler->step_count = scheduler->next = 0;
    while (scheduler->count < batch->given->batch && !grt_ready_queue_is_empty(&scheduler->waiting)) {
        batch_place_take(&scheduler->places[scheduler->count++], world,
                         grt_ready_queue_pop(&scheduler->waiting));
    }
    if (scheduler->count > 0) { /* else all were withdrawn meanwhile */
        grt_policy_count(world, batch->batches_counter);
        batch->kind->plan(scheduler);
    }
    return true;
}

static bool all_done(const struct batch_scheduler *scheduler) {
    bool all = true;
    for (uint32_t i = 0; i < scheduler->count; i++) {
        all &= scheduler->places[i].done;
    }
    return all;
}

static void note_aborts(struct batch_scheduler *scheduler, const struct grt_world *world) {
    for (uint32_t i = 0; i < scheduler->count; i++) {
        struct batch_place *place = &scheduler->places[i];
        place->gone |= !place->done && !grt_policy_is_alive(world, place->job);
    }
}

/* ---- polling ---- */

/* The end of the poll that sees what has come until now: each takes an interval, and sees what was there at its end. */
static grt_time poll_end(const struct batch_scheduler *scheduler, grt_time now, grt_time interval) {
    grt_time since = now - scheduler->polls_since;
    grt_time polls = since / interval + (since % interval > 0 || since == 0);
    return scheduler->polls_since + polls * interval;
}

/* The first poll: nothing is in its way any more when the thread has done that. */
static bool has_looked(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    if (!scheduler->has_looked) {
        scheduler->has_looked =
            has_paid(batch, world, scheduler, batch->given->poll_interval, batch->polls_label, GRT_NO_JOB);
    }
    return scheduler->has_looked;
}

/* The thread polls until a poll has found something; true then. */
static bool has_polled(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    bool finds = batch->kind->finds(scheduler) != BATCH_FINDS_NOTHING;
    if (scheduler->work != BATCH_POLLS) {
        if (!has_looked(batch, world, scheduler) || finds) {
            return scheduler->has_looked;
        }
        scheduler->polls_since = grt_policy_now(world);
        scheduler->poll_is_set = scheduler->poll_ended = false;
        batch_thread_poll(batch, world, scheduler);
    } else if (scheduler->poll_ended && finds) {
        batch_thread_end_poll(batch, world, scheduler);
        return true;
    } else if (finds && !scheduler->poll_is_set) {
        scheduler->poll_is_set = true;
        grt_policy_timer(world, scheduler->poll_timer,
                         poll_end(scheduler, grt_policy_now(world), batch->given->poll_interval));
    } else if (scheduler->poll_ended) { /* what there was is gone */
        scheduler->poll_is_set = scheduler->poll_ended = false;
    }
    return false;
}

/* True if the program has been continued. */
static bool collect(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    enum batch_finds finds = batch->kind->finds(scheduler);
    bool polls = batch->kind->polls && batch->given->poll_interval > 0;
    bool at_once = scheduler->work == BATCH_IDLE && finds == BATCH_FINDS_AT_ONCE;
    if (!at_once && (polls ? !has_polled(batch, world, scheduler) : finds == BATCH_FINDS_NOTHING)) {
        return false;
    }
    scheduler->paid = scheduler->has_looked = false;
    scheduler->next++;
    batch->kind->collect(scheduler);
    return true;
}

/* ---- calls ---- */

static enum batch_label label_of(const struct batch_step *step) {
    switch (step->kind) {
    case BATCH_COMMANDS:
        return BATCH_LABEL_COMMANDS + step->operation;
    case BATCH_BEGUN:
        return BATCH_LABEL_BEGUN + step->operation;
    case BATCH_ENDED:
        return BATCH_LABEL_ENDED + step->of_operation;
    case BATCH_WAIT:
        return BATCH_LABEL_WAIT + step->of_operation;
    default:
        return BATCH_LABEL_QUERY;
    }
}

/* Whether the job of a place takes part no longer. */
static bool has_left(const struct batch_place *place) {
    return place->gone || place->done;
}

/* The next command of an operation; the thread waits where the call does. */
static void call_command(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                         const struct batch_step *step) {
    struct batch_place *place = &scheduler->places[step->place];
    const struct grt_task *task = &batch->scenario->tasks[place->task];
    uint32_t segment = grt_policy_job(world, place->job)->segment, command = place->next[step->operation]++;
    const struct grt_piece one = {.commands = 1};
    grt_submission submission =
        grt_policy_issue(world, place->job, command, one, place->streams[step->operation]);
    place->last[step->operation] = submission;
    if (grt_gpu_host_waits(&batch->scenario->gpus[scheduler->gpu],
                           &task->segments[segment].commands[command])) {
        scheduler->blocked_by = submission;
        scheduler->blocked_place = step->place;
    }
}

static void call(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                 const struct batch_step *step, uint32_t label) {
    const struct batch_place *place = &scheduler->places[step->place];
    const struct batch_place *of = &scheduler->places[step->of_place];
    grt_stream stream = place->streams[step->operation];
    switch (step->kind) {
    case BATCH_COMMANDS:
        call_command(batch, world, scheduler, step);
        break;
    case BATCH_BEGUN:
        grt_policy_record_event(world, stream, place->begun[step->operation], label, false);
        break;
    case BATCH_ENDED:
        grt_policy_record_event(world, stream, of->ended[step->of_operation], label, false);
        break;
    case BATCH_WAIT:
        grt_policy_wait_event(world, stream, of->ended[step->of_operation], label, false);
        break;
    default:
        grt_policy_query_stream(world, stream, label, false);
        break;
    }
}

/* Whose call it is. */
static const struct batch_place *place_of(const struct batch_scheduler *scheduler,
                                          const struct batch_step *step) {
    bool other = step->kind == BATCH_ENDED || step->kind == BATCH_WAIT;
    return &scheduler->places[other ? step->of_place : step->place];
}

/* Makes the next call once the thread has computed it; false before that. */
static bool make_call(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                      const struct batch_step *step) {
    const struct batch_place *place = &scheduler->places[step->place], *of = place_of(scheduler, step);
    uint32_t label = batch->labels[label_of(step)][of->task];
    if (!has_paid(batch, world, scheduler, batch->issue_time, label, has_left(of) ? GRT_NO_JOB : of->job)) {
        return false;
    }
    call(batch, world, scheduler, step, label);
    scheduler->next +=
        step->kind != BATCH_COMMANDS || place->next[step->operation] == place->spans[step->operation].end;
    return true;
}

/* ---- going on ---- */

/* Whether the thread waits for a call to return: for a command of a job that has not left the device. */
static bool is_blocked(struct batch_scheduler *scheduler) {
    if (scheduler->blocked_by != GRT_NO_SUBMISSION && scheduler->places[scheduler->blocked_place].done) {
        scheduler->blocked_by = GRT_NO_SUBMISSION;
    }
    return scheduler->blocked_by != GRT_NO_SUBMISSION;
}

/* The next step of the program; false if it cannot be made yet. */
static bool step(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    const struct batch_step *next = &scheduler->steps[scheduler->next];
    const struct batch_place *place = &scheduler->places[next->place];
    switch (next->kind) {
    case BATCH_RETURN: {
        bool returned = has_paid(batch, world, scheduler, batch->given->synchronize_time,
                                 batch->labels[BATCH_LABEL_ENDED + BATCH_KERNEL][place->task], GRT_NO_JOB);
        scheduler->next += returned;
        return returned;
    }
    case BATCH_SYNCHRONIZE:
        scheduler->next += place->done;
        return place->done;
    case BATCH_COLLECT:
        return collect(batch, world, scheduler);
    case BATCH_COMMANDS:
        if (has_left(place)) {
            scheduler->paid = false; /* the thread may have computed a call that is not made */
            scheduler->next++;
            return true;
        }
        return make_call(batch, world, scheduler, next);
    default:
        return make_call(batch, world, scheduler, next);
    }
}

void batch_scheduler_run(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    bool goes_on = scheduler->is_up;
    if (scheduler->kernel != GRT_NO_JOB) {
        grt_policy_submit(world, scheduler->kernel, scheduler->kernel_stream);
        scheduler->kernel = GRT_NO_JOB;
    }
    note_aborts(scheduler, world);
    while (goes_on && scheduler->work != BATCH_WORKS && !is_blocked(scheduler)) {
        if (scheduler->count > 0 && scheduler->next < scheduler->step_count) {
            goes_on = step(batch, world, scheduler);
        } else if (!all_done(scheduler)) {
            return;
        } else if (grt_ready_queue_is_empty(&scheduler->waiting)) {
            scheduler->count = 0;
            scheduler->paid = false; /* it may have decided in vain */
            return;
        } else {
            scheduler->count = 0;
            goes_on = choose(batch, world, scheduler);
        }
    }
}
