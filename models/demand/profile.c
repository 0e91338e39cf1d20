#include "models/demand/profile.h"

#include "models/span.h"
#include "models/task/kernel_walk.h"
#include "models/world.h"
#include "sim/check.h"
#include "sim/memory.h"
#include "sim/wide.h"

/* ---- a policy that submits at once, and takes the time ---- */

/* What it finds. */
struct findings {
    grt_wide sum;
    uint32_t runs;
};

struct parameters {
    struct findings *findings;
};

struct profiler {
    grt_stream stream;
    grt_job waiting;
    grt_time asked;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct profiler *profiler = state;
    (void)errors;
    profiler->stream = grt_policy_stream(world, 0, 0, "profile");
    profiler->waiting = GRT_NO_JOB;
    return true;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    struct profiler *profiler = state;
    profiler->waiting = job;
    profiler->asked = grt_policy_now(world);
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    const struct profiler *profiler = state;
    const struct parameters *parameters = grt_policy_parameters(world);
    (void)job;
    parameters->findings->sum += (uint64_t)(grt_policy_now(world) - profiler->asked);
    parameters->findings->runs++;
}

static void decide(void *state, struct grt_world *world) {
    struct profiler *profiler = state;
    if (profiler->waiting != GRT_NO_JOB) {
        grt_policy_submit(world, profiler->waiting, profiler->stream);
        profiler->waiting = GRT_NO_JOB;
    }
}

static const struct grt_policy_ops profiler_ops = {
    .name = "profile",
    .summary = "executes one task, and takes the time",
    .state_size = sizeof(struct profiler),
    .parameters_size = sizeof(struct parameters),
    .promise = {.gpu = GRT_PROMISE_AT_ONCE, .whole = true},
    .start = start,
    .gpu_request = gpu_request,
    .gpu_done = gpu_done,
    .decide = decide,
};

static bool is_random(const struct grt_segment *segment) {
    for (size_t i = 0; i < segment->command_count; i++) {
        if (grt_command_is_random(&segment->commands[i])) {
            return true;
        }
    }
    return false;
}

/* ---- how much there is to execute ---- */

static int64_t blocks_of(const struct grt_kernel *kernel, int64_t sm_count) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    int64_t own = kernel->whole_device ? sm_count : kernel->blocks;
    int64_t blocks = own + grt_kernel_items(kernel);
    for (size_t i = 0; i < kernel->launches.count; i++) {
        int64_t launchers = launches[i].from == GRT_LAUNCH_FROM_EVERY_BLOCK ? own : 1;
        blocks = grt_span_sum(blocks, grt_span_product(blocks_of(&launches[i].kernel, sm_count), launchers));
    }
    return blocks;
}

static int64_t blocks_of_segment(const struct grt_segment *segment, int64_t sm_count) {
    int64_t blocks = 0;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_KERNEL) {
            blocks = grt_span_sum(blocks, blocks_of(&segment->commands[i].kernel, sm_count));
        }
    }
    return blocks;
}

int64_t grt_profile_blocks(const struct grt_scenario *scenario, uint32_t number, uint32_t runs) {
    const struct grt_task *task = &scenario->tasks[number];
    int64_t blocks = 0;
    for (uint32_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        if (segment->kind == GRT_SEGMENT_GPU) {
            int64_t once = blocks_of_segment(segment, scenario->gpus[task->gpu].sm_count);
            blocks = grt_span_sum(blocks, grt_span_product(once, is_random(segment) ? runs : 1));
        }
    }
    return blocks;
}

/* ---- runs ---- */

/* The jobs are there from the start: each is executed when the one before it is done. */
static struct grt_task alone(const struct grt_task *task, const struct grt_segment *segment,
                             const grt_time *arrivals, uint32_t runs) {
    return (struct grt_task){
        .name = task->name,
        .arrival = GRT_ARRIVAL_TIMES,
        .times = arrivals,
        .time_count = runs,
        .deadline = GRT_TIME_NEVER,
        .cpu = -1,
        .tpcs = task->tpcs,
        .segments = segment,
        .segment_count = 1,
    };
}

static struct findings run(const struct grt_scenario *scenario) {
    struct findings findings = {0};
    struct parameters parameters = {&findings};
    struct grt_world_options options = {0};
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(scenario, &profiler_ops, &parameters, &options, &errors);
    if (world != NULL) {
        grt_world_run(world);
        grt_world_free(world);
    }
    grt_errors_clear(&errors);
    return findings;
}

grt_time grt_profile_segment(const struct grt_scenario *scenario, uint32_t number, uint32_t index,
                             uint32_t runs) {
    const struct grt_task *task = &scenario->tasks[number];
    struct grt_segment segment = task->segments[index];
    GRT_REQUIRE(runs > 0 && segment.kind == GRT_SEGMENT_GPU, "GPU segments are profiled, once or more");
    runs = is_random(&segment) ? runs : 1;
    struct grt_arena arena = {0};
    grt_time *arrivals = grt_arena_array(&arena, runs, sizeof *arrivals);
    for (uint32_t i = 0; i < runs; i++) {
        arrivals[i] = i;
    }
    segment.host_part[GRT_HOST_BEFORE] = segment.host_part[GRT_HOST_AFTER] =
        (struct grt_distribution){.kind = GRT_CONSTANT};
    struct grt_task only = alone(task, &segment, arrivals, runs);
    const struct grt_process process = *grt_process_of(scenario, task);
    struct grt_scenario profiled = {
        .name = scenario->name,
        .seed = scenario->seed + number + 1,
        .horizon = GRT_TIME_LIMIT,
        .gpus = &scenario->gpus[task->gpu],
        .gpu_count = 1,
        .processes = &process,
        .process_count = 1,
        .tasks = &only,
        .task_count = 1,
    };
    struct findings findings = run(&profiled);
    grt_arena_clear(&arena);
    return findings.runs < runs ? GRT_TIME_NEVER
                                : (grt_time)((findings.sum + findings.runs - 1) / findings.runs);
}
