/* How fast kernels go beside each other, by hand: share modes and kinds of contention, one by one. */
#include <math.h>
#include <string.h>

#include "models/device/contention.h"
#include "models/device/contention_kinds.h"
#include "tests/support/speed_reference.h"
#include "tests/support/suite.h"

enum { MOST = 16 };

struct fixture {
    struct grt_device device;
    struct grt_usage usages[MOST];
    struct grt_sharer sharers[MOST];
    double speeds[MOST];
};

static bool near(double value, double expected) {
    return fabs(value - expected) <= 1e-11 * fabs(expected);
}

/* `count` kernels that fill the SMs and depend on nothing but them, with all of the shares. */
static struct fixture *fixture(uint32_t count) {
    static struct fixture fixture;
    fixture =
        (struct fixture){.device = {.contention_latency = {.15, .3, .5, .1, .15}, .contention_exponent = .9}};
    for (uint32_t i = 0; i < count; i++) {
        fixture.usages[i] = (struct grt_usage){
            .sm_utilisation = 1, .demand[GRT_RESOURCE_SM] = 1, .bound[GRT_RESOURCE_SM] = 1};
        fixture.sharers[i] = (struct grt_sharer){
            .usage = &fixture.usages[i], .class_number = GRT_NO_CLASS, .share = GRT_FULL_SHARE};
    }
    return &fixture;
}

static void ask(struct fixture *fixture, uint32_t count) {
    struct grt_arena arena = {0};
    struct grt_contention *contention = grt_contention_create(&fixture->device, &arena);
    grt_contention_speeds(contention, fixture->sharers, count, fixture->speeds);
    grt_arena_clear(&arena);
}

static void goes_alone_as_its_share_has_it(void) {
    static const enum grt_contention_kind kinds[] = {GRT_CONTENTION_NONE, GRT_CONTENTION_SATURATION,
                                                     GRT_CONTENTION_MAX_MIN, GRT_CONTENTION_SLOWDOWNS};
    for (int mode = 0; mode < 3; mode++) {
        for (int kind = 0; kind < 4; kind++) {
            struct fixture *one = fixture(2);
            one->device.share_mode = mode;
            one->device.contention = kinds[kind];
            one->usages[0].host_fraction = .2;
            one->sharers[0].share = 30;
            one->sharers[1].share = 0; /* stands still */
            ask(one, 2);
            CU_ASSERT(one->speeds[0] == 1 / grt_usage_share_factor(&one->usages[0], 30));
            CU_ASSERT(one->speeds[1] == 0);
        }
    }
}

static void none_is_each_alone(void) {
    struct fixture *two = fixture(2);
    two->device.contention = GRT_CONTENTION_NONE;
    two->sharers[1].share = 25;
    ask(two, 2);
    CU_ASSERT(two->speeds[0] == 1);
    CU_ASSERT(two->speeds[1] == .25);
}

/* A 0.5/0.5, B on DRAM only, C limited by its share: DRAM is full at 0.8 of everybody, C stays at 0.25 and leaves A and B more. */
static void max_min_fills_resources(void) {
    struct fixture *three = fixture(3);
    three->device.contention = GRT_CONTENTION_MAX_MIN;
    static const double dram[] = {.5, .75, .4}, sm[] = {.5, 0, .3};
    for (int i = 0; i < 3; i++) {
        three->usages[i].demand[GRT_RESOURCE_DRAM] = dram[i];
        three->usages[i].demand[GRT_RESOURCE_SM] = sm[i];
    }
    three->sharers[2].share = 25;
    ask(three, 3);
    CU_ASSERT(near(three->speeds[2], .25));
    CU_ASSERT(near(three->speeds[0], .9 / 1.25));
    CU_ASSERT(near(three->speeds[1], .9 / 1.25));
}

/* Who does not use the full resource rises on; two resources that are full at the same level are no trouble. */
static void max_min_lets_others_rise(void) {
    struct fixture *five = fixture(5);
    five->device.contention = GRT_CONTENTION_MAX_MIN;
    static const int resources[] = {GRT_RESOURCE_L2, GRT_RESOURCE_L2, GRT_RESOURCE_TEXTURE,
                                    GRT_RESOURCE_TEXTURE, GRT_RESOURCE_DRAM};
    for (int i = 0; i < 5; i++) {
        five->usages[i].demand[GRT_RESOURCE_SM] = 0;
        five->usages[i].demand[resources[i]] = i < 4 ? .7 : .9;
    }
    ask(five, 5);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT(near(five->speeds[i], 1 / 1.4));
    }
    CU_ASSERT(five->speeds[4] == 1);
}

