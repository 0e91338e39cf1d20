/* Times of blocks on devices that begin blocks one after the other: those that ran beside enough others count, and where blocks are too short for that those in the middle of several waves. */
#include <assert.h>
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
    assert(it->sms > 0);
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

/* A driver says 8 blocks for each of 4 SMs, which hold as many as are given: in 4 waves. */
static bool is_full(uint32_t held, uint64_t interval, uint64_t refill) {
    enum { FEW_SMS = 4, SAID = 8, FEW = 4 * FEW_SMS * SAID };
    struct grt_block_record few[FEW], *in_order[FEW];
    const struct dispatcher hardware = {
        .sms = FEW_SMS, .per_sm = held, .interval = interval, .refill = refill};
    for (uint32_t i = 0; i < FEW; i++) {
        few[i] = (struct grt_block_record){.end_ns = 2000};
        in_order[i] = &few[i];
    }
    dispatch(&hardware, in_order, FEW, 1000000);
    return grt_crowd_is_full(few, FEW, FEW_SMS, SAID);
}

static void residents_are_counted(void) {
    for (uint64_t interval = 0; interval <= 33; interval += 11) {
        CU_ASSERT_TRUE(is_full(8, interval, 10));
        CU_ASSERT_TRUE(is_full(8, interval, 1000)); /* slowly filled again */
        for (uint32_t held = 1; held < 8; held++) {
            CU_ASSERT_FALSE(is_full(held, interval, 10));
        }
    }
    CU_ASSERT_TRUE(is_full(8, 80, 10));  /* 25 begin during one: 6 on each SM */
    CU_ASSERT_FALSE(is_full(5, 80, 10)); /* but these do not hold 6 */
}

static void sms_have_their_own_residents(void) {
    struct grt_block_record few[32];
    for (uint16_t i = 0; i < 32; i++) { /* four waves of two blocks on each of four SMs */
        uint64_t start = 1000 * (1 + (uint64_t)i / 8);
        few[i] = (struct grt_block_record){.start_ns = start, .end_ns = start + 1000, .sm = i % 4};
    }
    CU_ASSERT_TRUE(grt_crowd_is_full(few, 32, 4, 2));
    CU_ASSERT_FALSE(grt_crowd_is_full(few, 32, 4, 3));
    CU_ASSERT_FALSE(grt_crowd_is_full(few, 32, 5, 2)); /* one had none */
    for (uint16_t i = 3; i < 32; i += 8) {             /* SM 3 has one after the other */
        few[i].end_ns = few[i + 4].start_ns = few[i].start_ns + 500;
    }
    CU_ASSERT_FALSE(grt_crowd_is_full(few, 32, 4, 2));
}

/* Of 128 blocks 124 run at the same time: their starts are near each other on average, but no SM had 32. */
static void one_wave_holds_all(void) {
    struct grt_block_record many[128];
    for (uint16_t i = 0; i < 128; i++) {
        uint64_t start = i < 124 ? 1000 : 3000;
        many[i] = (struct grt_block_record){.start_ns = start, .end_ns = start + 2000, .sm = i % 4};
    }
    CU_ASSERT_FALSE(grt_crowd_is_one(many, 128, 4, 32));
    for (uint16_t i = 124; i < 128; i++) {
        many[i].start_ns = 2999;
    }
    CU_ASSERT_TRUE(grt_crowd_is_one(many, 128, 4, 32));
    struct grt_block_record quick[4] = {{.start_ns = 10, .end_ns = 10, .sm = 0}, /* within a tick */
                                        {.start_ns = 10, .end_ns = 10, .sm = 1},
                                        {.start_ns = 10, .end_ns = 10, .sm = 0},
                                        {.start_ns = 10, .end_ns = 10, .sm = 1}};
    CU_ASSERT_TRUE(grt_crowd_is_one(quick, 4, 2, 2));
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

/* What is done to a launch's blocks, in their order, before; NULL: nothing. */
static void (*change)(struct grt_block_record **in_order, size_t count);
/* and to where they are. */
static void (*move)(struct grt_block_record **in_order, size_t count);

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
    if (change != NULL) {
        change(in_order, coming_count);
    }
    dispatch(&device, in_order, (uint32_t)coming_count, in_order[0]->start_ns);
    if (move != NULL) {
        move(in_order, coming_count);
    }
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

/* Measures blocks of 2 us, of which 8 fit on each of 4 SMs as the driver says, while SMs hold `per_sm` and a block begins every `interval` ns. */
static struct grt_raw *measure_blocks(uint32_t per_sm, uint64_t interval) {
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
    device.per_sm = per_sm;
    device.interval = interval;
    const struct grt_measured_run run = {.spec = &spec,
                                         .engine = &grt_engine_model,
                                         .plan = &plan,
                                         .path = GRT_SCRATCH_DIR "/crowd.jsonl",
                                         .prepare = replace};
    grt_arena_clear(&arena);
    struct grt_raw *raw = grt_measured(&run, &arena, NULL);
    CU_ASSERT_FATAL(raw != NULL && raw->workload_count == 1 && raw->workloads[0].occupancy == 8);
    return raw;
}

static const struct grt_raw_cell *full_cell(const struct grt_raw *raw) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "coresidency", cell)) != NULL &&
           grt_raw_number(cell, "per_sm", 0) != 8) {
        ;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
    return cell;
}

