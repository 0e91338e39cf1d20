/* A pretended device on gpurt's own model: clocks, latches, partitions, priorities, copies, noise. */
#include <math.h>

#include "tests/support/pretend_device.h"
#include "tests/support/suite.h"

static struct pretend_device device;

static void open_small(void) {
    pretend_device_describe(&device, 4, 2);
    pretend_device_open(&device, &grt_engine_model);
}

static void close_device(void) {
    pretend_device_close(&device);
}

static bool ran(uint32_t record, grt_time start, grt_time end) {
    const struct grt_block_record *seen = &device.records[record];
    bool same = seen->start_ns == (uint64_t)start && seen->end_ns == (uint64_t)end;
    if (!same) {
        fprintf(stderr, "record %u: %llu to %llu, not %lld to %lld\n", record,
                (unsigned long long)seen->start_ns, (unsigned long long)seen->end_ns, (long long)start,
                (long long)end);
    }
    return same;
}

/* ---- blocks ---- */

static void test_waves(void) {
    open_small();
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, pretend_device_stream(&device, 0), 20, 100, 0);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin); /* calls take no time */
    CU_OK(device.cuda.cuCtxSynchronize());
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 300);
    for (uint32_t i = 0; i < 20; i++) {
        CU_ASSERT_TRUE(ran(i, begin + i / 8 * 100, begin + i / 8 * 100 + 100));
        CU_ASSERT_EQUAL(device.records[i].order, i);
        CU_ASSERT_EQUAL(device.records[i].sm, i % 4);
        CU_ASSERT_EQUAL(device.records[i].slot, i % 8 / 4);
        CU_ASSERT_EQUAL(device.records[i].end_cycle - device.records[i].start_cycle,
                        (uint32_t)(100 * device.spec.cycles_per_second / 1000000000));
    }
    CU_ASSERT_EQUAL(device.counters[0], 20);
    CU_ASSERT_EQUAL(device.records[20].end_ns, 0);
    close_device();
}

/* fixed + amount * per_unit, rounded up. */
static void test_block_time(void) {
    pretend_device_describe(&device, 1, 1);
    device.spec.kernels[GRT_KERNEL_FMA] =
        (struct grt_pretend_kernel){.fixed = 70, .per_unit_ps = 1001, .registers = 20};
    pretend_device_open(&device, &grt_engine_model);
    grt_time begin = pretend_device_now(&device);
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    CU_OK(pretend_device_launch(&device, stream, GRT_KERNEL_FMA, pretend_device_control(&device, 1, 0), 1, 32,
                                1000));
    CU_OK(pretend_device_launch(&device, stream, GRT_KERNEL_FMA, pretend_device_control(&device, 1, 1), 1, 32,
                                1));
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(ran(0, begin, begin + 1071));
    CU_ASSERT_TRUE(ran(1, begin + 1071, begin + 1071 + 72));
    close_device();
}

/* Logical blocks count on from the first one, for the records and for the table of times. */
static void test_table(void) {
    open_small();
    grt_time begin = pretend_device_now(&device);
    for (uint64_t i = 0; i < 16; i++) {
        device.table[i] = 10 * i;
    }
    struct grt_kernel_control control = pretend_device_control(&device, 4, 0);
    control.first_block = 3;
    CU_OK(pretend_device_launch(&device, NULL, GRT_KERNEL_SPIN_TABLE, control, 4, 32, 2));
    device.table[5] = 999; /* it was read */
    CU_OK(device.cuda.cuStreamSynchronize(NULL));
    for (uint32_t i = 3; i < 7; i++) {
        CU_ASSERT_TRUE(ran(i, begin, begin + 10 * (2 + i)));
    }
    CU_ASSERT_EQUAL(device.records[2].end_ns, 0);
    close_device();
}

static void test_every_other_record(void) {
    open_small();
    struct grt_kernel_control control = pretend_device_control(&device, 8, 0);
    control.record_every = 4;
    control.first_block = 1;
    CU_OK(pretend_device_launch(&device, NULL, GRT_KERNEL_SPIN_NS, control, 8, 32, 10));
    CU_OK(device.cuda.cuStreamSynchronize(NULL));
    CU_ASSERT_EQUAL(device.records[0].end_ns, 0);
    CU_ASSERT_EQUAL(device.records[1].order, 3);
    CU_ASSERT_EQUAL(device.records[2].order, 7);
    CU_ASSERT_EQUAL(device.records[3].end_ns, 0);
    close_device();
}

