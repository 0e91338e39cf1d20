/* A world from its creation to its result: what is decided at an instant, running, collecting. Its parts are checked in
 * check.c and built in build.c. */
#include "models/world.h"

#include <inttypes.h>
#include <stdlib.h>

#include "models/world/internal.h"
#include "models/world/policy_running.h"

/* ---- decisions ---- */

static GRT_RARE void abort_jobs(struct grt_world *world) {
    for (uint32_t i = 0; i < world->abort_count; i++) {
        job_abort(world, world->aborts[i]);
    }
    world->abort_count = 0;
}

void world_finish_segments(struct grt_world *world) {
    uint32_t count = world->finish_count;
    world->finish_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        job_finish_segment(world, world->finishes[i]);
    }
}

/* Apart, because most decisions end nothing. */
static GRT_APART void end_as_decided(struct grt_world *world) {
    if (world->finish_count > 0) {
        world_finish_segments(world);
    }
    if (world->abort_count > 0) {
        abort_jobs(world);
    }
}

static inline void decide_policy(struct grt_world *world) {
    while (world->policy_told) {
        world->policy_told = false;
        world->deciding = true;
        world->policy->decide(world->policy_state, world);
        world->deciding = false;
        if ((world->finish_count | world->abort_count) > 0) {
            end_as_decided(world);
        }
    }
}

/* Apart, so that the many instants at which no GPU has anything to decide stay short. */
static GRT_APART void decide_further_gpus(const struct grt_world *world) {
    for (size_t i = 1; i < world->scenario->gpu_count; i++) {
        grt_gpu_decide(world->gpus[i]);
    }
}

static inline void decide_all(struct grt_world *world) {
    do {
        decide_policy(world);
        if (world->cpu_changed) {
            world->cpu_changed = false;
            grt_cpu_decide(world->cpu);
        }
        if (world->gpus_changed) {
            world->gpus_changed = false;
            grt_gpu_decide(world->gpus[0]);
            if (world->scenario->gpu_count > 1) {
                decide_further_gpus(world);
            }
        }
    } while (world->policy_told); /* that a kernel began */
}

/* Deadlines that were put off, once nothing more happens at their instant. */
static GRT_APART void settle_deadlines(struct grt_world *world) {
    if (grt_loop_next(&world->loop) > world->loop.now) {
        job_settle_deadlines(world);
        if (!world->loop.stopped) {
            decide_all(world);
        }
    }
}

static void decide(void *owner, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
    decide_all(world);
    if (world->ending_count > 0) {
        settle_deadlines(world);
    }
}

/* ---- life ---- */

/* Takes the parameters, and the scenario as the policy has it executed. */
static bool take_scenario(struct grt_world *world, const struct grt_scenario *scenario,
                          const void *parameters, struct grt_errors *errors) {
    const struct grt_policy_ops *policy = world->policy;
    if (!grt_policy_take_parameters(policy, parameters, &world->arena, &world->parameters, errors)) {
        return false;
    }
    world->scenario = grt_adapted(scenario, policy, world->parameters, &world->arena, errors);
    return world->scenario == scenario ||
           (world->scenario != NULL && world_check(world->scenario, policy, errors));
}

static struct grt_world *create(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                                const void *parameters, const struct grt_world_options *options,
                                struct grt_errors *errors) {
    if (!world_check(scenario, policy, errors) ||
        (!options->ends_unheard && !world_check_jobs(scenario, errors))) {
        return NULL;
    }
    struct grt_world *world = grt_allocate(sizeof *world);
    *world = (struct grt_world){.policy = policy, .trace = options->trace};
    world->arena.store = options->store;
    world->ends_unheard = options->ends_unheard && options->trace != NULL;
    world->most_waiting = options->most_waiting > 0 ? options->most_waiting : GRT_MAX_WAITING_JOBS;
    if (!take_scenario(world, scenario, parameters, errors)) {
        grt_arena_clear(&world->arena);
        free(world);
        return NULL;
    }
    world->horizon = repeat_horizon(world->scenario);
    grt_loop_start(&world->loop, decide, world);
    if (!world_build(world, options, errors)) {
        grt_world_free(world);
        return NULL;
    }
    world->running = true;
    return world;
}

