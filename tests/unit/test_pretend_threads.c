/* The engine of threads. What a lock or a sleep guarantees is asked once; what a busy machine can spoil, that something is done at once or at the same
 * time, is asked until it comes out, a few times. */
#include <stdatomic.h>

#include "tests/support/suite.h"
#include "tests/support/thread_device.h"

#define MS GRT_MILLISECOND
enum { TRIES = 40, SMS = 4, SLOTS = 4 };

/* The thread sanitizer looks at each byte that is copied. */
#ifdef __SANITIZE_THREAD__
enum { COPIES_SLOWLY = 1 };
#else
enum { COPIES_SLOWLY = 0 };
#endif

static struct thread_device device;

static void open_small(void) {
    thread_device_describe(&device, SMS, SLOTS);
    thread_device_open(&device);
}

static void close_device(void) {
    device.ops->destroy(device.engine);
}

static void run(uint32_t stream, uint32_t blocks, grt_time time) {
    thread_device_clear(&device);
    thread_device_launch(&device, stream, blocks, time, 0);
    device.ops->wait_stream(device.engine, stream);
}

static grt_time span(uint32_t blocks) {
    return (grt_time)(thread_device_last_end(device.records, blocks) -
                      thread_device_first_start(device.records, blocks));
}

static void test_blocks(void) {
    enum { BLOCKS = 50 };
    bool seen[BLOCKS] = {false};
    open_small();
    run(thread_device_stream(&device, 0, NULL), BLOCKS, MS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const struct grt_block_record *record = &device.records[i];
        CU_ASSERT_TRUE(record->end_ns >= record->start_ns + MS);
        CU_ASSERT_TRUE_FATAL(record->order < BLOCKS && record->sm < SMS && record->slot < SLOTS);
        CU_ASSERT_FALSE(seen[record->order]);
        seen[record->order] = true;
        for (uint32_t j = 0; j < i; j++) { /* a slot has one block at a time */
            const struct grt_block_record *other = &device.records[j];
            CU_ASSERT_TRUE(record->sm != other->sm || record->slot != other->slot ||
                           record->start_ns >= other->end_ns || other->start_ns >= record->end_ns);
        }
    }
    CU_ASSERT_EQUAL(device.counters[0], BLOCKS);
    CU_ASSERT_EQUAL(device.records[BLOCKS].end_ns, 0);
    close_device();
}

/* The first blocks go to one SM each, and the first wave fills all of them. */
static void test_breadth_first(void) {
    uint32_t per_sm[SMS] = {0};
    open_small();
    run(thread_device_stream(&device, 0, NULL), SMS * SLOTS, MS);
    for (uint32_t i = 0; i < SMS * SLOTS; i++) {
        CU_ASSERT_EQUAL(device.records[i].slot, i / SMS);
        per_sm[device.records[i].sm]++;
        CU_ASSERT_EQUAL(per_sm[device.records[i].sm], i / SMS + 1);
    }
    close_device();
}

/* The driver's own idea of what fits: registers and shared memory count. */
static void test_residency(void) {
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 24, MS, 0);
    kernel.shared_bytes = (uint32_t)device.spec.device.shared_memory_per_sm / 2 -
                          (uint32_t)device.spec.device.shared_memory_reserved;
    device.ops->kernel(device.engine, stream, &kernel);
    device.ops->wait_all(device.engine);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        uint32_t most = thread_device_most(device.records, 24, sm);
        CU_ASSERT_TRUE(most >= 1 && most <= 2);
    }
    close_device();
}

/* Runs blocks of these waves until they take less than so many tenths of a block besides, and never less than they should; with longer blocks now and then, against which it counts
 * less that threads are woken late. */
static bool keeps_time(uint32_t stream, uint32_t blocks, grt_time block, grt_time waves, grt_time tenths) {
    for (int i = 0; i < TRIES; i++) {
        run(stream, blocks, block);
        grt_time time = span(blocks);
        CU_ASSERT_TRUE(time >= waves * block);
        if (time < waves * block + block / 10 * tenths) {
            return true;
        }
        block = i % 8 == 7 ? 2 * block : block;
    }
    return false;
}

static void test_staircase(void) {
    static const uint32_t blocks[] = {1, 15, 16, 17, 32, 33, 64};
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        grt_time waves = (blocks[i] + SMS * SLOTS - 1) / (SMS * SLOTS);
        CU_ASSERT_TRUE(keeps_time(stream, blocks[i], 6 * MS, waves, 9));
    }
    close_device();
}