/* ---- the host's time ---- */

static void test_calls(void) {
    pretend_device_describe(&device, 4, 2);
    device.spec.device.kernel_launch = 50;
    device.spec.launch_call = 7;
    device.spec.other_call = 2;
    device.spec.sync_return = 30;
    pretend_device_open(&device, &grt_engine_model);
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, stream, 1, 100, 0);
    pretend_device_spin(&device, stream, 1, 100, 1);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 14);
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(ran(0, begin + 50, begin + 150));  /* since the call began */
    CU_ASSERT_TRUE(ran(1, begin + 150, begin + 250)); /* launched behind the first at begin + 50 + 50 */
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 250 + 30);
    grt_time before = pretend_device_now(&device);
    CU_OK(device.cuda.cuStreamSynchronize(stream)); /* nothing to wait for */
    CU_ASSERT_EQUAL(pretend_device_now(&device), before + 2);
    close_device();
}

/* The host stops where something has completed, or where it wants to. */
static void test_idle(void) {
    open_small();
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, pretend_device_stream(&device, 0), 16, 100, 0);
    pretend_device_idle(&device, begin + 150);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 150);
    pretend_device_idle(&device, begin + 5000);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 200);
    CU_ASSERT_EQUAL(device.records[15].end_ns, (uint64_t)begin + 200);
    pretend_device_idle(&device, begin + 5000);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 5000);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 6000);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 6000);
    close_device();
}

/* ---- clocks ---- */

static void test_clocks(void) {
    pretend_device_describe(&device, 1, 1);
    device.spec.timer_offset = 123456789;
    device.spec.timer_drift = 1e-4;
    device.spec.timer_tick = 32;
    device.spec.event_tick = 500;
    device.spec.cycles_per_second = 1980000000;
    pretend_device_open(&device, &grt_engine_model);
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    grt_cuda_event before = pretend_device_event(&device), after = pretend_device_event(&device);
    grt_time begin = pretend_device_now(&device), end = begin + 1000003;
    CU_OK(device.cuda.cuEventRecord(before, stream));
    pretend_device_spin(&device, stream, 1, 1000003, 0);
    CU_OK(device.cuda.cuEventRecord(after, stream));
    CU_OK(device.cuda.cuEventSynchronize(after));
    uint64_t timer_begin = 123456789 + (uint64_t)begin + (uint64_t)begin / 10000;
    uint64_t timer_end = 123456789 + (uint64_t)end + (uint64_t)end / 10000;
    CU_ASSERT_EQUAL(device.records[0].start_ns, timer_begin / 32 * 32);
    CU_ASSERT_EQUAL(device.records[0].end_ns, timer_end / 32 * 32);
    CU_ASSERT_EQUAL(device.records[0].end_cycle - device.records[0].start_cycle,
                    (uint32_t)(end * 99 / 50 - begin * 99 / 50));
    float elapsed = 0;
    CU_OK(device.cuda.cuEventElapsedTime(&elapsed, before, after));
    uint64_t ticks = (timer_end - 123456789) / 500 - (timer_begin - 123456789) / 500;
    CU_ASSERT_EQUAL(elapsed, (float)((double)ticks * 500 / 1e6));
    close_device();
}

static void test_ticks(void) {
    pretend_device_describe(&device, 1, 1);
    device.spec.timer_tick = 1000;
    pretend_device_open(&device, &grt_engine_model);
    uint64_t values[5] = {0};
    CU_OK(pretend_device_launch(&device, NULL, GRT_KERNEL_TICK, pretend_device_control(&device, 1, 0), 1, 1,
                                5));
    CU_OK(device.cuda.cuMemcpyDtoH_v2(values, device.buffer, sizeof values));
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(values[i] % 1000, 0);
        CU_ASSERT_EQUAL(values[i], values[0] + 1000 * (uint64_t)i);
    }
    CU_ASSERT_TRUE(device.records[0].end_ns >= values[4]);
    close_device();
}

/* ---- latches ---- */

