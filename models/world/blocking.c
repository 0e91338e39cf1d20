/* Blocking: the time that a GPU segment waits while a less urgent segment, which was with the device when it asked, is
 * still there. (A more urgent or later segment makes it wait too, but that is interference.) */
#include "models/world/internal.h"

static bool outranks(const struct grt_world *world, uint32_t a, uint32_t b) {
    if (world->policy->outranks != NULL) {
        return world->policy->outranks(world->policy_state, world, a, b);
    }
    return world->tasks[a].spec->priority > world->tasks[b].spec->priority;
}

/* Whether task `b` can block task `a`: they share a GPU, and `a` is more urgent. */
static bool can_be_blocked(const struct grt_world *world, uint32_t a, uint32_t b) {
    return world->tasks[a].spec->gpu == world->tasks[b].spec->gpu && outranks(world, a, b);
}

/* Returns what blocked it. */
static uint32_t forget_blocked(struct grt_world *world, uint32_t task) {
    uint32_t place = 0;
    while (world->blocked[place].task != task) {
        place++;
    }
    uint32_t by = world->blocked[place].by;
    world->blocked_count--;
    for (; place < world->blocked_count; place++) {
        world->blocked[place] = world->blocked[place + 1];
    }
    return by;
}

/* Returns where it was. */
static inline uint32_t forget_on_gpu(struct grt_world *world, uint32_t number) {
    uint32_t place = 0;
    while (world->on_gpu[place].number != number) {
        place++;
    }
    world->on_gpu_count--;
    for (uint32_t i = place; i < world->on_gpu_count; i++) {
        world->on_gpu[i] = world->on_gpu[i + 1];
    }
    return place;
}

/* The first submission on the GPU that blocks the task's request, or NO_SUBMISSION; none of those before `place` does. */
static uint32_t find_blocker(const struct grt_world *world, uint32_t number, uint32_t place) {
    uint64_t asked_at = world->tasks[number].asked_at;
    for (; place < world->on_gpu_count && world->on_gpu[place].position < asked_at; place++) {
        if (can_be_blocked(world, number, world->on_gpu[place].job)) {
            return world->on_gpu[place].number;
        }
    }
    return NO_SUBMISSION;
}

void blocking_requested(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->asked_at = world->submission_positions;
    task->blocked_for = 0;
    uint32_t by = world->on_gpu_count > 0 ? find_blocker(world, number, 0) : NO_SUBMISSION;
    task->is_blocked = by != NO_SUBMISSION;
    if (task->is_blocked) {
        world->blocked[world->blocked_count++] = (struct blocked){number, by};
    }
}

void blocking_submitted(struct grt_world *world, uint32_t job, uint32_t number) {
    world->on_gpu[world->on_gpu_count++] = (struct on_gpu){number, job, world->submission_positions++};
}

/* Blocking of a segment is over: what blocked it was the last to, or is still there while the segment begins beside it. */
static void end_blocking(struct grt_world *world, uint32_t number, uint32_t by) {
    struct task_run *task = &world->tasks[number];
    task->blocked_for = world->loop.now - task->view.requested;
    if (task->blocked_for > 0) {
        world_trace(world, number, GRT_TRACE_BLOCKED, 0, task->view.requested, world->submissions[by].job,
                    task->view.segment, task->view.number);
    }
    task->is_blocked = false;
}

/* The segment begins, or was given up. */
void blocking_ended(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (task->is_blocked) {
        end_blocking(world, number, forget_blocked(world, number));
    }
    grt_stats_log_add(&world->stats_log, &task->result->blocking, task->blocked_for);
}

/* A submission has left the device: whoever it blocked is blocked by a later one, or no longer. */
void blocking_left(struct grt_world *world, uint32_t number) {
    uint32_t still_blocked = 0, place = forget_on_gpu(world, number);
    for (uint32_t i = 0; i < world->blocked_count; i++) {
        struct blocked waiting = world->blocked[i];
        if (waiting.by == number) {
            waiting.by = find_blocker(world, waiting.task, place);
            if (waiting.by == NO_SUBMISSION) {
                end_blocking(world, waiting.task, number);
                continue;
            }
        }
        world->blocked[still_blocked++] = waiting;
    }
    world->blocked_count = still_blocked;
}
