/* labels: soak */
/* The choice of SMs against the block-by-block reference, over random mixes of kernels, releases and devices; the
 * published placements; and the evenness of the random rule. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/placement.h"
#include "tests/support/pick.h"
#include "tests/support/reference_placement.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum {
    MAX_SMS = 132,
    MAX_RESIDENTS = MAX_SMS * 32,
    KERNELS = 12, /* more than tables of rooms are kept */
    MAX_AT_ONCE = 600
};

/* The same device and blocks in both forms; residents are listed once for the reference, once for releasing them. */
struct mix {
    struct grt_random random;
    struct grt_device device;
    struct grt_arena arena;
    struct grt_placement *placement;
    struct grt_gpu_kernel kernels[KERNELS];
    struct grt_reference_placement reference;
    int order[MAX_SMS];
    uint32_t place_of[MAX_SMS]; /* by SM id */
    struct grt_reference_placement_resident residents[MAX_RESIDENTS];
    const struct grt_gpu_kernel *kernel_of[MAX_RESIDENTS];
};

static int64_t pick(struct mix *mix, int64_t from, int64_t to) {
    return grt_pick(&mix->random, from, to);
}

/* Rule P4 written down again: 0, 1, 2, ... or, with n SMs per TPC, every n-th from 0, then from 1, ... */
static void make_order(struct mix *mix) {
    int step = mix->device.sm_order == GRT_SM_ORDER_TPC_FIRST ? (int)mix->device.sms_per_tpc : 1, count = 0;
    for (int first = 0; first < step; first++) {
        for (int sm = 0; sm < mix->device.sm_count; sm++) {
            if (sm % step == first) {
                mix->place_of[sm] = (uint32_t)count;
                mix->order[count++] = sm;
            }
        }
    }
}

static struct grt_gpu_kernel kernel_of(int64_t threads, int64_t registers, int64_t shared_memory) {
    return (struct grt_gpu_kernel){.blocks = 1,
                                   .threads = (uint32_t)threads,
                                   .warps = (int32_t)((threads + 31) / 32),
                                   .registers = (int32_t)registers,
                                   .shared_memory = (int32_t)shared_memory};
}

static void start(struct mix *mix, enum grt_placement_kind rule, enum grt_reference_placement_policy policy,
                  uint64_t seed) {
    mix->device.placement = rule;
    mix->arena = (struct grt_arena){0};
    mix->placement = grt_placement_create(&mix->device, &mix->arena, grt_random_of_key(seed));
    make_order(mix);
    mix->reference = (struct grt_reference_placement){
        .policy = policy,
        .limits = {mix->device.max_threads_per_sm / 32, mix->device.max_blocks_per_sm,
                   mix->device.registers_per_sm, mix->device.shared_memory_per_sm},
        .order = mix->order,
        .order_count = (size_t)mix->device.sm_count,
        .residents = mix->residents,
        .last_sm = -1,
    };
}

/* ---- one step in both, compared ---- */

static void remember(struct mix *mix, const struct grt_gpu_kernel *kernel, int sm) {
    mix->kernel_of[mix->reference.resident_count] = kernel;
    mix->residents[mix->reference.resident_count++] =
        (struct grt_reference_placement_resident){sm, mix->reference.block};
    mix->reference.last_sm = sm;
}

/* Places blocks one by one or all at once into `sms`; returns how many found room. */
static uint32_t take(struct mix *mix, const struct grt_gpu_kernel *kernel, uint32_t count, bool at_once,
                     int *sms) {
    uint8_t per_place[MAX_SMS] = {0}, counted[MAX_SMS] = {0};
    uint16_t places[MAX_AT_ONCE];
    uint32_t taken = 0;
    if (at_once) {
        taken = grt_placement_take_many(mix->placement, kernel, count, per_place, places, 0);
        for (uint32_t i = 0; i < taken; i++) {
            counted[places[i]]++;
        }
        CU_ASSERT_EQUAL(memcmp(per_place, counted, sizeof counted), 0);
    } else {
        uint32_t place;
        while (taken < count && (place = grt_placement_take(mix->placement, kernel, 0)) != GRT_NO_PLACE) {
            places[taken++] = (uint16_t)place;
        }
    }
    for (uint32_t i = 0; i < taken; i++) {
        sms[i] = (int)grt_placement_sm(mix->placement, places[i]);
    }
    return taken;
}