static void hold(grt_cuda_stream stream, uint32_t record, uint64_t timeout) {
    device.counters[4] = device.counters[5] = 0;
    CU_OK(pretend_device_launch(&device, stream, GRT_KERNEL_LATCH, pretend_device_control(&device, 1, record),
                                1, 1, timeout));
}

static void test_latch(void) {
    pretend_device_describe(&device, 4, 2);
    device.spec.device.kernel_launch = 50;
    pretend_device_open(&device, &grt_engine_model);
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    grt_time begin = pretend_device_now(&device);
    hold(stream, 0, 1000000);
    pretend_device_spin(&device, stream, 1, 100, 1);
    CU_ASSERT_EQUAL(device.counters[4], 0);
    pretend_device_idle(&device, begin + 10000);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 50);
    CU_ASSERT_EQUAL(device.counters[4], 1);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 777);
    CU_ASSERT_EQUAL(device.counters[4], 1);
    device.counters[5] = 1;
    pretend_device_idle(&device, begin + 10000);
    CU_ASSERT_EQUAL(device.counters[4], 2); /* at this very instant */
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 777);
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(ran(0, begin + 50, begin + 777));
    CU_ASSERT_TRUE(ran(1, begin + 777, begin + 877)); /* its launch was over long ago */
    close_device();
}

/* Launches that had no time yet when the latch ended take what is left of it. */
static void test_latch_late_launch(void) {
    pretend_device_describe(&device, 4, 2);
    device.spec.device.kernel_launch = 50;
    pretend_device_open(&device, &grt_engine_model);
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    grt_time begin = pretend_device_now(&device);
    hold(stream, 0, 1000000);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 60);
    pretend_device_spin(&device, stream, 1, 100, 1);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 80);
    device.counters[5] = 1;
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(ran(0, begin + 50, begin + 80));
    CU_ASSERT_TRUE(ran(1, begin + 110, begin + 210));
    close_device();
}

static void test_latch_times_out(void) {
    open_small();
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    grt_time begin = pretend_device_now(&device);
    hold(stream, 0, 500);
    pretend_device_spin(&device, stream, 1, 100, 1);
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(ran(0, begin, begin + 500));
    CU_ASSERT_TRUE(ran(1, begin + 500, begin + 600));
    close_device();
}

/* Several held streams go at once; what waits for an event behind a latch waits, too. */
static void test_latch_streams(void) {
    open_small();
    grt_cuda_stream a = pretend_device_stream(&device, 0), b = pretend_device_stream(&device, 0),
                    c = pretend_device_stream(&device, 0);
    grt_cuda_event event = pretend_device_event(&device);
    grt_time begin = pretend_device_now(&device);
    hold(a, 0, 1000000);
    hold(b, 1, 1000000);
    pretend_device_spin(&device, a, 1, 100, 2);
    pretend_device_spin(&device, b, 1, 100, 3);
    CU_OK(device.cuda.cuEventRecord(event, a));
    CU_OK(device.cuda.cuStreamWaitEvent(c, event, 0));
    pretend_device_spin(&device, c, 1, 100, 4);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 300);
    CU_ASSERT_EQUAL(device.cuda.cuEventQuery(event), GRT_CUDA_NOT_READY);
    CU_ASSERT_EQUAL(device.cuda.cuStreamQuery(c), GRT_CUDA_NOT_READY);
    device.counters[5] = 1;
    CU_OK(device.cuda.cuCtxSynchronize());
    CU_ASSERT_TRUE(ran(2, begin + 300, begin + 400));
    CU_ASSERT_TRUE(ran(3, begin + 300, begin + 400));
    CU_ASSERT_TRUE(ran(4, begin + 400, begin + 500));
    close_device();
}

/* ---- events ---- */

/* An event is done at the instant at which what is before it has completed, and seen then. */
static void test_event_instant(void) {
    open_small();
    grt_cuda_stream a = pretend_device_stream(&device, 0), b = pretend_device_stream(&device, 0);
    grt_cuda_event event = pretend_device_event(&device), second = pretend_device_event(&device);
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, a, 1, 100, 0);
    CU_OK(device.cuda.cuEventRecord(event, a));
    CU_OK(device.cuda.cuStreamWaitEvent(b, event, 0));
    CU_OK(device.cuda.cuEventRecord(second, b));
    CU_ASSERT_EQUAL(device.cuda.cuEventQuery(event), GRT_CUDA_NOT_READY);
    pretend_device_idle(&device, begin + 10000);
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 100);
    CU_ASSERT_EQUAL(device.cuda.cuEventQuery(event), GRT_CUDA_SUCCESS);
    CU_ASSERT_EQUAL(device.cuda.cuEventQuery(second), GRT_CUDA_SUCCESS);
    CU_OK(device.cuda.cuEventRecord(event, a)); /* again, in an idle stream */
    CU_ASSERT_EQUAL(device.cuda.cuEventQuery(event), GRT_CUDA_SUCCESS);
    close_device();
}

