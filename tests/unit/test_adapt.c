/* Policies that have other versions executed than what the user wrote, and that profile what they execute. */
#include "models/adapt.h"
#include "models/demand/profile.h"
#include "models/span.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* ---- a policy with an atomic version of kernels, without copies back, with a task of its own ---- */

struct parameters {
    grt_time counting; /* what the atomics add to a block */
    bool refuses;
    grt_time *average; /* of A, found in `start` */
    const struct grt_scenario **seen;
};

struct versions {
    grt_stream streams[3];
    bool asks[3];
};

static bool adapt(struct grt_scenario *scenario, const void *given, struct grt_arena *arena,
                  struct grt_errors *errors) {
    static const struct grt_command_spec whole = {.kind = GRT_COMMAND_KERNEL,
                                                  .kernel = {.name = "own",
                                                             .blocks = 1,
                                                             .needs = {.threads = 32},
                                                             .block_time = {.kind = GRT_CONSTANT, .max = 7}}};
    static const struct grt_segment own = {.kind = GRT_SEGMENT_GPU, .commands = &whole, .command_count = 1};
    static const grt_time once = 0;
    const struct parameters *parameters = given;
    struct grt_task *tasks = grt_adapt_tasks(scenario, 1, arena);
    for (size_t i = 0; i < scenario->task_count; i++) {
        struct grt_segment *segments = grt_adapt_segments(&tasks[i], arena);
        grt_adapt_add(&grt_adapt_commands(&segments[0])[1].kernel.block_time, parameters->counting, arena);
        segments[0].command_count--;
    }
    tasks[scenario->task_count++] = (struct grt_task){.name = "own",
                                                      .arrival = GRT_ARRIVAL_TIMES,
                                                      .times = &once,
                                                      .time_count = 1,
                                                      .deadline = GRT_TIME_NEVER,
                                                      .cpu = -1,
                                                      .segments = &own,
                                                      .segment_count = 1};
    if (parameters->refuses) {
        grt_error_add(errors, NULL, "it does not like it");
    }
    return !parameters->refuses;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct versions *self = state;
    const struct parameters *parameters = grt_policy_parameters(world);
    (void)errors;
    for (uint32_t i = 0; i < 3; i++) {
        self->streams[i] = grt_policy_stream(world, 0, 0, "stream");
    }
    *parameters->average = grt_policy_average_time(world, 0, 0, 3);
    *parameters->seen = grt_policy_scenario(world);
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct versions *)state)->asks[job] = true;
}

static void decide(void *state, struct grt_world *world) {
    struct versions *self = state;
    for (grt_job job = 0; job < 3; job++) {
        if (self->asks[job]) {
            self->asks[job] = false;
            grt_policy_submit(world, job, self->streams[job]);
        }
    }
}

static struct grt_promise promised(const void *given) {
    const struct parameters *parameters = given;
    return (struct grt_promise){.gpu = GRT_PROMISE_AT_ONCE, .aborts_nothing = parameters->counting == 3};
}

static const struct grt_policy_ops versions = {
    .name = "versions",
    .summary = "for this test",
    .state_size = sizeof(struct versions),
    .parameters_size = sizeof(struct parameters),
    .promised = promised,
    .adapt = adapt,
    .start = start,
    .gpu_request = request,
    .decide = decide,
};

/* A: 10 ns to the device, two blocks of 20 ns, 5 ns back. B: 4, 6, 3. */
static struct grt_builder *two_tasks(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_tx2());
    for (int64_t i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, i == 0 ? "A" : "B");
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, i == 0 ? 10 : 4);
        grt_builder_kernel(builder, task, 2, 256, i == 0 ? 20 : 6);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, i == 0 ? 5 : 3);
    }
    return builder;
}

