/* labels: soak branches */
/* How long a segment takes alone, as a policy is told (grt_policy_segment_time), against the simulator: every segment of random
 * worlds is run as the only one of the only job. Exact where times are constant, no less than any run where they are drawn. */
#include <inttypes.h>
#include <stdio.h>

#include "models/task/kernel_walk.h"
#include "sim/random.h"
#include "tests/support/contended_world.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* What is known of the segment that was run. */
struct seen {
    grt_time told, submitted, done;
};

/* A policy that submits at once; where it writes is its parameter. */
struct probe {
    struct seen *seen;
    bool own_process; /* made by the policy; else the one that the world makes */
    grt_stream stream;
    bool waiting;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct probe *self = state;
    *self = *(const struct probe *)grt_policy_parameters(world);
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct grt_task *task = scenario->tasks;
    bool is_null = task->stream != NULL && task->stream[0] == 'n';
    uint32_t gpu = (uint32_t)task->gpu;
    (void)errors;
    if (self->own_process) {
        grt_gpu_process process = grt_policy_process(world, gpu, &grt_process_of(scenario, task)->spec, "p");
        self->stream = is_null ? grt_policy_process_null_stream(world, process)
                               : grt_policy_process_stream(world, process, task->stream_priority, "s");
    } else {
        self->stream = is_null ? grt_policy_null_stream(world, gpu)
                               : grt_policy_stream(world, gpu, task->stream_priority, "s");
    }
    self->seen->told = grt_policy_segment_time(world, 0, 0);
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    (void)world, (void)job;
    ((struct probe *)state)->waiting = true;
}

static void done(void *state, struct grt_world *world, grt_job job) {
    (void)job;
    ((struct probe *)state)->seen->done = grt_policy_now(world);
}

static void decide(void *state, struct grt_world *world) {
    struct probe *self = state;
    if (self->waiting) {
        self->waiting = false;
        self->seen->submitted = grt_policy_now(world);
        grt_policy_submit(world, 0, self->stream);
    }
}

static const struct grt_policy_ops probe = {
    .name = "probe",
    .summary = "submits one segment",
    .state_size = sizeof(struct probe),
    .parameters_size = sizeof(struct probe),
    .many_processes = true,
    .start = start,
    .gpu_request = request,
    .gpu_done = done,
    .decide = decide,
};

/* ---- worlds ---- */

/* What a world has beside what grt_random_world gives it. */
enum features {
    CONSTANT = 1,
    CALLS = 2,
    CONTENTION = 4,
    PARTS = 8, /* TPCs, and limits under MPS */
    PINS = 16,
};

/* A part of the device: a task's own TPCs, or a client's percentage. */
static void limit(struct grt_random *random, struct grt_builder *builder) {
    struct grt_process *process = grt_arena_array(&builder->arena, 1, sizeof *process);
    process->name = "p";
    process->spec.active_thread_percentage = (int64_t)grt_random_below(random, 101);
    bool mps = grt_random_below(random, 2) == 0;
    builder->scenario.processes = process;
    builder->scenario.process_count = mps ? 1 : 0;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].mps = mps;
        builder->gpus[i].sms_per_tpc = mps ? 1 + (int64_t)grt_random_below(random, 2)
                                           : builder->gpus[i].sms_per_tpc; /* the last TPC may be smaller */
        builder->gpus[i].sm_order = mps ? GRT_SM_ORDER_ASCENDING : builder->gpus[i].sm_order;
        builder->gpus[i].compute_capability = 80;
    }
    for (size_t i = 0; !mps && i < builder->scenario.task_count; i++) {
        grt_random_partition(random, builder, &builder->tasks[i]);
    }
}

static struct grt_builder *make_world(uint64_t number, int features) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "segment-time", 0, 0);
    if (features & CALLS) {
        grt_random_world_add_calls(builder, number);
    }
    if (features & CONTENTION) {
        grt_contend(builder, number);
    }
    if (features & PARTS) {
        limit(&random, builder);
    }
    if (features & PINS) {
        grt_random_world_pin(builder, number);
    }
    if (features & CONSTANT) {
        grt_random_world_fix_times(builder);
    }
    return builder;
}

