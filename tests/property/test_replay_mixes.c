/* labels: soak */
/* Mixes of blocks on an SM, by what they charge in two ways: against an enumeration without shortcuts. */
#include <inttypes.h>
#include <stdio.h>

#include "calib/replay/mixes.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { STREAMS = 3, KINDS = 6, MOST_STATES = 20000 };

struct drawn {
    struct grt_device device;
    struct mix_kind kinds[KINDS];
    uint32_t count;
    struct charge most;
};

static struct charge draw_charge(struct grt_random *random) {
    return (struct charge){1, grt_pick(random, 1, 4), grt_pick(random, 0, 6), grt_pick(random, 0, 6)};
}

static struct drawn draw(uint64_t seed) {
    struct grt_random random = grt_random_stream(seed, "mixes", 0, 0);
    struct drawn it = {0};
    it.device.sm_count = grt_pick(&random, 1, 3);
    it.device.placement = grt_pick(&random, 0, 3) == 0 ? GRT_PLACEMENT_LEAST_LOADED : GRT_PLACEMENT_MOST_ROOM;
    it.most = (struct charge){grt_pick(&random, 3, 8), grt_pick(&random, 4, 14), grt_pick(&random, 6, 20),
                              grt_pick(&random, 6, 20)};
    it.device.warp_size = 32;
    it.device.max_blocks_per_sm = it.most.blocks;
    it.device.max_threads_per_sm = it.most.warps * 32;
    it.device.registers_per_sm = it.most.registers;
    it.device.shared_memory_per_sm = it.most.shared_memory;
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        for (int64_t i = grt_pick(&random, 0, KINDS / STREAMS); i > 0; i--) {
            struct mix_kind *kind = &it.kinds[it.count++];
            *kind = (struct mix_kind){"k", stream, grt_pick(&random, 1, 5), draw_charge(&random), {0}};
            kind->had = kind->wanted;
            if (grt_pick(&random, 0, 2) == 0) { /* what was one resource is another */
                kind->had.shared_memory = kind->wanted.registers;
                kind->had.registers = kind->wanted.shared_memory;
            } else if (grt_pick(&random, 0, 3) == 0) {
                kind->had = draw_charge(&random);
            }
        }
    }
    return it;
}

/* ---- the enumeration ---- */

struct mix {
    int64_t counts[KINDS];
};

/* Sums, by going through one block after the other. */
static bool fits_with(const struct drawn *it, const struct mix *mix, bool wanted, uint32_t kind,
                      int64_t more) {
    struct charge left = it->most;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct charge *each = wanted ? &it->kinds[i].wanted : &it->kinds[i].had;
        for (int64_t block = mix->counts[i] + (i == kind ? more : 0); block > 0; block--) {
            left.blocks -= each->blocks;
            left.warps -= each->warps;
            left.registers -= each->registers;
            left.shared_memory -= each->shared_memory;
        }
    }
    return left.blocks >= 0 && left.warps >= 0 && left.registers >= 0 && left.shared_memory >= 0;
}

static bool fits(const struct drawn *it, const struct mix *mix, bool wanted) {
    return fits_with(it, mix, wanted, 0, 0);
}

static int64_t room(const struct drawn *it, const struct mix *mix, bool wanted, uint32_t kind) {
    int64_t more = 0;
    while (fits_with(it, mix, wanted, kind, more + 1)) {
        more++;
    }
    return more;
}

/* One kernel of a stream at most. */
static bool is_possible(const struct drawn *it, const struct mix *mix) {
    for (uint32_t i = 0; i < it->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (it->kinds[i].stream == it->kinds[j].stream && mix->counts[i] > 0 && mix->counts[j] > 0) {
                return false;
            }
        }
    }
    return true;
}

/* The next one in the order of an odometer; false after the last one. */
static bool step(const struct drawn *it, struct mix *mix) {
    for (uint32_t i = 0; i < it->count; i++) {
        if (mix->counts[i] < it->kinds[i].blocks) {
            mix->counts[i]++;
            return true;
        }
        mix->counts[i] = 0;
    }
    return false;
}

static struct mix states[MOST_STATES];

static size_t enumerate(const struct drawn *it) {
    size_t count = 0;
    struct mix mix = {0};
    do {
        if (is_possible(it, &mix) && count < MOST_STATES) {
            states[count++] = mix;
        }
    } while (step(it, &mix));
    return count;
}

static bool some_fit_once_only(const struct drawn *it, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (fits(it, &states[i], true) != fits(it, &states[i], false)) {
            return true;
        }
    }
    return false;
}

static int sign(int64_t number) {
    return (number > 0) - (number < 0);
}

/* Whether two SMs in some pair of states are in another order for the next block of a kernel. */
static bool is_order_another(const struct drawn *it, size_t count, uint32_t kind) {
    static int64_t wanted[MOST_STATES], had[MOST_STATES];
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        struct mix next = states[i];
        next.counts[kind]++;
        if (fits(it, &states[i], true) && next.counts[kind] <= it->kinds[kind].blocks &&
            is_possible(it, &next)) {
            wanted[seen] = room(it, &states[i], true, kind);
            had[seen++] = room(it, &states[i], false, kind);
        }
    }
    for (size_t i = 0; i < seen; i++) {
        for (size_t j = 0; j < i; j++) {
            if (sign(wanted[i] - wanted[j]) != sign(had[i] - had[j])) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_orders(const struct drawn *it, size_t count) {
    uint32_t orders = 0;
    for (uint32_t i = 0; i < it->count && it->device.sm_count > 1; i++) {
        orders += it->device.placement == GRT_PLACEMENT_MOST_ROOM
                      ? is_order_another(it, count, i)
                      : it->kinds[i].wanted.warps != it->kinds[i].had.warps;
    }
    return orders;
}

/* ---- tests ---- */

static void test_random(void) {
    int other_fits = 0, other_orders = 0, same = 0, count = grt_suite_cases(300, 20000);
    for (int seed = 1; seed <= count; seed++) {
        struct drawn it = draw((uint64_t)seed);
        size_t states_count = enumerate(&it);
        CU_ASSERT_TRUE_FATAL(states_count < MOST_STATES);
        struct mix_difference difference = mixes_compare(&it.device, it.kinds, it.count);
        bool expected = some_fit_once_only(&it, states_count);
        bool right = (difference.alone + difference.together > 0) == expected && difference.all;
        if (!expected) { /* else orders are not of all mixes */
            uint32_t orders = count_orders(&it, states_count);
            right = right && difference.orders == orders;
            other_orders += orders > 0;
            same += orders == 0;
        }
        other_fits += expected;
        CU_ASSERT_TRUE(right);
        if (!right) {
            fprintf(stderr, "mixes of seed %d\n", seed);
        }
    }
    CU_ASSERT_TRUE(other_fits > count / 10 && other_orders > count / 100 && same > count / 10);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"random charges, against an enumeration", test_random},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("replay: mixes of blocks", tests);
}
