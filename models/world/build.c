/* Builds what a world consists of, and frees it. */
#include <stdlib.h>
#include <string.h>

#include "models/world/internal.h"
#include "models/world/policy_running.h"
#include "sim/check.h"

/* ---- memories, cores and GPUs ---- */

static uint32_t core_count(const struct grt_scenario *scenario) {
    return (uint32_t)(scenario->core_count > 0 ? scenario->core_count : (int64_t)scenario->task_count);
}

/* The memory that the CPU shares with a GPU (B2); NULL: none whose bandwidth is shared. */
static struct grt_memory_bus *bus_of_cpu(const struct grt_world *world) {
    for (size_t i = 0; i < world->scenario->gpu_count; i++) {
        const struct grt_device *device = &world->scenario->gpus[i];
        if (grt_device_shares_cpu_memory(device)) {
            return &world->buses[i];
        }
    }
    return NULL;
}

static void create_buses(struct grt_world *world) {
    size_t count = world->scenario->gpu_count;
    world->buses = grt_arena_array(&world->arena, count, sizeof *world->buses);
    for (size_t i = 0; i < count; i++) {
        grt_bus_create(&world->buses[i], &world->scenario->gpus[i]);
    }
}

/* No cores given: task i has core i to itself. */
static void create_cpu(struct grt_world *world) {
    const struct grt_scenario *scenario = world->scenario;
    uint32_t *core_of = grt_arena_array(&world->arena, scenario->task_count, sizeof *core_of);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        uint32_t core = scenario->core_count > 0 ? (uint32_t)scenario->tasks[i].cpu : i;
        core_of[i] = job_needs_thread(world->policy, &scenario->tasks[i]) ? core : UINT32_MAX;
    }
    struct grt_cpu_options options = {
        .loop = &world->loop,
        .arena = &world->arena,
        .trace = world->trace,
        .listener = world,
        .completed = job_thread_completed,
        .changed = &world->cpu_changed,
        .bus = bus_of_cpu(world),
        .core_count = core_count(scenario),
        .thread_count = (uint32_t)scenario->task_count,
        .core_of = core_of,
        .context_switch = scenario->context_switch,
        .wake_up = scenario->wake_up,
    };
    world->cpu = grt_cpu_create(&options);
}

static void create_gpus(struct grt_world *world, const struct grt_world_options *given) {
    const struct grt_scenario *scenario = world->scenario;
    uint32_t sm_row = 0, engine_row = 0;
    world->gpus = grt_arena_array(&world->arena, scenario->gpu_count, sizeof(struct grt_gpu *));
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        struct grt_gpu_options options = {
            .loop = &world->loop,
            .arena = &world->arena,
            .trace = world->trace,
            .listener = {world, submission_begun, submission_completed, submission_returned, NULL},
            .changed = &world->gpus_changed,
            .no_cohorts = given->no_cohorts,
            .elsewhere = given->elsewhere,
            .seed = scenario->seed,
            .index = (uint32_t)i,
            .first_engine_row = engine_row,
            .first_sm_row = sm_row,
            .bus = &world->buses[i],
        };
        world->gpus[i] = grt_gpu_create(&scenario->gpus[i], &options);
        sm_row += grt_device_has_shares(&scenario->gpus[i]) ? 0 : (uint32_t)scenario->gpus[i].sm_count;
        engine_row += grt_device_engines(&scenario->gpus[i]);
    }
}

/* ---- tasks ---- */

/* Numbers the draws of a task's segments, which are prepared. */
static void count_draws(struct grt_world *world, struct task_run *task) {
    uint32_t draws = 0;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        task->first_draw[i] = draws;
        if (segment->kind == GRT_SEGMENT_CPU) {
            draws += !grt_distribution_is_constant(&segment->cpu_time);
        }
        task->draw_of[i] = grt_arena_array(&world->arena, segment->command_count, sizeof *task->draw_of[i]);
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            task->draw_of[i][j] = draws;
            draws += task->commands[i][j].random;
        }
        task->first_host_draw[i] = draws;
        for (int part = 0; segment->kind == GRT_SEGMENT_GPU && part < 2; part++) {
            draws += !grt_distribution_is_constant(&segment->host_part[part]);
        }
    }
    task->random_times = draws > 0;
    task->draws = grt_arena_array(&world->arena, draws, sizeof *task->draws);
}