/* The user's scenario stays as it is; A is done at 10 + 23, B, whose copy waits for A's, at 14 + 9. */
static void a_world_executes_what_the_policy_makes_of_the_scenario(void) {
    struct grt_builder *builder = two_tasks();
    struct grt_built_run run;
    grt_time average;
    const struct grt_scenario *seen;
    struct parameters parameters = {.counting = 3, .average = &average, .seen = &seen};
    grt_built_run_start_with(&run, &builder->scenario, &versions, &parameters, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.world);
    CU_ASSERT(run.result->task_count == 3);
    CU_ASSERT(grt_built_run_finish(&run, 0, 0) == 33);
    CU_ASSERT(grt_built_run_finish(&run, 1, 0) == 23);
    CU_ASSERT(grt_built_run_finish(&run, 2, 0) == 7);
    CU_ASSERT(average == 33);
    CU_ASSERT(seen == grt_world_scenario(run.world) && seen->task_count == 3);
    CU_ASSERT(builder->scenario.task_count == 2 && builder->segments[0][0].command_count == 3);
    CU_ASSERT(builder->segments[0][0].commands[1].kernel.block_time.max == 20);
    grt_built_run_end(&run, builder);
}

/* What was adapted before is not adapted again, and what another policy leaves alone is what it was given. */
static void a_scenario_is_adapted_once(void) {
    struct grt_builder *builder = two_tasks();
    struct grt_errors errors = {0};
    struct grt_built_run run;
    grt_time average;
    const struct grt_scenario *seen;
    struct parameters parameters = {.counting = 4, .average = &average, .seen = &seen};
    const struct grt_scenario *adapted =
        grt_adapted(&builder->scenario, &versions, &parameters, &builder->arena, &errors);
    CU_ASSERT(grt_adapted(adapted, &versions, &parameters, &builder->arena, &errors) == adapted);
    grt_built_run_start_with(&run, adapted, &versions, &parameters, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.world);
    CU_ASSERT(grt_world_scenario(run.world) == adapted && run.result->task_count == 3);
    CU_ASSERT(grt_built_run_finish(&run, 0, 0) == 34);
    grt_built_run_end(&run, builder);
}

static void a_policy_may_refuse_to_adapt(void) {
    struct grt_builder *builder = two_tasks();
    struct grt_built_run run;
    struct parameters parameters = {.refuses = true};
    grt_built_run_start_with(&run, &builder->scenario, &versions, &parameters, false);
    CU_ASSERT_PTR_NULL(run.world);
    CU_ASSERT(run.errors.count == 1);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], "it does not like it");
    grt_built_run_end(&run, builder);
}

static void promises_may_depend_on_parameters(void) {
    CU_ASSERT(grt_policy_promise(&versions, &(struct parameters){.counting = 3}).aborts_nothing);
    CU_ASSERT(!grt_policy_promise(&versions, &(struct parameters){.counting = 4}).aborts_nothing);
    CU_ASSERT(!grt_policy_promise(&versions, NULL).aborts_nothing);
}

/* ---- spans ---- */

static void spans_get_longer_with_all_their_bounds(void) {
    struct grt_arena arena = {0};
    struct grt_distribution span = {
        .kind = GRT_NORMAL, .min = 10, .max = 91, .declared = 95, .location = 50, .scale = 9};
    grt_adapt_percent(&span, 150, &arena);
    CU_ASSERT(span.min == 15 && span.max == 137 && span.declared == 143);
    CU_ASSERT(span.location == 75 && span.scale == 14);
    grt_adapt_add(&span, 5, &arena);
    CU_ASSERT(span.min == 20 && span.max == 142 && span.declared == 148);
    CU_ASSERT(span.location == 80 && span.scale == 14);
    struct grt_distribution longest = {.kind = GRT_CONSTANT, .max = GRT_TIME_LIMIT - 1};
    grt_adapt_add(&longest, 9, &arena);
    CU_ASSERT(longest.max == GRT_TIME_LIMIT && longest.declared == 0);
    grt_adapt_percent(&longest, 1000, &arena);
    CU_ASSERT(longest.max == GRT_TIME_LIMIT);
    grt_arena_clear(&arena);
}