/* ---- priorities, partitions, filters ---- */

static void test_priorities(void) {
    open_small();
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, pretend_device_stream(&device, 0), 24, 100, 0);
    device.driver.clock.wait_until(device.driver.clock.state, begin + 50);
    pretend_device_spin(&device, pretend_device_stream(&device, -9), 8, 10, 24);
    CU_OK(device.cuda.cuCtxSynchronize());
    CU_ASSERT_TRUE(ran(7, begin, begin + 100)); /* running blocks go on */
    CU_ASSERT_TRUE(ran(24, begin + 100, begin + 110));
    CU_ASSERT_TRUE(ran(8, begin + 110, begin + 210));
    CU_ASSERT_EQUAL(device.records[24].order, 8); /* counted with the others */
    CU_ASSERT_EQUAL(device.records[8].order, 16);
    close_device();
}

static void test_partitions(void) {
    open_small();
    struct grt_cuda_resource all, groups[2], rest;
    unsigned count = 2;
    CU_OK(device.cuda.cuDeviceGetDevResource(0, &all, GRT_CUDA_RESOURCE_SM));
    CU_OK(device.cuda.cuDevSmResourceSplitByCount(groups, &count, &all, &rest, 0, 2));
    CU_ASSERT_EQUAL_FATAL(count, 2);
    grt_cuda_stream streams[2];
    for (int i = 0; i < 2; i++) {
        grt_cuda_description description;
        grt_cuda_green green;
        CU_OK(device.cuda.cuDevResourceGenerateDesc(&description, &groups[i], 1));
        CU_OK(device.cuda.cuGreenCtxCreate(&green, description, 0, GRT_CUDA_GREEN_DEFAULT_STREAM));
        CU_OK(device.cuda.cuGreenCtxStreamCreate(&streams[i], green, GRT_CUDA_STREAM_NON_BLOCKING, 0));
    }
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, streams[0], 12, 100, 0);
    pretend_device_spin(&device, streams[1], 4, 100, 12);
    CU_OK(device.cuda.cuCtxSynchronize());
    for (uint32_t i = 0; i < 12; i++) {
        CU_ASSERT_TRUE(ran(i, begin + i / 4 * 100, begin + i / 4 * 100 + 100));
        CU_ASSERT_TRUE(device.records[i].sm < 2);
    }
    for (uint32_t i = 12; i < 16; i++) { /* not held up by the other one */
        CU_ASSERT_TRUE(ran(i, begin, begin + 100));
        CU_ASSERT_TRUE(device.records[i].sm >= 2);
    }
    close_device();
}

/* Blocks on the wrong SMs leave at once; the others take one logical block after the other. */
static void test_filter(void) {
    open_small();
    grt_time begin = pretend_device_now(&device);
    struct grt_kernel_control control = pretend_device_control(&device, 10, 0);
    control.mode = GRT_KERNEL_FILTER;
    control.sm_low = 1;
    control.sm_high = 3;
    control.first_block = 5;
    CU_OK(pretend_device_launch(&device, NULL, GRT_KERNEL_SPIN_NS, control, 8, 32, 100));
    CU_OK(device.cuda.cuStreamSynchronize(NULL));
    for (uint32_t i = 5; i < 15; i++) {
        uint32_t wave = (i - 5) / 4;
        CU_ASSERT_TRUE(ran(i, begin + wave * 100, begin + wave * 100 + 100));
        CU_ASSERT_TRUE(device.records[i].sm == 1 || device.records[i].sm == 2);
        CU_ASSERT_EQUAL(device.records[i].order, i - 5);
    }
    CU_ASSERT_EQUAL(device.counters[0], 10);
    CU_ASSERT_EQUAL(device.counters[1], 10);
    CU_ASSERT_EQUAL(device.counters[2], 8);
    CU_ASSERT_EQUAL(device.counters[3], 4);
    close_device();
}

