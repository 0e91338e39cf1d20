/* Builds a world from a scenario, runs it, and collects what it found out. */
#include "models/world.h"

#include <stdlib.h>
#include <string.h>

#include "models/launches.h"
#include "models/world_internal.h"
#include "sim/check.h"

/* ---- checks that need scenario and devices together ---- */

/* The command with whose beginning a segment's wait is over: its first kernel, its first copy if it has none, or its
 * first call. */
static size_t first_kernel(const struct grt_segment *segment) {
    size_t first = 0;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            return i;
        }
        bool call = grt_command_is_call(segment->commands[i].kind);
        first = !call && grt_command_is_call(segment->commands[first].kind) ? i : first;
    }
    return first;
}

/* Whether a task's process may have blocks on a part of the TPCs only, whichever they are (rule M3). */
static bool has_percentage(const struct grt_scenario *scenario, const struct grt_task *task) {
    int64_t percentage =
        scenario->process_count > 0 ? scenario->processes[task->process].context.active_thread_percentage : 0;
    return scenario->gpus[task->gpu].mps && percentage > 0 && percentage < 100;
}

/* Keeps a kernel to TPCs; a sentence where that cannot be. */
static const char *restrict_kernel(struct grt_world *world, const struct task_run *task,
                                   const struct grt_number_list *tpcs, struct grt_gpu_kernel *kernel,
                                   bool whole_device) {
    if (has_percentage(world->scenario, task->spec)) {
        return "it is kept to some TPCs, but its process has an active_thread_percentage";
    }
    if (whole_device) {
        return "it is kept to some TPCs, but its time is that of the whole device";
    }
    grt_gpu_use_partitions(world->gpus[task->spec->gpu]);
    return grt_gpu_kernel_restrict(&world->scenario->gpus[task->spec->gpu], tpcs, &world->arena, kernel);
}

static bool prepare_segment(struct grt_world *world, struct task_run *task, size_t index,
                            const struct grt_path *path, struct grt_errors *errors) {
    const struct grt_segment *segment = &task->spec->segments[index];
    const struct grt_device *device = &world->scenario->gpus[task->spec->gpu];
    size_t before = errors->count;
    struct grt_path gpu = {path, "gpu", 0};
    struct launch_maker maker = {device,
                                 world->gpus[task->spec->gpu],
                                 &world->arena,
                                 errors,
                                 has_percentage(world->scenario, task->spec),
                                 grt_trace_place((uint32_t)index, (uint32_t)segment->command_count),
                                 0};
    struct grt_gpu_kernel *kernels = grt_arena_array(&world->arena, segment->command_count, sizeof *kernels);
    task->commands[index] =
        grt_arena_array(&world->arena, segment->command_count, sizeof *task->commands[index]);
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *spec = &segment->commands[i];
        task->commands[index][i] = (struct grt_gpu_command){
            .kind = (enum grt_command_kind)spec->kind,
            .kernel = &kernels[i],
            .bytes = spec->bytes,
            .owner = task->view.task,
            .begins = i == first_kernel(segment),
            .last = i + 1 == segment->command_count,
            .pageable = spec->pageable,
            .waits = grt_gpu_host_waits(device, spec),
            .random = grt_command_is_random(spec),
            .task = (uint16_t)task->view.task,
            .place = grt_trace_place((uint32_t)index, (uint32_t)i),
        };
        if (grt_command_is_call(spec->kind)) {
            job_prepare_call(world, task, spec, &task->commands[index][i]);
        }
        if (spec->kind != GRT_COMMAND_KERNEL) {
            continue;
        }
        struct grt_path place = {&gpu, NULL, i};
        const struct grt_kernel *kernel = &spec->kernel;
        grt_device_check_demand(device, kernel->bandwidth, errors, &place);
        const char *refusal = grt_gpu_kernel_prepare(device, kernel, &kernels[i]);
        const struct grt_number_list *tpcs = kernel->tpcs.count > 0 ? &kernel->tpcs : &task->spec->tpcs;
        if (refusal == NULL && tpcs->count > 0) {
            refusal = restrict_kernel(world, task, tpcs, &kernels[i], kernel->whole_device);
        }
        if (refusal != NULL) {
            grt_error_add(errors, &place, "kernel \"%s\" can never run on \"%s\": %s", kernel->name,
                          device->name, refusal);
        }
        launches_prepare(&maker, kernel, &place, &kernels[i]);
    }
    return errors->count == before;
}

