/* Times of blocks on devices that begin blocks one after the other: those that ran beside enough others count, and where blocks are too short for that those in the middle of several waves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "calib/measure/crowd.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

/* ---- a dispatcher ---- */

/* As many places as there are on SMs, each with the instant from which on it is free; blocks begin so many ns one after the other, where most room is, and places are filled again after a while. */
enum { MOST_PLACES = 2048 };
struct dispatcher {
    uint32_t sms, per_sm;
    uint64_t interval, refill;
};

static uint32_t find_place(const struct dispatcher *it, const uint64_t *free_at, uint64_t now) {
    uint32_t places = it->sms * it->per_sm, best = places, least = UINT32_MAX;
    for (uint32_t sm = 0; sm < it->sms; sm++) {
        uint32_t busy = 0, place = places;
        for (uint32_t i = sm; i < places; i += it->sms) {
            busy += free_at[i] > now;
            place = free_at[i] <= now ? i : place;
        }
        if (place < places && busy < least) {
            least = busy;
            best = place;
        }
    }
    return best;
}

/* Moves the blocks, in their order, to where and when this dispatcher would have them begin. */
static void dispatch(const struct dispatcher *it, struct grt_block_record *const *blocks, uint32_t count,
                     uint64_t first) {
    static uint64_t free_at[MOST_PLACES];
    uint64_t next = first;
    memset(free_at, 0, sizeof free_at);
    for (uint32_t k = 0; k < count; k++) {
        uint64_t earliest = UINT64_MAX;
        for (uint32_t i = 0; i < it->sms * it->per_sm; i++) {
            earliest = free_at[i] < earliest ? free_at[i] : earliest;
        }
        uint64_t start = earliest > next ? earliest : next, length = blocks[k]->end_ns - blocks[k]->start_ns;
        uint32_t place = find_place(it, free_at, start);
        blocks[k]->sm = (uint16_t)(place % it->sms);
        blocks[k]->start_ns = start;
        blocks[k]->end_ns = start + length;
        free_at[place] = start + length + it->refill;
        next = start + it->interval;
    }
}

/* ---- which blocks count ---- */

/* A launch on 132 SMs with 8 places each, one block a nanosecond, which is the order of magnitude of present devices. One block in 50 takes twice as long. */
enum { SMS = 132, PLACES = 8, MOST_BLOCKS = 8 * SMS * PLACES };
static struct grt_block_record records[MOST_BLOCKS];

static void launch(uint32_t blocks, uint64_t length) {
    static struct grt_block_record *in_order[MOST_BLOCKS];
    const struct dispatcher hardware = {.sms = SMS, .per_sm = PLACES, .interval = 1, .refill = 200};
    for (uint32_t i = 0; i < blocks; i++) {
        records[i] = (struct grt_block_record){.end_ns = i % 50 == 49 ? 2 * length : length};
        in_order[i] = &records[i];
    }
    dispatch(&hardware, in_order, blocks, UINT64_C(1790000000000000000));
}

static bool is_one(uint32_t per_sm, uint64_t length) {
    launch(SMS * per_sm, length);
    return grt_crowd_is_one(records, SMS * per_sm, SMS, per_sm);
}

/* Starts of 1,056 blocks are 352 ns apart, on average. */
static void short_ramps_are_none(void) {
    CU_ASSERT_TRUE(is_one(8, 25000));
    CU_ASSERT_TRUE(is_one(8, 3600));
    CU_ASSERT_FALSE(is_one(8, 3400));
    CU_ASSERT_TRUE(is_one(4, 2000)); /* 176 ns */
    CU_ASSERT_FALSE(is_one(8, 2000));
    CU_ASSERT_FALSE(is_one(8, 800)); /* the first end before the last begin: uneven, too */
    launch(SMS * 8 - 1, 25000);
    CU_ASSERT_FALSE(grt_crowd_is_one(records, SMS * 8 - 1, SMS, 8));
}

/* Of several waves of short blocks those count that are in the middle, and among them as many long ones as there are. */
static void blocks_in_the_middle_count(void) {
    static uint32_t picked[MOST_BLOCKS];
    launch(MOST_BLOCKS, 2000);
    uint32_t count = grt_crowd_of_waves(records, MOST_BLOCKS, picked), longer = 0;
    CU_ASSERT_FATAL(count > 4 * SMS * PLACES && count < 7 * SMS * PLACES);
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_block_record *block = &records[picked[i]];
        uint32_t beside = 0;
        for (uint32_t k = 0; k < MOST_BLOCKS; k++) {
            beside += records[k].start_ns <= block->start_ns && records[k].end_ns > block->start_ns;
        }
        CU_ASSERT(beside >= SMS * PLACES - 210 &&
                  beside <= SMS * PLACES); /* places are taken again 200 ns later */
        longer += block->end_ns - block->start_ns > 2000;
    }
    CU_ASSERT(abs((int)longer - (int)count / 50) <= 1);
    launch(SMS * PLACES, 2000);
    CU_ASSERT_EQUAL(grt_crowd_of_waves(records, SMS * PLACES, picked), 0);
}

