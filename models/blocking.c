/* Blocking: the time that a GPU segment waits while a less urgent segment, which was with the device when it asked, is
 * still there. (A more urgent or later segment makes it wait too, but that is interference.) */
#include "models/world_internal.h"

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

static void forget(uint32_t *tasks, uint32_t *count, uint32_t task) {
    for (uint32_t i = 0; i < *count; i++) {
        if (tasks[i] == task) {
            tasks[i] = tasks[--*count];
            return;
        }
    }
}

void blocking_requested(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    task->asked_at = world->submissions;
    task->blockers = 0;
    task->blocked_for = 0;
    for (uint32_t i = 0; i < world->on_gpu_count; i++) {
        task->blockers += world->on_gpu[i] != number && can_be_blocked(world, number, world->on_gpu[i]);
    }
    if (task->blockers > 0) {
        world->blocked[world->blocked_count++] = number;
    }
}

void blocking_submitted(struct grt_world *world, uint32_t number) {
    world->tasks[number].position = world->submissions++;
    world->on_gpu[world->on_gpu_count++] = number;
}

/* Blocking of a segment is over: `blocker` was the last, or is still there while the segment begins beside it. */
static void unblock(struct grt_world *world, uint32_t number, uint32_t blocker) {
    struct task_run *task = &world->tasks[number];
    task->blockers = 0;
    task->blocked_for = world->loop.now - task->view.requested;
    forget(world->blocked, &world->blocked_count, number);
    if (task->blocked_for > 0) {
        world_trace(world, number, GRT_TRACE_BLOCKED, 0, task->view.requested, blocker, task->view.segment,
                    task->view.number);
    }
}

static uint32_t first_blocker(const struct grt_world *world, uint32_t number) {
    for (uint32_t i = 0; i < world->on_gpu_count; i++) {
        uint32_t other = world->on_gpu[i];
        if (world->tasks[other].position < world->tasks[number].asked_at &&
            can_be_blocked(world, number, other)) {
            return other;
        }
    }
    return number;
}

/* The segment begins, or was given up. */
void blocking_ended(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (task->blockers > 0) {
        unblock(world, number, first_blocker(world, number));
    }
    grt_stats_add(&task->result->blocking, task->blocked_for);
}

/* A segment has left the device: whoever it blocked waits for one less. */
void blocking_left(struct grt_world *world, uint32_t number) {
    uint64_t position = world->tasks[number].position;
    forget(world->on_gpu, &world->on_gpu_count, number);
    for (uint32_t i = world->blocked_count; i-- > 0;) {
        struct task_run *waiting = &world->tasks[world->blocked[i]];
        bool blocked_by_it = position < waiting->asked_at && can_be_blocked(world, world->blocked[i], number);
        if (blocked_by_it && --waiting->blockers == 0) {
            unblock(world, world->blocked[i], number);
        }
    }
}
