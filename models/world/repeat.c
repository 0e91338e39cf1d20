/* Horizon "auto": a run ends once its state repeats. Releases repeat every hyperperiod after the largest offset, so the
 * state is compared there, as a hash of all that the future depends on, with instants relative to now. Applies to
 * constant times and to policies that depend on nothing but the jobs (struct grt_policy_ops, memoryless). */
#include "models/world/internal.h"
#include "sim/hash.h"

enum { MOST_HYPERPERIODS = 100 };

bool repeat_possible(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                     struct grt_errors *errors) {
    if (scenario->horizon_kind != GRT_HORIZON_AUTO || policy->memoryless) {
        return true;
    }
    grt_error_add(errors, NULL,
                  "horizon: \"auto\" is not possible under policy %s, whose state cannot be compared; "
                  "\"hyperperiod\" or a duration is",
                  policy->name);
    return false;
}

/* The end of a run. An overloaded system never repeats: a run of horizon "auto" gives up after 100 hyperperiods. */
grt_time repeat_horizon(const struct grt_scenario *scenario) {
    if (scenario->horizon_kind != GRT_HORIZON_AUTO) {
        return scenario->horizon;
    }
    grt_time offset = grt_scenario_largest_offset(scenario),
             period = grt_scenario_hyperperiod(scenario) - offset;
    grt_time most = (GRT_TIME_LIMIT - offset) / period;
    return offset + (most < MOST_HYPERPERIODS ? most : MOST_HYPERPERIODS) * period;
}

static uint64_t relative(const struct grt_world *world, grt_time instant) {
    return instant == GRT_TIME_NEVER ? UINT64_MAX : (uint64_t)(instant - world->loop.now);
}

static uint64_t hash_task(const struct grt_world *world, const struct task_run *task, uint64_t hash) {
    hash =
        grt_hash_add(hash, (uint64_t)task->state << 32 | (task->state != JOB_NONE ? task->view.segment : 0));
    hash = grt_hash_add(hash, (uint64_t)task->skip_next << 32 | task->ring.count);
    hash = grt_hash_add(hash, relative(world, task->next_arrival));
    if (task->state >= JOB_REQUESTED) {
        hash = grt_hash_add(hash, relative(world, task->view.requested));
        hash = submissions_state(world, task->view.task, hash);
    }
    if (task->host != NULL) {
        const struct job_host *host = task->host;
        hash = grt_hash_add(hash, (uint64_t)host->phase << 3 | (uint64_t)host->has_work << 2 |
                                      (uint64_t)host->spins << 1 | host->device_done);
        hash = grt_hash_add(hash, (uint64_t)host->priority);
    }
    for (uint32_t i = 0; i < task->ring.count; i++) {
        const struct pending_job *job = &task->ring.jobs[(task->ring.first + i) & (task->ring.capacity - 1)];
        hash = grt_hash_add(hash, relative(world, job->arrival));
        hash = grt_hash_add(hash, relative(world, job->release));
        hash = grt_hash_add(hash, relative(world, job->deadline));
        hash = grt_hash_add(hash, job->expired);
    }
    for (uint32_t i = 0; i < task->outgoing_count; i++) {
        const struct hand_over_ring *ring = &task->outgoing[i].waiting;
        hash = grt_hash_add(hash, ring->count);
        for (uint32_t j = 0; j < ring->count; j++) {
            const struct hand_over *item = &ring->items[(ring->first + j) & (ring->capacity - 1)];
            hash = grt_hash_add(hash, relative(world, item->arrival) ^ item->lost);
        }
    }
    return hash;
}

static uint64_t world_state(const struct grt_world *world) {
    uint64_t hash = grt_cpu_state(world->cpu);
    for (size_t i = 0; i < world->scenario->gpu_count; i++) {
        hash = grt_hash_add(hash, grt_gpu_state(world->gpus[i]));
    }
    for (size_t i = 0; i < world->scenario->task_count; i++) {
        hash = hash_task(world, &world->tasks[i], hash);
    }
    return hash;
}

/* Compares with the state of an earlier boundary, which moves to the 1st, 2nd, 4th, 8th, ... boundary: finds cycles of any
 * number of hyperperiods (R. P. Brent, "An Improved Monte Carlo Factorization Algorithm", BIT 20, 1980). */
static void boundary(void *owner, uint32_t index, grt_time now) {
    struct grt_world *world = owner;
    uint64_t state = world_state(world), boundaries = world->repeat_count++;
    (void)index;
    if (boundaries > 0 && state == world->repeat_state) {
        world->result.stopped_by_repeat = true;
        grt_loop_stop(&world->loop);
    }
    if ((boundaries & (boundaries - 1)) == 0) { /* 0 or a power of two */
        world->repeat_state = state;
    }
    grt_loop_schedule(&world->loop, world->repeat_source, now + world->repeat_period);
}

void repeat_start(struct grt_world *world) {
    grt_time offset = grt_scenario_largest_offset(world->scenario);
    world->repeat_period = grt_scenario_hyperperiod(world->scenario) - offset;
    world->repeat_source = grt_loop_add(&world->loop, GRT_CLASS_BOUNDARY, boundary, world, 0);
    grt_loop_schedule(&world->loop, world->repeat_source, offset);
}