static void seed_task(struct grt_world *world, struct task_run *task, uint32_t number) {
    uint64_t seed = world->scenario->seed;
    task->arrival_random = grt_random_stream(seed, "arrival", number, 0);
    task->jitter_random = grt_random_stream(seed, "jitter", number, 0);
    task->time_random = grt_random_stream(seed, "time", number, 0);
    task->tie_random = grt_random_stream(seed, "tie", number, 0);
}

static bool create_task(struct grt_world *world, uint32_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct task_run *task = &world->tasks[number];
    task->spec = &world->scenario->tasks[number];
    task->result = &world->task_results[number];
    *task->result = (struct grt_task_result){
        .name = task->spec->name,
        .response = grt_stats_create(&world->arena),
        .blocking = grt_stats_create(&world->arena),
        .gpu_wait = grt_stats_create(&world->arena),
        .ends = {.late = grt_stats_create(&world->arena), .gaps = grt_stats_create(&world->arena)},
    };
    task->records_ends = job_slack_records_ends(task->spec);
    task->view = (struct grt_job_view){.task = number, .priority = task->spec->priority};
    task->first_draw = grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->first_draw);
    task->first_host_draw =
        grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->first_host_draw);
    task->commands = grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->commands);
    task->draw_of = grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->draw_of);
    task->next_arrival = GRT_TIME_NEVER;
    seed_task(world, task, number);
    size_t before = errors->count;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
        struct grt_path segments = {&item, "segments", 0}, segment = {&segments, NULL, i};
        if (task->spec->segments[i].kind == GRT_SEGMENT_GPU) {
            prepare_segment(world, task, i, &segment, errors);
        }
    }
    count_draws(world, task);
    job_host_create(world, task);
    if (world->cuts) {
        job_pieces_create(world, task);
    }
    return errors->count == before;
}

/* What predecessors hand over to their successors. */
static void create_edges(struct grt_world *world) {
    const struct grt_scenario *scenario = world->scenario;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].after_count; j++) {
            world->tasks[scenario->tasks[i].after[j]].outgoing_count++;
        }
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct task_run *task = &world->tasks[i];
        task->outgoing = grt_arena_array(&world->arena, task->outgoing_count, sizeof *task->outgoing);
        task->outgoing_count = 0;
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct task_run *task = &world->tasks[i];
        task->incoming_count = (uint32_t)task->spec->after_count;
        task->incoming = grt_arena_array(&world->arena, task->incoming_count, sizeof *task->incoming);
        for (uint32_t j = 0; j < task->incoming_count; j++) {
            struct task_run *before = &world->tasks[task->spec->after[j]];
            task->incoming[j] = &before->outgoing[before->outgoing_count++];
            task->incoming[j]->successor = i;
        }
    }
}

static bool create_tasks(struct grt_world *world, struct grt_errors *errors) {
    bool good = true;
    for (uint32_t i = 0; i < world->scenario->task_count; i++) {
        good &= create_task(world, i, errors);
    }
    create_edges(world);
    return good;
}

/* ---- the world ---- */

static void allocate(struct grt_world *world) {
    size_t count = world->scenario->task_count;
    world->tasks = grt_arena_array(&world->arena, count, sizeof *world->tasks);
    world->task_results = grt_arena_array(&world->arena, count, sizeof *world->task_results);
    world->blocked = grt_arena_array(&world->arena, count, sizeof *world->blocked);
    world->ending = grt_arena_array(&world->arena, count, sizeof *world->ending);
    world->aborts = grt_arena_array(&world->arena, count, sizeof *world->aborts);
    world->finishes = grt_arena_array(&world->arena, count, sizeof *world->finishes);
    policy_state_create(world);
}

