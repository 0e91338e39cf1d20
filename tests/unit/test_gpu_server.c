/* The GPU server: figure 4 of Kim et al. to the boundary, and what the paper's bound does not cover. */
#include "policies/registry.h"
#include "policies/server/server.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_task *add(struct grt_builder *builder, const char *name, int64_t core, int64_t priority,
                            grt_time release) {
    struct grt_task *task = grt_builder_task(builder, name);
    task->cpu = core;
    task->priority = priority;
    grt_builder_at(builder, task, release);
    return task;
}

static void add_gpu(struct grt_builder *builder, struct grt_task *task, grt_time before, grt_time device,
                    grt_time after) {
    grt_builder_gpu_segment(builder, task);
    grt_builder_whole(builder, task, device);
    struct grt_segment *segment = (struct grt_segment *)&task->segments[task->segment_count - 1];
    segment->host_part[GRT_HOST_BEFORE] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = before};
    segment->host_part[GRT_HOST_AFTER] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = after};
}

enum { H, M, L, UNIT = 1000 };

static struct grt_builder *figure(grt_time part) {
    struct grt_builder *builder = grt_builder_create(20 * UNIT);
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = 2;
    struct grt_task *task = add(builder, "h", 0, 3, 3 * UNIT);
    grt_builder_cpu(builder, task, UNIT);
    add_gpu(builder, task, part, 3 * UNIT - 2 * part, part);
    grt_builder_cpu(builder, task, UNIT);
    task = add(builder, "m", 0, 2, 2 * UNIT);
    grt_builder_cpu(builder, task, UNIT);
    add_gpu(builder, task, part, 3 * UNIT - 2 * part, part);
    grt_builder_cpu(builder, task, UNIT);
    task = add(builder, "l", 1, 1, 0);
    grt_builder_cpu(builder, task, UNIT);
    add_gpu(builder, task, part, 4 * UNIT - 2 * part, part);
    grt_builder_cpu(builder, task, UNIT);
    return builder;
}

static void figure_2(void) {
    struct grt_builder *builder = figure(100);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "mpcp");
    printf("fig 2: h %ld m %ld l %ld\n", grt_built_run_finish(&run, H, 0), grt_built_run_finish(&run, M, 0), grt_built_run_finish(&run, L, 0));
    grt_built_run_end(&run, builder);
}

static void figure_4(void) {
    for (int cost = 0; cost < 2; cost++)
    for (grt_time epsilon = 50; epsilon < 750; epsilon += 50) {
        struct grt_builder *builder = figure(epsilon);
        struct grt_built_run run;
        struct server_parameters given = {.cpu = 0, .epsilon = epsilon, .enqueue_cost = cost};
        grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
        printf("%d eps %ld: h %ld want %ld\n", cost, epsilon, grt_built_run_finish(&run, H, 0), 3 * UNIT + 6 * UNIT + 4 * epsilon);
        grt_built_run_end(&run, builder);
    }
}

static void vector(void) {
    for (int cost = 0; cost < 2; cost++) {
        struct grt_builder *builder = grt_builder_create(1000000);
        grt_builder_gpu(builder, grt_built_exclusive());
        builder->scenario.core_count = 2;
        struct grt_task *task = add(builder, "0", 1, 3, 20);
        grt_builder_periodic(task, 87, 20);
        grt_builder_cpu(builder, task, 5);
        task = add(builder, "1", 1, 2, 1);
        grt_builder_periodic(task, 105, 1);
        grt_builder_cpu(builder, task, 2);
        add_gpu(builder, task, 0, 2, 0);
        grt_builder_cpu(builder, task, 9);
        task = add(builder, "2", 1, 1, 0);
        grt_builder_periodic(task, 118, 0);
        grt_builder_cpu(builder, task, 1);
        add_gpu(builder, task, 2, 11, 0);
        grt_builder_cpu(builder, task, 2);
        add_gpu(builder, task, 0, 10, 0);
        grt_builder_cpu(builder, task, 4);
        struct grt_built_run run;
        struct server_parameters given = {.cpu = 0, .epsilon = 2, .enqueue_cost = cost};
        grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
        for (int i = 0; i < 3; i++)
        printf("%d task %d: worst %ld, first %ld\n", cost, i, run.result->tasks[i].response.max, grt_built_run_finish(&run, (uint32_t)i, 0));
        grt_built_run_end(&run, builder);
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"figure 2", figure_2}, {"figure 4", figure_4}, {"vector", vector}, CU_TEST_INFO_NULL};
    return grt_suite_run("gpu server", tests);
}
