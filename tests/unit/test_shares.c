/* Kernels on a GPU of granularity shares (F1 to F5), one small case each, with times computed by hand. */
#include <stdio.h>
#include <string.h>

#include "models/demand/demand.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

/* ---- a policy that does what a case says ---- */

/* Sets the share of a task's stream at an instant, or takes the counters. */
struct step {
    grt_time at;
    uint32_t task;
    int64_t share;
};

enum { MOST_STEPS = 8 };

struct script {
    struct step steps[MOST_STEPS];
    size_t count;
    double *workload; /* of the first task, taken at the last step; or NULL */
    double *completion;
};

struct state {
    grt_stream streams[GRT_BUILDER_TASKS];
    grt_job waiting[GRT_BUILDER_TASKS];
    uint32_t waiting_count, timer;
    size_t next;
};

static void wait_for_next(struct state *state, struct grt_world *world) {
    const struct script *script = grt_policy_parameters(world);
    if (state->next < script->count) {
        grt_policy_timer(world, state->timer, script->steps[state->next].at);
    }
}

static bool start(void *self, struct grt_world *world, struct grt_errors *errors) {
    struct state *state = self;
    (void)errors;
    for (size_t i = 0; i < grt_policy_scenario(world)->task_count; i++) {
        state->streams[i] = grt_policy_stream(world, 0, 0, "s");
    }
    state->timer = grt_policy_new_timer(world);
    wait_for_next(state, world);
    return true;
}

static void gpu_request(void *self, struct grt_world *world, grt_job job) {
    struct state *state = self;
    (void)world;
    state->waiting[state->waiting_count++] = job;
}

static void decide(void *self, struct grt_world *world) {
    struct state *state = self;
    const struct script *script = grt_policy_parameters(world);
    for (uint32_t i = 0; i < state->waiting_count; i++) {
        uint32_t task = grt_policy_job(world, state->waiting[i])->task;
        grt_policy_submit(world, state->waiting[i], state->streams[task]);
    }
    state->waiting_count = 0;
    while (state->next < script->count && script->steps[state->next].at == grt_policy_now(world)) {
        const struct step *step = &script->steps[state->next++];
        grt_policy_set_share(world, state->streams[step->task], step->share);
        if (state->next == script->count && script->workload != NULL) {
            grt_policy_workload(world, state->streams[A], script->workload);
            *script->completion = grt_policy_completion(world, state->streams[A]);
        }
    }
    wait_for_next(state, world);
}

static const struct grt_policy_ops scripted = {
    .name = "scripted",
    .summary = "does what a test says",
    .state_size = sizeof(struct state),
    .parameters_size = sizeof(struct script),
    .sets_shares = true,
    .promise = {.gpu = GRT_PROMISE_AT_ONCE},
    .start = start,
    .gpu_request = gpu_request,
    .decide = decide,
};

/* ---- cases ---- */

static struct grt_device *shared_gpu(struct grt_builder *builder, int64_t contention) {
    struct grt_device device = grt_built_device(10);
    device.granularity = GRT_GRANULARITY_SHARES;
    device.contention = contention;
    device.contention_exponent = 1;
    return grt_builder_gpu(builder, device);
}

/* The next task: at an instant a kernel of so much work, which uses the whole GPU. */
static struct grt_kernel *add(struct grt_builder *builder, grt_time at, grt_time work) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, at);
    return grt_builder_whole(builder, task, work);
}

static void run(struct grt_built_run *run, struct grt_builder *builder, const struct script *script) {
    grt_built_run_start_with(run, &builder->scenario, &scripted, script, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

static void f1_alone_at_full_speed(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 7, 1000);
    run(&found, builder, &(struct script){0});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 7, 1007));
    CU_ASSERT_EQUAL(found.result->gpus[0].busy, 1000);
    CU_ASSERT_EQUAL(found.result->gpus[0].kernels, 1);
    CU_ASSERT_DOUBLE_EQUAL(found.result->gpus[0].sm_busy, 10000, 0);
    CU_ASSERT(found.result->gpus[0].shares);
    CU_ASSERT_EQUAL(grt_built_run_count(&found, GRT_TRACE_BLOCK), 0);
    CU_ASSERT_EQUAL(grt_built_run_count(&found, GRT_TRACE_SHARE), 0);
    grt_built_run_end(&found, builder);
}

/* 10 SMs hold 20 blocks of 1024 threads: 41 blocks are three waves, 5 blocks a quarter of one. */
static void f1_a_grid_takes_its_waves(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 41, 1024, 100);
    grt_builder_kernel(builder, task, 5, 1024, 100);
    run(&found, builder, &(struct script){.steps = {{0, A, 50}}, .count = 1});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 600));
    CU_ASSERT(grt_built_kernel_ran(&found, A, 1, 600, 700));
    CU_ASSERT_DOUBLE_EQUAL(found.result->gpus[0].sm_busy, 10 * (300 + 0.25 * 100), 1e-9);
    grt_built_run_end(&found, builder);
}

