/* How a memory's bandwidth is shared: cases by hand, and laws on random demands. */
#include "models/device/memory_bus.h"

#include <math.h>

#include "models/device/progress.h"
#include "sim/random.h"
#include "sim/wide.h"
#include "tests/support/suite.h"

enum { MOST = 8 };

/* A user that asks for these groups. */
struct asker {
    struct grt_bus_group groups[MOST];
    uint64_t shares[MOST];
    uint32_t count;
};

static void ask(void *owner, struct grt_memory_bus *bus) {
    const struct asker *asker = owner;
    for (uint32_t i = 0; i < asker->count; i++) {
        grt_bus_request(bus, asker->groups[i].demand, asker->groups[i].requesters);
    }
}

static void granted(void *owner, const uint64_t *shares) {
    struct asker *asker = owner;
    for (uint32_t i = 0; i < asker->count; i++) {
        asker->shares[i] = shares[i];
    }
}

static struct grt_memory_bus bus_of(int64_t bytes_per_second, enum grt_bandwidth_sharing sharing) {
    struct grt_device device = {.memory_bytes_per_second = bytes_per_second, .bandwidth_sharing = sharing};
    struct grt_memory_bus bus;
    grt_bus_create(&bus, &device);
    return bus;
}

static void settle(struct asker *asker, int64_t bytes_per_second, enum grt_bandwidth_sharing sharing) {
    struct grt_memory_bus bus = bus_of(bytes_per_second, sharing);
    grt_bus_add_user(&bus, &(struct grt_bus_user){asker, ask, granted});
    grt_bus_settle(&bus);
    grt_bus_free(&bus);
}

static void what_there_is_enough_of_is_not_shared(void) {
    struct asker asker = {.groups = {{30, 2}, {40, 1}}, .count = 2};
    for (int sharing = 0; sharing < 3; sharing++) {
        settle(&asker, 100, (enum grt_bandwidth_sharing)sharing);
        CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED);
        CU_ASSERT_EQUAL(asker.shares[1], GRT_FULL_SPEED);
    }
}

static void in_proportion_all_get_the_same_fraction(void) {
    struct asker asker = {.groups = {{60, 2}, {0, 3}, {80, 1}}, .count = 3};
    settle(&asker, 100, GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED / 2);
    CU_ASSERT_EQUAL(asker.shares[1], GRT_FULL_SPEED); /* who wants nothing is not slowed */
    CU_ASSERT_EQUAL(asker.shares[2], GRT_FULL_SPEED / 2);
}

/* 100 among five: 25 at most for 10 each leaves 80 for three, of which two want 20 each and one gets 40 of his 80. */
static void max_min_gives_nobody_more_than_he_asks_for(void) {
    struct asker asker = {.groups = {{80, 1}, {10, 2}, {20, 2}}, .count = 3};
    settle(&asker, 100, GRT_BANDWIDTH_SHARING_MAX_MIN);
    CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED / 2);
    CU_ASSERT_EQUAL(asker.shares[1], GRT_FULL_SPEED);
    CU_ASSERT_EQUAL(asker.shares[2], GRT_FULL_SPEED);
}

static void none_is_none(void) {
    struct asker asker = {.groups = {{80, 9}}, .count = 1};
    settle(&asker, 100, GRT_BANDWIDTH_SHARING_NONE);
    CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED);
}

