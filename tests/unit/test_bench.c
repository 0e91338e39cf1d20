/* The bench on small devices, of threads and of the model: what it hands over to a driver, and what it makes of the answers. */
#include <string.h>

#include "calib/bench/bench.h"
#include "calib/pretend/pretend.h"
#include "scenarios/scenario.h"
#include "sim/memory.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { SMS = 8, SMALL = 1 << 20 };
#define US GRT_MICROSECOND

static const struct grt_engine_ops *engine; /* the one that the test is about */
static struct grt_pretend_spec spec;
static struct grt_driver driver;
static struct grt_errors errors;

static void describe(void) {
    struct grt_device device = grt_built_device(SMS);
    device.copy_engines = 2;
    device.h2d_bytes_per_second = device.d2h_bytes_per_second = INT64_C(1000000000);
    device.memory_bytes_per_second = INT64_C(4000000000);
    grt_pretend_default(&device, &spec);
}

static void open_driver(void) {
    errors = (struct grt_errors){0};
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, engine, &driver, &errors));
    CU_ASSERT_EQUAL_FATAL(driver.cuda.cuInit(0), GRT_CUDA_SUCCESS);
}

static struct grt_bench *open_bench(void) {
    struct grt_bench_options options = {.driver = &driver, .buffer_bytes = SMALL};
    open_driver();
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    grt_errors_print(&errors, stderr, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    return bench;
}

static void close_bench(struct grt_bench *bench) {
    grt_bench_close(bench);
    driver.close(&driver);
    grt_errors_clear(&errors);
}

static struct grt_bench_launch spin(grt_time ns, uint32_t blocks) {
    return (struct grt_bench_launch){
        .kernel = GRT_KERNEL_SPIN_NS, .amount = (uint64_t)ns, .blocks = blocks, .record = true};
}

static void test_device(void) {
    describe();
    struct grt_bench *bench = open_bench();
    const struct grt_bench_device *device = grt_bench_device(bench);
    CU_ASSERT_EQUAL(device->sm_count, SMS);
    CU_ASSERT_EQUAL(device->warp_size, 32);
    CU_ASSERT_EQUAL(device->driver_version, 13000);
    CU_ASSERT_EQUAL(device->memory_bytes, spec.memory_bytes);
    CU_ASSERT_EQUAL(grt_bench_buffer_bytes(bench), SMALL);
    CU_ASSERT_EQUAL(grt_bench_kernel(bench, GRT_KERNEL_MATMUL)->registers,
                    spec.kernels[GRT_KERNEL_MATMUL].registers);
    CU_ASSERT_PTR_NULL(grt_bench_kind(bench, GRT_KERNEL_USER));
    CU_ASSERT_FALSE(grt_bench_health(bench).known);
    close_bench(bench);
}

static void test_records(void) {
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    struct grt_bench_launch launch = spin(100 * US, 20);
    launch.first_block = 10;
    launch.record_base = 5;
    launch.record_every = 2;
    grt_bench_clear_records(bench, 0, 40);
    grt_bench_launch(bench, stream, &launch);
    grt_bench_sync_stream(bench, stream);
    const struct grt_block_record *records = grt_bench_records(bench, 0, 40);
    CU_ASSERT_PTR_NOT_NULL_FATAL(records);
    for (uint32_t i = 0; i < 40; i++) {
        bool written = i >= 10 && i < 20; /* 5 + 10 / 2 to 5 + 29 / 2 */
        CU_ASSERT_EQUAL(records[i].end_ns != 0, written);
        if (written)
            CU_ASSERT_TRUE(records[i].end_ns - records[i].start_ns >= (uint64_t)(100 * US));
    }
    grt_bench_clear_records(bench, 12, 1);
    records = grt_bench_records(bench, 11, 3);
    CU_ASSERT_TRUE(records[0].end_ns != 0 && records[1].end_ns == 0 && records[2].end_ns != 0);
    close_bench(bench);
}

static void test_every_kernel(void) {
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, -100);
    for (int i = 0; i < GRT_KERNEL_IDS; i++) {
        if (i == GRT_KERNEL_LATCH) {
            continue;
        }
        struct grt_bench_launch launch = {
            .kernel = (enum grt_kernel_id)i, .amount = 16, .blocks = 3, .record = true, .slot = 1};
        CU_ASSERT_PTR_NULL(grt_bench_launch_problem(bench, &launch));
        grt_bench_clear_records(bench, 0, 3);
        grt_bench_launch(bench, stream, &launch);
        grt_bench_sync_stream(bench, stream);
        const struct grt_block_record *records = grt_bench_records(bench, 0, 3);
        CU_ASSERT_TRUE_FATAL(records != NULL);
        CU_ASSERT_TRUE(records[0].end_ns != 0 && records[2].end_ns != 0);
    }
    close_bench(bench);
}