/* Three waves and one; with tokens nobody knows. */
static void f1_the_longest_time(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    struct grt_device *device = shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 41, 1024, 100);
    grt_builder_kernel(builder, task, 5, 1024, 100);
    run(&found, builder, &(struct script){0});
    CU_ASSERT_EQUAL(grt_built_run_finish(&found, A, 0), 400);
    CU_ASSERT_EQUAL(grt_segment_time(&builder->scenario, task, task->segments), 400);
    device->share_interval = 1000;
    CU_ASSERT_EQUAL(grt_segment_time(&builder->scenario, task, task->segments), GRT_TIME_NEVER);
    grt_built_run_end(&found, builder);
}

/* Halves from 0 on; B ends at 1000 with 500 of A left. */
static void f3_two_that_fill_the_gpu(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 1000);
    add(builder, 0, 500);
    run(&found, builder, &(struct script){0});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 1500));
    CU_ASSERT(grt_built_kernel_ran(&found, B, 0, 0, 1000));
    CU_ASSERT_EQUAL(found.result->gpus[0].busy, 1500);
    CU_ASSERT_DOUBLE_EQUAL(found.result->gpus[0].sm_busy, 15000, 1e-5);
    grt_built_run_end(&found, builder);
}

/* A quarter of the GPU until 400, when 100 are done; nothing until 1000; then all of it. */
static void f2_shares_count_at_once(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 1000);
    run(&found, builder,
        &(struct script){.steps = {{0, A, 25}, {400, A, 0}, {500, A, 0}, {1000, A, 100}}, .count = 4});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 1900));
    CU_ASSERT_EQUAL(grt_built_run_count(&found, GRT_TRACE_SHARE), 3);
    const struct grt_trace_record *last =
        grt_built_run_find(&found, GRT_TRACE_SHARE, GRT_TRACE_NO_TASK, 0, 2);
    CU_ASSERT_FATAL(last != NULL);
    CU_ASSERT_EQUAL(last->time, 1000);
    CU_ASSERT_EQUAL(last->other, 100);
    grt_built_run_end(&found, builder);
}

/* It stands still to the end of the run. */
static void f2_a_share_of_nothing(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 1000);
    add(builder, 0, 1000);
    run(&found, builder, &(struct script){.steps = {{0, A, 0}}, .count = 1});
    CU_ASSERT_EQUAL(found.result->tasks[A].unfinished, 1);
    CU_ASSERT(grt_built_kernel_ran(&found, B, 0, 0, 1000));
    const struct grt_trace_record *open = grt_built_run_find(&found, GRT_TRACE_KERNEL, A, 0, 0);
    CU_ASSERT_FATAL(open != NULL);
    CU_ASSERT_EQUAL(open->flags, GRT_TRACE_OPEN);
    CU_ASSERT_EQUAL(open->time, 10000);
    CU_ASSERT_EQUAL(found.result->gpus[0].busy, 10000);
    grt_built_run_end(&found, builder);
}

static void f2_turns(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_NONE)->share_mode = GRT_SHARE_MODE_TIME_SLICING;
    add(builder, 0, 300);
    add(builder, 0, 300);
    add(builder, 300, 100);
    run(&found, builder, &(struct script){0});
    CU_ASSERT(grt_built_kernel_ran(&found, C, 0, 300, 600));
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 700));
    CU_ASSERT(grt_built_kernel_ran(&found, B, 0, 0, 700));
    grt_built_run_end(&found, builder);
}

/* A fills 60 of 100, B wants 80 and has 40 until A ends. */
static void f2_what_is_left_over(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    static const struct grt_usage sixty = {.sm_utilisation = 0.6}, eighty = {.sm_utilisation = 0.8};
    shared_gpu(builder, GRT_CONTENTION_NONE)->share_mode = GRT_SHARE_MODE_LEFT_OVER;
    add(builder, 0, 500)->usage = &sixty;
    add(builder, 0, 500)->usage = &eighty;
    run(&found, builder, &(struct script){0});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 500));
    CU_ASSERT(grt_built_kernel_ran(&found, B, 0, 0, 750));
    grt_built_run_end(&found, builder);
}

/* B's job is aborted at its deadline, 400, with 800 of its 1000 left: A goes on alone. */
static void f5_aborts_leave_nothing(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 1000);
    add(builder, 0, 1000);
    builder->tasks[B].deadline = 400;
    builder->tasks[B].on_miss = GRT_MISS_ABORT;
    run(&found, builder, &(struct script){0});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 1200));
    CU_ASSERT_EQUAL(grt_built_run_abort(&found, B, 0), 400);
    const struct grt_trace_record *kernel = grt_built_run_find(&found, GRT_TRACE_KERNEL, B, 0, 0);
    CU_ASSERT_FATAL(kernel != NULL);
    CU_ASSERT_EQUAL(kernel->time, 400);
    CU_ASSERT_EQUAL(kernel->flags, GRT_TRACE_ABORTED);
    grt_built_run_end(&found, builder);
}