/* Two users of one bus: what one asks for, the other does not get. */
static void users_share_one_bus(void) {
    struct asker first = {.groups = {{100, 1}}, .count = 1}, second = {.groups = {{50, 2}}, .count = 1};
    struct grt_memory_bus bus = bus_of(100, GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    grt_bus_add_user(&bus, &(struct grt_bus_user){&first, ask, granted});
    grt_bus_add_user(&bus, &(struct grt_bus_user){&second, ask, granted});
    grt_bus_settle(&bus);
    CU_ASSERT_EQUAL(first.shares[0], GRT_FULL_SPEED / 2);
    CU_ASSERT_EQUAL(second.shares[0], GRT_FULL_SPEED / 2);
    first.count = 0; /* the first has left */
    grt_bus_settle(&bus);
    CU_ASSERT_EQUAL(second.shares[0], GRT_FULL_SPEED);
    grt_bus_free(&bus);
}

/* The largest demands that scenarios can state do not overflow. */
static void the_largest_demands_are_shared(void) {
    struct asker asker = {.groups = {{GRT_TIME_LIMIT, 65536}, {1, 1}}, .count = 2};
    settle(&asker, GRT_TIME_LIMIT, GRT_BANDWIDTH_SHARING_PROPORTIONAL);
    CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED / 65536);
    settle(&asker, GRT_TIME_LIMIT, GRT_BANDWIDTH_SHARING_MAX_MIN);
    CU_ASSERT_EQUAL(asker.shares[0], GRT_FULL_SPEED / 65536);
    CU_ASSERT_EQUAL(asker.shares[1], GRT_FULL_SPEED);
}

static double amount(const struct asker *asker, uint32_t i) {
    return (double)asker->groups[i].demand * (double)asker->shares[i] / (double)GRT_FULL_SPEED;
}

/* Nothing is left over while somebody wants more; with max-min, nobody who gets less than he asks for gets less than
 * another. Shares are rounded up to 2^-32. */
static bool is_fair(const struct asker *asker, double capacity, enum grt_bandwidth_sharing sharing) {
    double total = 0, given = 0;
    for (uint32_t i = 0; i < asker->count; i++) {
        total += (double)asker->groups[i].demand * asker->groups[i].requesters;
        given += amount(asker, i) * asker->groups[i].requesters;
    }
    double tolerance = 1.01 * total / (double)GRT_FULL_SPEED;
    bool fair = fabs(given - (total < capacity ? total : capacity)) <= tolerance;
    for (uint32_t i = 0; i < asker->count; i++) {
        for (uint32_t j = 0; j < asker->count; j++) {
            bool cut = asker->shares[i] < GRT_FULL_SPEED;
            fair &= sharing != GRT_BANDWIDTH_SHARING_MAX_MIN || !cut ||
                    amount(asker, i) >= amount(asker, j) - tolerance;
            fair &= sharing != GRT_BANDWIDTH_SHARING_PROPORTIONAL || asker->shares[i] == asker->shares[j];
        }
    }
    return fair;
}

static void shares_are_fair(void) {
    struct grt_random random = grt_random_stream(1, "shares", 0, 0);
    bool good = true;
    for (int i = 0; good && i < 20000; i++) {
        struct asker asker = {.count = 1 + (uint32_t)grt_random_below(&random, MOST)};
        int64_t capacity = 1000 + (int64_t)grt_random_below(&random, 1000000000000);
        for (uint32_t j = 0; j < asker.count; j++) {
            asker.groups[j].demand = 1 + grt_random_below(&random, (uint64_t)capacity);
            asker.groups[j].requesters = 1 + (uint32_t)grt_random_below(&random, 20);
        }
        settle(&asker, capacity, GRT_BANDWIDTH_SHARING_PROPORTIONAL);
        good &= is_fair(&asker, (double)capacity, GRT_BANDWIDTH_SHARING_PROPORTIONAL);
        settle(&asker, capacity, GRT_BANDWIDTH_SHARING_MAX_MIN);
        good &= is_fair(&asker, (double)capacity, GRT_BANDWIDTH_SHARING_MAX_MIN);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what there is enough of is not shared", what_there_is_enough_of_is_not_shared},
        {"in proportion all get the same fraction", in_proportion_all_get_the_same_fraction},
        {"max-min gives nobody more than he asks for", max_min_gives_nobody_more_than_he_asks_for},
        {"none is none", none_is_none},
        {"users share one bus", users_share_one_bus},
        {"the largest demands are shared", the_largest_demands_are_shared},
        {"shares are fair", shares_are_fair},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("memory bus", tests);
}