/* The values belong to others, too: they stay as they are. */
static void measured_spans_get_longer_as_copies(void) {
    static const grt_time values[] = {3, 10, GRT_TIME_LIMIT - 1};
    static const struct grt_measured measured = {values, 3};
    static const struct grt_tail tail = {.threshold = 10, .scale = 5, .shape = 0.1, .ratio = 0.5};
    struct grt_arena arena = {0};
    struct grt_distribution span = {
        .kind = GRT_EMPIRICAL, .min = 3, .max = 90, .measured = &measured, .tail = &tail};
    grt_adapt_percent(&span, 150, &arena);
    grt_adapt_add(&span, 7, &arena);
    CU_ASSERT(span.min == 12 && span.max == 142);
    CU_ASSERT_EQUAL_FATAL(span.measured->count, 3);
    CU_ASSERT(span.measured->values[0] == 12 && span.measured->values[1] == 22 &&
              span.measured->values[2] == GRT_TIME_LIMIT);
    CU_ASSERT(span.tail->threshold == 22 && span.tail->scale == 8 && span.tail->shape == 0.1 &&
              span.tail->ratio == 0.5);
    CU_ASSERT(values[0] == 3 && tail.threshold == 10);
    grt_arena_clear(&arena);
}

/* ---- profiles ---- */

/* Two blocks beside each other, each 100 to 300 ns by a uniform draw: their maximum is 233 on average, with a deviation of 47. A mean of
 * 10,000 is within 2 of it, which is more than four deviations of the mean. */
static void a_profile_is_the_mean_of_draws(void) {
    struct grt_builder *builder = grt_builder_create(10);
    grt_builder_gpu(builder, grt_built_tx2());
    struct grt_task *task = grt_builder_task(builder, "A");
    struct grt_kernel *kernel = grt_builder_kernel(builder, task, 2, 256, 1);
    kernel->block_time = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 100, .max = 300};
    grt_time mean = grt_profile_segment(&builder->scenario, 0, 0, 10000);
    CU_ASSERT(mean >= 231 && mean <= 236);
    CU_ASSERT(grt_profile_segment(&builder->scenario, 0, 0, 10000) == mean);
    kernel->needs.threads = 100000; /* no SM has so many */
    CU_ASSERT(grt_profile_segment(&builder->scenario, 0, 0, 2) == GRT_TIME_NEVER);
    grt_builder_free(builder);
}

/* Three blocks that launch five each, the first of which launches seven: 3 + 3 * (5 + 7). Ten times, where something is drawn. */
static void blocks_are_counted_before_they_are_profiled(void) {
    static const struct grt_distribution constant = {.kind = GRT_CONSTANT, .min = 9, .max = 9},
                                         drawn = {.kind = GRT_UNIFORM, .min = 100, .max = 300};
    struct grt_launch_spec seven = {.kernel = {.name = "c", .blocks = 7, .block_time = constant},
                                    .from = GRT_LAUNCH_FROM_FIRST_BLOCK};
    struct grt_launch_spec five = {
        .kernel = {.name = "b", .blocks = 5, .block_time = constant, .launches = {&seven, 1}},
        .from = GRT_LAUNCH_FROM_EVERY_BLOCK};
    struct grt_builder *builder = grt_builder_create(10);
    grt_builder_gpu(builder, grt_built_tx2());
    struct grt_kernel *kernel = grt_builder_kernel(builder, grt_builder_task(builder, "A"), 3, 256, 100);
    kernel->launches = (struct grt_field_list){&five, 1};
    CU_ASSERT_EQUAL(grt_profile_blocks(&builder->scenario, 0, 10), 3 + 3 * (5 + 7));
    seven.kernel.block_time = drawn;
    CU_ASSERT_EQUAL(grt_profile_blocks(&builder->scenario, 0, 10), 10 * (3 + 3 * (5 + 7)));
    kernel->blocks = five.kernel.blocks = INT32_MAX;
    CU_ASSERT(grt_profile_blocks(&builder->scenario, 0, 10) == GRT_SPAN_NEVER);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a world executes what the policy makes of the scenario",
         a_world_executes_what_the_policy_makes_of_the_scenario},
        {"a scenario is adapted once", a_scenario_is_adapted_once},
        {"a policy may refuse to adapt", a_policy_may_refuse_to_adapt},
        {"promises may depend on parameters", promises_may_depend_on_parameters},
        {"spans get longer with all their bounds", spans_get_longer_with_all_their_bounds},
        {"measured spans get longer as copies", measured_spans_get_longer_as_copies},
        {"a profile is the mean of draws", a_profile_is_the_mean_of_draws},
        {"blocks are counted before they are profiled", blocks_are_counted_before_they_are_profiled},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("adapted scenarios", tests);
}
