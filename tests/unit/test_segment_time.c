/* How long a segment takes alone (grt_policy_segment_time): examples by hand, and what has no closed form. Random ones against
 * the simulator are in tests/property/test_segment_time.c. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MOST_SEGMENTS = 4 };

/* A policy that asks in `start` and never submits. */
static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    grt_time *times = *(grt_time *const *)grt_policy_parameters(world);
    const struct grt_task *task = grt_policy_scenario(world)->tasks;
    (void)state, (void)errors;
    for (uint32_t i = 0; i < task->segment_count; i++) {
        times[i] = grt_policy_segment_time(world, 0, i);
    }
    return true;
}

static void decide(void *state, struct grt_world *world) {
    (void)state, (void)world;
}

static const struct grt_policy_ops asks = {.name = "asks",
                                           .summary = "asks",
                                           .parameters_size = sizeof(grt_time *),
                                           .start = start,
                                           .decide = decide};

/* What is told of the segments of a builder's first task; frees the builder. */
static void ask(struct grt_builder *builder, grt_time times[MOST_SEGMENTS]) {
    struct grt_errors errors = {0};
    struct grt_world *world =
        grt_world_create(&builder->scenario, &asks, &times, &(struct grt_world_options){0}, &errors);
    CU_ASSERT_PTR_NOT_NULL(world);
    grt_world_free(world);
    grt_builder_free(builder);
}

/* Two SMs hold four blocks of 1024 threads: nine of them are three waves. Copies of n bytes take n ns. */
static struct grt_builder *on_tx2(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->kernel_launch = 7;
    device->copy_latency = 2;
    return builder;
}

/* The copy ends at 2 + 20; the launch reached the device at 7, meanwhile; three waves of 10 end at 52; the second kernel's
 * launch, at 14, is over as well: 52 + 5. */
static void commands_follow_one_another(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS];
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 20);
    grt_builder_kernel(builder, task, 9, 1024, 10);
    grt_builder_kernel(builder, task, 1, 32, 5);
    ask(builder, times);
    CU_ASSERT_EQUAL(times[0], 57);
}

/* The host waits for the copy, until 22: the launch reaches the device at 29. */
static void the_host_waits_for_a_synchronous_copy(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS];
    grt_builder_sync_copy(builder, task, GRT_COMMAND_D2H, 20);
    grt_builder_kernel(builder, task, 9, 1024, 10);
    ask(builder, times);
    CU_ASSERT_EQUAL(times[0], 59);
}

static void the_longest_draw_counts_and_nothing_takes_no_time(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS];
    struct grt_segment *cpu = grt_builder_cpu(builder, task, 9);
    cpu->cpu_time.kind = GRT_UNIFORM;
    grt_builder_kernel(builder, task, 1, 32, 5)->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 6};
    grt_builder_cpu(builder, task, 0);
    ask(builder, times);
    CU_ASSERT_EQUAL(times[0], 9);
    CU_ASSERT_EQUAL(times[1], 7 + 6);
    CU_ASSERT_EQUAL(times[2], 1);
}

/* A host function of no time takes 1 ns; 3 bytes of pageable memory take 3 s over a link of 1 byte a second, of which a part
 * is left that is less than that. */
static void what_is_least_is_one(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS];
    builder->gpus[0].h2d_bytes_per_second = 1;
    builder->gpus[0].pageable_percent = 50;
    grt_builder_callback(builder, task, 0);
    grt_builder_callback(builder, task, 0);
    grt_builder_gpu_segment(builder, task);
    grt_builder_call(builder, task, GRT_COMMAND_H2D, NULL)->bytes = 3;
    ((struct grt_command_spec *)(uintptr_t)task->segments[1].commands)->pageable = true;
    ask(builder, times);
    CU_ASSERT_EQUAL(times[0], 2);
    CU_ASSERT_EQUAL(times[1], 2 + 3 * GRT_SECOND);
}