static bool place(struct mix *mix, const struct grt_gpu_kernel *kernel, uint32_t count, bool at_once) {
    int expected[MAX_AT_ONCE], sms[MAX_AT_ONCE];
    mix->reference.block =
        (struct grt_reference_placement_block){kernel->threads, kernel->registers, kernel->shared_memory};
    grt_reference_placement_run(&mix->reference, count, expected);
    uint32_t taken = take(mix, kernel, count, at_once, sms);
    for (uint32_t i = 0; i < count; i++) {
        int got = i < taken ? sms[i] : -1;
        if (got != expected[i]) {
            fprintf(stderr, "block %" PRIu32 " of %" PRIu32 ": SM %d, the reference says %d\n", i, count, got,
                    expected[i]);
            return false;
        }
    }
    for (uint32_t i = 0; i < taken; i++) {
        remember(mix, kernel, sms[i]);
    }
    return true;
}

static void release(struct mix *mix, size_t resident) {
    uint32_t sm = (uint32_t)mix->residents[resident].sm;
    grt_placement_release(mix->placement, mix->kernel_of[resident], mix->place_of[sm], 1, 0);
    size_t last = --mix->reference.resident_count;
    mix->residents[resident] = mix->residents[last];
    mix->kernel_of[resident] = mix->kernel_of[last];
}

/* ---- random mixes ---- */

static void make_device(struct mix *mix) {
    static const int64_t sizes[] = {1, 2, 2, 3, 5, 8, 16, 30, 64, 65, 68, 132};
    mix->device = grt_built_device(sizes[pick(mix, 0, 11)]);
    if (mix->device.sm_count % 2 == 0 && pick(mix, 0, 1)) {
        mix->device.sms_per_tpc = 2;
        mix->device.sm_order = GRT_SM_ORDER_TPC_FIRST;
    }
    mix->device.max_blocks_per_sm = pick(mix, 1, 32);
    mix->device.max_threads_per_sm = 32 * pick(mix, 32, 64);
}

static void make_kernels(struct mix *mix) {
    for (int i = 0; i < KERNELS; i++) {
        int64_t threads = pick(mix, 0, 1) ? pick(mix, 1, 1024) : 32 * pick(mix, 1, 8);
        int64_t registers = pick(mix, 0, 1) ? pick(mix, 1, 128) * 256 : 0;
        mix->kernels[i] = kernel_of(threads, registers, pick(mix, 0, 1) ? pick(mix, 1, 100) * 256 : 0);
    }
}

/* The cost of the reference grows with SMs times residents: fewer blocks at a time where there are many SMs. */
static bool same_placements(struct mix *mix, enum grt_placement_kind rule,
                            enum grt_reference_placement_policy policy, uint64_t seed) {
    make_device(mix);
    make_kernels(mix);
    start(mix, rule, policy, seed);
    int64_t most = mix->device.sm_count > 30 ? 20 : 60;
    bool same = true;
    for (int step = 0; same && step < 12; step++) {
        uint32_t count = (uint32_t)pick(mix, 1, most);
        bool at_once = pick(mix, 0, 1) == 1;
        same = place(mix, &mix->kernels[pick(mix, 0, KERNELS - 1)], count, at_once);
        for (int64_t gone = pick(mix, 0, 2) * pick(mix, 0, most);
             gone > 0 && mix->reference.resident_count > 0; gone--) {
            release(mix, (size_t)pick(mix, 0, (int64_t)mix->reference.resident_count - 1));
        }
    }
    grt_arena_clear(&mix->arena);
    return same;
}