/* L2 and DRAM are full at the same speed. Nothing but rounding is left of DRAM for who hardly uses it, and it has that speed all the same. */
static void max_min_never_falls_back(void) {
    struct fixture *three = fixture(3);
    three->device.contention = GRT_CONTENTION_MAX_MIN;
    for (int i = 0; i < 3; i++) {
        three->usages[i].demand[GRT_RESOURCE_SM] = 0;
        three->usages[i].demand[GRT_RESOURCE_L2] = i < 2 ? .7 : 0;
        three->usages[i].demand[GRT_RESOURCE_DRAM] = i < 2 ? .7 : 1e-17;
    }
    ask(three, 3);
    CU_ASSERT(near(three->speeds[2], 1 / 1.4));
}

/* Two equal kernels: v (2 v (1 + .5 v))^.9 = 1 with DRAM, where each asks for all of it. */
static void saturation_of_equals_is_its_equation(void) {
    struct fixture *two = fixture(2);
    two->device.contention = GRT_CONTENTION_SATURATION;
    for (int i = 0; i < 2; i++) {
        two->usages[i].bound[GRT_RESOURCE_SM] = 0;
        two->usages[i].bound[GRT_RESOURCE_DRAM] = 1;
        two->usages[i].demand[GRT_RESOURCE_DRAM] = 1;
    }
    ask(two, 2);
    double v = two->speeds[0];
    CU_ASSERT(near(v, two->speeds[1]));
    CU_ASSERT(near(v * pow(2 * v * (1 + .5 * v), .9), 1));
    two->device.contention_exponent = 1; /* v^2 (2 + v) = 1: the golden ratio less 1 */
    ask(two, 2);
    CU_ASSERT(near(two->speeds[0], (sqrt(5) - 1) / 2));
}

/* One that only asks, and one that only depends: 1/v = h + (1 - h) (2 + kappa), since the first is not slowed. */
static void saturation_slows_who_depends(void) {
    struct fixture *two = fixture(2);
    two->device.contention = GRT_CONTENTION_SATURATION;
    two->device.contention_exponent = 1;
    two->usages[0].bound[GRT_RESOURCE_SM] = 0;
    two->usages[0].demand[GRT_RESOURCE_L2] = 1;
    two->usages[1] = (struct grt_usage){.host_fraction = .5,
                                        .sm_utilisation = 1,
                                        .bound = {[GRT_RESOURCE_L2] = .5, [GRT_RESOURCE_TEXTURE] = .5}};
    ask(two, 2);
    CU_ASSERT(two->speeds[0] == 1);
    CU_ASSERT(near(two->speeds[1], 1 / (.5 + .5 * (1 + .5 * .3))));
    two->device.contention_exponent = 0; /* everything is hidden */
    ask(two, 2);
    CU_ASSERT(two->speeds[1] == 1);
}

static void left_over_is_for_who_came_later(void) {
    struct fixture *four = fixture(4);
    four->device.share_mode = GRT_SHARE_MODE_LEFT_OVER;
    four->device.contention = GRT_CONTENTION_NONE;
    four->usages[0].sm_utilisation = .07; /* 7 vprocessors, though 100 * 0.07 > 7 */
    four->usages[1].sm_utilisation = .9;
    four->sharers[1].share = 60;
    ask(four, 4);
    CU_ASSERT(four->speeds[0] == 1);
    CU_ASSERT(near(four->speeds[1], 60 / 90.0));
    CU_ASSERT(near(four->speeds[2], .33));
    CU_ASSERT(four->speeds[3] == 0);
    four->sharers[0].share = 0;
    ask(four, 4);
    CU_ASSERT(four->speeds[0] == 0);
    CU_ASSERT(near(four->speeds[2], .4));
}

static void who_stands_still_is_in_nobodys_way(void) {
    struct fixture *three = fixture(3);
    three->device.share_mode = GRT_SHARE_MODE_TIME_SLICING;
    three->sharers[1].share = 0;
    ask(three, 3);
    CU_ASSERT(three->speeds[0] == .5 && three->speeds[1] == 0 && three->speeds[2] == .5);
    three->device.share_mode = GRT_SHARE_MODE_LEFT_OVER;
    three->device.contention = GRT_CONTENTION_MAX_MIN;
    three->sharers[1].share = 100;
    ask(three, 3); /* the first has all */
    CU_ASSERT(three->speeds[0] == 1 && three->speeds[1] == 0 && three->speeds[2] == 0);
}

