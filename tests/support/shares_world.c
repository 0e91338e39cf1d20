#include "tests/support/shares_world.h"

#include <string.h>

#include "models/world.h"
#include "policies/request_list.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"

/* ---- worlds ---- */

static double fraction(struct grt_random *random, int64_t from, int64_t to) {
    return (double)grt_pick(random, from, to) / 100;
}

static void make_device(struct grt_random *random, struct grt_arena *arena, struct grt_device *device) {
    static const struct grt_slowdown table[] = {
        {"x", "y", 1.5, 0}, {"y", "x", 2.25, 0}, {"x", "x", 1.1, 0}, {"z", "y", 3, 0}, {"y", "z", 1, 0},
    };
    device->granularity = GRT_GRANULARITY_SHARES;
    device->share_mode = grt_pick(random, 0, 2);
    device->contention = grt_pick(random, 0, 3);
    if (device->share_mode == GRT_SHARE_MODE_TIME_SLICING) {
        device->contention = GRT_CONTENTION_NONE;
    }
    if (device->contention == GRT_CONTENTION_SLOWDOWNS) {
        void *own = grt_arena_array(arena, 1, sizeof table);
        memcpy(own, table, sizeof table);
        device->slowdowns = (struct grt_field_list){own, sizeof table / sizeof table[0]};
    }
    device->contention_latency = (struct grt_resource_numbers){
        fraction(random, 0, 50), fraction(random, 0, 50), fraction(random, 0, 90), 0.1, 0.1};
    if (grt_pick(random, 0, 3) == 0) {
        device->hardware_queues = grt_pick(random, 1, 12);
        device->queue_model = grt_pick(random, 0, 2);
    }
    if (grt_pick(random, 0, 4) == 0) {
        device->share_interval = grt_pick(random, 1, 60);
        device->share_launch = grt_pick(random, 1, 20);
    }
    device->contention_exponent = grt_pick(random, 0, 2) == 0 ? 1 : fraction(random, 10, 100);
}

static void measure(struct grt_random *random, struct grt_arena *arena, struct grt_usage *usage) {
    struct grt_share_factor *points = grt_arena_array(arena, 5, sizeof *points);
    int64_t share = 0;
    size_t count = 0;
    while (count < 5 && share < 70) {
        share += grt_pick(random, 1, 30);
        points[count++] = (struct grt_share_factor){share, 1 + fraction(random, 0, 400)};
    }
    usage->share_factors = (struct grt_field_list){points, count};
}

static const struct grt_usage *make_usage(struct grt_random *random, struct grt_arena *arena) {
    struct grt_usage *usage = grt_arena_array(arena, 1, sizeof *usage);
    int64_t left = 100;
    usage->host_fraction = grt_pick(random, 0, 1) == 0 ? 0 : fraction(random, 0, 95);
    usage->sm_utilisation = grt_pick(random, 0, 2) == 0 ? 1 : fraction(random, 1, 100);
    for (int i = 0; i < GRT_RESOURCES; i++) {
        int64_t bound = grt_pick(random, 0, left);
        usage->demand[i] = grt_pick(random, 0, 2) == 0 ? 0 : fraction(random, 0, 100);
        usage->bound[i] = (double)bound / 100;
        left -= bound;
    }
    for (int i = 0; i < GRT_INDICATORS; i++) {
        usage->counters[i] = (double)grt_pick(random, 0, 1000);
    }
    if (grt_pick(random, 0, 3) == 0) {
        measure(random, arena, usage);
    }
    return usage;
}

static void make_kernel(struct grt_random *random, struct grt_builder *builder, struct grt_kernel *kernel,
                        bool fixed) {
    static const char *const classes[] = {"x", "y", "z", NULL};
    kernel->usage = grt_pick(random, 0, 3) == 0 ? NULL : make_usage(random, &builder->arena);
    kernel->class_name = classes[grt_pick(random, 0, 3)];
    if (fixed) {
        kernel->block_time = (struct grt_distribution){.max = kernel->block_time.max};
    }
}

/* Everything that tasks do takes so much longer, and not exactly: then it counts how speeds are rounded. */
static void stretch(struct grt_random *random, struct grt_builder *builder) {
    enum { TIMES = 10000000 };
    builder->scenario.horizon *= TIMES;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].share_interval *= TIMES;
        builder->gpus[i].share_launch *= TIMES;
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        task->period = task->period * TIMES + grt_pick(random, 0, 99);
        task->offset *= TIMES;
        task->jitter *= TIMES;
        task->deadline = task->deadline * TIMES + grt_pick(random, 0, 99);
        for (size_t j = 0; j < task->segment_count; j++) {
            for (size_t k = 0; k < task->segments[j].command_count; k++) {
                struct grt_distribution *time =
                    (struct grt_distribution *)(uintptr_t)&task->segments[j].commands[k].kernel.block_time;
                time->min *= TIMES;
                time->scale *= TIMES;
                time->max = time->max * TIMES + grt_pick(random, 0, 99);
            }
        }
    }
}

