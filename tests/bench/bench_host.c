/* Jobs with host parts and costs on the cores, per job, against the same jobs without: what the host's side adds. */
#include <stdlib.h>

#include "models/world.h"
#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { TASKS = 20, SCALE = 1000 };

static uint64_t simulate(void *state) {
    const struct grt_builder *builder = state;
    const struct grt_world_options options = {0};
    struct grt_errors errors = {0};
    struct grt_world *world =
        grt_world_create(&builder->scenario, grt_policy_find("np-fp"), NULL, &options, &errors);
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    uint64_t jobs = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        jobs += result->tasks[i].finished;
    }
    grt_world_free(world);
    return jobs;
}

/* 20 tasks on 4 cores, each with a CPU segment, a GPU segment of a 25th of its period, and another CPU segment. */
static struct grt_builder *jobs_of(grt_time part, int64_t mode, grt_time cost) {
    static const int64_t periods[TASKS] = {5,  8,  10, 12, 16, 20, 24, 25,  30,  32,
                                           40, 48, 50, 60, 64, 75, 80, 100, 120, 160};
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = 4;
    builder->scenario.context_switch = builder->scenario.wake_up = cost;
    for (int i = 0; i < TASKS; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, periods[i] * SCALE, i * 37);
        task->cpu = i % 4;
        task->priority = TASKS - i;
        grt_builder_cpu(builder, task, periods[i] * SCALE / 50);
        grt_builder_whole(builder, task, periods[i] * SCALE / 25);
        grt_builder_cpu(builder, task, periods[i] * SCALE / 50);
        struct grt_segment *segment = &builder->segments[i][1];
        segment->host_part[GRT_HOST_BEFORE].max = part;
        segment->host_part[GRT_HOST_AFTER].max = part;
        segment->host_mode = mode;
    }
    return builder;
}

static double measure(grt_time part, int64_t mode, grt_time cost) {
    struct grt_builder *builder = jobs_of(part, mode, cost);
    double ns = bench_ns_per_unit(simulate, builder, 5);
    grt_builder_free(builder);
    return ns;
}

void bench_host(void) {
    double plain = measure(0, GRT_HOST_SYNCHRONOUS, 0);
    bench_report("np-fp, 3 segments, 2 host parts, per job", measure(20, GRT_HOST_SYNCHRONOUS, 0),
                 "without host parts, per job", plain, "<= 2");
    bench_report("the same, asynchronous", measure(20, GRT_HOST_ASYNCHRONOUS, 0),
                 "without host parts, per job", plain, "<= 2");
    bench_report("the same, with costs of switches and wake-ups", measure(20, GRT_HOST_SYNCHRONOUS, 3),
                 "without host parts, per job", plain, "<= 3");
}