static void test_partitions(void) {
    static const uint64_t parts[] = {4, 5, 15}; /* SM 2; SMs 0 and 2; all */
    static const grt_time sizes[] = {1, 2, 4};
    open_small();
    for (size_t i = 0; i < 3; i++) {
        uint32_t stream = thread_device_stream(&device, 0, &parts[i]);
        grt_time waves = 16 / (sizes[i] * SLOTS);
        CU_ASSERT_TRUE(
            keeps_time(stream, 16, 8 * MS, waves, 10 * waves)); /* what one is at least is above the other */
        for (uint32_t j = 0; j < 16; j++) {
            CU_ASSERT_NOT_EQUAL(parts[i] >> device.records[j].sm & 1, 0);
        }
    }
    close_device();
}

/* A kernel that is stuck in its partition does not hold up others elsewhere, but those that want its SMs. */
static void test_stuck(void) {
    static const uint64_t left = 3, right = 12;
    open_small();
    uint32_t streams[] = {thread_device_stream(&device, 0, &left), thread_device_stream(&device, 0, &right),
                          thread_device_stream(&device, 0, NULL)};
    bool apart = false;
    for (int i = 0; i < TRIES && !apart; i++) {
        thread_device_clear(&device);
        thread_device_launch(&device, streams[0], 24, 4 * MS, 0); /* three waves on the left */
        thread_device_launch(&device, streams[2], 1, MS, 40);     /* behind all of it */
        thread_device_launch(&device, streams[1], 8, MS,
                             30); /* must wait for the one before, which may go right, too */
        device.ops->wait_all(device.engine);
        uint64_t third = device.records[40].start_ns;
        uint32_t ended = 0;
        for (uint32_t j = 0; j < 24; j++) {
            ended += device.records[j].end_ns <= third;
        }
        CU_ASSERT_TRUE(ended >= 16);
        thread_device_clear(&device);
        thread_device_launch(&device, streams[0], 24, 4 * MS, 0);
        thread_device_launch(&device, streams[1], 8, MS, 30);
        device.ops->wait_all(device.engine);
        apart = thread_device_last_end(&device.records[30], 8) < thread_device_last_end(device.records, 24);
    }
    CU_ASSERT_TRUE(apart);
    close_device();
}

static void test_filter(void) {
    enum { BLOCKS = 21, FIRST = 100 };
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    thread_device_clear(&device);
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 64, MS, 0);
    kernel.control.mode = GRT_KERNEL_FILTER;
    kernel.control.sm_low = 1;
    kernel.control.sm_high = 3;
    kernel.control.first_block = FIRST;
    kernel.control.block_count = BLOCKS;
    device.ops->kernel(device.engine, stream, &kernel);
    device.ops->wait_stream(device.engine, stream);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const struct grt_block_record *record = &device.records[FIRST + i];
        CU_ASSERT_TRUE(record->end_ns >= record->start_ns + MS);
        CU_ASSERT_TRUE(record->sm == 1 || record->sm == 2);
    }
    CU_ASSERT_EQUAL(device.counters[0], BLOCKS);
    CU_ASSERT_EQUAL(device.records[FIRST - 1].end_ns, 0);
    CU_ASSERT_EQUAL(device.records[FIRST + BLOCKS].end_ns, 0);
    close_device();
}

/* Where others keep the right SMs full, the last block to come does all the work, wherever it is. */
static void test_filter_nobody(void) {
    open_small();
    static const uint64_t left = 3;
    uint32_t stream = thread_device_stream(&device, 0, &left);
    thread_device_clear(&device);
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 8, MS / 10, 0);
    kernel.control.mode = GRT_KERNEL_FILTER;
    kernel.control.sm_low = 3;
    kernel.control.sm_high = 4;
    kernel.control.block_count = 5;
    device.ops->kernel(device.engine, stream, &kernel);
    device.ops->wait_stream(device.engine, stream);
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT_TRUE(device.records[i].end_ns > 0);
        CU_ASSERT_EQUAL(device.records[i].sm, device.records[0].sm);
    }
    CU_ASSERT_EQUAL(device.counters[2], 8);
    close_device();
}