/* Blocks of 2 us on a device that begins 32 of them in 1 us, as 1,056 on an H200, and in 2.5 us. */
static void short_blocks_have_times(void) {
    static const uint64_t intervals[] = {0, 33, 80};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        const struct grt_fit *fit = grt_fit_all(measure_blocks(8, intervals[i]), &arena);
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

/* The driver says 8, and SMs hold fewer: nothing is said of 8. */
static void what_the_driver_says_is_not_believed(void) {
    for (uint32_t held = 4; held < 8; held += 3) {
        for (uint64_t interval = 0; interval <= 33; interval += 33) {
            struct grt_raw *raw = measure_blocks(held, interval);
            const struct grt_raw_cell *cell = full_cell(raw);
            CU_ASSERT(cell->count == 0 && cell->dropped_for[GRT_RAW_DROP_PLACEMENT] >= 12);
            CU_ASSERT_EQUAL(cell->dropped, cell->dropped_for[GRT_RAW_DROP_PLACEMENT]);
            const struct grt_finding *time = grt_fit_find(grt_fit_all(raw, &arena), "stencil: block_time");
            CU_ASSERT_PTR_NOT_NULL_FATAL(time);
            CU_ASSERT_EQUAL(time->status, GRT_FINDING_REFUSED);
        }
    }
}

/* With such a block in 4 waves few others begin so long before the last one, and with one that is longer still none. */
static uint32_t longer;

static void make_one_long(struct grt_block_record **in_order, size_t count) {
    if (count == 128) {
        in_order[5]->end_ns += longer;
        in_order[5]->end_cycle += longer; /* 1 GHz */
    }
}

/* Of each launch half a wave at least. */
static void few_in_the_middle_do_not_count(void) {
    longer = 3700;
    change = make_one_long;
    const struct grt_raw_cell *cell = full_cell(measure_blocks(8, 33));
    change = NULL;
    const int64_t *launches = grt_raw_values(cell, "launch");
    CU_ASSERT_FATAL(launches != NULL && cell->count > 0);
    for (size_t i = 0, rows = 1; i < cell->count; i++, rows++) {
        if (i + 1 == cell->count || launches[i + 1] != launches[i]) {
            CU_ASSERT(rows >= 16);
            rows = 0;
        }
    }
}

/* The third launch of as many blocks as 4 waves have, which belongs to a sample that counts (behind one that sizes the workload, and one that does not count), is on one SM, and so slow that it would be
 * dropped for that. Records of each come twice. */
static int times_of_4;

static void be_slow_on_one(struct grt_block_record **in_order, size_t count) {
    if (count == 128 && ++times_of_4 > 4) {
        for (size_t i = 0; i < count; i++) {
            in_order[i]->sm = 0;
        }
        in_order[0]->end_ns += GRT_SECOND;
    }
}

static void refused_launches_are_forgotten(void) {
    times_of_4 = 0;
    move = be_slow_on_one;
    const struct grt_raw_cell *cell = full_cell(measure_blocks(8, 33));
    move = NULL;
    CU_ASSERT_EQUAL(times_of_4, 6); /* then there are 8 waves */
    CU_ASSERT(cell->count > 0 && cell->dropped == 0);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"short ramps are none", short_ramps_are_none},
        {"blocks in the middle count", blocks_in_the_middle_count},
        {"uneven launches do not count", uneven_launches_do_not_count},
        {"residents are counted", residents_are_counted},
        {"SMs have their own residents", sms_have_their_own_residents},
        {"one wave holds all", one_wave_holds_all},
        {"short blocks have times", short_blocks_have_times},
        {"what the driver says is not believed", what_the_driver_says_is_not_believed},
        {"few in the middle do not count", few_in_the_middle_do_not_count},
        {"refused launches are forgotten", refused_launches_are_forgotten},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("blocks beside enough others", tests);
    grt_arena_clear(&arena);
    return result;
}