/* Numbers the draws of a task's segments. */
static void count_draws(struct grt_world *world, struct task_run *task) {
    uint32_t draws = 0;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        const struct grt_segment *segment = &task->spec->segments[i];
        task->first_draw[i] = draws;
        if (segment->kind == GRT_SEGMENT_CPU) {
            draws += !grt_distribution_is_constant(&segment->cpu_time);
        }
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            draws += grt_command_is_random(&segment->commands[j]);
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

static bool has_core(const struct grt_scenario *scenario, const struct grt_task *task) {
    return !grt_task_uses_cpu(task) || scenario->core_count == 0 ||
           (task->cpu >= 0 && task->cpu < scenario->core_count);
}

/* Whether the task's core and GPU exist. */
static bool check_places(const struct grt_scenario *scenario, uint32_t number, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_task *task = &scenario->tasks[number];
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
    struct grt_path cpu = {&item, "cpu", 0}, gpu = {&item, "gpu", 0};
    bool on_gpu = task->gpu >= 0 && (size_t)task->gpu < scenario->gpu_count;
    if (!has_core(scenario, task)) {
        grt_error_add(errors, &cpu, "must be a core of the platform, 0 to %lld (got %lld)",
                      (long long)scenario->core_count - 1, (long long)task->cpu);
    }
    if (!on_gpu) {
        grt_error_add(errors, &gpu, "must be a GPU of the platform, 0 to %zu (got %lld)",
                      scenario->gpu_count - 1, (long long)task->gpu);
    }
    return on_gpu && has_core(scenario, task);
}

static void check_threads(const struct grt_task *task, uint32_t number, const struct grt_device *device,
                          struct grt_errors *errors) {
    static const struct grt_path root = {0};
    struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_path segments = {&item, "segments", 0}, segment = {&segments, NULL, i};
        grt_device_check_demand(device, task->segments[i].cpu_bandwidth, errors, &segment);
    }
}

/* The CPU has one memory; a thread alone must not ask for more than that has. */
static bool check_memory(const struct grt_scenario *scenario, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_device *shared = NULL;
    size_t before = errors->count;
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        const struct grt_device *device = &scenario->gpus[i];
        struct grt_path platform = {&root, "platform", 0}, gpus = {&platform, "gpus", 0},
                        gpu = {&gpus, NULL, i};
        bool shares = device->integrated && device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE;
        if (shares && shared != NULL) {
            grt_error_add(errors, &gpu, "only one GPU can share the bandwidth of the CPU's memory");
        }
        shared = shares ? device : shared;
    }
    for (uint32_t i = 0; shared != NULL && i < scenario->task_count; i++) {
        check_threads(&scenario->tasks[i], i, shared, errors);
    }
    return errors->count == before;
}

static bool check_all_places(const struct grt_scenario *scenario, struct grt_errors *errors) {
    bool good = check_memory(scenario, errors);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        good &= check_places(scenario, i, errors);
    }
    return good;
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
    };
    task->view = (struct grt_job_view){.task = number, .priority = task->spec->priority};
    task->first_draw = grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->first_draw);
    task->commands = grt_arena_array(&world->arena, task->spec->segment_count, sizeof *task->commands);
    task->next_arrival = GRT_TIME_NEVER;
    seed_task(world, task, number);
    count_draws(world, task);
    size_t before = errors->count;
    for (size_t i = 0; i < task->spec->segment_count; i++) {
        struct grt_path tasks = {&root, "tasks", 0}, item = {&tasks, NULL, number};
        struct grt_path segments = {&item, "segments", 0}, segment = {&segments, NULL, i};
        if (task->spec->segments[i].kind == GRT_SEGMENT_GPU) {
            prepare_segment(world, task, i, &segment, errors);
        }
    }
    return errors->count == before;
}