/* Every block has a time of its own, in a table that the host may change at once. */
static void test_table(void) {
    static const grt_time times[] = {1, 5, 2, 8};
    uint64_t table[16];
    open_small();
    memset(table, 0, sizeof table);
    for (uint32_t i = 0; i < 4; i++) {
        table[7 + i] = (uint64_t)(times[i] * MS);
    }
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 4, 2, 0);
    kernel.id = GRT_KERNEL_SPIN_TABLE;
    kernel.table = table;
    kernel.control.first_block = 5;
    device.ops->kernel(device.engine, thread_device_stream(&device, 0, NULL), &kernel);
    memset(table, 0, sizeof table);
    device.ops->wait_all(device.engine);
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT_TRUE(device.records[5 + i].end_ns >=
                       device.records[5 + i].start_ns + (uint64_t)(times[i] * MS));
    }
    close_device();
}

/* Only every third block leaves a record, also of a kernel that begins in the middle. */
static void test_record_every(void) {
    open_small();
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 10, 0, 0);
    kernel.control.record_every = 3;
    kernel.control.first_block = 5; /* 5 to 14: records of 6, 9 and 12 */
    device.ops->kernel(device.engine, thread_device_stream(&device, 0, NULL), &kernel);
    device.ops->wait_all(device.engine);
    for (uint32_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(device.records[i].end_ns > 0, i >= 2 && i <= 4);
    }
    close_device();
}

static void test_streams(void) {
    open_small();
    uint32_t first = thread_device_stream(&device, 0, NULL), second = thread_device_stream(&device, 0, NULL);
    uint32_t event = thread_device_event(&device);
    CU_ASSERT_TRUE(device.ops->event_done(device.engine, event));
    thread_device_launch(&device, first, 4, 80 * MS, 0); /* this thread may be late, too */
    thread_device_launch(&device, first, 4, MS, 4);
    device.ops->record(device.engine, first, event);
    thread_device_launch(&device, first, 4, MS, 8);
    CU_ASSERT_FALSE(device.ops->event_done(device.engine, event));
    CU_ASSERT_FALSE(device.ops->stream_done(device.engine, first));
    device.ops->wait(device.engine, second, event);
    device.ops->record(device.engine, first, event); /* what waits, waits for the one before */
    thread_device_launch(&device, second, 4, MS, 12);
    device.ops->wait_event(device.engine, event);
    CU_ASSERT_TRUE(device.ops->event_done(device.engine, event));
    double third = device.ops->event_ns(device.engine, event);
    device.ops->wait_all(device.engine);
    CU_ASSERT_TRUE(device.ops->stream_done(device.engine, second));
    const struct grt_block_record *records = device.records;
    CU_ASSERT_TRUE(thread_device_first_start(records + 4, 4) >= thread_device_last_end(records, 4));
    CU_ASSERT_TRUE(thread_device_first_start(records + 8, 4) >= thread_device_last_end(records + 4, 4));
    CU_ASSERT_TRUE(thread_device_first_start(records + 12, 4) >= thread_device_last_end(records + 4, 4));
    CU_ASSERT_TRUE(third >= (double)thread_device_last_end(records + 8, 4));
    close_device();
}

/* A record that is waited for stays the same one when its event is recorded again, and done. */
static void test_event_again(void) {
    open_small();
    uint32_t slow = thread_device_stream(&device, 0, NULL), quick = thread_device_stream(&device, 0, NULL),
             third = thread_device_stream(&device, 0, NULL);
    uint32_t event = thread_device_event(&device);
    thread_device_launch(&device, slow, 1, 20 * MS, 0);
    device.ops->record(device.engine, slow, event);
    device.ops->wait(device.engine, third, event);
    thread_device_launch(&device, third, 1, 0, 1);
    device.ops->record(device.engine, quick, event);
    CU_ASSERT_TRUE(device.ops->event_done(device.engine, event));
    device.ops->event_end(device.engine, event); /* who waits for it goes on */
    device.ops->wait_all(device.engine);
    CU_ASSERT_TRUE(device.records[1].start_ns >= device.records[0].end_ns);
    close_device();
}

static void test_together(void) {
    open_small();
    uint32_t first = thread_device_stream(&device, 0, NULL), second = thread_device_stream(&device, 0, NULL);
    bool together = false;
    for (int i = 0; i < TRIES && !together; i++) {
        thread_device_clear(&device);
        thread_device_launch(&device, first, 4, 10 * MS, 0);
        thread_device_launch(&device, second, 4, 10 * MS, 4);
        device.ops->wait_all(device.engine);
        together =
            thread_device_first_start(device.records + 4, 4) < thread_device_last_end(device.records, 4);
    }
    CU_ASSERT_TRUE(together);
    close_device();
}

