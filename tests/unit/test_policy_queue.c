/* A policy's own calls on a device with one hardware queue for kernels: where they stand, and whom they are in the way of. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

struct parameters {
    bool begins_with_copies, queries;
    grt_time *told; /* when the record had passed */
};

struct calls {
    grt_stream streams[3];
    grt_stream_event event;
    uint32_t label, asked;
    bool done;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct calls *self = state;
    const struct parameters *parameters = grt_policy_parameters(world);
    (void)errors;
    for (uint32_t i = 0; i < 3; i++) {
        self->streams[i] = grt_policy_stream(world, 0, 0, "stream");
    }
    if (parameters->begins_with_copies) {
        grt_policy_stream_begins(world, self->streams[2], GRT_COMMAND_H2D);
    }
    self->event = grt_policy_event(world, 0);
    self->label = grt_policy_label(world, "mark");
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    (void)job;
    ((struct calls *)state)->asked++;
}

static void submission_done(void *state, struct grt_world *world, grt_job job, grt_submission submission) {
    (void)state;
    (void)world;
    (void)job;
    (void)submission;
}

static void call_done(void *state, struct grt_world *world, grt_submission call) {
    const struct parameters *parameters = grt_policy_parameters(world);
    (void)state;
    (void)call;
    *parameters->told = grt_policy_now(world);
}

/* A's kernel, perhaps a query of its stream, a record in the third stream, B's kernel. */
static void decide(void *state, struct grt_world *world) {
    static const struct grt_piece all = {.commands = UINT32_MAX};
    const struct parameters *parameters = grt_policy_parameters(world);
    struct calls *self = state;
    if (self->asked < 2 || self->done) {
        return;
    }
    self->done = true;
    grt_policy_issue(world, 0, 0, all, self->streams[0]);
    if (parameters->queries) {
        grt_policy_query_stream(world, self->streams[0], self->label, false);
    } else {
        grt_policy_record_event(world, self->streams[2], self->event, self->label, true);
    }
    grt_policy_issue(world, 1, 0, all, self->streams[1]);
}

static const struct grt_policy_ops calls = {
    .name = "calls",
    .summary = "for this test",
    .state_size = sizeof(struct calls),
    .parameters_size = sizeof(struct parameters),
    .start = start,
    .gpu_request = request,
    .gpu_submission_done = submission_done,
    .gpu_call_done = call_done,
    .decide = decide,
};

/* A: `blocks` blocks of 20 ns that fill an SM each, of which there are two; B: one block of 6 ns. */
static void run(struct grt_built_run *out, int64_t blocks, bool single, const struct parameters *parameters,
                struct grt_builder **builder) {
    *builder = grt_builder_create(200);
    struct grt_device device = grt_built_tx2();
    if (single) {
        device.queue_model = GRT_QUEUE_MODEL_SINGLE;
        device.hardware_queues = device.max_hardware_queues = 1;
        device.dependency_check = true;
    }
    grt_builder_gpu(*builder, device);
    for (int64_t i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(*builder, i == 0 ? "A" : "B");
        grt_builder_kernel(*builder, task, i == 0 ? blocks : 1, 1024, i == 0 ? 20 : 6)->needs.shared_memory =
            i == 0 ? 40000 : 0;
    }
    grt_built_run_start_with(out, &(*builder)->scenario, &calls, parameters, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out->world);
}

static grt_time record_told(bool single, bool begins_with_copies) {
    struct grt_builder *builder;
    struct grt_built_run out;
    grt_time told = -1;
    struct parameters parameters = {.begins_with_copies = begins_with_copies, .told = &told};
    run(&out, 6, single, &parameters, &builder); /* three waves: the last begins at 40 */
    grt_built_run_end(&out, builder);
    return told;
}

/* Q1: an event with nothing before it in its stream stands among the kernels, and is reached when those before it are dispatched; where a
 * dummy copy went before, it stands among the copies. Newer devices have no such queue. */
static void events_stand_where_the_stream_began(void) {
    CU_ASSERT(record_told(true, false) == 41);
    CU_ASSERT(record_told(true, true) == 1);
    CU_ASSERT(record_told(false, false) == 1);
    CU_ASSERT(record_told(false, true) == 1);
}

static grt_time finish_of_b(bool single, bool queries) {
    struct grt_builder *builder;
    struct grt_built_run out;
    grt_time told = -1;
    struct parameters parameters = {.begins_with_copies = true, .queries = queries, .told = &told};
    run(&out, 1, single, &parameters, &builder);
    grt_time finish = grt_built_run_finish(&out, 1, 0);
    grt_built_run_end(&out, builder);
    return finish;
}

/* Q1b: behind a query of a stream no kernel begins until what the stream had been given has ended. */
static void queries_of_a_stream_hold_back_later_kernels(void) {
    CU_ASSERT(finish_of_b(true, true) == 26);
    CU_ASSERT(finish_of_b(true, false) == 6);
    CU_ASSERT(finish_of_b(false, true) == 6);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"events stand where the stream began", events_stand_where_the_stream_began},
        {"queries of a stream hold back later kernels", queries_of_a_stream_hold_back_later_kernels},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("a policy's calls in hardware queues", tests);
}