static void random_mixes(enum grt_placement_kind rule, enum grt_reference_placement_policy policy) {
    struct mix *mix = malloc(sizeof *mix);
    bool same = mix != NULL;
    int cases = grt_suite_cases(300, 5000);
    for (int i = 0; same && i < cases; i++) {
        mix->random = grt_random_stream((uint64_t)i, "placement-mix", (uint64_t)rule, 0);
        same = same_placements(mix, rule, policy, (uint64_t)i);
        if (!same) {
            fprintf(stderr, "rule %d, case %d\n", rule, i);
        }
    }
    CU_ASSERT(same);
    free(mix);
}

static void most_room(void) {
    random_mixes(GRT_PLACEMENT_MOST_ROOM, GRT_REFERENCE_PLACEMENT_MOST_ROOM);
}

static void first_fit(void) {
    random_mixes(GRT_PLACEMENT_FIRST_FIT, GRT_REFERENCE_PLACEMENT_FIRST_FIT);
}

static void least_loaded(void) {
    random_mixes(GRT_PLACEMENT_LEAST_LOADED, GRT_REFERENCE_PLACEMENT_LEAST_LOADED);
}

static void round_robin(void) {
    random_mixes(GRT_PLACEMENT_ROUND_ROBIN, GRT_REFERENCE_PLACEMENT_ROUND_ROBIN);
}

/* ---- the placements published by Gilman et al. (2020) ---- */

/* One block of kernel X on every SM but `empty`, then kernel Y. */
static void published(struct grt_device device, int64_t threads_x, int empty, int64_t threads_y,
                      const int *expected, uint32_t count) {
    for (int at_once = 0; at_once < 2; at_once++) {
        struct mix *mix = calloc(1, sizeof *mix);
        CU_ASSERT_PTR_NOT_NULL_FATAL(mix);
        struct grt_gpu_kernel x = kernel_of(threads_x, 0, 0), y = kernel_of(threads_y, 0, 0);
        int sms[MAX_AT_ONCE];
        mix->device = device;
        start(mix, GRT_PLACEMENT_MOST_ROOM, GRT_REFERENCE_PLACEMENT_MOST_ROOM, 0);
        CU_ASSERT_EQUAL(take(mix, &x, (uint32_t)device.sm_count, true, sms), (uint32_t)device.sm_count);
        grt_placement_release(mix->placement, &x, mix->place_of[empty], 1, 0);
        CU_ASSERT_EQUAL_FATAL(take(mix, &y, count, at_once == 1, sms), count);
        for (uint32_t i = 0; i < count; i++) {
            CU_ASSERT_EQUAL(sms[i], expected[i]);
        }
        grt_arena_clear(&mix->arena);
        free(mix);
    }
}

static void published_pascal(void) {
    static const int expected[] = {0, 0, 1};
    published(grt_built_device(5), 256, 0, 160, expected, 3);
    published(grt_built_device(5), 1024, 0, 32, expected, 3);
}

static void published_turing(void) {
    static const int expected[] = {67, 0, 2, 4, 6, 8, 10, 12};
    struct grt_device device = grt_built_device(68);
    device.max_threads_per_sm = 1024;
    device.max_blocks_per_sm = 16;
    device.sms_per_tpc = 2;
    device.sm_order = GRT_SM_ORDER_TPC_FIRST;
    published(device, 512, 67, 32, expected, 8);
}

/* ---- the random rule ---- */

/* Places one block, counts its SM, takes it away, 7000 times each. With 7 free SMs the statistic is chi-square with 6
 * degrees of freedom: above 30 with a probability of 4e-5. */
