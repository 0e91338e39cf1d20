/* One batch of two jobs under the schedulers on the CPU: the instants at which both are done, computed by hand. Copies take 2.5 ms each way,
 * kernels 6 ms and 3 ms; nothing else takes time. Devices of 16 blocks: with the queues of a Fermi, one for kernels and one for copies, and of a
 * Kepler, a queue for every stream and an engine each way. */
#include <stdio.h>

#include "policies/batch/parameters.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define US GRT_MICROSECOND

enum { FERMI, KEPLER };

static struct grt_device device_of(int architecture) {
    struct grt_device device = grt_built_device(16);
    device.max_blocks_per_sm = 1;
    device.h2d_bytes_per_second = device.d2h_bytes_per_second = GRT_SECOND; /* a byte in a ns */
    device.max_resident_grids = 32;
    device.copy_engines = architecture == FERMI ? 1 : 2;
    device.hardware_queues = architecture == FERMI ? 1 : 32;
    device.queue_model = architecture == FERMI ? GRT_QUEUE_MODEL_SINGLE : GRT_QUEUE_MODEL_DYNAMIC;
    device.dependency_check = architecture == FERMI;
    return device;
}

/* Small kernels have 8 blocks, so that two fit; large ones 128, which are 8 waves. */
static void add_job(struct grt_builder *builder, bool large, grt_time kernel) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->deadline = GRT_SECOND + (grt_time)builder->scenario.task_count * GRT_SECOND;
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 2500 * US);
    grt_builder_kernel(builder, task, large ? 128 : 8, 32, large ? kernel / 8 : kernel);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 2500 * US);
}

static struct grt_builder *two_jobs(int architecture, bool large, grt_time first, grt_time second) {
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    grt_builder_gpu(builder, device_of(architecture));
    add_job(builder, large, first);
    add_job(builder, large, second);
    return builder;
}

static bool finishes(struct grt_builder *builder, const char *policy, grt_time first, grt_time second) {
    struct grt_built_run run;
    grt_built_run_under(&run, builder, policy);
    grt_time one = grt_built_run_finish(&run, 0, 0), two = grt_built_run_finish(&run, 1, 0);
    bool good = one == first && two == second;
    if (!good) {
        fprintf(stderr, "%s: %lld and %lld, not %lld and %lld\n", policy, (long long)one, (long long)two,
                (long long)first, (long long)second);
    }
    grt_built_run_end(&run, builder);
    return good;
}

static void one_batch(void) {
    static const struct {
        const char *policy;
        int architecture;
        bool large;
        grt_time first, second; /* us */
    } cases[] = {
        {"cpu-traditional", FERMI, false, 11000, 19000}, {"cpu-traditional", KEPLER, false, 11000, 19000},
        {"cpu-traditional", FERMI, true, 11000, 19000},  {"cpu-traditional", KEPLER, true, 11000, 19000},
        {"cpu-interleave", FERMI, false, 11000, 14000},  {"cpu-interleave", KEPLER, false, 11000, 14000},
        {"cpu-interleave", FERMI, true, 11000, 14000},   {"cpu-interleave", KEPLER, true, 11000, 14000},
        {"cpu-concurrent", FERMI, false, 11000, 13500},  {"cpu-concurrent", KEPLER, false, 13000, 10500},
        {"cpu-concurrent", FERMI, true, 13625, 16125}, /* the delayed signal */
        {"cpu-concurrent", KEPLER, true, 11000, 14000},  {"cpu-order", FERMI, false, 13000, 10500},
        {"cpu-order", KEPLER, false, 13000, 10500},      {"cpu-order", FERMI, true, 11000, 14000},
        {"cpu-order", KEPLER, true, 11000, 14000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool good = finishes(two_jobs(cases[i].architecture, cases[i].large, 6000 * US, 3000 * US),
                             cases[i].policy, cases[i].first * US, cases[i].second * US);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "on %s, %s kernels\n", cases[i].architecture == FERMI ? "Fermi" : "Kepler",
                    cases[i].large ? "large" : "small");
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"one batch", one_batch},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("finish times of batches", tests);
}