/* Where a block launches kernels, however short, and where centuries pass. */
static void never_is_told_where_no_time_is_known(void) {
    static struct grt_launch_spec launch = {
        .kernel = {.name = "c",
                   .blocks = 1,
                   .needs.threads = 32,
                   .block_time = {.kind = GRT_CONSTANT, .min = 1, .max = 1}}};
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS];
    builder->gpus[0].max_pending_launches = 1;
    grt_builder_kernel(builder, task, 1, 32, 5)->launches = (struct grt_field_list){&launch, 1};
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 20);
    grt_builder_gpu_segment(builder, task);
    grt_builder_kernel(builder, task, 6, 1024, GRT_TIME_LIMIT / 2 - 4);
    grt_builder_gpu_segment(builder, task);
    grt_builder_kernel(builder, task, 8, 1024, GRT_TIME_LIMIT / 2);
    ask(builder, times);
    CU_ASSERT_EQUAL(times[0], GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(times[1], GRT_TIME_LIMIT - 8 + 7);
    CU_ASSERT_EQUAL(times[2], GRT_TIME_NEVER);
}

/* `start` is called before a scenario is refused, so that all its errors are told. */
static void a_kernel_that_does_not_fit_is_refused_all_the_same(void) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    struct grt_errors errors = {0};
    grt_time times[MOST_SEGMENTS], *where = times;
    grt_builder_kernel(builder, task, 1, 1025, 5);
    CU_ASSERT_PTR_NULL(
        grt_world_create(&builder->scenario, &asks, &where, &(struct grt_world_options){0}, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    CU_ASSERT_EQUAL(times[0], GRT_TIME_NEVER);
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

/* A policy that asks what is left of a job when it wants the GPU, when it has had it, and when it has ended. */
struct left {
    grt_time *times;
    grt_stream stream;
    uint32_t asked;
    bool waiting;
};

static bool left_start(void *state, struct grt_world *world, struct grt_errors *errors) {
    (void)errors;
    *(struct left *)state = *(const struct left *)grt_policy_parameters(world);
    ((struct left *)state)->stream = grt_policy_stream(world, 0, 0, "s");
    return true;
}

static void left_ask(void *state, struct grt_world *world, grt_job job) {
    struct left *left = state;
    left->times[left->asked++] = grt_policy_time_left(world, job);
    left->waiting = true;
}

static void left_decide(void *state, struct grt_world *world) {
    struct left *left = state;
    if (left->waiting && left->asked == 1) {
        grt_policy_submit(world, 0, left->stream);
    }
    left->waiting = false;
}

static const struct grt_policy_ops asks_left = {
    .name = "asks left",
    .summary = "asks",
    .state_size = sizeof(struct left),
    .parameters_size = sizeof(struct left),
    .start = left_start,
    .gpu_request = left_ask,
    .gpu_done = left_ask,
    .job_ended = left_ask,
    .decide = left_decide,
};

/* A thread of 9, a copy of 2 + 20, a thread of `last`: what is left in the second. */
static grt_time left_behind_a_copy(grt_time last) {
    struct grt_builder *builder = on_tx2();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_time times[MOST_SEGMENTS] = {0, -1, -1};
    struct left left = {.times = times};
    struct grt_errors errors = {0};
    grt_builder_cpu(builder, task, 9);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 20);
    grt_builder_cpu(builder, task, last);
    struct grt_world *world =
        grt_world_create(&builder->scenario, &asks_left, &left, &(struct grt_world_options){0}, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    CU_ASSERT_EQUAL(times[1], last);
    CU_ASSERT_EQUAL(times[2], last < 1000 ? 0 : -1); /* it has ended, or has not by the horizon */
    grt_world_free(world);
    grt_builder_free(builder);
    return times[0];
}

static void what_is_left_of_a_job(void) {
    CU_ASSERT_EQUAL(left_behind_a_copy(4), 26);
    CU_ASSERT_EQUAL(left_behind_a_copy(GRT_TIME_LIMIT - 22), GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(left_behind_a_copy(GRT_TIME_LIMIT - 21), GRT_TIME_NEVER);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"commands follow one another", commands_follow_one_another},
        {"the host waits for a synchronous copy", the_host_waits_for_a_synchronous_copy},
        {"the longest draw counts and nothing takes no time",
         the_longest_draw_counts_and_nothing_takes_no_time},
        {"what is least is one", what_is_least_is_one},
        {"what is left of a job", what_is_left_of_a_job},
        {"never is told where no time is known", never_is_told_where_no_time_is_known},
        {"a kernel that does not fit is refused all the same",
         a_kernel_that_does_not_fit_is_refused_all_the_same},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("time of a segment alone, by hand", tests);
}