/* Each has tokens for 500 of each 1000 ns, and B for 600 of them from the refill behind the change of its share on. */
static void f4_tokens(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    struct grt_device *device = shared_gpu(builder, GRT_CONTENTION_NONE);
    device->share_interval = 1000;
    device->share_launch = 100;
    add(builder, 0, 3000);
    add(builder, 0, 3000);
    run(&found, builder, &(struct script){.steps = {{0, A, 50}, {0, B, 50}, {2000, B, 60}}, .count = 3});
    CU_ASSERT(grt_built_kernel_ran(&found, A, 0, 0, 5500));
    CU_ASSERT(grt_built_kernel_ran(&found, B, 0, 0, 5300));
    grt_built_run_end(&found, builder);
}

/* At 500 A has done 250; B and C go at half speed. */
static void counters_of_the_others(void) {
    struct grt_builder *builder = grt_builder_create(10000);
    struct grt_built_run found;
    double workload[GRT_INDICATORS], completion;
    static const struct grt_usage counted = {
        .sm_utilisation = 1, .counters = {[GRT_INDICATOR_L2_READ] = 8e6, [GRT_INDICATOR_TEXTURE_LOAD] = 2}};
    shared_gpu(builder, GRT_CONTENTION_NONE);
    for (int i = 0; i < 3; i++) {
        add(builder, 0, 1000)->usage = &counted;
    }
    run(&found, builder,
        &(struct script){.steps = {{0, A, 50}, {0, B, 50}, {0, C, 25}, {500, C, 20}},
                         .count = 4,
                         .workload = workload,
                         .completion = &completion});
    CU_ASSERT_DOUBLE_EQUAL(workload[GRT_INDICATOR_L2_READ], 8e6 * (0.5 + 0.25), 1);
    CU_ASSERT_DOUBLE_EQUAL(workload[GRT_INDICATOR_TEXTURE_LOAD], 2 * (0.5 + 0.25), 1e-6);
    CU_ASSERT_EQUAL(workload[GRT_INDICATOR_WARPS], 0);
    CU_ASSERT_DOUBLE_EQUAL(completion, 0.25, 1e-9);
    grt_built_run_end(&found, builder);
}

/* ---- what is refused ---- */

static bool refused(struct grt_builder *builder, const struct grt_policy_ops *policy, const char *sentence) {
    struct grt_built_run found;
    struct script script = {0};
    const void *parameters = policy == &scripted ? &script : NULL;
    grt_built_run_start_with(&found, &builder->scenario, policy, parameters, false);
    bool same =
        found.result == NULL && found.errors.count == 1 && strcmp(found.errors.messages[0], sentence) == 0;
    if (!same && found.errors.count > 0) {
        fprintf(stderr, "%s\n", found.errors.messages[0]);
    }
    grt_built_run_end(&found, builder);
    return same;
}

static void shares_need_such_a_gpu(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_device(2));
    add(builder, 0, 10);
    CU_ASSERT(refused(builder, &scripted,
                      "platform.gpus[0].granularity: must be \"shares\" because policy scripted sets shares "
                      "(got \"blocks\")"));
}

static void some_policies_need_blocks(void) {
    struct grt_builder *builder = grt_builder_create(100);
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    add(builder, 0, 10);
    CU_ASSERT(refused(
        builder, grt_policy_find("gpu-atomics"),
        "platform.gpus[0].granularity: must be \"blocks\" because policy gpu-atomics has work done by "
        "blocks (got \"shares\")"));
}

static void blocks_are_refused(void) {
    static const int64_t first[] = {0};
    const struct grt_policy_ops *hardware = grt_policy_find("hardware");
    struct grt_builder *builder = grt_builder_create(100);
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 4, 1024, 10)->sms = (struct grt_number_list){first, 1};
    CU_ASSERT(refused(builder, hardware,
                      "tasks[0].segments[0].gpu[0].sms: not allowed on a GPU with \"granularity\": "
                      "\"shares\": it has no SMs "
                      "that kernels could be pinned to"));
    builder = grt_builder_create(100);
    shared_gpu(builder, GRT_CONTENTION_MAX_MIN);
    task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    grt_builder_kernel(builder, task, 4, 1024, 10);
    task->tpcs = (struct grt_number_list){first, 1};
    CU_ASSERT(refused(builder, hardware,
                      "tasks[0].tpcs: not allowed on a GPU with \"granularity\": \"shares\": it has no SMs "
                      "that kernels could be "
                      "kept to"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"F1 alone at full speed", f1_alone_at_full_speed},
        {"F1 a grid takes its waves", f1_a_grid_takes_its_waves},
        {"F1 the longest time", f1_the_longest_time},
        {"F3 two that fill the gpu", f3_two_that_fill_the_gpu},
        {"F2 shares count at once", f2_shares_count_at_once},
        {"F2 a share of nothing", f2_a_share_of_nothing},
        {"F2 turns", f2_turns},
        {"F2 what is left over", f2_what_is_left_over},
        {"F5 aborts leave nothing", f5_aborts_leave_nothing},
        {"F4 tokens", f4_tokens},
        {"counters of the others", counters_of_the_others},
        {"shares need such a gpu", shares_need_such_a_gpu},
        {"some policies need blocks", some_policies_need_blocks},
        {"blocks are refused", blocks_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("shares", tests);
}