static void watch_deadline(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    bool asked = task->spec->on_miss != GRT_MISS_CONTINUE || world->policy->deadline_missed != NULL;
    if (asked && task->spec->deadline != GRT_TIME_NEVER) {
        task->watches_deadline = true;
        task->deadline_source =
            grt_loop_add(&world->loop, GRT_CLASS_DEADLINE, job_deadline_passed, world, number);
    }
}

const void *grt_world_prepare(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                              const void *given, struct grt_arena *arena) {
    struct grt_errors errors = {0};
    void *parameters;
    bool good =
        policy->prepare != NULL && grt_policy_take_parameters(policy, given, arena, &parameters, &errors);
    grt_errors_clear(&errors); /* nor will there be a world */
    const struct grt_running running = grt_policy_running(policy, NULL);
    const struct grt_running *before = grt_running_begin(&running);
    const void *prepared = good ? policy->prepare(scenario, parameters, arena) : NULL;
    grt_running_end(before);
    return prepared;
}

static bool start_policy(struct grt_world *world, const void *prepared, struct grt_errors *errors) {
    world->prepared = prepared != NULL ? prepared
                                       : grt_world_prepare(world->scenario, world->policy, world->parameters,
                                                           &world->arena);
    size_t before = errors->count;
    bool good = world->policy->start(world->policy_state, world, errors);
    policy_state_started(world);
    return grt_policy_answered(world->policy, good, before, errors);
}

bool world_build(struct grt_world *world, const struct grt_world_options *options,
                 struct grt_errors *errors) {
    const struct grt_scenario *scenario = world->scenario;
    allocate(world);
    create_buses(world);
    create_cpu(world);
    create_gpus(world, options);
    if (options->elsewhere != NULL) {
        GRT_REQUIRE(scenario->gpu_count == 1, "one GPU at a time is executed elsewhere");
        elsewhere_create(world, options->elsewhere);
    }
    submissions_create(world);
    policy_calls_create(world);
    world->cuts = world->policy->gpu_piece_done != NULL || world->policy->gpu_submission_done != NULL;
    world->numbers_differ = world->cuts || world->policy->gpu_call_done != NULL;
    world->at_once = grt_policy_promise(world->policy, world->parameters).gpu == GRT_PROMISE_AT_ONCE;
    bool good = repeat_possible(scenario, world->policy, errors);
    good &= create_tasks(world, errors);
    good &= world_check_processes(scenario, world->policy, errors);
    good &= start_policy(world, options->prepared, errors);
    if (good) {
        world_describe(world);
    }
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        world_default_process(world, i);
    }
    for (uint32_t i = 0; i < scenario->task_count && good; i++) {
        watch_deadline(world, i);
        arrival_start(world, i);
    }
    if (good && scenario->horizon_kind == GRT_HORIZON_AUTO) {
        repeat_start(world);
    }
    return good;
}

void grt_world_free(struct grt_world *world) {
    if (world == NULL) {
        return;
    }
    for (uint32_t i = 0; i < world->scenario->task_count; i++) {
        struct task_run *task = &world->tasks[i];
        free(task->ring.jobs);
        for (uint32_t j = 0; j < task->outgoing_count; j++) {
            free(task->outgoing[j].waiting.items);
        }
    }
    for (size_t i = 0; i < world->scenario->gpu_count; i++) {
        grt_gpu_free(world->gpus[i]);
        grt_bus_free(&world->buses[i]);
    }
    free(world->processes);
    free(world->streams);
    free(world->timers);
    free(world->threads);
    free(world->names);
    free(world->counters);
    free(world->description.items);
    free(world->conclusion.items);
    free(world->events);
    free(world->submissions);
    free(world->on_gpu);
    elsewhere_free(world);
    grt_loop_free(&world->loop);
    grt_arena_clear(&world->arena);
    free(world);
}