/* ---- copies ---- */

static void test_copies(void) {
    open_small();
    grt_cuda_stream stream = pretend_device_stream(&device, 0);
    unsigned char *pinned = pretend_device_pinned(&device, 1000), pageable[1000];
    grt_cuda_address other;
    CU_OK(device.cuda.cuMemAlloc_v2(&other, 1000));
    memset(pinned, 7, 1000);
    grt_time begin = pretend_device_now(&device);
    CU_OK(device.cuda.cuMemcpyHtoDAsync_v2(other, pinned, 1000, stream));
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin);
    CU_ASSERT_EQUAL(*(unsigned char *)(uintptr_t)other, 0); /* not yet */
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 1000);
    CU_ASSERT_EQUAL(((unsigned char *)(uintptr_t)other)[999], 7);
    CU_OK(device.cuda.cuMemcpyDtoHAsync_v2(pageable, other, 1000, stream)); /* synchronous, and slower */
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 3000);
    CU_ASSERT_EQUAL(pageable[999], 7);
    CU_OK(device.cuda.cuMemsetD32Async(device.buffer, 0x01020304, 100, stream));
    CU_OK(device.cuda.cuMemcpyDtoDAsync_v2(other + 4, device.buffer, 396, stream));
    CU_OK(device.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_EQUAL(((unsigned char *)(uintptr_t)other)[3], 7);
    CU_ASSERT_EQUAL(((unsigned char *)(uintptr_t)other)[4], 4);
    CU_ASSERT_EQUAL(((unsigned char *)(uintptr_t)other)[399], 1);
    CU_ASSERT_EQUAL(((unsigned char *)(uintptr_t)other)[400], 7);
    close_device();
}

/* A short pageable copy returns at once, and its source may be changed then. */
static void test_early_copy(void) {
    pretend_device_describe(&device, 1, 1);
    device.spec.device.early_return_bytes = 64;
    pretend_device_open(&device, &grt_engine_model);
    unsigned char source[65] = {1}, back[64];
    grt_time begin = pretend_device_now(&device);
    CU_OK(device.cuda.cuMemcpyHtoD_v2(device.buffer, source, 64));
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin);
    source[0] = 2;
    CU_OK(device.cuda.cuMemcpyDtoH_v2(back, device.buffer, 64));
    CU_ASSERT_EQUAL(back[0], 1);
    CU_OK(device.cuda.cuMemcpyHtoD_v2(device.buffer, source, 65));
    CU_ASSERT_TRUE(pretend_device_now(&device) > begin + 64);
    CU_ASSERT_EQUAL(*(unsigned char *)(uintptr_t)device.buffer, 2);
    close_device();
}

/* Each direction has an engine. */
static void test_engines(void) {
    open_small();
    grt_cuda_stream streams[3] = {pretend_device_stream(&device, 0), pretend_device_stream(&device, 0),
                                  pretend_device_stream(&device, 0)};
    unsigned char *pinned = pretend_device_pinned(&device, 1000);
    grt_time begin = pretend_device_now(&device);
    CU_OK(device.cuda.cuMemcpyHtoDAsync_v2(device.buffer, pinned, 1000, streams[0]));
    CU_OK(device.cuda.cuMemcpyDtoHAsync_v2(pinned, device.buffer, 1000, streams[1]));
    CU_OK(device.cuda.cuMemcpyHtoDAsync_v2(device.buffer, pinned, 1000, streams[2]));
    CU_OK(device.cuda.cuStreamSynchronize(streams[1]));
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 1000);
    CU_OK(device.cuda.cuStreamSynchronize(streams[2]));
    CU_ASSERT_EQUAL(pretend_device_now(&device), begin + 2000);
    close_device();
}

/* ---- noise and contention ---- */