static void test_problems(void) {
    describe();
    struct grt_bench *bench = open_bench();
    const struct {
        struct grt_bench_launch launch;
        const char *why;
    } cases[] = {
        {{.kernel = GRT_KERNEL_USER, .blocks = 1}, "there is no kernel of the user's"},
        {{.kernel = GRT_KERNEL_MATMUL, .amount = 32, .blocks = 4, .threads = 128}, "relies on its number"},
        {{.kernel = GRT_KERNEL_MATMUL, .amount = 40, .blocks = 4}, "multiple of 16"},
        {{.kernel = GRT_KERNEL_STENCIL, .amount = 1024, .blocks = 4}, "multiple of 16"}, /* 4 MiB */
        {{.kernel = GRT_KERNEL_VADD, .amount = 0, .blocks = 4}, "floats have to be 1"},
        {{.kernel = GRT_KERNEL_TRIAD, .amount = 65537, .blocks = 4}, "groups of four"},
        {{.kernel = GRT_KERNEL_FMA, .amount = UINT64_C(1) << 32, .blocks = 4}, "less than 2^32"},
        {{.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 0}, "at least 1"},
        {{.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 1, .threads = 4096}, "so many threads"},
        {{.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 1, .slot = 2}, "two slots"},
        {{.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 65537, .record = true}, "not so many records"},
        {{.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 1, .shared_bytes = 1 << 28}, "fits on no SM"},
        {{.kernel = GRT_KERNEL_TICK, .amount = 131073, .blocks = 1}, "so many values"},
        {{.kernel = GRT_KERNEL_SPIN_TABLE, .amount = 65535, .blocks = 2}, "table ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = grt_bench_launch_problem(bench, &cases[i].launch);
        CU_ASSERT_PTR_NOT_NULL_FATAL(why);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, cases[i].why));
    }
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

/* What is behind a latch begins when the host says so, in all held streams; many generations, since flags come round. */
static void test_hold(void) {
    enum { ROUNDS = 150 };
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t streams[2] = {grt_bench_stream(bench, NULL, 0), grt_bench_stream(bench, NULL, 0)};
    struct grt_bench_launch launch = spin(10 * US, 1);
    for (int round = 0; round < ROUNDS && !grt_bench_is_lost(bench); round++) {
        grt_bench_clear_records(bench, 0, 2);
        grt_bench_hold(bench, streams[0]);
        grt_bench_hold(bench, streams[1]);
        for (uint32_t i = 0; i < 2; i++) {
            launch.record_base = i;
            grt_bench_launch(bench, streams[i], &launch);
            grt_bench_record(bench, streams[i], i);
        }
        CU_ASSERT_FALSE(grt_bench_event_is_done(bench, 0) || grt_bench_event_is_done(bench, 1));
        grt_time released = grt_bench_now(bench);
        grt_bench_release(bench);
        grt_bench_sync(bench);
        CU_ASSERT_TRUE(grt_bench_event_is_done(bench, 0) && grt_bench_event_is_done(bench, 1));
        const struct grt_block_record *records = grt_bench_records(bench, 0, 2);
        CU_ASSERT_TRUE(records && records[0].start_ns >= (uint64_t)(released + spec.timer_offset) &&
                       records[1].start_ns >= (uint64_t)(released + spec.timer_offset));
    }
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

/* Streams that are held for too long go by themselves, and latches that cannot begin are not waited for for ever; in the model's time. */
static void test_held_too_long(void) {
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    struct grt_bench_launch launch = spin(10 * US, 1);
    grt_bench_hold(bench, stream);
    grt_bench_launch(bench, stream, &launch);
    driver.clock.wait_until(driver.clock.state, grt_bench_now(bench) + 12 * GRT_SECOND);
    grt_bench_release(bench);
    CU_ASSERT_TRUE_FATAL(grt_bench_is_lost(bench) && errors.count == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "more than ten seconds"));
    close_bench(bench);
    bench = open_bench();
    stream = grt_bench_stream(bench, NULL, 0);
    launch = spin(15 * GRT_SECOND, 1);
    grt_bench_launch(bench, stream, &launch);
    grt_bench_hold(bench, stream);
    CU_ASSERT_TRUE_FATAL(grt_bench_is_lost(bench) && errors.count == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "a latch does not begin"));
    close_bench(bench);
}

