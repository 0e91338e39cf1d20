/* labels: wrap-malloc once no-branches */
/* Nothing is allocated in the event loop after warm-up: a run ten times as long calls malloc as often. The test is
 * linked with the linker's --wrap, which sends every call of malloc, calloc and realloc through the counters below. */
#include <stdlib.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/count_allocations.h"
#include "tests/support/shared_world.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* ---- worlds ---- */

/* What jobs do besides. */
enum extras {
    NOTHING_MORE,
    LAUNCHES, /* blocks launch kernels */
    WAITS,    /* and wait for them (D4) */
    CALLS, /* every kind of call, in the one queue of the oldest devices with its checks (Q1b), with barriers (S1) */
    EXTRAS
};

/* Small grids, launched in each block's stream and as tails. */
static void add_launches(struct grt_builder *builder, struct grt_kernel *kernel, bool wait) {
    struct grt_launch_spec *launches = grt_arena_array(&builder->arena, 3, sizeof *launches);
    for (int i = 0; i < 3; i++) {
        launches[i].kernel.name = "c";
        launches[i].kernel.blocks = 1;
        launches[i].kernel.needs.threads = 32;
        launches[i].kernel.block_time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 2};
        launches[i].at = i;
        launches[i].stream = i < 2 ? GRT_LAUNCH_STREAM_BLOCK : GRT_LAUNCH_STREAM_TAIL;
        launches[i].wait = wait && i == 1;
        launches[i].from = i < 2 ? GRT_LAUNCH_FROM_EVERY_BLOCK : GRT_LAUNCH_FROM_FIRST_BLOCK;
    }
    kernel->launches = (struct grt_field_list){launches, 3};
}

static void add_calls(struct grt_builder *builder, struct grt_task *task, int number) {
    static const enum grt_command_kind kinds[] = {GRT_COMMAND_MALLOC, GRT_COMMAND_SYNCHRONIZE_DEVICE,
                                                  GRT_COMMAND_MEMSET, GRT_COMMAND_SYNCHRONIZE,
                                                  GRT_COMMAND_D2D,    GRT_COMMAND_FREE};
    grt_builder_call(builder, task, GRT_COMMAND_QUERY, "e");
    grt_builder_call(builder, task, kinds[number], NULL)->bytes = 4;
    grt_builder_call(builder, task, GRT_COMMAND_RECORD, number % 2 == 0 ? "e" : "f");
}

static void prepare_device(struct grt_device *device, enum extras extras) {
    device->kernel_launch = 3;
    device->max_pending_launches = 100;
    device->device_launch = 1;
    device->max_sync_depth = 2;
    if (extras == CALLS) {
        device->queue_model = GRT_QUEUE_MODEL_SINGLE;
        device->hardware_queues = 1;
        device->dependency_check = true;
        device->implicit_sync = GRT_IMPLICIT_SYNC_GUIDE;
        device->memory_bytes_per_second = GRT_SECOND;
    }
}

/* Kernels of constant and of random times beside each other, copies, a core, priorities and a shared stream, jobs that
 * are aborted on the device, skipped jobs, and a successor that loses jobs; 90% load at most, so that no queue grows. */
static struct grt_builder *busy_world(grt_time horizon, enum extras extras) {
    static const grt_time periods[] = {200, 240, 240,
                                       280, 360, 400}; /* 1 and 2 are equal: they have a successor */
    struct grt_builder *builder = grt_builder_create(horizon);
    prepare_device(grt_builder_gpu(builder, grt_built_tx2()), extras);
    builder->scenario.core_count = 1;
    builder->scenario.seed = 2; /* with which the rarest crowds come early in all runs */
    for (int i = 0; i < 6; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, periods[i], 7 * i);
        task->cpu = 0;
        task->stream = i < 2 ? "shared" : NULL;
        task->stream_priority = i < 2 ? 0 : -(i % 2);
        grt_builder_cpu(builder, task, 5);
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 5);
        struct grt_kernel *kernel = grt_builder_kernel(builder, task, 6, 1024, 8);
        if (i % 2 == 1) {
            kernel->block_time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 4, .max = 9};
        }
        if ((extras == LAUNCHES || extras == WAITS) && i % 3 == 0) {
            add_launches(builder, kernel, extras == WAITS);
        } else if (extras == CALLS) {
            add_calls(builder, task, i);
        }
        grt_builder_call(builder, task, i % 2 == 0 ? GRT_COMMAND_RECORD : GRT_COMMAND_WAIT, "e");
        grt_builder_sync_copy(builder, task, GRT_COMMAND_D2H, 2);
        grt_builder_callback(builder, task, 1);
    }
    builder->tasks[1].deadline = extras == CALLS ? 60 : 40;
    builder->tasks[1].on_miss = GRT_MISS_ABORT;
    builder->tasks[2].deadline = extras == CALLS ? 55 : 35;
    builder->tasks[2].on_miss = GRT_MISS_SKIP_NEXT;
    struct grt_task *after = grt_builder_task(builder, "after");
    after->cpu = 0;
    grt_builder_after(builder, after, &builder->tasks[1]);
    grt_builder_after(builder, after, &builder->tasks[2]);
    grt_builder_cpu(builder, after, 1);
    return builder;
}

