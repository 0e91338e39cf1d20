/* The lines of M_WCET: copies that no share changes, kernels that it does, and that they fall. */
#include "policies/shares/matrix.h"
#include "policies/shares/weights.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const struct grt_usage half_used = {.sm_utilisation = 0.5},
                              hosted = {.host_fraction = 0.5, .sm_utilisation = 1};

static struct grt_builder *on_shares(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(10));
    device->granularity = GRT_GRANULARITY_SHARES;
    device->kernel_launch = 3;
    return builder;
}

static const struct shares_segment *line_of(struct grt_builder *builder, uint32_t segment) {
    const struct shares_matrix *matrix = shares_matrix_create(&builder->scenario, &builder->arena);
    return shares_matrix_at(matrix, 0, segment);
}

/* A copy of 40 ns, a kernel of 1000 ns that fills half of the SMs, and one of 600 ns that is on the host for half of it. The launches are beside
 * the copy. */
static void a_line(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 40);
    grt_builder_whole(builder, task, 1000)->usage = &half_used;
    grt_builder_whole(builder, task, 600)->usage = &hosted;
    const struct shares_segment *line = line_of(builder, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    CU_ASSERT_EQUAL(line->kernel_count, 2);
    CU_ASSERT_EQUAL(line->fixed, 40);
    CU_ASSERT_EQUAL(line->times[0], GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(line->times[100], 1640);
    CU_ASSERT_EQUAL(line->times[50], 40 + 1000 + 300 + 600);
    CU_ASSERT_EQUAL(line->times[25], 40 + 2000 + 300 + 1200);
    CU_ASSERT_EQUAL(line->times[1], 40 + 50000 + 300 + 30000);
    CU_ASSERT_EQUAL(line->enough, 100);
    grt_builder_free(builder);
}

static void what_is_enough(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_whole(builder, task, 1000)->usage = &half_used;
    const struct shares_segment *line = line_of(builder, 0);
    CU_ASSERT_EQUAL(line->enough, 50);
    CU_ASSERT_EQUAL(line->times[100], 1003); /* with the launch */
    CU_ASSERT_EQUAL(line->times[49], 3 + 1021);
    grt_builder_free(builder);
}

/* Five blocks on ten SMs that hold 2 each: a quarter is filled, in one wave. 45 blocks need three. */
static void grids_without_usage(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_kernel(builder, task, 5, 1024, 100);
    grt_builder_gpu_segment(builder, task);
    grt_builder_kernel(builder, task, 45, 1024, 100);
    const struct shares_segment *line = line_of(builder, 0);
    CU_ASSERT_EQUAL(line->times[100], 103);
    CU_ASSERT_EQUAL(line->enough, 25);
    CU_ASSERT_EQUAL(line->times[5], 503);
    line = line_of(builder, 1);
    CU_ASSERT_EQUAL(line->times[100], 303);
    CU_ASSERT_EQUAL(line->times[10], 3003);
    grt_builder_free(builder);
}

static void what_needs_no_share(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_cpu(builder, task, 5);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 40);
    CU_ASSERT_PTR_NULL(line_of(builder, 0));
    CU_ASSERT_PTR_NULL(line_of(builder, 1));
    grt_builder_free(builder);
}

/* Host parts are a part of the segment that no share changes. */
static void host_parts(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_whole(builder, task, 1000);
    builder->segments[0][0].host_part[GRT_HOST_BEFORE] =
        (struct grt_distribution){.kind = GRT_CONSTANT, .max = 50};
    const struct shares_segment *line = line_of(builder, 0);
    CU_ASSERT_EQUAL(line->times[100], 1053);
    CU_ASSERT_EQUAL(line->times[10], 10053);
    grt_builder_free(builder);
}

/* Years times a hundred are cut off at the limit. */
static void nothing_overflows(void) {
    struct grt_builder *builder = on_shares();
    struct grt_task *task = grt_builder_task(builder, "t");
    builder->gpus[0].kernel_launch = 0;
    grt_builder_whole(builder, task, GRT_TIME_LIMIT);
    grt_builder_whole(builder, task, GRT_TIME_LIMIT);
    const struct shares_segment *line = line_of(builder, 0);
    for (int share = 1; share <= GRT_FULL_SHARE; share++) {
        CU_ASSERT_EQUAL(line->times[share], GRT_TIME_LIMIT);
    }
    grt_builder_free(builder);
}

/* Finding 7: a measured table that rises is made to fall. */
static void lines_fall(void) {
    static struct grt_share_factor points[] = {{10, 4}, {20, 6}, {50, 1.5}};
    static const struct grt_usage measured = {.sm_utilisation = 1, .share_factors = {points, 3}};
    struct shares_kernel kernel = {.usage = measured, .time = 1000};
    struct shares_segment line = {.kernels = &kernel, .kernel_count = 1};
    shares_segment_fill(&line);
    for (int share = 2; share <= GRT_FULL_SHARE; share++) {
        CU_ASSERT(line.times[share] <= line.times[share - 1]);
    }
    CU_ASSERT_EQUAL(line.times[50], 1500);
    CU_ASSERT_EQUAL(line.times[20], 6000);
    CU_ASSERT_EQUAL(line.times[10], 6000);
}

static void weights(void) {
    struct grt_builder *builder = on_shares();
    static const int64_t priorities[] = {5, 20, 5, 0};
    for (int i = 0; i < 4; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->priority = priorities[i];
        if (i < 3) {
            grt_builder_whole(builder, task, 10);
        } else {
            grt_builder_cpu(builder, task, 10); /* it does not count */
        }
    }
    CU_ASSERT_EQUAL(shares_weight(&builder->scenario, 0), 5);
    CU_ASSERT_EQUAL(shares_weight(&builder->scenario, 1), 20);
    builder->tasks[2].priority = -5;
    CU_ASSERT_EQUAL(shares_weight(&builder->scenario, 0), 2);
    CU_ASSERT_EQUAL(shares_weight(&builder->scenario, 1), 3);
    CU_ASSERT_EQUAL(shares_weight(&builder->scenario, 2), 1);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a line", a_line},
        {"what is enough", what_is_enough},
        {"grids without usage", grids_without_usage},
        {"what needs no share", what_needs_no_share},
        {"host parts", host_parts},
        {"nothing overflows", nothing_overflows},
        {"lines fall", lines_fall},
        {"weights", weights},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("times by shares", tests);
}