/* Each launch counts its blocks from 0, however many were before it, with or without waiting. */
static void test_counters(void) {
    enum { LAUNCHES = 9000, KEPT = 20 };
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    struct grt_bench_launch launch = spin(US, 2);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        launch.record_base = 2 * (i % KEPT);
        grt_bench_launch(bench, stream, &launch);
    }
    grt_bench_sync_stream(bench, stream);
    for (uint32_t round = 0; round < 2; round++) {
        const struct grt_block_record *records = grt_bench_records(bench, 0, 2 * KEPT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(records);
        for (uint32_t i = 0; i < 2 * KEPT; i++)
            CU_ASSERT_TRUE(records[i].order < 2 && records[i].end_ns != 0);
        grt_bench_clear_records(bench, 0, 2 * KEPT);
        for (launch.record_base = 0; launch.record_base < 2 * KEPT; launch.record_base += 2) {
            grt_bench_launch(bench, stream, &launch);
        }
        grt_bench_sync_stream(bench, stream);
    }
    close_bench(bench);
}

static void test_copies(void) {
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0), event = 0;
    for (int direction = 0; direction < GRT_BENCH_DIRECTIONS; direction++) {
        for (int pageable = 0; pageable < 2; pageable++) {
            grt_bench_record(bench, stream, event);
            grt_bench_copy(bench, stream, (enum grt_bench_direction)direction, SMALL, pageable, 1);
            grt_bench_record(bench, stream, event + 1);
            grt_bench_sync_stream(bench, stream);
            CU_ASSERT_TRUE(grt_bench_elapsed_ns(bench, event, event + 1) >
                           0.9 * SMALL / 4.0); /* 4 bytes a ns at most */
            event += 2;
        }
    }
    grt_bench_flush_l2(bench, stream);
    grt_bench_sync(bench);
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

static bool all_in(struct grt_bench *bench, const struct grt_partition *part, uint32_t blocks) {
    uint32_t stream = grt_bench_stream(bench, part, 0);
    struct grt_bench_launch launch = spin(100 * US, blocks);
    grt_bench_clear_records(bench, 0, blocks);
    grt_bench_launch(bench, stream, &launch);
    grt_bench_sync(bench);
    const struct grt_block_record *records = grt_bench_records(bench, 0, blocks);
    for (uint32_t i = 0; records && i < blocks; i++) {
        bool found = false;
        for (uint32_t j = 0; j < part->sm_count; j++) {
            found = found || records[i].sm == part->sms[j];
        }
        if (!found || records[i].end_ns == 0) {
            return false;
        }
    }
    grt_bench_stream_end(bench, stream);
    return records != NULL;
}

