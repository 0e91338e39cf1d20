/* Occupancy against a table that was computed with NVIDIA's own cuda_occupancy.h (CUDA 13.0), against values worked
 * out by hand where that header says nothing, and against a count of placed blocks on random devices. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "models/occupancy.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KIB INT64_C(1024)

/* Limits per compute capability, from NVIDIA's tables; deliberately not read from the device files. */
struct capability {
    int64_t number, threads, blocks, registers, registers_per_block, registers_per_thread;
    int64_t register_unit, warp_unit, partitions;
    int64_t shared_kib, opt_in_kib, reserved, shared_unit;
};

static const struct capability capabilities[] = {
    {20, 1536, 8, 32768, 32768, 63, 64, 2, 2, 48, 48, 0, 128},
    {35, 2048, 16, 65536, 65536, 255, 256, 1, 4, 48, 48, 0, 256},
    {53, 2048, 32, 65536, 32768, 255, 256, 1, 4, 64, 48, 0, 256},
    {60, 2048, 32, 65536, 65536, 255, 256, 1, 2, 64, 48, 0, 256},
    {61, 2048, 32, 65536, 65536, 255, 256, 1, 4, 96, 48, 0, 256},
    {62, 2048, 32, 65536, 32768, 255, 256, 1, 4, 64, 48, 0, 256},
    {70, 2048, 32, 65536, 65536, 255, 256, 1, 4, 96, 96, 0, 256},
    {72, 2048, 32, 65536, 65536, 255, 256, 1, 4, 96, 96, 0, 256},
    {75, 1024, 16, 65536, 65536, 255, 256, 1, 4, 64, 64, 0, 256},
    {80, 2048, 32, 65536, 65536, 255, 256, 1, 4, 164, 163, 1024, 128},
    {86, 1536, 16, 65536, 65536, 255, 256, 1, 4, 100, 99, 1024, 128},
    {87, 1536, 16, 65536, 65536, 255, 256, 1, 4, 164, 163, 1024, 128},
    {89, 1536, 24, 65536, 65536, 255, 256, 1, 4, 100, 99, 1024, 128},
    {90, 2048, 32, 65536, 65536, 255, 256, 1, 4, 228, 227, 1024, 128},
    {100, 2048, 32, 65536, 65536, 255, 256, 1, 4, 228, 227, 1024, 128},
    {120, 1536, 24, 65536, 65536, 255, 256, 1, 4, 100, 99, 1024, 128},
};

static struct grt_device device_of(int64_t number) {
    size_t i = 0;
    while (i + 1 < COUNT(capabilities) && capabilities[i].number != number) {
        i++;
    }
    const struct capability *c = &capabilities[i];
    CU_ASSERT_EQUAL_FATAL(c->number, number);
    return (struct grt_device){
        .compute_capability = c->number,
        .sm_count = 1,
        .sms_per_tpc = 1,
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_threads_per_sm = c->threads,
        .max_blocks_per_sm = c->blocks,
        .registers_per_sm = c->registers,
        .registers_per_block = c->registers_per_block,
        .max_registers_per_thread = c->registers_per_thread,
        .register_unit = c->register_unit,
        .warp_unit = c->warp_unit,
        .sm_partitions = c->partitions,
        .shared_memory_per_sm = c->shared_kib * KIB,
        .shared_memory_per_block = 48 * KIB,
        .shared_memory_per_block_opt_in = c->opt_in_kib * KIB,
        .shared_memory_reserved = c->reserved,
        .shared_memory_unit = c->shared_unit,
    };
}

static struct grt_occupancy occupancy_of(int64_t number, const struct grt_block_needs *needs) {
    struct grt_device device = device_of(number);
    return grt_occupancy_of(&device, needs);
}