/* ---- precedence edges ---- */

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

/* ---- cores and GPUs ---- */

static uint32_t core_count(const struct grt_scenario *scenario) {
    return (uint32_t)(scenario->core_count > 0 ? scenario->core_count : (int64_t)scenario->task_count);
}

/* The memory that the CPU shares with a GPU (B2); NULL: none whose bandwidth is shared. */
static struct grt_memory_bus *bus_of_cpu(const struct grt_world *world) {
    for (size_t i = 0; i < world->scenario->gpu_count; i++) {
        const struct grt_device *device = &world->scenario->gpus[i];
        if (device->integrated && device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE) {
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
        bool placed = grt_task_uses_cpu(&scenario->tasks[i]) && has_core(scenario, &scenario->tasks[i]);
        core_of[i] = placed ? core : UINT32_MAX;
    }
    struct grt_cpu_options options = {
        .loop = &world->loop,
        .arena = &world->arena,
        .trace = world->trace,
        .listener = world,
        .completed = job_cpu_completed,
        .changed = &world->cpu_changed,
        .bus = bus_of_cpu(world),
        .core_count = core_count(scenario),
        .thread_count = (uint32_t)scenario->task_count,
        .core_of = core_of,
    };
    world->cpu = grt_cpu_create(&options);
}

static void create_gpus(struct grt_world *world, bool no_cohorts) {
    const struct grt_scenario *scenario = world->scenario;
    uint32_t sm_row = 0, engine_row = 0;
    world->gpus = grt_arena_array(&world->arena, scenario->gpu_count, sizeof(struct grt_gpu *));
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        struct grt_gpu_options options = {
            .loop = &world->loop,
            .arena = &world->arena,
            .trace = world->trace,
            .listener = {world, job_gpu_begun, job_gpu_completed, job_gpu_returned},
            .changed = &world->gpus_changed,
            .no_cohorts = no_cohorts,
            .seed = scenario->seed,
            .index = (uint32_t)i,
            .first_engine_row = engine_row,
            .first_sm_row = sm_row,
            .bus = &world->buses[i],
        };
        world->gpus[i] = grt_gpu_create(&scenario->gpus[i], &options);
        sm_row += (uint32_t)scenario->gpus[i].sm_count;
        engine_row += grt_device_engines(&scenario->gpus[i]);
    }
}

/* ---- decisions ---- */

static GRT_RARE void abort_jobs(struct grt_world *world) {
    for (uint32_t i = 0; i < world->abort_count; i++) {
        job_abort(world, world->aborts[i]);
    }
    world->abort_count = 0;
}

static inline void decide_policy(struct grt_world *world) {
    while (world->policy_told) {
        world->policy_told = false;
        world->deciding = true;
        world->policy->decide(world->policy_state, world);
        world->deciding = false;
        if (world->abort_count > 0) {
            abort_jobs(world);
        }
    }
}

/* Apart, so that the many instants at which no GPU has anything to decide stay short. */
static GRT_APART void decide_further_gpus(const struct grt_world *world) {
    for (size_t i = 1; i < world->scenario->gpu_count; i++) {
        grt_gpu_decide(world->gpus[i]);
    }
}