static void turns_are_a_part_of_the_time(void) {
    struct fixture *three = fixture(3);
    three->device.share_mode = GRT_SHARE_MODE_TIME_SLICING;
    three->device.contention = GRT_CONTENTION_MAX_MIN; /* without effect */
    three->usages[0].host_fraction = .4;
    three->usages[0].sm_utilisation = .1; /* a turn is one whether it fills the SMs or not */
    three->sharers[1].share = 10;
    ask(three, 3);
    CU_ASSERT(near(three->speeds[0], 1 / (.4 + .6 * 3)));
    CU_ASSERT(near(three->speeds[1], .1)); /* less than its turns */
    CU_ASSERT(near(three->speeds[2], 1.0 / 3));
}

static void slowdowns_multiply(void) {
    struct grt_slowdown rows[] = {{"a", "b", 1.5, 9}, {"b", "a", 2, 0}, {"a", "a", 1.25, 0}};
    struct fixture *four = fixture(4);
    four->device.contention = GRT_CONTENTION_SLOWDOWNS;
    four->device.slowdowns = (struct grt_field_list){rows, 3};
    struct grt_arena arena = {0};
    struct grt_contention *contention = grt_contention_create(&four->device, &arena);
    CU_ASSERT(grt_device_class(&four->device, "c") == GRT_NO_CLASS);
    CU_ASSERT(grt_device_class(&four->device, NULL) == GRT_NO_CLASS);
    static const char *names[] = {"a", "b", "a", "c"};
    for (int i = 0; i < 4; i++) {
        four->sharers[i].class_number = grt_device_class(&four->device, names[i]);
    }
    four->sharers[2].share = 50;
    grt_contention_speeds(contention, four->sharers, 4, four->speeds);
    CU_ASSERT(near(four->speeds[0], 1 / 1.5 / 1.25));
    CU_ASSERT(near(four->speeds[1], 1 / 4.0));
    CU_ASSERT(near(four->speeds[2], .5 / 1.5 / 1.25));
    CU_ASSERT(four->speeds[3] == 1);
    grt_arena_clear(&arena);
}

/* ---- what the models do not promise ---- */

/* `count` kernels of which each uses all of one resource and waits for another only. */
static void link(struct fixture *fixture, uint32_t index, enum grt_resource uses,
                 enum grt_resource waits_for) {
    fixture->usages[index] = (struct grt_usage){.sm_utilisation = 1};
    fixture->usages[index].demand[uses] = 1;
    fixture->usages[index].bound[waits_for] = 1;
}

/* A third kernel that slows the second is good for the first. */
static void a_kernel_more_may_make_another_faster(void) {
    static const enum grt_contention_kind kinds[] = {GRT_CONTENTION_SATURATION, GRT_CONTENTION_MAX_MIN};
    for (int kind = 0; kind < 2; kind++) {
        struct fixture *three = fixture(3);
        three->device.contention = kinds[kind];
        for (int i = 0; i < 3; i++) {
            three->usages[i] = (struct grt_usage){.sm_utilisation = 1};
        }
        three->usages[0].demand[GRT_RESOURCE_DRAM] = three->usages[0].bound[GRT_RESOURCE_DRAM] = 1;
        three->usages[1].demand[GRT_RESOURCE_DRAM] = .5;
        three->usages[1].demand[GRT_RESOURCE_L2] = three->usages[1].bound[GRT_RESOURCE_L2] = .9;
        three->usages[2].demand[GRT_RESOURCE_L2] = three->usages[2].bound[GRT_RESOURCE_L2] = 1;
        ask(three, 2);
        double before = three->speeds[0];
        ask(three, 3);
        CU_ASSERT(three->speeds[0] > before * 1.05);
    }
}

/* Ten kernels that use all of the DRAM's bandwidth and wait for nothing else ask for 2.38 times of it: hidden by the exponent. Ones that
 * wait for nothing are not slowed at all. */
static void saturation_does_not_keep_to_capacities(void) {
    struct fixture *ten = fixture(10);
    ten->device.contention = GRT_CONTENTION_SATURATION;
    for (uint32_t i = 0; i < 10; i++) {
        link(ten, i, GRT_RESOURCE_DRAM, GRT_RESOURCE_DRAM);
    }
    ask(ten, 10);
    double load = 10 * ten->speeds[0];
    CU_ASSERT(fabs(load - 2.38) < .005 && near(load / 10 * pow(load * (1 + .45 * load), .9), 1));
    for (uint32_t i = 0; i < 10; i++) {
        ten->usages[i].bound[GRT_RESOURCE_DRAM] = 0;
    }
    ask(ten, 10);
    CU_ASSERT(ten->speeds[0] == 1 && ten->speeds[9] == 1);
}

