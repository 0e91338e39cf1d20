/* labels: alone */
/* The policy that docs/writing-a-policy.md builds: the document's own code, taken out of it by the build. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

extern const struct grt_policy_ops grt_policy_llf;

static void add_task(struct grt_builder *builder, const char *name, grt_time release, grt_time deadline,
                     grt_time time) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_at(builder, task, release);
    task->deadline = deadline;
    grt_builder_whole(builder, task, time);
}

/* While `first` holds the GPU until 10, two jobs wait: `early` has the earlier deadline (30) but 28 of laxity at 0,
 * `lax` a later deadline (40) but only 15. Least laxity takes `lax` first; np-edf would take `early`. */
static void test_least_laxity_goes_first(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    add_task(builder, "first", 0, 100, 10);
    add_task(builder, "early", 1, 29, 2);
    add_task(builder, "lax", 1, 39, 25);
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, &grt_policy_llf, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 0, 0), 10);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 2, 0), 35);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 1, 0), 37);
    CU_ASSERT_EQUAL(run.result->tasks[1].missed, 1);
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

/* The job's kernel launches another one. */
static void launch(struct grt_builder *builder, struct grt_task *task) {
    struct grt_kernel *kernel = grt_builder_kernel(builder, task, 1, 32, 10);
    struct grt_launch_spec *child = grt_arena_array(&builder->arena, 1, sizeof *child);
    child->kernel = *kernel;
    child->kernel.name = "child";
    kernel->launches = (struct grt_field_list){child, 1};
}

/* While `first` holds the GPU until 10, others come: `urgent` must begin by 11; the time of `launcher` is not known, but its
 * deadline is far; `endless` has none, and goes last, whatever it launches. */
static void test_launchers_do_not_pass_the_urgent(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive())->max_pending_launches = 10;
    add_task(builder, "first", 0, 100, 10);
    add_task(builder, "urgent", 1, 20, 10);
    struct grt_task *launcher = grt_builder_task(builder, "launcher");
    grt_builder_at(builder, launcher, 2);
    launcher->deadline = 900;
    launch(builder, launcher);
    struct grt_task *endless = grt_builder_task(builder, "endless");
    grt_builder_at(builder, endless, 1);
    endless->deadline = GRT_TIME_NEVER;
    launch(builder, endless);
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, &grt_policy_llf, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 1, 0), 20);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 2, 0), 40);
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 3, 0), 60);
    grt_built_run_end(&run, builder);
}

static void test_two_gpus_are_refused_with_a_sentence(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    grt_builder_gpu(builder, grt_built_exclusive());
    add_task(builder, "task", 0, 100, 10);
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, &grt_policy_llf, false);
    CU_ASSERT_PTR_NULL(run.result);
    CU_ASSERT_EQUAL(run.errors.count, 1);
    CU_ASSERT_STRING_EQUAL(run.errors.messages[0], "policy llf needs exactly one GPU");
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"least laxity goes first", test_least_laxity_goes_first},
        {"launchers do not pass the urgent", test_launchers_do_not_pass_the_urgent},
        {"two GPUs are refused with a sentence", test_two_gpus_are_refused_with_a_sentence},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("documented policy", tests);
}