static void test_partitions(void) {
    static const enum grt_partition_how hows[] = {GRT_PARTITION_GREEN, GRT_PARTITION_FILTER,
                                                  GRT_PARTITION_NONE};
    describe();
    struct grt_bench *bench = open_bench();
    for (size_t i = 0; i < sizeof hows / sizeof hows[0]; i++) {
        const char *why = NULL;
        struct grt_partition parts[2];
        uint32_t sms[2] = {2, 4};
        bool made = grt_bench_partition(bench, hows[i], sms, 2, parts, &why);
        CU_ASSERT_TRUE_FATAL(made);
        for (uint32_t j = 0; j < 2; j++) {
            CU_ASSERT_EQUAL(parts[j].sm_count, hows[i] == GRT_PARTITION_NONE ? SMS : sms[j]);
            CU_ASSERT_TRUE(all_in(bench, &parts[j], 40));
        }
        grt_bench_unpartition(bench);
        sms[0] = SMS;
        if (hows[i] != GRT_PARTITION_NONE) {
            CU_ASSERT_FALSE(grt_bench_partition(bench, hows[i], sms, 2, parts, &why));
            CU_ASSERT_PTR_NOT_NULL_FATAL(why);
            CU_ASSERT_STRING_EQUAL(why, "the device has too few SMs for these partitions");
        }
    }
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

/* On a large device: sizes that the hardware likes come out of a split into such groups, others are glued; all are exact on the model, whose
 * device has no noise. */
static void test_large_partitions(void) {
    static const struct {
        uint32_t sms[2];
        bool glued;
    } cases[] = {{{64, 64}, false}, {{8, 120}, false}, {{66, 66}, true}, {{2, 130}, true}, {{30, 2}, true}};
    struct grt_device device;
    errors = (struct grt_errors){0};
    struct grt_arena arena = {0};
    CU_ASSERT_TRUE_FATAL(grt_device_find("h200", NULL, &arena, &device, &errors, NULL));
    grt_pretend_default(&device, &spec);
    struct grt_bench *bench = open_bench();
    CU_ASSERT_EQUAL(grt_bench_device(bench)->partition_step, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_partition parts[2];
        const char *why = NULL;
        CU_ASSERT_TRUE_FATAL(grt_bench_partition(bench, GRT_PARTITION_GREEN, cases[i].sms, 2, parts, &why));
        CU_ASSERT_EQUAL(parts[0].glued, cases[i].glued);
        CU_ASSERT_TRUE(parts[0].sm_count == cases[i].sms[0] && parts[1].sm_count == cases[i].sms[1]);
        CU_ASSERT_TRUE(all_in(bench, &parts[0], 300) && all_in(bench, &parts[1], 300));
        grt_bench_unpartition(bench);
    }
    close_bench(bench);
    grt_arena_clear(&arena);
}

/* Without noise a kernel's span is its waves' times. */
static void test_waves(void) {
    describe();
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    uint32_t resident = SMS * (uint32_t)grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, 0, 0);
    for (uint32_t blocks = 1; blocks < 4 * resident; blocks += resident / 2 - 1) {
        struct grt_bench_launch launch = spin(10 * US, blocks);
        uint64_t first = UINT64_MAX, last = 0;
        grt_bench_clear_records(bench, 0, blocks);
        grt_bench_hold(bench, stream);
        grt_bench_launch(bench, stream, &launch);
        grt_bench_release(bench);
        grt_bench_sync(bench);
        const struct grt_block_record *records = grt_bench_records(bench, 0, blocks);
        CU_ASSERT_PTR_NOT_NULL_FATAL(records);
        for (uint32_t i = 0; i < blocks; i++) {
            first = records[i].start_ns < first ? records[i].start_ns : first;
            last = records[i].end_ns > last ? records[i].end_ns : last;
        }
        grt_time waves = (blocks + resident - 1) / resident;
        if (engine == &grt_engine_model)
            CU_ASSERT_EQUAL((grt_time)(last - first), waves * 10 * US)
        else
            CU_ASSERT_TRUE((grt_time)(last - first) >= waves * 10 * US)
    }
    close_bench(bench);
}