struct grt_world *grt_world_create(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                                   const void *parameters, const struct grt_world_options *options,
                                   struct grt_errors *errors) {
    const struct grt_running running = grt_policy_running(policy, NULL);
    const struct grt_running *before = grt_running_begin(&running);
    struct grt_world *world = create(scenario, policy, parameters, options, errors);
    grt_running_end(before);
    return world;
}

/* ---- results ---- */

static void collect(struct grt_world *world) {
    const struct grt_scenario *scenario = world->scenario;
    size_t cores = (size_t)scenario->core_count;
    struct grt_core_result *core_results = grt_arena_array(&world->arena, cores, sizeof *core_results);
    struct grt_gpu_result *gpu_results =
        grt_arena_array(&world->arena, scenario->gpu_count, sizeof *gpu_results);
    job_settle_deadlines(world); /* nothing is decided at the end of a run */
    grt_cpu_finish(world->cpu);
    for (uint32_t i = 0; i < cores; i++) {
        struct grt_core_times times = grt_cpu_times(world->cpu, i);
        core_results[i] = (struct grt_core_result){
            .busy = times.busy, .spinning = times.spinning, .overhead = times.overhead};
    }
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        grt_gpu_finish(world->gpus[i], &gpu_results[i]);
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        job_finish_run(world, i);
    }
    grt_stats_log_flush(&world->stats_log);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        job_slack_sum(world, i);
    }
    world->result.end = world->loop.now;
    world->result.events = world->loop.event_count;
    world->result.tasks = world->task_results;
    world->result.task_count = scenario->task_count;
    world->result.cores = core_results;
    world->result.core_count = cores;
    world->result.gpus = gpu_results;
    world->result.counters = world->counters;
    world->result.counter_count = world->counter_count;
    world->result.gpu_count = scenario->gpu_count;
    world_conclude(world);
}

static void run(struct grt_world *world) {
    if (world->ends_unheard) {
        world->trace->unheard = &world->loop.stopped;
    }
    if (world->trace != NULL) {
        world_trace_names(world);
    }
    if (world->elsewhere == NULL) {
        grt_loop_run(&world->loop, world->horizon);
    } else {
        elsewhere_run(world, world->horizon);
    }
    if (world->ends_unheard) {
        world->trace->unheard = NULL;
        if (grt_trace_is_unheard(world->trace)) {
            return; /* it may have stopped anywhere within an instant: there is nothing to sum up */
        }
    }
    if (!world->loop.stopped) {
        world->loop.now = world->horizon;
    }
    collect(world);
}

void grt_world_run(struct grt_world *world) {
    const struct grt_running running = grt_policy_running(world->policy, &world->loop.now);
    const struct grt_running *before = grt_running_begin(&running);
    run(world);
    world->is_over = true;
    policy_state_ended(world);
    grt_running_end(before);
}

bool grt_world_is_whole(const struct grt_world *world, struct grt_errors *errors) {
    GRT_REQUIRE(world->is_over, "run a world before asking whether its run is whole");
    if (world->result.stopped_by_backlog) {
        char end[GRT_TIME_TEXT_SIZE];
        grt_error_add(
            errors, NULL,
            "horizon: the run ended at %s: more jobs wait for others than there is room for (%" PRIu64
            "): look at the load, and at how often tasks come that others come after; on_miss \"abort\" or "
            "\"skip-next\" may keep a task's own jobs from waiting",
            grt_time_text(world->result.end, end), world->most_waiting);
    }
    return !world->result.stopped_by_backlog;
}

const struct grt_result *grt_world_result(const struct grt_world *world) {
    return &world->result;
}

const struct grt_scenario *grt_world_scenario(const struct grt_world *world) {
    return world->scenario;
}