/* The same seed, the same times; another one, others. All are between the bounds. */
static void test_noise(void) {
    uint64_t spans[3][8], seeds[3] = {1, 1, 2};
    grt_time copies[3], calls[3];
    for (int run = 0; run < 3; run++) {
        pretend_device_describe(&device, 4, 2);
        device.spec.seed = seeds[run];
        device.spec.kernels[GRT_KERNEL_SPIN_NS].noise =
            (struct grt_distribution){.kind = GRT_UNIFORM, .max = 1000000};
        device.spec.copy_noise = device.spec.kernels[GRT_KERNEL_SPIN_NS].noise;
        device.spec.call_noise = (struct grt_distribution){
            .kind = GRT_EXPONENTIAL, .location = 5, .scale = 1000, .min = 5, .max = 100000};
        pretend_device_open(&device, &grt_engine_model);
        grt_time before = pretend_device_now(&device);
        pretend_device_spin(&device, NULL, 8, 100, 0);
        calls[run] = pretend_device_now(&device) - before;
        CU_OK(device.cuda.cuStreamSynchronize(NULL));
        for (int i = 0; i < 8; i++) {
            spans[run][i] = device.records[i].end_ns - device.records[i].start_ns;
            CU_ASSERT_TRUE(spans[run][i] >= 100 && spans[run][i] <= 1000100);
        }
        unsigned char *pinned = pretend_device_pinned(&device, 1000);
        before = pretend_device_now(&device);
        CU_OK(device.cuda.cuMemcpyHtoD_v2(device.buffer, pinned, 1000));
        copies[run] = pretend_device_now(&device) - before;
        close_device();
    }
    CU_ASSERT_EQUAL(memcmp(spans[0], spans[1], sizeof spans[0]), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(spans[0], spans[2], sizeof spans[0]), 0);
    CU_ASSERT_TRUE(copies[0] == copies[1] && copies[0] != copies[2] && copies[0] > 1000);
    CU_ASSERT_TRUE(calls[0] == calls[1] && calls[0] != calls[2] && calls[0] >= 5);
}

/* Measured noise is drawn as it was measured. */
static void test_measured_noise(void) {
    static const grt_time values[] = {10, 70};
    static const struct grt_measured measured = {values, 2};
    pretend_device_describe(&device, 4, 2);
    device.spec.kernels[GRT_KERNEL_SPIN_NS].noise =
        (struct grt_distribution){.kind = GRT_EMPIRICAL, .min = 10, .max = 70, .measured = &measured};
    pretend_device_open(&device, &grt_engine_model);
    uint32_t count[2] = {0};
    pretend_device_spin(&device, NULL, 200, 100, 0);
    CU_OK(device.cuda.cuStreamSynchronize(NULL));
    for (int i = 0; i < 200; i++) {
        uint64_t span = device.records[i].end_ns - device.records[i].start_ns;
        CU_ASSERT_TRUE(span == 110 || span == 170);
        count[span == 170]++;
    }
    CU_ASSERT_TRUE(count[0] > 50 && count[1] > 50);
    close_device();
}

/* More threads than cores: blocks slow each other, as in scenarios. */
static void test_contention(void) {
    pretend_device_describe(&device, 1, 4);
    device.spec.device.cores_per_sm = 32;
    device.spec.device.threads_per_core = 2;
    pretend_device_open(&device, &grt_engine_model);
    grt_time begin = pretend_device_now(&device);
    pretend_device_spin(&device, NULL, 2, 100, 0);
    pretend_device_spin(&device, NULL, 4, 100, 2);
    CU_OK(device.cuda.cuStreamSynchronize(NULL));
    CU_ASSERT_TRUE(ran(1, begin, begin + 100));
    grt_time end = (grt_time)device.records[5].end_ns;
    CU_ASSERT_TRUE(end >= begin + 100 && ran(5, begin + 100, end));
    CU_ASSERT_EQUAL(pretend_device_now(&device), end);
    close_device();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"waves", test_waves},
        {"block time", test_block_time},
        {"table", test_table},
        {"every other record", test_every_other_record},
        {"calls", test_calls},
        {"idle", test_idle},
        {"clocks", test_clocks},
        {"ticks", test_ticks},
        {"latch", test_latch},
        {"latch with a late launch", test_latch_late_launch},
        {"latch that times out", test_latch_times_out},
        {"latches of several streams", test_latch_streams},
        {"instant of an event", test_event_instant},
        {"priorities", test_priorities},
        {"partitions", test_partitions},
        {"filter", test_filter},
        {"copies", test_copies},
        {"early copy", test_early_copy},
        {"copy engines", test_engines},
        {"noise", test_noise},
        {"measured noise", test_measured_noise},
        {"contention", test_contention},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend_model", tests);
}