/* Whether a late urgent kernel overtook the blocks that had not begun. */
static bool overtakes(uint32_t low, uint32_t high) {
    enum { LOW = 64 };
    thread_device_clear(&device);
    thread_device_launch(&device, low, LOW, 3 * MS, 0);
    grt_time now = device.ops->clock.now(device.engine);
    device.ops->clock.wait_until(device.engine, now + MS);
    thread_device_launch(&device, high, 4, 3 * MS, LOW);
    device.ops->wait_all(device.engine);
    uint64_t start = thread_device_first_start(device.records + LOW, 4);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < LOW; i++) {
        ended += device.records[i].end_ns <= start;
    }
    CU_ASSERT_TRUE(ended >= 1); /* running blocks are not preempted */
    return ended < LOW / 2;
}

static void test_priorities(void) {
    open_small();
    uint32_t low = thread_device_stream(&device, 0, NULL), high = thread_device_stream(&device, -1, NULL),
             same = thread_device_stream(&device, 0, NULL);
    bool overtook = false;
    for (int i = 0; i < TRIES && !overtook; i++) {
        overtook = overtakes(low, high);
    }
    CU_ASSERT_TRUE(overtook);
    CU_ASSERT_FALSE(overtakes(low, same));
    close_device();
}

enum { COPIED = 2000000 };
static unsigned char memory[4][COPIED];

static void copy(uint32_t stream, enum grt_engine_copy kind, int to, int from) {
    struct grt_engine_transfer transfer = {
        .kind = kind, .to = memory[to], .from = memory[from], .bytes = COPIED, .value = 0x01020304};
    device.ops->transfer(device.engine, stream, &transfer);
}

static void test_copies(void) {
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    for (size_t i = 0; i < COPIED; i++) {
        memory[0][i] = (unsigned char)(i * 7);
    }
    grt_time start = device.ops->clock.now(device.engine);
    copy(stream, GRT_ENGINE_H2D, 1, 0); /* 8 ms */
    copy(stream, GRT_ENGINE_D2D, 2, 1); /* 16 ms: what is read and what is written */
    copy(stream, GRT_ENGINE_D2H, 3, 2); /* 8 ms */
    device.ops->wait_stream(device.engine, stream);
    CU_ASSERT_TRUE(device.ops->clock.now(device.engine) - start >= 32 * MS);
    CU_ASSERT_EQUAL(memcmp(memory[0], memory[3], COPIED), 0);
    copy(stream, GRT_ENGINE_MEMSET, 1, 0);
    device.ops->wait_stream(device.engine, stream);
    uint32_t word = 0;
    memcpy(&word, &memory[1][COPIED - 4], sizeof word);
    CU_ASSERT_EQUAL(word, 0x01020304);
    close_device();
}

static void test_pageable(void) {
    thread_device_describe(&device, SMS, SLOTS);
    device.spec.device.pageable_percent = 50;
    device.spec.device.copy_latency = MS;
    thread_device_open(&device);
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    struct grt_engine_transfer transfer = {
        .kind = GRT_ENGINE_H2D, .to = memory[1], .from = memory[0], .bytes = COPIED, .pageable = true};
    grt_time start = device.ops->clock.now(device.engine);
    memset(memory[0], 1, COPIED);
    device.ops->transfer(device.engine, stream, &transfer);
    memset(memory[0], 2, COPIED); /* was read at once */
    device.ops->wait_stream(device.engine, stream);
    CU_ASSERT_EQUAL(memory[1][COPIED / 2], 1);
    CU_ASSERT_TRUE(device.ops->clock.now(device.engine) - start >= 17 * MS);
    close_device();
}

/* Copies in both directions at a time: how long both take. */
static grt_time both_directions(void) {
    uint32_t up = thread_device_stream(&device, 0, NULL), down = thread_device_stream(&device, 0, NULL);
    grt_time start = device.ops->clock.now(device.engine);
    copy(up, GRT_ENGINE_H2D, 1, 0);
    copy(down, GRT_ENGINE_D2H, 3, 2);
    device.ops->wait_all(device.engine);
    grt_time time = device.ops->clock.now(device.engine) - start;
    device.ops->stream_end(device.engine, up);
    device.ops->stream_end(device.engine, down);
    return time;
}