/* Questions that a driver refuses are not asked: of a block with more shared memory than one can have, its kernel's own and the launch's together. */
static void test_occupancy(void) {
    describe();
    spec.kernels[GRT_KERNEL_SPIN_NS].shared_bytes = 4;
    spec.faults.strict_occupancy = true;
    struct grt_bench *bench = open_bench();
    uint32_t most = (uint32_t)grt_bench_device(bench)->shared_memory_per_block_opt_in;
    CU_ASSERT_TRUE(grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, 32, most - 4) >= 1);
    CU_ASSERT_EQUAL(grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, 32, most - 3), 0);
    CU_ASSERT_EQUAL(grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, 32, UINT32_MAX), 0);
    struct grt_bench_launch launch = {
        .kernel = GRT_KERNEL_SPIN_NS, .amount = 1, .blocks = 1, .shared_bytes = most};
    CU_ASSERT_STRING_EQUAL(grt_bench_launch_problem(bench, &launch), "such a block fits on no SM");
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

/* Spinning kernels and helpers ask for the largest carve-out, and no others; a driver that does not take it is used all the same. */
static int carveouts;

static grt_cuda_result refuse_carveout(grt_cuda_function function, int attribute, int value) {
    (void)function;
    if (attribute != GRT_CUDA_FUNCTION_PREFERRED_CARVEOUT) {
        return GRT_CUDA_SUCCESS;
    }
    CU_ASSERT_EQUAL(value, GRT_CUDA_CARVEOUT_MAX_SHARED);
    carveouts++;
    return GRT_CUDA_INVALID_VALUE;
}

static void test_carveout(void) {
    describe();
    open_driver();
    carveouts = 0;
    driver.cuda.cuFuncSetAttribute = refuse_carveout;
    struct grt_bench *bench =
        grt_bench_open(&(struct grt_bench_options){.driver = &driver, .buffer_bytes = SMALL}, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    CU_ASSERT_EQUAL(carveouts, 6);
    close_bench(bench);
}

static void test_no_green_contexts(void) {
    describe();
    spec.faults.no_green_contexts = true;
    struct grt_bench *bench = open_bench();
    struct grt_partition part;
    const char *why = NULL;
    CU_ASSERT_EQUAL(grt_bench_device(bench)->partition_least, 0);
    CU_ASSERT_FALSE(grt_bench_partition(bench, GRT_PARTITION_GREEN, &(uint32_t){2}, 1, &part, &why));
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "no green contexts"));
    CU_ASSERT_TRUE(grt_bench_partition(bench, GRT_PARTITION_FILTER, &(uint32_t){3}, 1, &part, &why));
    CU_ASSERT_TRUE(part.sm_count == 3 && part.sms[0] == 0 && part.sms[2] == 2);
    close_bench(bench);
}

/* A device of small blocks: the kernels that need larger ones cannot be launched, and all others can. */
static void test_small_blocks(void) {
    describe();
    spec.device.max_threads_per_block = 128;
    struct grt_bench *bench = open_bench();
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    struct grt_bench_launch launch = spin(US, SMS),
                            large = {.kernel = GRT_KERNEL_FMA, .amount = 1, .blocks = 1};
    struct grt_partition part;
    const char *why = NULL;
    CU_ASSERT_PTR_NOT_NULL(grt_bench_launch_problem(bench, &large));
    CU_ASSERT_PTR_NULL(grt_bench_launch_problem(bench, &launch));
    grt_bench_launch(bench, stream, &launch);
    grt_bench_sync(bench);
    CU_ASSERT_TRUE(grt_bench_partition(bench, GRT_PARTITION_FILTER, &(uint32_t){3}, 1, &part, &why));
    CU_ASSERT_FALSE(grt_bench_is_lost(bench));
    close_bench(bench);
}

/* Which copies there have been, by directions; of the host's to a device from page-locked memory and from other. */
static struct grt_cuda real;
static unsigned copies_seen;

