/* Worlds as a whole: the horizon, refusals, the names in a trace, seeds, and the policies' common chance. */
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_builder *on_exclusive(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

static void start(struct grt_built_run *run, const struct grt_builder *builder, const char *policy) {
    grt_built_run_start(run, &builder->scenario, grt_policy_find(policy), false);
}

/* ---- the horizon ---- */

/* What completes at the horizon has completed; nothing is released there. */
static void the_horizon_ends_the_run(void) {
    struct grt_builder *builder = on_exclusive(10);
    struct grt_built_run run;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_periodic(task, 10, 0);
    grt_builder_cpu(builder, task, 4);
    grt_builder_whole(builder, task, 6);
    start(&run, builder, "fifo");
    CU_ASSERT_EQUAL(run.result->end, 10);
    CU_ASSERT_EQUAL(run.result->tasks[0].met, 1);
    CU_ASSERT_EQUAL(run.result->tasks[0].released, 1);
    CU_ASSERT_EQUAL(run.result->tasks[0].unfinished, 0);
    CU_ASSERT_EQUAL(run.result->tasks[0].missed, 0);
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

/* Nothing happens for most of the run: busy times and the end are those of the horizon all the same. */
static void a_run_ends_at_its_horizon(void) {
    struct grt_builder *builder = on_exclusive(GRT_TIME_LIMIT);
    struct grt_built_run run;
    grt_builder_whole(builder, grt_builder_task(builder, "t"), 6);
    start(&run, builder, "fifo");
    CU_ASSERT_EQUAL(run.result->end, GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 6);
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

/* ---- refusals ---- */

static void refused(struct grt_builder *builder, const char *policy, const char *message) {
    struct grt_built_run run;
    start(&run, builder, policy);
    CU_ASSERT_PTR_NULL(run.world);
    CU_ASSERT_EQUAL(run.errors.count, 1);
    CU_ASSERT(run.errors.count > 0 && strstr(run.errors.messages[0], message) != NULL);
    if (run.errors.count > 0 && strstr(run.errors.messages[0], message) == NULL) {
        grt_errors_print(&run.errors, stderr, "refused: ");
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

static void refuses_kernels_that_never_fit(void) {
    struct grt_builder *builder = on_exclusive(10);
    struct grt_task *task = grt_builder_task(builder, "big");
    grt_builder_cpu(builder, task, 1);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 1);
    grt_builder_kernel(builder, task, 1, 1025, 1);
    refused(builder, "fifo", "tasks[0].segments[1].gpu[1]: kernel \"big\" can never run on \"exclusive\"");
}

static void refuses_places_that_are_not_there(void) {
    static const int64_t cores[] = {-1, 2};
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = on_exclusive(10);
        builder->scenario.core_count = 2;
        struct grt_task *task = grt_builder_task(builder, "t");
        task->cpu = cores[i];
        grt_builder_cpu(builder, task, 1);
        refused(builder, "fifo", "tasks[0].cpu: must be a core of the platform, 0 to 1");
    }
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        struct grt_builder *builder = on_exclusive(10);
        struct grt_task *task = grt_builder_task(builder, "t");
        task->gpu = 1;
        grt_builder_whole(builder, task, 1);
        refused(builder, (*policy)->name, "tasks[0].gpu: must be a GPU of the platform, 0 to 0");
    }
}

static void refuses_streams_of_two_priorities(void) {
    struct grt_builder *builder = on_exclusive(10);
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->stream = "shared";
        task->stream_priority = -i;
        grt_builder_whole(builder, task, 1);
    }
    refused(builder, "hardware", "tasks[1].stream_priority: must be 0");
}

/* ---- names ---- */

static void is_named(const struct grt_built_run *run, enum grt_trace_name_kind kind, uint32_t index,
                     uint16_t segment, uint16_t command, const char *expected) {
    const char *name = grt_trace_memory_name(&run->kept, kind, index, segment, command);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    CU_ASSERT_STRING_EQUAL(name, expected);
}

static void the_trace_names_everything(void) {
    struct grt_builder *builder = on_exclusive(10);
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_tx2())->copy_engines = 2;
    builder->scenario.core_count = 2;
    struct grt_task *task = grt_builder_task(builder, "camera");
    task->cpu = 0;
    task->gpu = 1;
    task->stream = "left eye";
    grt_builder_cpu(builder, task, 1);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 1);
    grt_builder_kernel(builder, task, 1, 32, 1)->name = "sobel";
    start(&run, builder, "hardware");
    is_named(&run, GRT_NAME_RUN, 0, 0, 0, "built");
    is_named(&run, GRT_NAME_TASK, 0, 0, 0, "camera");
    is_named(&run, GRT_NAME_CORE, 1, 0, 0, "cpu 1");
    is_named(&run, GRT_NAME_STREAM, 0, 0, 0, "left eye");
    is_named(&run, GRT_NAME_KERNEL, 0, 1, 1, "sobel");
    is_named(&run, GRT_NAME_ENGINE, 0, 0, 0, "gpu0 copy");
    is_named(&run, GRT_NAME_ENGINE, 2, 0, 0, "gpu1 copy d2h");
    is_named(&run, GRT_NAME_SM, 2, 0, 0, "gpu1 SM 1");
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_COPY, 0, 0, 0)->row, 1);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_BLOCK, 0, 0, 0)->row, 1);
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