static void test_engines(void) {
    open_small();
    grt_time best = GRT_TIME_LIMIT;
    for (int i = 0; i < TRIES && best >= 16 * MS; i++) {
        grt_time time = both_directions();
        best = time < best ? time : best;
    }
    CU_ASSERT_TRUE(best < 16 * MS || COPIES_SLOWLY);
    close_device();
    thread_device_describe(&device, SMS, SLOTS);
    device.spec.device.copy_engines = 1;
    thread_device_open(&device);
    CU_ASSERT_TRUE(both_directions() >= 16 * MS);
    close_device();
}

static struct grt_engine_kernel latch(_Atomic uint32_t *flags, grt_time limit) {
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 1, limit, 0);
    kernel.id = GRT_KERNEL_LATCH;
    kernel.ready = (volatile uint32_t *)&flags[0];
    kernel.go = (volatile uint32_t *)&flags[1];
    return kernel;
}

static void test_latch(void) {
    static _Atomic uint32_t flags[2];
    atomic_store(&flags[0], 0);
    atomic_store(&flags[1], 0);
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    struct grt_engine_kernel kernel = latch(flags, 10 * GRT_SECOND);
    device.ops->kernel(device.engine, stream, &kernel);
    thread_device_launch(&device, stream, 1, 0, 1);
    while (atomic_load(&flags[0]) == 0) {
        device.ops->clock.idle(device.engine, GRT_TIME_NEVER);
    }
    grt_time now = device.ops->clock.now(device.engine);
    device.ops->clock.wait_until(device.engine, now + 2 * MS);
    CU_ASSERT_FALSE(device.ops->stream_done(device.engine, stream));
    grt_time go = device.ops->clock.now(device.engine);
    atomic_store(&flags[1], 1);
    while (atomic_load(&flags[0]) != 2) {
        device.ops->clock.idle(device.engine, GRT_TIME_NEVER);
    }
    CU_ASSERT_TRUE(device.records[0].end_ns >= (uint64_t)go); /* 2: the record is there */
    device.ops->wait_stream(device.engine, stream);
    CU_ASSERT_TRUE(device.records[1].start_ns >= device.records[0].end_ns);
    close_device();
}

/* One that nobody opens gives up. */
static void test_latch_limit(void) {
    static _Atomic uint32_t flags[2];
    atomic_store(&flags[1], 0);
    open_small();
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    struct grt_engine_kernel kernel = latch(flags, 2 * MS);
    device.ops->kernel(device.engine, stream, &kernel);
    device.ops->wait_stream(device.engine, stream);
    CU_ASSERT_TRUE(device.records[0].end_ns >= device.records[0].start_ns + 2 * MS);
    close_device();
}

static void test_clocks(void) {
    enum { TICKS = 50, TICK = 1000, OFFSET = 5000000 };
    static uint64_t values[TICKS];
    thread_device_describe(&device, SMS, SLOTS);
    device.spec.timer_tick = TICK;
    device.spec.timer_offset = OFFSET;
    device.spec.cycles_per_second = 2000000000;
    thread_device_open(&device);
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    struct grt_engine_kernel kernel = thread_device_kernel(&device, 1, TICKS, 0);
    kernel.id = GRT_KERNEL_TICK;
    kernel.out = values;
    grt_time before = device.ops->clock.now(device.engine);
    device.ops->kernel(device.engine, stream, &kernel);
    device.ops->wait_stream(device.engine, stream);
    grt_time after = device.ops->clock.now(device.engine);
    CU_ASSERT_TRUE(values[0] + TICK > (uint64_t)before + OFFSET);
    CU_ASSERT_TRUE(values[TICKS - 1] <= (uint64_t)after + OFFSET);
    for (uint32_t i = 0; i < TICKS; i++) {
        CU_ASSERT_EQUAL(values[i] % TICK, 0);
        CU_ASSERT_TRUE(i == 0 || values[i] > values[i - 1]);
    }
    run(stream, 1, 3 * MS);
    uint64_t ns = device.records[0].end_ns - device.records[0].start_ns;
    double cycles = (uint32_t)(device.records[0].end_cycle - device.records[0].start_cycle);
    CU_ASSERT_DOUBLE_EQUAL(cycles, 2.0 * (double)ns, 2.0 * TICK + 2);
    close_device();
}