static void agrees_with_nvidias_header(void) {
    static const int64_t numbers[] = {35, 53, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120};
    static const struct {
        struct grt_block_needs needs;
        int64_t blocks[COUNT(numbers)];
    } rows[] = {
        {{32, 16, 0, false}, {16, 32, 32, 32, 32, 32, 16, 32, 16, 16, 24, 32, 32, 24}},
        {{64, 20, 0, false}, {16, 32, 32, 32, 32, 32, 16, 32, 16, 16, 24, 32, 32, 24}},
        {{96, 48, 4096, false}, {12, 13, 13, 13, 13, 13, 10, 13, 13, 13, 13, 13, 13, 13}},
        {{192, 40, 12000, false}, {4, 5, 8, 5, 8, 8, 5, 8, 7, 8, 7, 8, 8, 7}},
        {{256, 32, 0, false}, {8, 8, 8, 8, 8, 8, 4, 8, 6, 6, 6, 8, 8, 6}},
        {{768, 40, 0, false}, {2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2}},
        {{1024, 32, 0, false}, {2, 2, 2, 2, 2, 2, 1, 2, 1, 1, 1, 2, 2, 1}},
        {{1024, 64, 0, false}, {1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
        {{1024, 65, 0, false}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t j = 0; j < COUNT(numbers); j++) {
            struct grt_occupancy got = occupancy_of(numbers[j], &rows[i].needs);
            CU_ASSERT_EQUAL(got.blocks_per_sm, rows[i].blocks[j]);
            CU_ASSERT_EQUAL(got.refusal == NULL, rows[i].blocks[j] > 0);
        }
    }
}

/* Worked out from the occupancy calculator's formula for CC 2.x. */
static void counts_fermis_warps_in_pairs(void) {
    static const struct {
        struct grt_block_needs needs;
        int64_t blocks;
        enum grt_occupancy_limit limit;
    } rows[] = {
        {{32, 16, 0, false}, 8, GRT_LIMIT_BLOCKS},
        {{288, 16, 0, false}, 5, GRT_LIMIT_WARPS},           /* 48 warps / 9 */
        {{160, 40, 0, false}, 4, GRT_LIMIT_REGISTERS},       /* 32768 / 1280 = 25, in pairs 24; 24 / 5 */
        {{256, 20, 0, false}, 6, GRT_LIMIT_WARPS},           /* 32768 / 640 = 51, in pairs 50; 50 / 8 */
        {{64, 16, 6145, false}, 7, GRT_LIMIT_SHARED_MEMORY}, /* 6145 B become 49 * 128 B */
        {{544, 60, 0, false}, 0, GRT_LIMIT_REGISTERS},       /* 17 warps fit, 18 do not */
        {{32, 64, 0, false}, 0, GRT_LIMIT_REGISTERS},        /* 63 per thread */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct grt_occupancy got = occupancy_of(20, &rows[i].needs);
        CU_ASSERT_EQUAL(got.blocks_per_sm, rows[i].blocks);
        CU_ASSERT_EQUAL(got.limit, rows[i].limit);
    }
}

/* The same without partitions: the unit alone makes 24 warps of 25. */
static void counts_down_to_the_warp_unit(void) {
    struct grt_block_needs needs = {.threads = 160, .registers_per_thread = 40};
    struct grt_device device = device_of(20);
    device.sm_partitions = 1;
    CU_ASSERT_EQUAL(grt_occupancy_of(&device, &needs).blocks_per_sm, 4);
    device.warp_unit = 1;
    CU_ASSERT_EQUAL(grt_occupancy_of(&device, &needs).blocks_per_sm, 5);
}

/* 21 warps of 2816 registers fit into two parts as 22, but four parts would need 24. */
static void cc_6_0_must_fit_four_parts_too(void) {
    struct grt_block_needs needs = {.threads = 672, .registers_per_thread = 88};
    struct grt_device device = device_of(60);
    CU_ASSERT_EQUAL(grt_occupancy_of(&device, &needs).blocks_per_sm, 0);
    device.compute_capability = 0;
    CU_ASSERT_EQUAL(grt_occupancy_of(&device, &needs).blocks_per_sm, 1);
}

static void names_the_first_limit(void) {
    static const struct {
        struct grt_block_needs needs;
        enum grt_occupancy_limit limit;
    } rows[] = {
        {{256, 32, 0, false}, GRT_LIMIT_WARPS}, /* registers give 8 as well */
        {{64, 0, 0, false}, GRT_LIMIT_WARPS},   /* block slots give 32 as well */
        {{32, 16, 0, false}, GRT_LIMIT_BLOCKS},
        {{96, 48, 4096, false}, GRT_LIMIT_REGISTERS},
        {{192, 40, 12000, false}, GRT_LIMIT_SHARED_MEMORY},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        CU_ASSERT_EQUAL(occupancy_of(62, &rows[i].needs).limit, rows[i].limit);
    }
}

static void charges_what_a_block_takes(void) {
    struct grt_block_needs needs = {.threads = 65, .registers_per_thread = 48, .shared_memory = 4097};
    struct grt_occupancy got = occupancy_of(62, &needs);
    CU_ASSERT_EQUAL(got.warps, 3);
    CU_ASSERT_EQUAL(got.registers, 4682); /* 3 * 1536 would admit 14 blocks, 65536 / 14 + 1 admits 13 */
    CU_ASSERT_EQUAL(got.shared_memory, 4352);

    got = occupancy_of(90, &needs);
    CU_ASSERT_EQUAL(got.shared_memory, 5248); /* 4097 + 1024, in multiples of 128 */

    needs = (struct grt_block_needs){.threads = 1};
    got = occupancy_of(90, &needs);
    CU_ASSERT_EQUAL(got.registers, 0);
    CU_ASSERT_EQUAL(got.shared_memory, 1024);

    /* One block of 32 warps leaves 24576 registers to other kernels. */
    needs = (struct grt_block_needs){.threads = 1024, .registers_per_thread = 40};
    got = occupancy_of(90, &needs);
    CU_ASSERT_EQUAL(got.blocks_per_sm, 1);
    CU_ASSERT_EQUAL(got.registers, 40960);
}

static void opting_in_raises_the_cap(void) {
    static const struct {
        int64_t number;
        struct grt_block_needs needs;
        int64_t blocks;
    } rows[] = {
        {80, {32, 0, 48 * KIB, false}, 3},     {80, {32, 0, 48 * KIB, true}, 3},
        {80, {32, 0, 48 * KIB + 1, false}, 0}, {80, {32, 0, 48 * KIB + 1, true}, 3},
        {80, {32, 0, 163 * KIB, true}, 1},     {80, {32, 0, 163 * KIB + 1, true}, 0},
        {70, {32, 0, 96 * KIB, true}, 1},      {62, {32, 0, 48 * KIB + 1, true}, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        CU_ASSERT_EQUAL(occupancy_of(rows[i].number, &rows[i].needs).blocks_per_sm, rows[i].blocks);
    }
}

/* O3: 41 registers a thread are 1312 a warp, handed out as 1536: 10 warps to a partition, 40 to an SM, 5 blocks of 8. By the
 * plain 1312 there would be 12 to a partition, and 6 blocks. */
static void rounds_up_registers(void) {
    const struct grt_block_needs needs = {256, 41, 0, false};
    CU_ASSERT_EQUAL(occupancy_of(87, &needs).blocks_per_sm, 5);
}

static void refuses_with_a_reason(void) {
    static const struct {
        struct grt_block_needs needs;
        const char *refusal;
    } rows[] = {
        {{1025, 0, 0, false}, "a block has more threads than the device allows in one block"},
        {{32, 256, 0, false}, "a thread uses more registers than the device allows"},
        {{1024, 33, 0, false}, "a block uses more registers than the device allows in one block"},
        {{32, 0, 164 * KIB, true}, "a block uses more shared memory than the device allows in one block"},
        {{32, 0, 49 * KIB, false}, "a block uses more shared memory than the device allows without opt-in"},
        {{INT64_C(1) << 53, INT64_C(1) << 53, INT64_C(1) << 53, false},
         "a block has more threads than the device allows in one block"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct grt_device device = device_of(87);
        device.registers_per_block = 32768;
        struct grt_occupancy got = grt_occupancy_of(&device, &rows[i].needs);
        CU_ASSERT_EQUAL(got.blocks_per_sm, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(got.refusal);
        CU_ASSERT_STRING_EQUAL(got.refusal, rows[i].refusal);
    }
}

/* Caps per block that lie above what an SM has never admit a block that does not fit. */
static void caps_above_the_sm_do_not_bite(void) {
    struct grt_device device = device_of(87);
    device.max_threads_per_sm = 512;
    device.registers_per_sm = 32768;
    device.shared_memory_per_sm = 64 * KIB;
    static const struct {
        struct grt_block_needs needs;
        const char *refusal;
    } rows[] = {
        {{1024, 0, 0, false}, "a block has more warps than one SM holds"},
        {{512, 128, 0, false}, "a block uses more registers than one SM has"},
        {{32, 0, 64 * KIB, true}, "a block uses more shared memory than one SM has"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct grt_occupancy got = grt_occupancy_of(&device, &rows[i].needs);
        CU_ASSERT_EQUAL(got.blocks_per_sm, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(got.refusal);
        CU_ASSERT_STRING_EQUAL(got.refusal, rows[i].refusal);
    }
}

/* --- Random devices: counting charges gives blocks_per_sm. */

static uint64_t random_state = 1;

/* splitmix64 (Steele, Lea, Flood, 2014), reduced to [low, high]. */
static int64_t draw(int64_t low, int64_t high) {
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return low + (int64_t)(z % (uint64_t)(high - low + 1));
}

static int64_t pick(const int64_t *values, size_t count) {
    return values[draw(0, (int64_t)count - 1)];
}

#define PICK(...) pick((const int64_t[]){__VA_ARGS__}, COUNT(((const int64_t[]){__VA_ARGS__})))

static struct grt_device random_device(void) {
    int64_t warp_size = PICK(1, 8, 32, 64);
    int64_t partitions = PICK(1, 2, 3, 4, 8);
    int64_t registers = draw((4096 + partitions - 1) / partitions, 262144 / partitions) * partitions;
    int64_t shared_memory_per_block = draw(0, 65536);
    return (struct grt_device){
        .compute_capability = PICK(0, 20, 60, 90),
        .warp_size = warp_size,
        .max_threads_per_block = draw(1, 2048),
        .max_threads_per_sm = warp_size * draw(1, 128),
        .max_blocks_per_sm = draw(1, GRT_DEVICE_MAX_BLOCKS_PER_SM),
        .registers_per_sm = registers,
        .registers_per_block = draw(registers / 2, registers),
        .max_registers_per_thread = 255,
        .register_unit = PICK(1, 8, 64, 256, 512),
        .warp_unit = PICK(1, 2, 4),
        .sm_partitions = partitions,
        .shared_memory_per_sm = draw(0, 262144),
        .shared_memory_per_block = shared_memory_per_block,
        .shared_memory_per_block_opt_in = draw(shared_memory_per_block, 262144),
        .shared_memory_reserved = PICK(0, 0, 1024),
        .shared_memory_unit = PICK(1, 128, 256, 1000),
    };
}

static struct grt_block_needs random_needs(void) {
    return (struct grt_block_needs){
        .threads = PICK(draw(1, 64), draw(1, 512), draw(1, 1100)),
        .registers_per_thread = PICK(0, draw(1, 40), draw(1, 256)),
        .shared_memory = PICK(0, draw(0, 2048), draw(0, 70000)),
        .shared_memory_opt_in = draw(0, 1) == 1,
    };
}

/* Blocks that fit one after the other. */
static int64_t placed_blocks(const struct grt_device *device, const struct grt_occupancy *cost) {
    int64_t warps = device->max_threads_per_sm / device->warp_size, slots = device->max_blocks_per_sm;
    int64_t registers = device->registers_per_sm, shared_memory = device->shared_memory_per_sm;
    int64_t blocks = 0;
    while (slots >= 1 && warps >= cost->warps && registers >= cost->registers &&
           shared_memory >= cost->shared_memory) {
        slots -= 1;
        warps -= cost->warps;
        registers -= cost->registers;
        shared_memory -= cost->shared_memory;
        blocks++;
    }
    return blocks;
}

static void counting_charges_gives_the_occupancy(void) {
    size_t runnable = 0, wrong = 0, limited_by_registers = 0;
    for (size_t i = 0; i < 200000; i++) {
        struct grt_device device = random_device();
        struct grt_block_needs needs = random_needs();
        struct grt_occupancy got = grt_occupancy_of(&device, &needs);
        if (got.blocks_per_sm == 0) {
            wrong += got.refusal == NULL;
            continue;
        }
        int64_t warps = (needs.threads + device.warp_size - 1) / device.warp_size;
        wrong += got.refusal != NULL || placed_blocks(&device, &got) != got.blocks_per_sm;
        wrong += got.registers < warps * needs.registers_per_thread * device.warp_size;
        runnable++;
        limited_by_registers += got.limit == GRT_LIMIT_REGISTERS;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(runnable > 20000);
    CU_ASSERT(limited_by_registers > 2000);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"agrees with NVIDIA's header", agrees_with_nvidias_header},
        {"counts Fermi's warps in pairs", counts_fermis_warps_in_pairs},
        {"counts down to the warp unit", counts_down_to_the_warp_unit},
        {"CC 6.0 must fit four parts too", cc_6_0_must_fit_four_parts_too},
        {"names the first limit", names_the_first_limit},
        {"charges what a block takes", charges_what_a_block_takes},
        {"opting in raises the cap", opting_in_raises_the_cap},
        {"rounds up registers", rounds_up_registers},
        {"refuses with a reason", refuses_with_a_reason},
        {"caps above the SM do not bite", caps_above_the_sm_do_not_bite},
        {"counting charges gives the occupancy", counting_charges_gives_the_occupancy},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("occupancy", tests);
}