static void random_is_even(void) {
    enum { SMS = 8, FULL = 3, DRAWS = 7000 };
    struct grt_device device = grt_built_device(SMS);
    struct grt_arena arena = {0};
    struct grt_gpu_kernel big = kernel_of(1024, 0, 0), small = kernel_of(64, 0, 0);
    device.placement = GRT_PLACEMENT_RANDOM;
    struct grt_placement *placement = grt_placement_create(&device, &arena, grt_random_of_key(7));
    uint32_t place;
    while ((place = grt_placement_take(placement, &big, 0)) !=
           GRT_NO_PLACE) { /* fill all, then empty all but one */
        CU_ASSERT(place < SMS);
    }
    for (uint32_t i = 0; i < SMS; i++) {
        if (i != FULL) {
            grt_placement_release(placement, &big, i, 2, 0);
        }
    }
    int counts[SMS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        place = grt_placement_take(placement, &small, 0);
        CU_ASSERT_FATAL(place < SMS && place != FULL);
        counts[place]++;
        grt_placement_release(placement, &small, place, 1, 0);
    }
    double statistic = 0, expected = DRAWS / (double)(SMS - 1);
    for (uint32_t i = 0; i < SMS; i++) {
        statistic += i == FULL ? 0 : (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    CU_ASSERT(statistic < 30);
    grt_arena_clear(&arena);
}

static void random_follows_the_seed(void) {
    struct grt_device device = grt_built_device(16);
    struct grt_gpu_kernel kernel = kernel_of(32, 0, 0);
    struct grt_arena arena = {0};
    device.placement = GRT_PLACEMENT_RANDOM;
    struct grt_placement *one = grt_placement_create(&device, &arena, grt_random_of_key(1));
    struct grt_placement *same = grt_placement_create(&device, &arena, grt_random_of_key(1));
    struct grt_placement *other = grt_placement_create(&device, &arena, grt_random_of_key(2));
    int differences = 0;
    for (int i = 0; i < 200; i++) {
        uint32_t place = grt_placement_take(one, &kernel, 0);
        CU_ASSERT_EQUAL(grt_placement_take(same, &kernel, 0), place);
        differences += grt_placement_take(other, &kernel, 0) != place;
    }
    CU_ASSERT(differences > 100);
    grt_arena_clear(&arena);
}

/* A place that is out of bounds stays so when a block of the very kernel that is kept from it leaves it. */
static void restriction_outlasts_releases(void) {
    static const uint64_t second_only[GRT_PLACE_WORDS] = {2};
    struct grt_device device = grt_built_device(2);
    struct grt_gpu_kernel kernel = kernel_of(1024, 0, 0);
    struct grt_arena arena = {0};
    struct grt_placement *placement = grt_placement_create(&device, &arena, grt_random_of_key(1));
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 0);
    grt_placement_restrict(placement, second_only);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 1);
    grt_placement_release(placement, &kernel, 0, 1, 0);
    grt_placement_release(placement, &kernel, 1, 1, 0);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 1);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 1);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), GRT_NO_PLACE);
    grt_placement_restrict(placement, NULL);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 0);
    grt_arena_clear(&arena);
}

/* What is known of the room of SMs for a kernel counts no more once places were taken out. */
static void further_restriction_counts_at_once(void) {
    static const uint64_t first_three[GRT_PLACE_WORDS] = {7}, third_and_fourth[GRT_PLACE_WORDS] = {12};
    struct grt_device device = grt_built_device(4);
    struct grt_gpu_kernel kernel = kernel_of(1024, 0, 0);
    struct grt_arena arena = {0};
    struct grt_placement *placement = grt_placement_create(&device, &arena, grt_random_of_key(1));
    grt_placement_restrict(placement, first_three);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 0);
    grt_placement_restrict_further(placement, third_and_fourth);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 2);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), 2);
    CU_ASSERT_EQUAL(grt_placement_take(placement, &kernel, 0), GRT_NO_PLACE);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a restriction outlasts releases", restriction_outlasts_releases},
        {"a further restriction counts at once", further_restriction_counts_at_once},
        {"most room", most_room},
        {"first fit", first_fit},
        {"least loaded", least_loaded},
        {"round robin", round_robin},
        {"published placements, Pascal", published_pascal},
        {"published placements, Turing", published_turing},
        {"random is even", random_is_even},
        {"random follows the seed", random_follows_the_seed},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("placement against the reference", tests);
}