static struct grt_builder *make_world(uint64_t number, bool fixed) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "shares", 0, 0);
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    int64_t more = grt_pick(&random, 0, 5);
    if (more == 0) {
        grt_random_world_add_calls(builder, number);
    } else if (more == 1) {
        grt_random_world_add_host(builder, number);
    }
    bool shared = grt_pick(&random, 0, 2) == 0;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        make_device(&random, &builder->arena, &builder->gpus[i]);
    }
    builder->scenario.processes = shared ? processes : NULL;
    builder->scenario.process_count = shared ? 2 : 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = shared ? grt_pick(&random, 0, 1) : 0;
        if (shared && builder->tasks[i].stream != NULL) {
            builder->tasks[i].stream_priority = 0;
        }
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &builder->segments[i][j];
            for (size_t k = 0; k < segment->command_count; k++) {
                /* the builder's own copy: it lives in its arena */
                make_kernel(&random, builder, (struct grt_kernel *)(uintptr_t)&segment->commands[k].kernel,
                            fixed);
            }
        }
    }
    if (grt_pick(&random, 0, 2) == 0) {
        stretch(&random, builder);
    }
    builder->scenario.ties = (int64_t)(number % 3);
    return builder;
}

struct grt_builder *grt_shares_world(uint64_t number) {
    return make_world(number, false);
}

struct grt_builder *grt_shares_world_of_fixed_times(uint64_t number) {
    return make_world(number, true);
}

/* ---- a policy that changes its mind ---- */

struct fickle {
    struct grt_random random;
    grt_stream *streams; /* by task */
    struct request_list requests;
    uint32_t timer;
    bool changes;  /* in this instant */
    grt_time rest; /* the longest between two changes */
};

static bool fickle_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct fickle *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    (void)errors;
    self->random = grt_random_stream(scenario->seed, "fickle", 0, 0);
    self->streams = grt_policy_memory(world, scenario->task_count, sizeof *self->streams);
    self->requests = request_list_for(world);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        self->streams[i] = grt_policy_stream(world, (uint32_t)task->gpu, 0, task->name);
    }
    self->rest = scenario->horizon / 20 + 1;
    self->timer = grt_policy_new_timer(world);
    grt_policy_timer(world, self->timer, grt_pick(&self->random, 0, self->rest));
    return true;
}

static void fickle_request(void *state, struct grt_world *world, grt_job job) {
    struct fickle *self = state;
    (void)world;
    request_list_add(&self->requests, job);
}

static void fickle_withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct fickle *self = state;
    (void)world;
    request_list_remove(&self->requests, job);
}

static void change(struct fickle *self, struct grt_world *world) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    for (int64_t changes = grt_pick(&self->random, 1, 3); changes > 0; changes--) {
        int64_t task = grt_pick(&self->random, 0, (int64_t)scenario->task_count - 1);
        int64_t share = grt_pick(&self->random, 0, 4) * 25 - grt_pick(&self->random, 0, 1) * 7;
        if (grt_device_has_shares(&scenario->gpus[scenario->tasks[task].gpu])) {
            grt_policy_set_share(world, self->streams[task], share < 0 ? 0 : share);
        }
    }
}

static void fickle_timer(void *state, struct grt_world *world, uint32_t timer) {
    struct fickle *self = state;
    (void)timer;
    self->changes = true;
    grt_policy_timer(world, self->timer, grt_policy_now(world) + grt_pick(&self->random, 1, self->rest));
}

static void fickle_decide(void *state, struct grt_world *world) {
    struct fickle *self = state;
    for (uint32_t i = 0; i < self->requests.count; i++) {
        uint32_t task = grt_policy_job(world, self->requests.jobs[i])->task;
        grt_policy_submit(world, self->requests.jobs[i], self->streams[task]);
    }
    self->requests.count = 0;
    if (self->changes) {
        change(self, world);
    }
    self->changes = false;
}

const struct grt_policy_ops grt_fickle_policy = {
    .name = "fickle",
    .summary = "changes shares at random",
    .state_size = sizeof(struct fickle),
    .sets_shares = true,
    .promise = {.gpu = GRT_PROMISE_AT_ONCE, .whole = true},
    .start = fickle_start,
    .gpu_request = fickle_request,
    .gpu_withdrawn = fickle_withdrawn,
    .timer = fickle_timer,
    .decide = fickle_decide,
};
