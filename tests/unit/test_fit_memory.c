/* Copies inside the device: those that its L2 cache holds say nothing of its memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "sim/random.h"
#include "tests/support/findings.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;

enum { LATENCY = 2000, MEBI = 1 << 20 };

/* A device with an L2 cache of 50 MiB, bytes per ns of copies within it and beyond it; half of each copy's bytes are its destination's. */
static const double cache_rate = 3500, memory_rate = 1900;
static const int64_t l2_bytes = 50 * MEBI;

/* How long it takes: what is larger than half of the cache is kept the less of, the larger it is. */
static double time_of(int64_t bytes) {
    double size = 2 * (double)bytes, l2 = (double)l2_bytes;
    double kept = size <= l2 / 2 ? 1 : size >= 4 * l2 ? 0 : (4 * l2 - size) / (3.5 * l2);
    return LATENCY + (double)bytes * (kept / cache_rate + (1 - kept) / memory_rate);
}

static void add_copies(int64_t bytes, size_t count, struct grt_random *random, double deviation) {
    struct grt_raw_cell *cell = raw_cell(
        &samples, "copy", count, "direction=d2d,memory=device,bytes=%lld,beside=nothing", (long long)bytes);
    int64_t *elapsed = raw_column(&samples, cell, "elapsed_ns");
    for (size_t i = 0; i < count; i++) {
        double uniform = grt_random_uniform(random) - 0.5;
        elapsed[i] = llround(time_of(bytes) * (1 + 0.002 * uniform) + deviation * sqrt(12) * uniform);
    }
}

/* Powers of 4 up to a size, and eighths of that. */
static const struct grt_fit *fit(int64_t largest, uint64_t seed, double deviation) {
    struct grt_random random = grt_random_stream(seed, "copies", 0, 0);
    raw_start(&samples, 4);
    samples.raw.device.l2_bytes = (int)l2_bytes;
    for (int64_t bytes = 4; bytes <= largest; bytes *= 4) {
        add_copies(bytes, 20, &random, deviation);
    }
    for (int64_t eighths = 4; eighths < 8; eighths++) {
        add_copies(largest / 8 * eighths, 20, &random, deviation);
    }
    return grt_fit_all(&samples.raw, &samples.arena);
}

static void expect_near(const struct grt_finding *found, double truth, double most_off) {
    if (found->status != GRT_FINDING_MEASURED || fabs(found->value / truth - 1) > most_off) {
        printf("\n%s: %.5g, not %.5g (%s)", found->name, found->value, truth,
               found->why != NULL ? found->why : found->how);
        CU_FAIL("another bandwidth");
    }
}

static void memory_is_not_its_cache(void) {
    int inside = 0, inside_cache = 0;
    enum { CASES = 60 };
    for (int i = 0; i < CASES; i++) {
        const struct grt_fit *all = fit(256 * MEBI, (uint64_t)i, 30);
        const struct grt_finding *memory = finding(all, "memory_bandwidth"),
                                 *cache = finding(all, "l2_bandwidth");
        expect_near(memory, 2e9 * memory_rate, 0.01);
        expect_near(cache, 2e9 * cache_rate, 0.05);
        inside += memory->low <= 2e9 * memory_rate && memory->high >= 2e9 * memory_rate;
        inside_cache += cache->low <= 2e9 * cache_rate && cache->high >= 2e9 * cache_rate;
        CU_ASSERT_PTR_NOT_NULL(strstr(memory->how, "of 134217728 to 268435456 bytes"));
        CU_ASSERT_STRING_EQUAL(memory->field, "memory_bandwidth");
        CU_ASSERT_PTR_NULL(cache->field); /* devices have no such field */
    }
    printf("\n  inside: memory %d, cache %d of %d", inside, inside_cache, CASES);
    CU_ASSERT(inside >= 51 && inside_cache >= 51); /* fewer are chance in one case of 4,000, if 95 % are */
}

/* Files with powers of 4 alone: one size is beyond. */
static void one_large_copy_is_enough(void) {
    struct grt_random random = grt_random_stream(3, "one", 0, 0);
    raw_start(&samples, 4);
    samples.raw.device.l2_bytes = (int)l2_bytes;
    for (int64_t bytes = 4; bytes <= 256 * MEBI; bytes *= 4) {
        add_copies(bytes, 20, &random, 30);
    }
    const struct grt_fit *all = grt_fit_all(&samples.raw, &samples.arena);
    const struct grt_finding *memory = finding(all, "memory_bandwidth");
    expect_near(memory, 2e9 * memory_rate, 0.01);
    CU_ASSERT(memory->low <= 2e9 * memory_rate && memory->high >= 2e9 * memory_rate);
    CU_ASSERT_PTR_NOT_NULL(strstr(memory->how, "less the latency"));
}

