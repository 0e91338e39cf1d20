/* What does a scheduler's work. On a core it is a thread of the policy. On the device it is a thread of the scheduler's kernel, which has its SM to
 * itself as far as the scheduler goes: timers, and slices on a row of its own. */
#include "policies/batch/batch.h"
#include "policies/names.h"

static int64_t highest_priority(const struct grt_scenario *scenario) {
    int64_t most = INT64_MIN;
    for (size_t i = 0; i < scenario->task_count; i++) {
        most = scenario->tasks[i].priority > most ? scenario->tasks[i].priority : most;
    }
    return most + 1;
}

void batch_thread_create(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    const struct batch_parameters *given = batch->given;
    char text[POLICY_NAME_SIZE];
    scheduler->poll_timer = grt_policy_new_timer(world);
    if (batch->kind->on_device) {
        scheduler->work_timer = grt_policy_new_timer(world);
        scheduler->work_row = policy_row_of_gpu(world, "scheduler", scheduler->gpu);
    } else if (batch_has_threads(given)) {
        scheduler->has_thread = true;
        scheduler->thread = grt_policy_thread(world, given->core >= 0 ? given->core + scheduler->gpu : -1,
                                              highest_priority(batch->scenario),
                                              policy_name_of_gpu(world, "scheduler", scheduler->gpu, text));
    }
}

/* It begins to do something; on the device nobody else does it. */
static void begin(const struct batch *batch, const struct grt_world *world, struct batch_scheduler *scheduler,
                  enum batch_work work, uint32_t label) {
    scheduler->work = work;
    if (batch->kind->on_device) {
        scheduler->works_since = grt_policy_now(world);
        scheduler->work_label = label;
    }
}

static void end(const struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    scheduler->work = BATCH_IDLE;
    if (batch->kind->on_device) {
        grt_policy_trace_slice(world, scheduler->work_row, scheduler->work_label, GRT_NO_JOB,
                               scheduler->works_since);
    }
}

void batch_thread_work(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler,
                       grt_time amount, uint32_t label, grt_job job) {
    begin(batch, world, scheduler, BATCH_WORKS, label);
    if (batch->kind->on_device) {
        grt_policy_timer(world, scheduler->work_timer, grt_policy_now(world) + amount);
    } else {
        grt_policy_run(world, scheduler->thread, amount, label, job);
    }
}

void batch_thread_done(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    end(batch, world, scheduler);
    scheduler->paid = true;
}

void batch_thread_poll(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    begin(batch, world, scheduler, BATCH_POLLS, batch->polls_label);
    if (!batch->kind->on_device) {
        grt_policy_run(world, scheduler->thread, GRT_TIME_NEVER, batch->polls_label, GRT_NO_JOB);
    }
}

void batch_thread_end_poll(struct batch *batch, struct grt_world *world, struct batch_scheduler *scheduler) {
    if (!batch->kind->on_device) {
        grt_policy_interrupt(world, scheduler->thread);
    }
    end(batch, world, scheduler);
}
