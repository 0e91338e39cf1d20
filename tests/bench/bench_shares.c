/* Jobs on a GPU of granularity shares: per job, ten kernels at a time on average, by contention model. */
#include "models/world.h"
#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { TASKS = 10, SCALE = 10000 };

static uint64_t simulate(void *state) {
    const struct grt_builder *builder = state;
    const struct grt_world_options options = {0};
    struct grt_errors errors = {0};
    struct grt_world *world =
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors);
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    uint64_t jobs = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        jobs += result->tasks[i].finished;
    }
    grt_world_free(world);
    return jobs;
}

/* Ten tasks that each use a tenth of the GPU for a third of their period when they are alone. */
static double measure(int64_t granularity, int64_t mode, int64_t contention) {
    static const int64_t periods[TASKS] = {8, 10, 12, 15, 16, 20, 24, 25, 30, 32};
    static const struct grt_usage usage = {.host_fraction = 0.1,
                                           .sm_utilisation = 0.3,
                                           .demand = {0.3, 0.3, 0.3, 0.1, 0.1},
                                           .bound = {0.3, 0.1, 0.3, 0.1, 0.1}};
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    struct grt_device device = grt_built_exclusive();
    device.granularity = granularity;
    device.share_mode = mode;
    device.contention = contention;
    device.contention_exponent = 0.9;
    device.contention_latency = (struct grt_resource_numbers){0.15, 0.3, 0.5, 0.1, 0.15};
    grt_builder_gpu(builder, device);
    for (int i = 0; i < TASKS; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, periods[i] * SCALE, i * 37);
        grt_builder_whole(builder, task, periods[i] * SCALE / 20)->usage = &usage;
    }
    double ns = bench_ns_per_unit(simulate, builder, 3);
    grt_builder_free(builder);
    return ns;
}

void bench_shares(void) {
    double blocks = measure(GRT_GRANULARITY_BLOCKS, 0, 0);
    bench_report("by shares, time slicing, per job",
                 measure(GRT_GRANULARITY_SHARES, GRT_SHARE_MODE_TIME_SLICING, GRT_CONTENTION_NONE),
                 "by blocks, per job", blocks, "");
    bench_report("the same, max-min", measure(GRT_GRANULARITY_SHARES, 0, GRT_CONTENTION_MAX_MIN),
                 "by blocks, per job", blocks, "");
    bench_report("the same, saturation", measure(GRT_GRANULARITY_SHARES, 0, GRT_CONTENTION_SATURATION),
                 "by blocks, per job", blocks, "");
}
