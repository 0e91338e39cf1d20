/* Who goes first: equation (1) of the paper, and the average runtimes in it.
 *
 *     latency-oriented:     elapsed time         + average runtime - deadline
 *     throughput-oriented:  time since last done + average runtime - separation time
 *
 * The largest goes first. All of them grow with the time alike, so that a job's place among the others is a constant while it is its task's
 * current one: the instant at which its value is 0.
 *
 * Left open by the paper: the time since the last one was done, before any was: since the task's first arrival. Tasks without a deadline, which
 * has none: behind all others, the first that arrived first. A task with several GPU segments: the average is that of all of them. A job
 * that was aborted was not done. */
#include <string.h>

#include "policies/batch/batch.h"

/* Later than all deadlines, which are at most two times of GRT_TIME_LIMIT; and it leaves room behind it. */
#define WITHOUT_DEADLINE (4 * GRT_TIME_LIMIT)

/* Whether it does not take too long to find out how long a task takes. */
static bool can_be_profiled(const struct batch *batch, uint32_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path tasks = {&root, "tasks", 0}, place = {&tasks, NULL, number};
    bool few = batch_can_be_profiled(batch->scenario, number, batch->given);
    if (!few) {
        grt_error_add(errors, &place,
                      "to profile it, more than %d blocks would be executed: give its time in "
                      "policy.average_runtimes",
                      BATCH_MOST_PROFILED);
    }
    return few;
}

static grt_time profile(const struct batch *batch, struct grt_world *world, uint32_t number) {
    const struct grt_task *task = &batch->scenario->tasks[number];
    grt_time sum = 0;
    for (uint32_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_GPU) {
            grt_time time = grt_policy_average_time(world, number, i, (uint32_t)batch->given->profile_runs);
            sum = time <= GRT_TIME_LIMIT - sum ? sum + time : GRT_TIME_LIMIT;
        }
    }
    return sum;
}

/* The time that is given for a task, or -1. */
static grt_time given(const struct batch *batch, const char *task) {
    const struct batch_average *items = batch->given->averages.items;
    for (size_t i = 0; i < batch->given->averages.count; i++) {
        if (strcmp(items[i].task, task) == 0) {
            return items[i].time;
        }
    }
    return -1;
}

static bool is_task(const struct grt_scenario *scenario, const char *name) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (strcmp(scenario->tasks[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_given_before(const struct batch_average *items, size_t number) {
    size_t i = 0;
    while (strcmp(items[i].task, items[number].task) != 0) {
        i++;
    }
    return i < number;
}

static bool check_names(const struct batch *batch, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path policy = {&root, "policy", 0}, list = {&policy, "average_runtimes", 0};
    const struct batch_average *items = batch->given->averages.items;
    bool good = true;
    for (size_t i = 0; i < batch->given->averages.count; i++) {
        const struct grt_path item = {&list, NULL, i}, task = {&item, "task", 0};
        if (!is_task(batch->scenario, items[i].task)) {
            grt_error_add(errors, &task, "no task has this name (got \"%s\")", items[i].task);
            good = false;
        } else if (is_given_before(items, i)) {
            grt_error_add(errors, &task, "the average runtime of this task is given already (got \"%s\")",
                          items[i].task);
            good = false;
        }
    }
    return good;
}

bool batch_averages(struct batch *batch, struct grt_world *world, struct grt_errors *errors) {
    size_t count = batch->scenario->task_count;
    bool good = check_names(batch, errors);
    batch->average = grt_policy_memory(world, count, sizeof *batch->average);
    batch->last_done = grt_policy_memory(world, count, sizeof *batch->last_done);
    batch->keys = grt_policy_memory(world, count, sizeof *batch->keys);
    for (uint32_t i = 0; i < count; i++) {
        grt_time time = given(batch, batch->scenario->tasks[i].name);
        batch->last_done[i] = GRT_TIME_NEVER;
        if (time < 0 && i < batch->first_own) {
            good &= can_be_profiled(batch, i, errors);
            time = good ? profile(batch, world, i) : 0;
        }
        batch->average[i] = time >= 0 ? time : 0;
    }
    return good;
}

void batch_rank(struct batch *batch, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct grt_task *task = &batch->scenario->tasks[view->task];
    grt_time *done = &batch->last_done[view->task], due = view->deadline;
    if (*done == GRT_TIME_NEVER) {
        *done = view->arrival;
    }
    if (task->separation > 0) {
        due = *done + task->separation;
    } else if (due == GRT_TIME_NEVER) {
        due = WITHOUT_DEADLINE + view->arrival;
    }
    batch->keys[view->task] = due - batch->average[view->task]; /* Eq. (1) */
}
