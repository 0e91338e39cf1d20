#include "tests/support/lock_world.h"

#include "policies/registry.h"
#include "sim/check.h"

static const char *const names[] = {"t0",  "t1",  "t2",  "t3",  "t4",  "t5",  "t6",  "t7",  "t8",  "t9",
                                    "t10", "t11", "t12", "t13", "t14", "t15", "t16", "t17", "t18", "t19"};
_Static_assert(sizeof names / sizeof *names == LOCK_WORLD_TASKS, "name all tasks");

void lock_world_cut_equally(struct lock_world *it, const struct grt_reference_lock *set) {
    for (int i = 0; i < set->count; i++) {
        int64_t parts = set->tasks[i].segments + 1, whole = set->tasks[i].normal;
        for (int64_t u = 0; u < parts; u++) {
            it->normal[i][u] = whole / parts + (u < whole % parts);
        }
    }
}

/* ---- a scenario ---- */

static struct grt_distribution time_of(int64_t longest) {
    return (struct grt_distribution){.kind = GRT_CONSTANT, .min = longest > 0, .max = longest};
}

static struct grt_segment *add_segment(struct lock_world *it, int number) {
    struct grt_task *task = &it->builder->tasks[number];
    return &it->builder->segments[number][task->segment_count++];
}

static void add_normal(struct lock_world *it, int number, int64_t longest) {
    if (longest > 0) {
        *add_segment(it, number) =
            (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = time_of(longest)};
    }
}

static void add_request(struct lock_world *it, int number, int u) {
    const struct grt_reference_lock_task *from = &it->set->tasks[number];
    struct grt_command_spec *command = &it->commands[number][u];
    *command = (struct grt_command_spec){
        .kind = GRT_COMMAND_KERNEL,
        .kernel = {.name = names[number], .whole_device = true, .block_time = time_of(from->device[u])}};
    *add_segment(it, number) =
        (struct grt_segment){.kind = GRT_SEGMENT_GPU,
                             .commands = command,
                             .command_count = 1,
                             .host_part = {time_of(from->before[u]), time_of(from->after[u])},
                             .host_mode = from->asynchronous ? GRT_HOST_ASYNCHRONOUS : GRT_HOST_SYNCHRONOUS};
}

static void add_task(struct lock_world *it, int number) {
    const struct grt_reference_lock_task *from = &it->set->tasks[number];
    struct grt_task *task = grt_builder_task(it->builder, names[number]);
    task->arrival = GRT_ARRIVAL_SPORADIC;
    task->period = from->period;
    task->deadline = from->deadline;
    task->jitter = from->jitter;
    task->priority = from->priority;
    task->cpu = from->core;
    task->gpu = from->gpu;
    task->times = it->arrivals[number];
    task->time_count = 0;
    task->delays = from->jitter > 0 ? it->delays[number] : NULL;
    for (int u = 0; u < from->segments; u++) {
        add_normal(it, number, it->normal[number][u]);
        add_request(it, number, u);
    }
    add_normal(it, number, it->normal[number][from->segments]);
}

/* Tasks with cores of their own get them behind the others. */
static void place(struct lock_world *it) {
    int64_t cores = it->set->server_core + 1;
    for (int i = 0; i < it->set->count; i++) {
        int64_t core = it->set->tasks[i].core;
        cores = core >= cores ? core + 1 : cores;
    }
    for (int i = 0; i < it->set->count; i++) {
        struct grt_task *task = &it->builder->tasks[i];
        task->cpu = task->cpu >= 0 ? task->cpu : cores++;
    }
    it->builder->scenario.core_count = cores > 0 ? cores : 1;
}

static void choose_policy(struct lock_world *it) {
    const struct grt_reference_lock *set = it->set;
    static const char *const policies[] = {"mpcp", "fmlp+", "gpu-server"};
    bool serves = set->protocol == GRT_REFERENCE_SERVER;
    it->policy = grt_policy_find(policies[set->protocol]);
    it->lock =
        (struct grt_lock_parameters){.waiting = set->suspends ? GRT_LOCK_SUSPEND : GRT_LOCK_SPIN,
                                     .boost = set->boosts_own ? GRT_LOCK_BOOST_OWN : GRT_LOCK_BOOST_CEILING};
    it->server = (struct grt_server_parameters){.core = set->server_core,
                                                .epsilon = set->epsilon,
                                                .enqueue_cost = it->charged ? GRT_LOCK_ENQUEUE_CHARGED
                                                                            : GRT_LOCK_ENQUEUE_MERGED};
    it->parameters = serves ? (const void *)&it->server : &it->lock;
}

void lock_world_make(struct lock_world *it, const struct grt_reference_lock *set) {
    int64_t gpus = 1;
    if (it->builder == NULL) {
        it->builder = grt_builder_create(1);
    }
    it->set = set;
    it->builder->scenario.task_count = it->builder->scenario.gpu_count = 0;
    it->builder->scenario.context_switch = set->context_switch;
    it->builder->scenario.wake_up = set->wake_up;
    grt_arena_clear(&it->builder->arena);
    for (int i = 0; i < set->count; i++) {
        gpus = set->tasks[i].gpu >= gpus ? set->tasks[i].gpu + 1 : gpus;
    }
    for (int64_t i = 0; i < gpus; i++) {
        grt_builder_gpu(it->builder, grt_built_exclusive());
    }
    for (int i = 0; i < set->count; i++) {
        add_task(it, i);
    }
    place(it);
    choose_policy(it);
}

void lock_world_free(struct lock_world *it) {
    if (it->builder != NULL) {
        grt_builder_free(it->builder);
        it->builder = NULL;
    }
}

/* ---- a run ---- */

static void draw(struct grt_distribution *time, bool shorter) {
    time->kind = shorter ? GRT_UNIFORM : GRT_CONSTANT;
}

static void draw_times(struct lock_world *it, int number, bool shorter) {
    struct grt_task *task = &it->builder->tasks[number];
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_segment *segment = &it->builder->segments[number][i];
        draw(&segment->cpu_time, shorter);
        draw(&segment->host_part[GRT_HOST_BEFORE], shorter);
        draw(&segment->host_part[GRT_HOST_AFTER], shorter);
    }
    for (int u = 0; u < it->set->tasks[number].segments; u++) {
        draw(&it->commands[number][u].kernel.block_time, shorter);
    }
    task->time_count = it->arrival_count[number];
}

void lock_world_run(struct lock_world *it, int64_t horizon, bool shorter, uint64_t seed) {
    struct grt_errors errors = {0};
    it->builder->scenario.horizon = horizon;
    it->builder->scenario.seed = seed;
    for (int i = 0; i < it->set->count; i++) {
        draw_times(it, i, shorter);
    }
    struct grt_world *world = grt_world_create(&it->builder->scenario, it->policy, it->parameters,
                                               &(struct grt_world_options){0}, &errors);
    grt_errors_print(&errors, stderr, "    ");
    GRT_REQUIRE(world != NULL, "simulate what the world accepts");
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    it->all_ended = true;
    for (int i = 0; i < it->set->count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        it->response[i] = task->finished > 0 ? task->response.max : 0;
        it->all_ended &= task->finished == it->arrival_count[i];
    }
    grt_world_free(world);
}
