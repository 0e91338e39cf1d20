/* When jobs come: periodic with offset and jitter, by an absolute clock or a relative one, sporadic, Poisson, at given instants, after other tasks' jobs. */
#include <stdlib.h>

#include "models/world/internal.h"
#include "sim/check.h"

/* A Poisson process has exponential gaps; whole nanoseconds, at least one. */
static grt_time exponential_gap(struct task_run *task) {
    struct grt_distribution gap = {
        .kind = GRT_EXPONENTIAL, .min = 1, .max = GRT_TIME_LIMIT, .scale = task->spec->period};
    return grt_distribution_draw(&gap, &task->arrival_random);
}

static grt_time next_listed(struct task_run *task) {
    return task->next_time < task->spec->time_count ? task->spec->times[task->next_time++] : GRT_TIME_NEVER;
}

/* The nominal arrival after `previous`, or GRT_TIME_NEVER. */
static grt_time arrival_after(struct task_run *task, grt_time previous) {
    const struct grt_task *spec = task->spec;
    switch (spec->arrival) {
    case GRT_ARRIVAL_PERIODIC:
        return previous + spec->period;
    case GRT_ARRIVAL_SPORADIC:
        if (spec->times != NULL) {
            return next_listed(task);
        }
        return previous + spec->period + grt_distribution_draw(&spec->extra_gap, &task->arrival_random);
    case GRT_ARRIVAL_POISSON:
        return previous + exponential_gap(task);
    case GRT_ARRIVAL_TIMES:
        return next_listed(task);
    default:
        return GRT_TIME_NEVER;
    }
}

/* How much later than its arrival the next job is released. */
static grt_time delay_of(struct task_run *task) {
    if (task->spec->delays != NULL) {
        return task->spec->delays[task->next_time - 1];
    }
    return (grt_time)grt_random_below(&task->jitter_random, (uint64_t)task->spec->jitter + 1);
}

/* Sets the release of the job that arrives at task->next_arrival; jitter never lets a job overtake an earlier one. A relative clock
 * counts from this instant, at which the job before is released; without jitter that is its arrival. */
static void schedule_release(struct grt_world *world, struct task_run *task, bool first) {
    if (task->next_arrival >= world->horizon) {
        return;
    }
    grt_time release = task->next_arrival;
    if (task->spec->jitter > 0 || task->spec->delays != NULL) {
        if (!first && task->spec->clock == GRT_CLOCK_RELATIVE) {
            release = task->next_arrival = world->loop.now + task->spec->period;
        }
        release += delay_of(task);
        release = release > world->loop.now ? release : world->loop.now;
        if (release >= world->horizon) {
            return;
        }
    }
    grt_loop_schedule(&world->loop, task->release_source, release);
}

void arrival_happened(void *owner, uint32_t number, grt_time now) {
    struct grt_world *world = owner;
    struct task_run *task = &world->tasks[number];
    grt_time arrival = task->next_arrival;
    (void)now;
    task->next_arrival = arrival_after(task, arrival);
    schedule_release(world, task, false);
    if (task->skip_next) {
        task->skip_next = false;
        job_skip(world, number, arrival);
    } else {
        job_release(world, number, arrival);
    }
}

/* ---- precedence ---- */

static void grow(struct grt_world *world, struct hand_over_ring *ring) {
    uint32_t capacity = ring->capacity > 0 ? 2 * ring->capacity : GRT_FIRST_CAPACITY(4);
    world_grow_backlog(world, ring->capacity, capacity);
    struct hand_over *items = grt_allocate(capacity * sizeof *items);
    for (uint32_t i = 0; i < ring->count; i++) {
        items[i] = ring->items[(ring->first + i) & (ring->capacity - 1)];
    }
    free(ring->items);
    ring->items = items;
    ring->first = 0;
    ring->capacity = capacity;
}

/* Keeps what job `job` leaves. A job may be lost, skipped say, while an earlier one is still going on: that one's place
 * stays open. */
static void put(struct grt_world *world, struct hand_over_ring *ring, uint64_t job, struct hand_over item) {
    uint32_t place = (uint32_t)(job - ring->first_job);
    while (place >= ring->capacity) {
        grow(world, ring);
    }
    for (; ring->count <= place; ring->count++) {
        ring->items[(ring->first + ring->count) & (ring->capacity - 1)] =
            (struct hand_over){GRT_TIME_NEVER, false};
    }
    ring->items[(ring->first + place) & (ring->capacity - 1)] = item;
}

static bool is_first_there(const struct hand_over_ring *ring) {
    return ring->count > 0 && ring->items[ring->first].arrival != GRT_TIME_NEVER;
}

static struct hand_over pop(struct hand_over_ring *ring) {
    struct hand_over item = ring->items[ring->first];
    ring->first = (ring->first + 1) & (ring->capacity - 1);
    ring->first_job++;
    ring->count--;
    return item;
}

/* Whether every predecessor's job of the next number has ended. */
static bool is_next_there(const struct task_run *task) {
    for (uint32_t i = 0; i < task->incoming_count; i++) {
        if (!is_first_there(&task->incoming[i]->waiting)) {
            return false;
        }
    }
    return true;
}

/* Releases the next job: it inherits the latest arrival, and is lost if one of its predecessors was. */
static void release_next(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    struct hand_over all = {0, false};
    for (uint32_t i = 0; i < task->incoming_count; i++) {
        struct hand_over one = pop(&task->incoming[i]->waiting);
        all.arrival = one.arrival > all.arrival ? one.arrival : all.arrival;
        all.lost |= one.lost;
    }
    if (all.lost || task->skip_next) {
        task->skip_next = false;
        job_skip(world, number, all.arrival);
    } else {
        job_release(world, number, all.arrival);
    }
}

/* Jobs may come together, where later ones were lost before an earlier one ended. */
static void predecessors_ended(void *world, uint32_t number, grt_time now) {
    (void)now;
    while (is_next_there(&((struct grt_world *)world)->tasks[number])) {
        release_next(world, number);
    }
}

void arrival_hand_over(struct grt_world *world, uint32_t number, uint64_t job, grt_time arrival, bool lost) {
    struct task_run *task = &world->tasks[number];
    for (uint32_t i = 0; i < task->outgoing_count; i++) {
        const struct task_run *successor = &world->tasks[task->outgoing[i].successor];
        put(world, &task->outgoing[i].waiting, job, (struct hand_over){arrival, lost});
        if (world->loop.now < world->horizon && is_next_there(successor)) {
            grt_loop_schedule(&world->loop, successor->release_source, world->loop.now);
        }
    }
}

/* ---- start ---- */

void arrival_start(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    if (task->spec->arrival == GRT_ARRIVAL_AFTER) {
        task->release_source =
            grt_loop_add(&world->loop, GRT_CLASS_RELEASE, predecessors_ended, world, number);
        return;
    }
    bool drawn = task->spec->arrival == GRT_ARRIVAL_SPORADIC && task->spec->times == NULL;
    bool from_offset = task->spec->arrival == GRT_ARRIVAL_PERIODIC || drawn;
    task->release_source = grt_loop_add(&world->loop, GRT_CLASS_RELEASE, arrival_happened, world, number);
    task->next_arrival = from_offset ? task->spec->offset : arrival_after(task, task->spec->offset);
    schedule_release(world, task, true);
}
