/* Rows, labels, slices and marks of a policy's own in the trace, and what the world refuses a policy. */
#include <signal.h>
#include <string.h>

#include "sim/trace_file.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum misuse { NO_MISUSE, SUBMIT_EARLY, ABORT_TWICE, ABORT_NOBODY, SUBMIT_TWICE };

/* First come, first served, with a row "server" on which every segment is a slice, and marks where kernels begin. */
struct rows {
    enum misuse misuse;
    grt_stream stream;
    uint32_t row, busy, begun, idle;
    grt_time since;
    bool taken, waiting;
    grt_job job;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct rows *self = state;
    (void)errors;
    *self = *(const struct rows *)grt_policy_parameters(world);
    self->stream = grt_policy_stream(world, 0, 0, "s");
    grt_policy_row(world, "unused");
    self->row = grt_policy_row(world, "server");
    self->busy = grt_policy_label(world, "busy");
    self->begun = grt_policy_label(world, "begun");
    self->idle = grt_policy_label(world, "idle");
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct rows *self = state;
    self->waiting = true;
    self->job = job;
    self->since = grt_policy_now(world);
    if (self->misuse == SUBMIT_EARLY) {
        grt_policy_submit(world, job, self->stream);
    }
}

static void begun(void *state, struct grt_world *world, grt_job job) {
    struct rows *self = state;
    grt_policy_trace_mark(world, self->row, self->begun, job);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct rows *self = state;
    grt_policy_trace_slice(world, self->row, self->busy, job, self->since);
    grt_policy_trace_mark(world, self->row, self->idle, GRT_NO_JOB);
}

static void decide(void *state, struct grt_world *world) {
    struct rows *self = state;
    if (!self->waiting) {
        return;
    }
    self->waiting = false;
    if (self->misuse == ABORT_TWICE) {
        grt_policy_abort(world, self->job);
        grt_policy_abort(world, self->job);
    } else if (self->misuse == ABORT_NOBODY) {
        grt_policy_abort(world, self->job + 1);
    }
    grt_policy_submit(world, self->job, self->stream);
    if (self->misuse == SUBMIT_TWICE) {
        grt_policy_submit(world, self->job, self->stream);
    }
}

static const struct grt_policy_ops policy = {
    .name = "rows",
    .summary = "for this test",
    .state_size = sizeof(struct rows),
    .parameters_size = sizeof(struct rows),
    .start = start,
    .gpu_request = request,
    .gpu_begun = begun,
    .gpu_done = done,
    .decide = decide,
};

/* One job at 5: a copy of 2 ns, a kernel of 10. */
static struct grt_builder *one_job(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 5);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2);
    grt_builder_whole(builder, task, 10);
    task = grt_builder_task(builder, "never");
    grt_builder_times(builder, task, NULL, 0);
    grt_builder_cpu(builder, task, 1);
    return builder;
}

static void run_with(struct grt_builder *builder, enum misuse misuse, struct grt_trace *trace) {
    struct rows parameters = {.misuse = misuse};
    struct grt_world_options options = {.trace = trace};
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(&builder->scenario, &policy, &parameters, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    grt_world_free(world);
}

static void check_records(const struct grt_trace_memory *kept, grt_time copy_end) {
    const struct grt_trace_record expected[] = {
        {.time = copy_end, .other = 0, .row = 1, .detail = 1, .task = 0, .kind = GRT_TRACE_ROW_MARK},
        {.time = copy_end + 10, .other = 5, .row = 1, .detail = 0, .task = 0, .kind = GRT_TRACE_ROW_SLICE},
        {.time = copy_end + 10, .row = 1, .detail = 2, .task = GRT_TRACE_NO_TASK, .kind = GRT_TRACE_ROW_MARK},
    };
    size_t found = 0;
    for (size_t i = 0; i < kept->record_count; i++) {
        if (kept->records[i].kind == GRT_TRACE_ROW_MARK || kept->records[i].kind == GRT_TRACE_ROW_SLICE) {
            CU_ASSERT_TRUE_FATAL(found < 3);
            CU_ASSERT_EQUAL(memcmp(&kept->records[i], &expected[found], sizeof expected[0]), 0);
            found++;
        }
    }
    CU_ASSERT_EQUAL(found, 3);
    CU_ASSERT_STRING_EQUAL(grt_trace_memory_name(kept, GRT_NAME_ROW, 1, 0, 0), "server");
    CU_ASSERT_STRING_EQUAL(grt_trace_memory_name(kept, GRT_NAME_LABEL, 2, 0, 0), "idle");
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(kept, GRT_NAME_LABEL, 3, 0, 0));
}

static void rows_are_in_the_trace_and_its_file(void) {
    struct grt_builder *builder = one_job();
    struct grt_trace_memory kept = {0}, read = {0};
    struct grt_errors errors = {0};
    struct grt_trace *trace = grt_trace_create();
    struct grt_output *file = grt_output_open(GRT_SCRATCH_DIR "/rows.trace", &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &kept);
    grt_trace_add_sink(trace, &grt_trace_file_sink, file);
    run_with(builder, NO_MISUSE, trace);
    CU_ASSERT_TRUE(grt_trace_finish(trace));
    CU_ASSERT_TRUE(grt_output_close(file, &errors));
    check_records(&kept, 7);
    CU_ASSERT_TRUE(grt_trace_file_read(GRT_SCRATCH_DIR "/rows.trace", &read, &errors));
    check_records(&read, 7);
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_trace_memory_free(&read);
    grt_trace_memory_free(&kept);
    grt_trace_free(trace);
    grt_builder_free(builder);
}

static void make(void *misuse) {
    run_with(one_job(), *(const enum misuse *)misuse, NULL);
}

/* Runs the misuse in a child and expects it to abort with this sentence. */
static void refused(enum misuse misuse, const char *sentence) {
    char said[4096];
    CU_ASSERT_TRUE(grt_child_ended_by(grt_child_run(make, &misuse, said, sizeof said), SIGABRT));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, sentence));
}

static void misuse_is_refused_with_a_sentence(void) {
    refused(SUBMIT_EARLY, "gpurt: bug: broken rule: a policy submits in `decide` only");
    refused(ABORT_TWICE, "gpurt: bug: broken rule: a policy aborts each job once");
    refused(ABORT_NOBODY, "gpurt: bug: broken rule: a policy aborts only jobs that are alive");
    refused(SUBMIT_TWICE, "gpurt: bug: broken rule: a policy submits a job between its gpu_request and its "
                          "gpu_withdrawn, once");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"rows are in the trace and its file", rows_are_in_the_trace_and_its_file},
        {"misuse is refused with a sentence", misuse_is_refused_with_a_sentence},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("rows of a policy", tests);
}