static void uneven_launches_do_not_count(void) {
    struct grt_block_record few[8] = {{0}};
    for (uint16_t i = 0; i < 8; i++) {
        few[i] = (struct grt_block_record){.start_ns = 10, .end_ns = 110, .sm = i % 4};
    }
    CU_ASSERT_TRUE(grt_crowd_is_one(few, 8, 4, 2));
    few[7].sm = 0;
    CU_ASSERT_FALSE(grt_crowd_is_one(few, 8, 4, 2));
    few[7].sm = 9; /* on an SM that the others are not on */
    CU_ASSERT_FALSE(grt_crowd_is_one(few, 8, 4, 2));
    few[7] = (struct grt_block_record){.start_ns = 10, .end_ns = 900, .sm = 3};
    CU_ASSERT_TRUE(grt_crowd_is_one(few, 8, 4, 2)); /* a long one is none that began late */
    few[7].start_ns = 400;
    CU_ASSERT_FALSE(grt_crowd_is_one(few, 8, 4, 2));
}

/* ---- measuring such a device ---- */

static struct grt_arena arena;
static struct dispatcher device = {.sms = 4, .refill = 20};
static grt_cuda_result (*fetch)(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream);
static grt_cuda_result (*synchronise)(grt_cuda_stream stream);
static struct grt_block_record *coming;
static size_t coming_count;

static grt_cuda_result noted_fetch(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream) {
    coming = to;
    coming_count = bytes / sizeof *coming;
    return fetch(to, from, bytes, stream);
}

/* Records of all blocks of a launch. */
static void dispatch_coming(void) {
    enum { MOST = 4096 };
    static struct grt_block_record *in_order[MOST];
    memset(in_order, 0, sizeof in_order);
    for (size_t i = 0; i < coming_count; i++) {
        uint32_t order = coming[i].order;
        if (coming_count > MOST || coming[i].end_ns <= coming[i].start_ns || order >= coming_count ||
            in_order[order] != NULL) {
            return;
        }
        in_order[order] = &coming[i];
    }
    dispatch(&device, in_order, (uint32_t)coming_count, in_order[0]->start_ns);
}

static grt_cuda_result dispatched_synchronise(grt_cuda_stream stream) {
    grt_cuda_result result = synchronise(stream);
    if (coming_count > 1) {
        dispatch_coming();
    }
    coming_count = 0;
    return result;
}

static void replace(struct grt_driver *driver) {
    fetch = driver->cuda.cuMemcpyDtoHAsync_v2;
    synchronise = driver->cuda.cuStreamSynchronize;
    driver->cuda.cuMemcpyDtoHAsync_v2 = noted_fetch;
    driver->cuda.cuStreamSynchronize = dispatched_synchronise;
    coming_count = 0;
}

/* Blocks of 2 us on a device that begins 32 of them in 1 us, as 1,056 on an H200, and in 2.5 us. */
static void short_blocks_have_times(void) {
    static const uint64_t intervals[] = {0, 33, 80};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        struct grt_pretend_spec spec;
        grt_measured_spec(4, &spec);
        spec.device.max_threads_per_sm = 8 * 256;
        spec.device.max_threads_per_block = 256;
        spec.device.max_blocks_per_sm = 8;
        spec.device.kernel_launch = 0;
        spec.kernels[GRT_KERNEL_STENCIL].fixed = 2000;
        spec.kernels[GRT_KERNEL_STENCIL].per_unit_ps = 0;
        spec.kernels[GRT_KERNEL_STENCIL].registers = 0;
        spec.kernels[GRT_KERNEL_STENCIL].shared_bytes = 0;
        struct grt_plan plan = grt_measured_plan();
        plan.workloads[0] = "stencil";
        plan.workload_count = 1;
        plan.experiments = UINT32_C(1) << GRT_EXPERIMENT_CORESIDENCY;
        device.per_sm = 8;
        device.interval = intervals[i];
        const struct grt_measured_run run = {.spec = &spec,
                                             .engine = &grt_engine_model,
                                             .plan = &plan,
                                             .path = GRT_SCRATCH_DIR "/crowd.jsonl",
                                             .prepare = replace};
        grt_arena_clear(&arena);
        struct grt_raw *raw = grt_measured(&run, &arena, NULL);
        CU_ASSERT_FATAL(raw != NULL && raw->workload_count == 1 && raw->workloads[0].occupancy == 8);
        const struct grt_fit *fit = grt_fit_all(raw, &arena);
        const struct grt_finding *time = grt_fit_find(fit, "stencil: block_time");
        bool measured = time != NULL && time->status == GRT_FINDING_MEASURED;
        if (!measured) {
            printf("\nevery %d ns: %s", (int)intervals[i], time != NULL ? time->why : "nothing");
        }
        CU_ASSERT_FATAL(measured);
        CU_ASSERT_DOUBLE_EQUAL(time->value, 2000, 0);
        CU_ASSERT_EQUAL(fit->workloads[0].block_times[0], 2000);
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"short ramps are none", short_ramps_are_none},
        {"blocks in the middle count", blocks_in_the_middle_count},
        {"uneven launches do not count", uneven_launches_do_not_count},
        {"short blocks have times", short_blocks_have_times},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("blocks beside enough others", tests);
    grt_arena_clear(&arena);
    return result;
}