static bool iterates_to(const struct fixture *fixture, uint32_t count, double part, const double *start,
                        double *speeds) {
    int64_t shares[MOST];
    for (uint32_t i = 0; i < count; i++) {
        shares[i] = GRT_FULL_SHARE;
        speeds[i] = start == NULL ? 1 : start[i];
    }
    return grt_reference_saturation(&fixture->device, fixture->sharers, shares, count, part, 20000, speeds) >
           0;
}

static bool are_near(const double *speeds, const double *expected, uint32_t count) {
    bool all = true;
    for (uint32_t i = 0; i < count; i++) {
        all &= near(speeds[i], expected[i]);
    }
    return all;
}

/* Four kernels wait for what four others use, and these for what the first four use, a little more slowly: either four may be fast. Newton's method would
 * end between them, where the iteration does not stay: it leads from the speeds alone to one of the two, from elsewhere to the other. */
static void one_of_several_fixed_points_is_the_iterations(void) {
    struct fixture *eight = fixture(8);
    double expected[8], other[8], start[8];
    eight->device.contention = GRT_CONTENTION_SATURATION;
    for (uint32_t i = 0; i < 8; i++) {
        bool first = i < 4;
        link(eight, i, first ? GRT_RESOURCE_DRAM : GRT_RESOURCE_L2,
             first ? GRT_RESOURCE_L2 : GRT_RESOURCE_DRAM);
        start[i] = first ? .01 : 1;
    }
    ask(eight, 8);
    CU_ASSERT_FATAL(iterates_to(eight, 8, .5, NULL, expected) && iterates_to(eight, 8, .5, start, other));
    CU_ASSERT(are_near(eight->speeds, expected, 8));
    CU_ASSERT(!are_near(eight->speeds, other, 8));
    CU_ASSERT(fabs(eight->speeds[0] - eight->speeds[4]) > .1);
}

/* Five threes in a circle: the iteration in halves never comes to rest, in smaller steps it does. */
static void a_circle_comes_to_rest(void) {
    struct fixture *circle = fixture(15);
    double expected[15];
    circle->device.contention = GRT_CONTENTION_SATURATION;
    for (uint32_t i = 0; i < 15; i++) {
        link(circle, i, i / 3, (i / 3 + 1) % GRT_RESOURCES);
    }
    CU_ASSERT(!iterates_to(circle, 15, .5, NULL, expected));
    CU_ASSERT_FATAL(iterates_to(circle, 15, .1, NULL, expected));
    ask(circle, 15);
    CU_ASSERT(are_near(circle->speeds, expected, 15));
    struct contender contenders[15];
    struct saturated scratch[15];
    for (uint32_t i = 0; i < 15; i++) {
        contenders[i] = (struct contender){.usage = &circle->usages[i], .factor = 1, .speed = 1};
    }
    grt_contention_iterate(&circle->device, contenders, 15, scratch);
    for (uint32_t i = 0; i < 15; i++) {
        CU_ASSERT(near(contenders[i].speed, expected[i]));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"goes alone as its share has it", goes_alone_as_its_share_has_it},
        {"none is each alone", none_is_each_alone},
        {"max-min fills resources", max_min_fills_resources},
        {"max-min lets others rise", max_min_lets_others_rise},
        {"max-min never falls back", max_min_never_falls_back},
        {"saturation of equals is its equation", saturation_of_equals_is_its_equation},
        {"saturation slows who depends", saturation_slows_who_depends},
        {"left-over is for who came later", left_over_is_for_who_came_later},
        {"who stands still is in nobody's way", who_stands_still_is_in_nobodys_way},
        {"turns are a part of the time", turns_are_a_part_of_the_time},
        {"slowdowns multiply", slowdowns_multiply},
        {"a kernel more may make another faster", a_kernel_more_may_make_another_faster},
        {"saturation does not keep to capacities", saturation_does_not_keep_to_capacities},
        {"one of several fixed points is the iteration's", one_of_several_fixed_points_is_the_iterations},
        {"a circle comes to rest", a_circle_comes_to_rest},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention by shares", tests);
}
