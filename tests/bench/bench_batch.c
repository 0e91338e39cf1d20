/* Jobs per second under the batch schedulers: two tasks with a copy, a kernel of some blocks and a copy back, on one hardware queue, with calls that take time. The
 * reference are the same jobs, submitted at once. */
#include <stdio.h>

#include "policies/batch/parameters.h"
#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { PERIOD = 20 * 1000 * 1000, HYPERPERIODS = 10000 };

struct batches {
    struct grt_builder *builder;
    const struct grt_policy_ops *policy;
    const struct batch_parameters *given;
};

static uint64_t simulate(void *state) {
    const struct batches *it = state;
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(&it->builder->scenario, it->policy, it->given,
                                               &(struct grt_world_options){0}, &errors);
    grt_world_run(world);
    uint64_t jobs = grt_world_result(world)->tasks[0].finished + grt_world_result(world)->tasks[1].finished;
    grt_world_free(world);
    return jobs;
}

static void make(struct batches *it) {
    it->builder = grt_builder_create((grt_time)PERIOD * HYPERPERIODS);
    struct grt_device *device = grt_builder_gpu(it->builder, grt_built_device(16));
    device->hardware_queues = 1;
    device->queue_model = GRT_QUEUE_MODEL_SINGLE;
    device->dependency_check = true;
    device->max_pending_launches = 100;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(it->builder, "t");
        grt_builder_periodic(task, PERIOD, 0);
        grt_builder_copy(it->builder, task, GRT_COMMAND_H2D, 2500000);
        grt_builder_kernel(it->builder, task, 8, 256, 6000000 - 3000000 * i);
        grt_builder_copy(it->builder, task, GRT_COMMAND_D2H, 2500000);
    }
}

void bench_batch(void) {
    static const char *const names[] = {"cpu-traditional", "cpu-interleave",  "cpu-concurrent",
                                        "cpu-order",       "gpu-synchronize", "gpu-atomics"};
    struct batch_parameters given = batch_default_parameters();
    struct batches it = {.policy = grt_policy_find("hardware")};
    make(&it);
    double reference = bench_ns_per_unit(simulate, &it, 3);
    it.given = &given;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[64];
        it.policy = grt_policy_find(names[i]);
        snprintf(text, sizeof text, "batches under %s, per job", names[i]);
        bench_report(text, bench_ns_per_unit(simulate, &it, 3), "under hardware, per job", reference,
                     "<= 5000 ns");
    }
    grt_builder_free(it.builder);
}