static void copies_within_the_cache_are_refused(void) {
    const struct grt_fit *all = fit(64 * MEBI, 1, 30);
    const struct grt_finding *memory = finding(all, "memory_bandwidth");
    CU_ASSERT_EQUAL(memory->status, GRT_FINDING_REFUSED);
    CU_ASSERT_PTR_NOT_NULL(strstr(memory->why, "in the L2 cache, of 52428800 bytes"));
    CU_ASSERT_PTR_NOT_NULL(strstr(memory->why, "the largest that was measured has 67108864 bytes"));
    expect_near(finding(all, "l2_bandwidth"), 2e9 * cache_rate, 0.05);
}

/* 64 blocks that read and write 48 bytes each of a thousand times, in so many ns, all at a time. */
static void add_triad(int64_t block_ns) {
    struct grt_raw_workload *triad = raw_workload(&samples, "triad", GRT_KERNEL_TRIAD, 256, 16);
    CU_ASSERT_EQUAL(triad->amount, 1000);
    int64_t *times =
        raw_column(&samples, raw_cell(&samples, "coresidency", 6, "kernel=triad,per_sm=16"), "block_ns");
    for (int i = 0; i < 6; i++) {
        times[i] = block_ns;
    }
}

/* 64 blocks of 48,000 bytes in 2 us are 1,536 bytes per ns, 384 in 8 us. */
static void kernels_say_what_they_move(void) {
    raw_start(&samples, 4);
    add_triad(2000);
    const struct grt_fit *all = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[0].bytes_per_second, 1536e9, 1);
    const struct grt_finding *triad = finding(all, "triad: bandwidth");
    CU_ASSERT_DOUBLE_EQUAL(triad->value, 1536e9, 1);
    CU_ASSERT_EQUAL(triad->unit, GRT_UNIT_BYTES_PER_SECOND);
    raw_start(&samples, 4);
    raw_workload(&samples, "vadd", GRT_KERNEL_VADD, 256, 1);
    raw_workload(&samples, "reduce", GRT_KERNEL_REDUCE, 256, 1);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 1);
    static const char *const names[] = {"vadd", "reduce", "fma"};
    for (int i = 0; i < 3; i++) {
        *raw_column(&samples, raw_cell(&samples, "coresidency", 1, "kernel=%s,per_sm=1", names[i]),
                    "block_ns") = 1000;
    }
    all = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[0].bytes_per_second, 4 * 12e9, 1); /* 4 SMs, one block on each */
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[1].bytes_per_second, 4 * 4e9, 1);
    CU_ASSERT_DOUBLE_EQUAL(all->workloads[2].bytes_per_second, 0, 0);
    CU_ASSERT_PTR_NULL(grt_fit_find(all, "fma: bandwidth"));
}

/* A kernel that moves more than four times the cache is held beside the copies; one that moves less is not. */
static void copies_are_held_beside_triad(void) {
    static const int l2[] = {700000, 800000};
    for (int i = 0; i < 2; i++) {
        raw_start(&samples, 4);
        samples.raw.device.l2_bytes = l2[i];
        struct grt_random random = grt_random_stream(4, "triad", 0, 0);
        for (int64_t bytes = 128 * MEBI; bytes <= 256 * MEBI; bytes += 32 * MEBI) {
            add_copies(bytes, 20, &random, 30);
        }
        add_triad(2000);
        const struct grt_fit *all = grt_fit_all(&samples.raw, &samples.arena);
        bool beside = strstr(finding(all, "memory_bandwidth")->how, "triad moves 0.40") != NULL;
        CU_ASSERT_EQUAL(beside, i == 0); /* 64 blocks of 48,000 bytes are 3,072,000 */
    }
}

/* Events in steps of 1.024 us: the small copies take 0 ns by them. That they were not measured would be wrong to say. */
static void short_copies_are_not_said_to_be_missing(void) {
    raw_start(&samples, 4);
    for (int bytes = 4; bytes <= 4194304; bytes *= 4) {
        struct grt_raw_cell *cell =
            raw_cell(&samples, "copy", 30, "direction=h2d,memory=pinned,bytes=%d,beside=nothing", bytes);
        int64_t *elapsed = raw_column(&samples, cell, "elapsed_ns");
        raw_column(&samples, cell, "call_ns");
        for (int i = 0; i < 30; i++) {
            elapsed[i] = bytes >= 1048576 ? 1024 * (bytes / 1048576) : i % 2 * 1024;
        }
    }
    const struct grt_finding *found =
        grt_fit_find(grt_fit_all(&samples.raw, &samples.arena), "h2d_bandwidth");
    CU_ASSERT_FATAL(found != NULL && found->why != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(found->why, "step of events"));
    CU_ASSERT_PTR_NULL(strstr(found->why, "measured"));
    grt_arena_clear(&samples.arena);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"memory is not its cache", memory_is_not_its_cache},
        {"one large copy is enough", one_large_copy_is_enough},
        {"copies within the cache are refused", copies_within_the_cache_are_refused},
        {"kernels say what they move", kernels_say_what_they_move},
        {"copies are held beside triad", copies_are_held_beside_triad},
        {"short copies are not said to be missing", short_copies_are_not_said_to_be_missing},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("fits of copies inside the device", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