static void decide(void *owner, grt_time now) {
    struct grt_world *world = owner;
    (void)now;
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

/* ---- life ---- */

static void watch_deadline(struct grt_world *world, uint32_t number) {
    struct task_run *task = &world->tasks[number];
    bool asked = task->spec->on_miss != GRT_MISS_CONTINUE || world->policy->deadline_missed != NULL;
    if (asked && task->spec->deadline != GRT_TIME_NEVER) {
        task->watches_deadline = true;
        task->deadline_source =
            grt_loop_add(&world->loop, GRT_CLASS_DEADLINE, job_deadline_passed, world, number);
    }
}

static void allocate(struct grt_world *world) {
    size_t count = world->scenario->task_count;
    world->tasks = grt_arena_array(&world->arena, count, sizeof *world->tasks);
    world->task_results = grt_arena_array(&world->arena, count, sizeof *world->task_results);
    world->on_gpu = grt_arena_array(&world->arena, count, sizeof *world->on_gpu);
    world->blocked = grt_arena_array(&world->arena, count, sizeof *world->blocked);
    world->aborts = grt_arena_array(&world->arena, count, sizeof *world->aborts);
    world->policy_state = grt_arena_array(&world->arena, 1, world->policy->state_size);
}

static bool create_tasks(struct grt_world *world, struct grt_errors *errors) {
    bool good = true;
    for (uint32_t i = 0; i < world->scenario->task_count; i++) {
        good &= create_task(world, i, errors);
    }
    create_edges(world);
    return good;
}

static bool can_keep_processes(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                               struct grt_errors *errors) {
    if (scenario->process_count <= 1 || policy->many_processes) {
        return true;
    }
    grt_error_add(errors, NULL,
                  "policy: %s runs the GPU work of all tasks in one process, but the tasks are in %zu",
                  policy->name, scenario->process_count);
    return false;
}

struct grt_world *grt_world_create(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                                   const void *parameters, const struct grt_world_options *options,
                                   struct grt_errors *errors) {
    GRT_REQUIRE(scenario->task_count > 0 && scenario->task_count <= GRT_MAX_TASKS && scenario->gpu_count > 0,
                "give a scenario 1 to 4096 tasks and a GPU");
    if (!check_all_places(scenario, errors)) {
        return NULL;
    }
    struct grt_world *world = grt_allocate(sizeof *world);
    *world = (struct grt_world){.scenario = scenario, .policy = policy, .trace = options->trace};
    world->horizon = repeat_horizon(scenario);
    grt_loop_start(&world->loop, decide, world);
    allocate(world);
    if (parameters != NULL) {
        memcpy(world->policy_state, parameters, policy->state_size);
    }
    create_buses(world);
    create_cpu(world);
    create_gpus(world, options->no_cohorts);
    bool good = repeat_possible(scenario, policy, errors);
    good &= create_tasks(world, errors);
    good &= can_keep_processes(scenario, policy, errors);
    good &= policy->start(world->policy_state, world, errors);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        world_default_context(world, i);
    }
    if (!good) {
        grt_world_free(world);
        return NULL;
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        watch_deadline(world, i);
        arrival_start(world, i);
    }
    if (scenario->horizon_kind == GRT_HORIZON_AUTO) {
        repeat_start(world);
    }
    world->running = true;
    return world;
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
    free(world->contexts);
    free(world->streams);
    free(world->timers);
    free(world->names);
    free(world->events);
    grt_loop_free(&world->loop);
    grt_arena_clear(&world->arena);
    free(world);
}

/* ---- results ---- */

static void collect(struct grt_world *world) {
    const struct grt_scenario *scenario = world->scenario;
    size_t cores = (size_t)scenario->core_count;
    struct grt_core_result *core_results = grt_arena_array(&world->arena, cores, sizeof *core_results);
    struct grt_gpu_result *gpu_results =
        grt_arena_array(&world->arena, scenario->gpu_count, sizeof *gpu_results);
    grt_cpu_finish(world->cpu);
    for (uint32_t i = 0; i < cores; i++) {
        core_results[i].busy = grt_cpu_busy(world->cpu, i);
    }
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        grt_gpu_finish(world->gpus[i], &gpu_results[i]);
    }
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        job_finish_run(world, i);
    }
    world->result.end = world->loop.now;
    world->result.events = world->loop.event_count;
    world->result.tasks = world->task_results;
    world->result.task_count = scenario->task_count;
    world->result.cores = core_results;
    world->result.core_count = cores;
    world->result.gpus = gpu_results;
    world->result.gpu_count = scenario->gpu_count;
}

void grt_world_run(struct grt_world *world) {
    if (world->trace != NULL) {
        world_trace_names(world);
    }
    grt_loop_run(&world->loop, world->horizon);
    if (!world->loop.stopped) {
        world->loop.now = world->horizon;
    }
    collect(world);
}

const struct grt_result *grt_world_result(const struct grt_world *world) {
    return &world->result;
}