static bool is_pinned(const void *host) {
    grt_cuda_address address;
    return real.cuMemHostGetDevicePointer_v2(&address, (void *)(uintptr_t)host, 0) == GRT_CUDA_SUCCESS;
}

static grt_cuda_result see_h2d(grt_cuda_address to, const void *from, size_t bytes, grt_cuda_stream stream) {
    copies_seen |= is_pinned(from) ? 1u : 2u;
    return real.cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
}

static grt_cuda_result see_d2h(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream) {
    copies_seen |= is_pinned(to) ? 4u : 8u;
    return real.cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
}

static grt_cuda_result see_d2d(grt_cuda_address to, grt_cuda_address from, size_t bytes,
                               grt_cuda_stream stream) {
    copies_seen |= 16u;
    return real.cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

static grt_cuda_result see_memset(grt_cuda_address to, unsigned value, size_t count, grt_cuda_stream stream) {
    copies_seen |= 32u;
    return real.cuMemsetD32Async(to, value, count, stream);
}

/* Opening makes a copy of each kind, so that none is the first one where a latch holds streams. */
static void test_first_copies(void) {
    describe();
    open_driver();
    real = driver.cuda;
    driver.cuda.cuMemcpyHtoDAsync_v2 = see_h2d;
    driver.cuda.cuMemcpyDtoHAsync_v2 = see_d2h;
    driver.cuda.cuMemcpyDtoDAsync_v2 = see_d2d;
    driver.cuda.cuMemsetD32Async = see_memset;
    copies_seen = 0;
    struct grt_bench_options options = {.driver = &driver, .buffer_bytes = SMALL};
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    CU_ASSERT_EQUAL(copies_seen, 63);
    close_bench(bench);
}

static void test_clocks(void) {
    enum { VALUES = 100 };
    describe();
    spec.timer_offset = 123456789;
    struct grt_bench *bench = open_bench();
    for (int i = 0; i < 10; i++) {
        struct grt_bench_exchange exchange = grt_bench_exchange(bench);
        grt_time device = (grt_time)exchange.device_ns - spec.timer_offset;
        CU_ASSERT_TRUE(exchange.before <= device && device <= exchange.after);
    }
    uint64_t values[VALUES], cycles, ns;
    grt_bench_ticks(bench, values, VALUES);
    for (int i = 1; i < VALUES; i++)
        CU_ASSERT_TRUE(values[i] > values[i - 1]);
    grt_bench_frequency(bench, 2 * GRT_MILLISECOND, &cycles, &ns);
    CU_ASSERT_TRUE(ns >= 2 * GRT_MILLISECOND);
    CU_ASSERT_DOUBLE_EQUAL((double)cycles / (double)ns, (double)spec.cycles_per_second / 1e9, 1e-3);
    close_bench(bench);
}

/* Whatever call is the first to fail: no crash, an error, and calls that do nothing. */
static void test_lost(void) {
    describe();
    for (int64_t call = 1; call < 4000; call = call + 1 + call / 4) {
        spec.faults.lost_at_call = call;
        errors = (struct grt_errors){0};
        if (!grt_pretend_open(&spec, engine, &driver, &errors)) {
            continue;
        }
        struct grt_bench_options options = {.driver = &driver, .buffer_bytes = SMALL};
        struct grt_bench *bench = NULL;
        if (driver.cuda.cuInit(0) == GRT_CUDA_SUCCESS) {
            bench = grt_bench_open(&options, &errors);
        }
        CU_ASSERT_TRUE(bench || errors.count > 0 || call == 1);
        if (bench) {
            uint32_t stream = grt_bench_stream(bench, NULL, 0);
            struct grt_bench_launch launch = spin(US, 1);
            for (int i = 0; i < 5000 && !grt_bench_is_lost(bench); i++) {
                grt_bench_launch(bench, stream, &launch);
            }
            CU_ASSERT_TRUE(grt_bench_is_lost(bench) && errors.count == 1);
            CU_ASSERT_PTR_NULL(grt_bench_records(bench, 0, 1));
            grt_bench_hold(bench, stream);
            grt_bench_release(bench);
            grt_bench_sync(bench);
            CU_ASSERT_TRUE(errors.count == 1);
            grt_bench_close(bench);
        }
        driver.close(&driver);
        grt_errors_clear(&errors);
    }
}

static void test_refused(void) {
    describe();
    open_driver();
    struct grt_bench_options options = {.driver = &driver, .device = 1};
    CU_ASSERT_PTR_NULL(grt_bench_open(&options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "there is no device 1: the driver has 1, from 0");
    grt_errors_clear(&errors);
    driver.close(&driver);
}

/* Buffers become smaller where memory is short, and what needs more than there is is an error. */
static void test_little_memory(void) {
    describe();
    spec.memory_bytes = INT64_C(64) << 20;
    struct grt_bench_options options = {.buffer_bytes = (size_t)256 << 20};
    open_driver();
    options.driver = &driver;
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    CU_ASSERT_EQUAL(grt_bench_buffer_bytes(bench), (size_t)4 << 20);
    close_bench(bench);
    spec.memory_bytes = INT64_C(2) << 20;
    open_driver();
    options.driver = &driver;
    CU_ASSERT_PTR_NULL(grt_bench_open(&options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "ask for smaller buffers"));
    grt_errors_clear(&errors);
    driver.close(&driver);
}

/* Each test on either engine. */
#define EITHER(test)                                                                                         \
    static void test##_of_threads(void) {                                                                    \
        engine = &grt_engine_threads;                                                                        \
        test();                                                                                              \
    }                                                                                                        \
    static void test##_of_model(void) {                                                                      \
        engine = &grt_engine_model;                                                                          \
        test();                                                                                              \
    }