/* ---- runs ---- */

struct count {
    int exact, drawn, pinned, pinned_exactly;
};

static bool is_random(const struct grt_segment *segment) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        return !grt_distribution_is_constant(&segment->cpu_time);
    }
    for (size_t i = 0; i < segment->command_count; i++) {
        if (grt_command_is_random(&segment->commands[i])) {
            return true;
        }
    }
    return false;
}

/* Whether the placement decides how many SMs a client has. */
static bool is_up_to_placement(const struct grt_scenario *scenario, const struct grt_task *task) {
    const struct grt_device *device = &scenario->gpus[task->gpu];
    return device->mps && device->sm_count % device->sms_per_tpc != 0;
}

/* Whether how long it takes has but a bound: exits may outlast the work (W8). */
static bool has_pins(const struct grt_segment *segment) {
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL && segment->commands[i].kernel.sms.count > 0) {
            return true;
        }
    }
    return false;
}

/* Runs one segment of one task alone; a segment that can never run is passed over. */
static bool segment_is_right(const struct grt_scenario *all, size_t index, size_t segment, bool own_process,
                             struct count *count) {
    static const grt_time once[] = {5};
    struct grt_scenario alone = *all;
    struct grt_task task = all->tasks[index];
    struct seen seen = {.done = GRT_TIME_NEVER};
    struct probe parameters = {.seen = &seen, .own_process = own_process};
    struct grt_errors errors = {0};
    task.segments += segment;
    task.segment_count = 1;
    task.arrival = GRT_ARRIVAL_TIMES;
    task.clock = GRT_CLOCK_ABSOLUTE;
    task.times = once;
    task.time_count = 1;
    task.after_count = 0;
    task.offset = task.jitter = task.period = 0;
    task.deadline = GRT_TIME_NEVER;
    task.on_miss = GRT_MISS_CONTINUE;
    alone.tasks = &task;
    alone.task_count = 1;
    alone.horizon = GRT_SECOND;
    struct grt_world *world =
        grt_world_create(&alone, &probe, &parameters, &(struct grt_world_options){0}, &errors);
    if (world == NULL) {
        grt_errors_clear(&errors);
        return true;
    }
    grt_world_run(world);
    bool cpu = task.segments->kind == GRT_SEGMENT_CPU, pinned = has_pins(task.segments),
         drawn = is_random(task.segments) || is_up_to_placement(&alone, &task) || pinned;
    grt_time took = cpu ? grt_world_result(world)->tasks[0].response.max : seen.done - seen.submitted;
    bool good = drawn ? seen.told >= took : seen.told == took;
    count->exact += !cpu && !drawn;
    count->pinned += pinned && !is_random(task.segments);
    count->pinned_exactly += pinned && !is_random(task.segments) && seen.told == took;
    count->drawn += !cpu && drawn;
    if (!good) {
        fprintf(stderr, "task %zu segment %zu: told %" PRId64 ", took %" PRId64 "\n", index, segment,
                seen.told, took);
    }
    grt_world_free(world);
    return good;
}

static bool world_is_right(uint64_t number, int features, struct count *count) {
    struct grt_builder *builder = make_world(number, features);
    bool good = true;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; good && j < builder->tasks[i].segment_count; j++) {
            good = segment_is_right(&builder->scenario, i, j, number / 16 % 2 == 0, count);
        }
    }
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " features %d\n", number, features);
    }
    grt_builder_free(builder);
    return good;
}

static void alone_as_told(void) {
    int cases = grt_suite_cases(2000, 50000);
    struct count count = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(12000000 + (uint64_t)i, i % 32, &count);
    }
    CU_ASSERT(good);
    CU_ASSERT(count.exact > 2 * cases && count.drawn > cases / 2);
    CU_ASSERT(count.pinned > cases / 10 && count.pinned_exactly > count.pinned / 3);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"alone as told", alone_as_told},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("time of a segment alone", tests);
}
