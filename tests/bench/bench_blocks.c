/* Blocks per second on 132 SMs: blocks with a time of their own, alone and slowing each other, and a uniform grid of a
 * million blocks. The references are the least that such simulations must do: an event hold per block, and a pass over the
 * SMs per wave. */
#include <stdlib.h>

#include "models/world.h"
#include "policies/registry.h"
#include "sim/event.h"
#include "sim/random.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { SMS = 132, BLOCKS = 1000000, PER_SM = 8, STREAMS = 8, KERNELS = 947 };

struct blocks {
    struct grt_distribution time;
};

static struct grt_device device_of_132_sms(void) {
    struct grt_device device = grt_built_device(SMS);
    device.sms_per_tpc = 2;
    device.sm_order = GRT_SM_ORDER_TPC_FIRST;
    return device;
}

static uint64_t simulate(void *state) {
    const struct grt_device device = device_of_132_sms();
    const struct blocks *blocks = state;
    static const grt_time at_zero[] = {0};
    struct grt_command_spec command = {.kind = GRT_COMMAND_KERNEL,
                                       .kernel = {.name = "k",
                                                  .blocks = BLOCKS,
                                                  .needs = {.threads = 256, .registers_per_thread = 32},
                                                  .block_time = blocks->time}};
    struct grt_segment segment = {.kind = GRT_SEGMENT_GPU, .commands = &command, .command_count = 1};
    struct grt_task task = {.name = "t",
                            .arrival = GRT_ARRIVAL_TIMES,
                            .times = at_zero,
                            .time_count = 1,
                            .deadline = GRT_TIME_NEVER,
                            .cpu = -1,
                            .segments = &segment,
                            .segment_count = 1};
    struct grt_scenario scenario = {.name = "bench",
                                    .horizon = GRT_TIME_LIMIT,
                                    .gpus = &device,
                                    .gpu_count = 1,
                                    .tasks = &task,
                                    .task_count = 1};
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_world *world =
        grt_world_create(&scenario, grt_policy_find("hardware"), NULL, &options, &errors);
    grt_world_run(world);
    uint64_t count = grt_world_result(world)->gpus[0].blocks;
    grt_world_free(world);
    return count;
}

/* Eight streams of kernels of one block per SM, which all draw from the memory more than there is. */
static uint64_t contend(void *state) {
    struct grt_builder *builder = grt_builder_create(GRT_TIME_LIMIT);
    struct grt_device *device = grt_builder_gpu(builder, device_of_132_sms());
    const struct blocks *blocks = state;
    device->memory_bytes_per_second = 3 * INT64_C(1000000000000);
    device->bandwidth_sharing = GRT_BANDWIDTH_SHARING_MAX_MIN;
    for (int i = 0; i < STREAMS; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        struct grt_kernel *kernel = grt_builder_kernel(builder, task, SMS, 256, 1);
        kernel->block_time = blocks->time;
        kernel->bandwidth = (i + 1) * INT64_C(200000000000);
        struct grt_segment *segment = &builder->segments[i][0];
        struct grt_command_spec *commands = grt_arena_array(&builder->arena, KERNELS, sizeof *commands);
        for (int j = 0; j < KERNELS; j++) {
            commands[j] = segment->commands[0];
        }
        segment->commands = commands;
        segment->command_count = KERNELS;
    }
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_world *world =
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors);
    grt_world_run(world);
    uint64_t count = grt_world_result(world)->gpus[0].blocks;
    grt_world_free(world);
    grt_builder_free(builder);
    return count;
}

static uint64_t hold(void *state) {
    struct grt_event_queue queue = {0};
    struct grt_random random = grt_random_stream(1, "bench", 0, 0);
    const struct blocks *blocks = state;
    uint64_t sum = 0;
    grt_event_queue_reserve(&queue, SMS * PER_SM);
    for (uint32_t i = 0; i < SMS * PER_SM; i++) {
        grt_event_set(&queue, i, grt_distribution_draw(&blocks->time, &random), grt_event_order(0, i));
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        struct grt_event event = *grt_event_top(&queue);
        sum += (uint64_t)event.time;
        grt_event_set(&queue, grt_event_slot(&event),
                      event.time + grt_distribution_draw(&blocks->time, &random), event.order);
    }
    grt_event_queue_free(&queue);
    bench_use(sum);
    return BLOCKS;
}

static uint64_t waves(void *state) {
    (void)state;
    static volatile int32_t room[SMS];
    uint64_t sum = 0;
    for (int wave = 0; wave < BLOCKS / (SMS * PER_SM) + 1; wave++) {
        for (int sm = 0; sm < SMS; sm++) {
            room[sm] = room[sm] + PER_SM;
            sum += (uint64_t)room[sm];
        }
    }
    bench_use(sum);
    return 1;
}

static uint64_t one_grid(void *state) {
    simulate(state);
    return 1;
}

void bench_blocks(void) {
    struct blocks own = {{.kind = GRT_UNIFORM, .min = 100000, .max = 200000}};
    struct blocks equal = {{.kind = GRT_CONSTANT, .max = 100000}};
    bench_report("individually timed blocks, 132 SMs, per block", bench_ns_per_unit(simulate, &own, 5),
                 "event hold with the same draws", bench_ns_per_unit(hold, &own, 5), "<= 100 ns");
    bench_report("the same in contention, 8 streams, per block", bench_ns_per_unit(contend, &own, 5),
                 "event hold with the same draws", bench_ns_per_unit(hold, &own, 5), "<= 333 ns");
    bench_report("uniform grid of 1,000,000 blocks", bench_ns_per_unit(one_grid, &equal, 5),
                 "one pass over the SMs per wave", bench_ns_per_unit(waves, &equal, 5), "<= 5,000,000 ns");
}