/* Calls of malloc and the like during the run itself. */
static long allocations_of(const struct grt_policy_ops *policy, grt_time horizon, enum extras extras,
                           uint64_t *jobs) {
    struct grt_builder *builder = busy_world(horizon, extras);
    struct grt_errors errors = {0};
    struct grt_world_options options = {.trace = grt_trace_create()};
    const struct grt_scenario *scenario =
        policy->sets_shares ? grt_shared_world(builder) : &builder->scenario;
    struct grt_world *world = grt_world_create(scenario, policy, policy->permissive, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    long before = allocations;
    grt_world_run(world);
    long made = allocations - before;
    *jobs = 0;
    CU_ASSERT(grt_world_result(world)->tasks[6].skipped > 0 && /* parts of a GPU may be too slow for it */
              (grt_world_result(world)->tasks[6].finished > 0 || policy->sets_shares));
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        *jobs += grt_world_result(world)->tasks[i].finished;
    }
    grt_world_free(world);
    grt_trace_free(options.trace);
    grt_builder_free(builder);
    return made;
}

/* Policies that have segments cut, or issue their commands one by one. */
static bool is_piecewise(const struct grt_policy_ops *policy) {
    return policy->gpu_piece_done != NULL || policy->gpu_submission_done != NULL;
}

/* Two tasks in pieces, which keep up with their arrivals. */
static long allocations_in_pieces(const struct grt_policy_ops *policy, grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    struct grt_errors errors = {0};
    struct grt_world_options options = {.trace = grt_trace_create()};
    grt_builder_gpu(builder, grt_built_device(2));
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, i == 0 ? "a" : "b");
        grt_builder_periodic(task, 4000 * (i + 1), 0);
        grt_builder_kernel(builder, task, 40, 1024, 10)->block_time =
            (struct grt_distribution){.kind = GRT_UNIFORM, .min = 5, .max = 10};
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, 100);
    }
    struct grt_world *world =
        grt_world_create(&builder->scenario, policy, policy->permissive, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    long before = allocations;
    grt_world_run(world);
    long made = allocations - before;
    CU_ASSERT_EQUAL(grt_world_result(world)->tasks[0].met, (uint64_t)horizon / 4000);
    grt_world_free(world);
    grt_trace_free(options.trace);
    grt_builder_free(builder);
    return made;
}

static void longer_runs_in_pieces_allocate_no_more(void) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        if (is_piecewise(*policy)) {
            long made = allocations_in_pieces(*policy, 400000);
            CU_ASSERT(made > 0);
            CU_ASSERT_EQUAL(made, allocations_in_pieces(*policy, 8000000));
        }
    }
}

static void longer_runs_allocate_no_more(void) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        if (is_piecewise(*policy)) { /* jobs would pile up, now and then: the test above */
            continue;
        }
        for (enum extras extras = NOTHING_MORE; extras < EXTRAS; extras++) {
            uint64_t jobs, many_jobs;
            if (extras != NOTHING_MORE && (*policy)->sets_shares) {
                continue; /* blocks launch nothing there, and with the calls jobs would pile up */
            }
            long made = allocations_of(*policy, 200000, extras, &jobs);
            long made_by_the_longer = allocations_of(*policy, 2000000, extras, &many_jobs);
            CU_ASSERT(made > 0); /* the counters count */
            CU_ASSERT_EQUAL(made, made_by_the_longer);
            CU_ASSERT(many_jobs > 9 * jobs && jobs > 1000);
        }
    }
}

/* ---- statistics ---- */

static void statistics_stay_flat(void) {
    struct grt_arena arena = {0};
    struct grt_stats stats = grt_stats_create(&arena);
    struct grt_random random = grt_random_stream(1, "stats", 0, 0);
    for (int bit = 0; bit < 62; bit++) { /* one value in every octave */
        grt_stats_add(&stats, INT64_C(1) << bit);
    }
    long before = allocations;
    for (int i = 0; i < 100000; i++) {
        grt_stats_add(&stats, (grt_time)(grt_random_bits(&random) >> (2 + grt_random_below(&random, 62))));
    }
    CU_ASSERT_EQUAL(allocations, before);
    CU_ASSERT_EQUAL(stats.count, 100062);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"longer runs allocate no more", longer_runs_allocate_no_more},
        {"longer runs in pieces allocate no more", longer_runs_in_pieces_allocate_no_more},
        {"statistics stay flat", statistics_stay_flat},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("memory use", tests);
}
