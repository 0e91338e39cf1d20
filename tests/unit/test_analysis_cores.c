/* CPU segments in analyses: a core that no other task computes on is a task's own, whatever its number; one that is shared is not covered,
 * also by tasks of another GPU, which are not in the set. */
#include "models/analysis_set.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

static struct grt_task *add(struct grt_builder *builder, const char *name, int64_t core, int64_t gpu) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_periodic(task, 100, 0);
    grt_builder_cpu(builder, task, 5);
    grt_builder_whole(builder, task, 10);
    task->cpu = core;
    task->gpu = gpu;
    return task;
}

static enum grt_verdict verdict_of(int64_t core_count, int64_t first, int64_t second, int64_t gpu) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive());
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = core_count;
    add(builder, "a", first, 0);
    add(builder, "b", second, gpu);
    analysis_case_take(&it, builder);
    enum grt_verdict verdict = analysis_case_run(&it, "np-fp-response");
    grt_builder_free(builder);
    return verdict;
}

static void cores_of_their_own_are_covered(void) {
    CU_ASSERT_EQUAL(verdict_of(0, -1, -1, 0), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(verdict_of(2, 0, 1, 0), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[0], 5 + 9 + 10);
    CU_ASSERT_EQUAL(it.response[1], 5 + 10 + 10);
}

static void shared_cores_are_not(void) {
    CU_ASSERT_EQUAL(verdict_of(2, 1, 1, 0), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "task a shares the core of its CPU segments");
    CU_ASSERT_EQUAL(verdict_of(2, 1, 1, 1), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_EQUAL(it.set.count, 1);
}

/* What is declared may be less, or more, than all that is drawn. */
static void shortest_and_longest_times_are_told(void) {
    static const struct {
        struct grt_distribution time;
        int64_t shortest, longest;
    } cases[] = {{{.kind = GRT_UNIFORM, .min = 2, .max = 5}, 2, 5},
                 {{.kind = GRT_UNIFORM, .min = 2, .max = 5, .declared = 1}, 1, 1},
                 {{.kind = GRT_UNIFORM, .min = 2, .max = 5, .declared = 7}, 2, 7},
                 {{.kind = GRT_CONSTANT, .min = 5, .max = 5, .declared = 3}, 3, 3},
                 {{.kind = GRT_CONSTANT, .min = 5, .max = 5, .declared = 7}, 5, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_builder *builder = grt_builder_create(1000);
        grt_builder_gpu(builder, grt_built_exclusive());
        add(builder, "a", -1, 0);
        builder->segments[0][0].cpu_time = cases[i].time;
        analysis_case_take(&it, builder);
        CU_ASSERT_EQUAL(it.set.tasks[0].segments[0].shortest, cases[i].shortest);
        CU_ASSERT_EQUAL(it.set.tasks[0].segments[0].longest, cases[i].longest);
        grt_builder_free(builder);
    }
}

/* B2: CPU segments with a bandwidth are slowed by kernels of the GPU that shares their memory, whichever GPU their own task uses. a uses GPU 0, b GPU
 * 1, which shares the memory; c computes only. */
static const char *interference(uint32_t gpu, size_t drawing) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_device *integrated = grt_builder_gpu(builder, grt_built_exclusive());
    integrated->integrated = true;
    integrated->bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
    integrated->memory_bytes_per_second = GRT_SECOND;
    add(builder, "a", -1, 0);
    add(builder, "b", -1, 1);
    grt_builder_cpu(builder, grt_builder_task(builder, "c"), 5);
    if (drawing < 3) {
        builder->segments[drawing][0].cpu_bandwidth = 1;
    }
    struct grt_analysis_set set = grt_analysis_set_of(&builder->scenario, gpu, NULL, &builder->arena);
    const char *clause = set.interference;
    grt_builder_free(builder);
    return clause;
}

static void memory_is_shared_across_gpus(void) {
    CU_ASSERT_PTR_NULL(interference(0, SIZE_MAX));
    CU_ASSERT_PTR_NULL(interference(1, SIZE_MAX));
    for (size_t drawing = 0; drawing < 3; drawing++) { /* whoever draws slows GPU 1 */
        CU_ASSERT_PTR_NOT_NULL(interference(1, drawing));
    }
    CU_ASSERT_PTR_NOT_NULL(interference(0, 0));
    CU_ASSERT_PTR_NULL(interference(0, 1)); /* b is not in this set */
    CU_ASSERT_PTR_NOT_NULL(interference(0, 2));
}

/* Events that others may record, and other processes. */
static void what_others_do_to_segments_is_told(void) {
    struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};
    for (int what = 0; what < 3; what++) {
        struct grt_builder *builder = grt_builder_create(1000);
        grt_builder_gpu(builder, grt_built_exclusive());
        grt_builder_gpu(builder, grt_built_exclusive());
        struct grt_task *a = add(builder, "a", -1, 0);
        if (what == 1) {
            grt_builder_call(builder, a, GRT_COMMAND_WAIT, "e");
        }
        builder->scenario.processes = processes;
        builder->scenario.process_count = what == 2 ? 2 : 1;
        for (uint32_t gpu = 0; gpu < 2; gpu++) {
            const char *clause =
                grt_analysis_set_of(&builder->scenario, gpu, NULL, &builder->arena).interference;
            CU_ASSERT_EQUAL(clause != NULL, what == 2 || (what == 1 && gpu == 0));
        }
        grt_builder_free(builder);
    }
}

/* M3: three SMs in two TPCs. A client that may use one of them has two SMs or one. */
static bool is_bound(int64_t sm_count, int64_t percentage) {
    struct grt_process process = {.name = "p", .spec = {.active_thread_percentage = percentage}};
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(sm_count));
    device->sms_per_tpc = 2;
    device->mps = true;
    device->compute_capability = 80;
    builder->scenario.processes = &process;
    builder->scenario.process_count = 1;
    add(builder, "a", -1, 0);
    bool bound = grt_analysis_set_of(&builder->scenario, 0, NULL, &builder->arena).longest_is_bound;
    grt_builder_free(builder);
    return bound;
}

static void times_on_a_part_of_the_device_may_be_bounds(void) {
    CU_ASSERT(is_bound(3, 50));
    CU_ASSERT(!is_bound(3, 100));
    CU_ASSERT(!is_bound(4, 50));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"cores of their own are covered", cores_of_their_own_are_covered},
        {"shared cores are not", shared_cores_are_not},
        {"shortest and longest times are told", shortest_and_longest_times_are_told},
        {"memory is shared across GPUs", memory_is_shared_across_gpus},
        {"what others do to segments is told", what_others_do_to_segments_is_told},
        {"times on a part of the device may be bounds", times_on_a_part_of_the_device_may_be_bounds},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("cores in analyses", tests);
}
