/* A policy that decides where work begins: it hears of it, and decides, in that same instant. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* Submits a request once the one before it has begun. */
struct chain {
    grt_stream streams[3];
    grt_job waiting[3];
    uint32_t first, count;
    bool one_is_on_its_way;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct chain *self = state;
    (void)errors;
    for (int i = 0; i < 3; i++) {
        self->streams[i] = grt_policy_stream(world, 0, 0, "s");
    }
    return true;
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct chain *self = state;
    (void)world;
    self->waiting[self->count++] = job;
}

static void begun(void *state, struct grt_world *world, grt_job job) {
    struct chain *self = state;
    (void)world;
    (void)job;
    self->one_is_on_its_way = false;
}

static void decide(void *state, struct grt_world *world) {
    struct chain *self = state;
    if (!self->one_is_on_its_way && self->first < self->count) {
        grt_policy_submit(world, self->waiting[self->first], self->streams[self->first]);
        self->first++;
        self->one_is_on_its_way = true;
    }
}

static const struct grt_policy_ops chain = {
    .name = "chain",
    .summary = "for this test",
    .state_size = sizeof(struct chain),
    .start = start,
    .gpu_request = request,
    .gpu_begun = begun,
    .decide = decide,
};

/* Three kernels of one block that fit beside each other, requested at 0, nothing else in the way. */
static void work_that_begins_is_decided_upon(void) {
    struct grt_builder *builder = grt_builder_create(100);
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_device(2));
    for (int i = 0; i < 3; i++) {
        grt_builder_kernel(builder, grt_builder_task(builder, "t"), 1, 32, 10 + i);
    }
    grt_built_run_start(&run, &builder->scenario, &chain, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT(grt_built_kernel_ran(&run, i, 0, 0, 10 + i));
    }
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"work that begins is decided upon", work_that_begins_is_decided_upon},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("decisions where work begins", tests);
}