/* ---- chance ---- */

static struct grt_builder *by_chance(uint64_t seed) {
    struct grt_builder *builder = on_exclusive(5000);
    builder->scenario.seed = seed;
    builder->scenario.ties = GRT_TIES_SHUFFLE;
    for (int i = 0; i < 4; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 100 + i, 0);
        task->jitter = 20;
        if (i == 3) {
            task->arrival = GRT_ARRIVAL_POISSON;
        }
        grt_builder_whole(builder, task, 30)->block_time.kind = GRT_UNIFORM;
    }
    return builder;
}

static void seeds_decide(void) {
    struct grt_builder *builder = by_chance(1);
    struct grt_built_run one, same, other;
    start(&one, builder, "fifo");
    start(&same, builder, "fifo");
    builder->scenario.seed = 2;
    start(&other, builder, "fifo");
    CU_ASSERT_EQUAL(one.trace->digest, same.trace->digest);
    CU_ASSERT_NOT_EQUAL(one.trace->digest, other.trace->digest);
    grt_built_run_free(&one);
    grt_built_run_free(&same);
    grt_built_run_free(&other);
    grt_builder_free(builder);
}

/* Job k of a task is released at the same instant and takes as long under every policy. */
static void policies_meet_the_same_chance(void) {
    struct grt_builder *builder = by_chance(3);
    struct grt_built_run first;
    start(&first, builder, grt_policies[0]->name);
    for (const struct grt_policy_ops *const *policy = grt_policies + 1; *policy != NULL; policy++) {
        struct grt_built_run run;
        int compared = 0;
        if ((*policy)->gpu_piece_done != NULL || /* its kernels are in pieces: property/test_pieces.c */
            (*policy)->sets_shares) {            /* they have no blocks that take a time */
            continue;
        }
        start(&run, builder, (*policy)->name);
        for (size_t i = 0; i < run.kept.record_count; i++) {
            const struct grt_trace_record *record = &run.kept.records[i];
            const struct grt_trace_record *twin =
                grt_built_run_find(&first, (enum grt_trace_kind)record->kind, record->task, record->job, 0);
            if (record->kind == GRT_TRACE_RELEASE) {
                CU_ASSERT(twin != NULL && twin->time == record->time && twin->other == record->other);
            } else if (record->kind == GRT_TRACE_KERNEL && record->flags == 0 && twin != NULL &&
                       twin->flags == 0) {
                CU_ASSERT_EQUAL(record->time - record->other, twin->time - twin->other);
                compared++;
            }
        }
        CU_ASSERT(compared > 150);
        grt_built_run_free(&run);
    }
    grt_built_run_free(&first);
    grt_builder_free(builder);
}

/* Without a trace the results are the same. */
static void the_trace_changes_nothing(void) {
    struct grt_builder *builder = by_chance(4);
    struct grt_built_run traced;
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    start(&traced, builder, "np-edf");
    struct grt_world *world =
        grt_world_create(&builder->scenario, grt_policy_find("np-edf"), NULL, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    CU_ASSERT(grt_built_results_equal(traced.result, grt_world_result(world)));
    grt_world_free(world);
    grt_built_run_free(&traced);
    grt_builder_free(builder);
}

/* Random placement has its own chance on every GPU: ten blocks on six SMs each do not go the same way. */
static void gpus_have_their_own_chance(void) {
    struct grt_builder *builder = grt_builder_create(100);
    struct grt_built_run run;
    uint32_t sms[2][10] = {0};
    for (int i = 0; i < 2; i++) {
        grt_builder_gpu(builder, grt_built_device(6))->placement = GRT_PLACEMENT_RANDOM;
        struct grt_task *task = grt_builder_task(builder, "t");
        task->gpu = i;
        grt_builder_kernel(builder, task, 10, 32, 5);
    }
    start(&run, builder, "fifo");
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK) {
            sms[record->task][record->detail] = record->row - 6u * record->task;
        }
    }
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_BLOCK), 20);
    CU_ASSERT_NOT_EQUAL(memcmp(sms[0], sms[1], sizeof sms[0]), 0);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the horizon ends the run", the_horizon_ends_the_run},
        {"a run ends at its horizon", a_run_ends_at_its_horizon},
        {"refuses kernels that never fit", refuses_kernels_that_never_fit},
        {"refuses places that are not there", refuses_places_that_are_not_there},
        {"refuses streams of two priorities", refuses_streams_of_two_priorities},
        {"the trace names everything", the_trace_names_everything},
        {"seeds decide", seeds_decide},
        {"policies meet the same chance", policies_meet_the_same_chance},
        {"GPUs have their own chance", gpus_have_their_own_chance},
        {"the trace changes nothing", the_trace_changes_nothing},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("worlds", tests);
}