/* The device's clock runs quicker than the host's. */
static void test_drift(void) {
    thread_device_describe(&device, SMS, SLOTS);
    device.spec.timer_drift = 1; /* twice as fast */
    thread_device_open(&device);
    uint32_t stream = thread_device_stream(&device, 0, NULL);
    run(stream, 1, 3 * MS);
    CU_ASSERT_TRUE(span(1) >= 6 * MS);
    CU_ASSERT_TRUE(device.records[0].end_ns <= 2 * (uint64_t)device.ops->clock.now(device.engine));
    close_device();
}

/* Ends in the middle of everything: blocks that run and that wait, copies, and a latch that nobody opens. */
static void test_end_early(void) {
    static _Atomic uint32_t flags[2];
    atomic_store(&flags[1], 0);
    thread_device_describe(&device, SMS, SLOTS);
    device.spec.device.h2d_bytes_per_second = 1000; /* half an hour */
    thread_device_open(&device);
    grt_time (*now)(void *) = device.ops->clock.now;
    uint32_t streams[3];
    for (size_t i = 0; i < 3; i++) {
        streams[i] = thread_device_stream(&device, 0, NULL);
    }
    struct grt_engine_kernel kernel = latch(flags, 1000 * GRT_SECOND);
    device.ops->kernel(device.engine, streams[0], &kernel);
    thread_device_launch(&device, streams[1], 100, 1000 * GRT_SECOND, 1);
    copy(streams[2], GRT_ENGINE_H2D, 1, 0);
    uint32_t event = thread_device_event(&device);
    device.ops->record(device.engine, streams[0], event);
    device.ops->wait(device.engine, streams[2], event);
    device.ops->event_end(device.engine, event);
    device.ops->clock.wait_until(device.engine, now(device.engine) + 5 * MS);
    CU_ASSERT_FALSE(device.ops->stream_done(device.engine, streams[1]));
    close_device();                                              /* comes back, at all */
    CU_ASSERT_TRUE(device.records[1].end_ns < 100 * GRT_SECOND); /* or 0, of none */
}

static void test_too_many(void) {
    uint32_t number = 0, streams = 0, events = 0;
    open_small();
    while (streams < 100000 && device.ops->stream(device.engine, 0, NULL, &number)) {
        streams++;
    }
    while (events < 100000 && device.ops->event(device.engine, &number)) {
        events++;
    }
    CU_ASSERT_TRUE(streams >= 64 && streams < 100000);
    CU_ASSERT_TRUE(events >= 64 && events < 100000);
    device.ops->stream_end(device.engine, 7);
    CU_ASSERT_EQUAL(thread_device_stream(&device, 0, NULL), 7);
    device.ops->event_end(device.engine, 9);
    CU_ASSERT_EQUAL(thread_device_event(&device), 9);
    close_device();
}

static void test_large(void) {
    enum { LARGE = 132, BLOCKS = LARGE * 4 };
    thread_device_describe(&device, LARGE, 2);
    thread_device_open(&device);
    run(thread_device_stream(&device, 0, NULL), BLOCKS, 2 * MS);
    uint32_t sms[LARGE] = {0};
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CU_ASSERT_TRUE(device.records[i].end_ns >= device.records[i].start_ns + 2 * MS);
        CU_ASSERT_TRUE_FATAL(device.records[i].sm < LARGE);
        sms[device.records[i].sm]++;
    }
    for (uint32_t i = 0; i < LARGE; i++) {
        CU_ASSERT_TRUE(sms[i] >= 2);
        CU_ASSERT_TRUE(thread_device_most(device.records, BLOCKS, i) <= 2);
    }
    CU_ASSERT_TRUE(span(BLOCKS) >= 4 * MS);
    close_device();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every block once, in a slot of its own", test_blocks},
        {"breadth first", test_breadth_first},
        {"residency", test_residency},
        {"staircase", test_staircase},
        {"partitions", test_partitions},
        {"kernels that are stuck", test_stuck},
        {"filter", test_filter},
        {"filter where nobody is", test_filter_nobody},
        {"table of times", test_table},
        {"records of every third block", test_record_every},
        {"streams in order", test_streams},
        {"an event recorded again", test_event_again},
        {"streams at the same time", test_together},
        {"priorities", test_priorities},
        {"copies", test_copies},
        {"pageable copies", test_pageable},
        {"copy engines", test_engines},
        {"latch", test_latch},
        {"latch that nobody opens", test_latch_limit},
        {"clocks", test_clocks},
        {"drift", test_drift},
        {"end in the middle", test_end_early},
        {"streams and events run out", test_too_many},
        {"132 SMs", test_large},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend/threads", tests);
}
