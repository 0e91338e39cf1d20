/* Clocks, and the device's health. */
#include "calib/bench/internal.h"
#include "calib/driver/nvml.h"
#include "sim/check.h"

/* A latch in the bench's own stream reads the device's timer when it sees that the host said go, and tells the host. */
struct grt_bench_exchange grt_bench_exchange(struct grt_bench *bench) {
    struct grt_bench_exchange exchange = {0};
    GRT_REQUIRE(bench->lost || bench->held_since == GRT_TIME_NEVER, "release what is held first");
    grt_bench_hold(bench, OWN_STREAM);
    if (bench->lost) {
        grt_bench_release(bench);
        return exchange;
    }
    const uint32_t *ready = &bench->flags[bench->generation % GENERATIONS].ready[OWN_STREAM];
    exchange.before = grt_bench_now(bench);
    grt_bench_release(bench);
    grt_bench_await(bench, OWN_STREAM, ready, 2, HELD_AT_MOST, "a latch does not end");
    exchange.after = grt_bench_now(bench);
    CALL(bench, cuStreamSynchronize, bench->streams[OWN_STREAM].handle);
    const struct grt_block_record *record = grt_bench_fetch(bench, bench->record_count, 1);
    exchange.device_ns = record ? record->end_ns : 0;
    return exchange;
}

void grt_bench_ticks(struct grt_bench *bench, uint64_t *values, uint32_t count) {
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_TICK, .amount = count, .blocks = 1};
    GRT_REQUIRE(bench->lost || !grt_bench_launch_problem(bench, &launch), "ask for fewer values");
    for (uint32_t i = 0; i < count; i++) {
        values[i] = 0;
    }
    grt_bench_launch_any(bench, OWN_STREAM, &launch);
    if (CALL(bench, cuStreamSynchronize, bench->streams[OWN_STREAM].handle)) {
        CALL(bench, cuMemcpyDtoH_v2, values, bench->out[0], count * sizeof *values);
    }
}

void grt_bench_frequency(struct grt_bench *bench, grt_time spin, uint64_t *cycles, uint64_t *ns) {
    GRT_REQUIRE(spin > 0 && spin <= GRT_SECOND, "spin for a second at most: records have half a clock");
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_SPIN_NS,
                                      .amount = (uint64_t)spin,
                                      .blocks = 1,
                                      .record = true,
                                      .record_base = bench->record_count};
    grt_bench_launch_any(bench, OWN_STREAM, &launch);
    const struct grt_block_record *record = grt_bench_fetch(bench, bench->record_count, 1);
    *cycles = record ? record->end_cycle - record->start_cycle : 0;
    *ns = record ? record->end_ns - record->start_ns : 0;
}

struct grt_bench_health grt_bench_health(struct grt_bench *bench) {
    struct grt_bench_health health = {.known = false};
    struct grt_nvml_health told;
    if (!grt_nvml_ask(bench->driver->nvml, bench->device.bus_id, &told)) {
        return health;
    }
    health.known = true;
    health.throttled = (told.reasons & GRT_NVML_SLOWING) != 0;
    health.reasons = told.reasons;
    health.sm_mhz = told.sm_mhz;
    health.memory_mhz = told.memory_mhz;
    health.celsius = told.celsius;
    health.milliwatts = told.milliwatts;
    health.pcie_generation = told.pcie_generation;
    health.pcie_lanes = told.pcie_lanes;
    health.pcie_most_generation = told.pcie_most_generation;
    health.pcie_most_lanes = told.pcie_most_lanes;
    return health;
}