#define ENTRIES(name, test)                                                                                  \
    {name ", threads", test##_of_threads}, {                                                                 \
        name ", model", test##_of_model                                                                      \
    }

EITHER(test_device)
EITHER(test_records)
EITHER(test_every_kernel)
EITHER(test_problems)
EITHER(test_hold)
EITHER(test_copies)
EITHER(test_partitions)
EITHER(test_waves)
EITHER(test_carveout)
EITHER(test_no_green_contexts)
EITHER(test_small_blocks)
EITHER(test_first_copies)
EITHER(test_clocks)
EITHER(test_lost)
EITHER(test_refused)
EITHER(test_little_memory)

#define MODEL_ONLY(test)                                                                                     \
    static void test##_of_model(void) {                                                                      \
        engine = &grt_engine_model;                                                                          \
        test();                                                                                              \
    }
MODEL_ONLY(test_large_partitions)
MODEL_ONLY(test_held_too_long)
MODEL_ONLY(test_counters)
MODEL_ONLY(test_occupancy)

int main(void) {
    CU_TestInfo tests[] = {
        ENTRIES("what the device says", test_device),
        ENTRIES("records go where they should", test_records),
        ENTRIES("every kernel can be launched", test_every_kernel),
        ENTRIES("launches that are not possible", test_problems),
        ENTRIES("held streams", test_hold),
        ENTRIES("copies", test_copies),
        ENTRIES("partitions", test_partitions),
        ENTRIES("waves", test_waves),
        ENTRIES("carve-outs", test_carveout),
        ENTRIES("no green contexts", test_no_green_contexts),
        ENTRIES("small blocks", test_small_blocks),
        ENTRIES("a copy of each kind when opening", test_first_copies),
        ENTRIES("clocks", test_clocks),
        ENTRIES("lost at any call", test_lost),
        ENTRIES("no such device", test_refused),
        ENTRIES("little memory", test_little_memory),
        {"large partitions, model", test_large_partitions_of_model},
        {"held too long, model", test_held_too_long_of_model},
        {"counters, model", test_counters_of_model},
        {"blocks of too much shared memory", test_occupancy_of_model},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("bench", tests);
}
