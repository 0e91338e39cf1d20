/* How fast kernels go beside each other, by hand: share modes and kinds of contention, one by one. */
#include <math.h>
#include <string.h>

#include "models/contention.h"
#include "tests/support/suite.h"

enum { MOST = 8 };

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
    CU_ASSERT(grt_contention_class(contention, "c") == GRT_NO_CLASS);
    CU_ASSERT(grt_contention_class(contention, NULL) == GRT_NO_CLASS);
    static const char *names[] = {"a", "b", "a", "c"};
    for (int i = 0; i < 4; i++) {
        four->sharers[i].class_number = grt_contention_class(contention, names[i]);
    }
    four->sharers[2].share = 50;
    grt_contention_speeds(contention, four->sharers, 4, four->speeds);
    CU_ASSERT(near(four->speeds[0], 1 / 1.5 / 1.25));
    CU_ASSERT(near(four->speeds[1], 1 / 4.0));
    CU_ASSERT(near(four->speeds[2], .5 / 1.5 / 1.25));
    CU_ASSERT(four->speeds[3] == 1);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"goes alone as its share has it", goes_alone_as_its_share_has_it},
        {"none is each alone", none_is_each_alone},
        {"max-min fills resources", max_min_fills_resources},
        {"max-min lets others rise", max_min_lets_others_rise},
        {"saturation of equals is its equation", saturation_of_equals_is_its_equation},
        {"saturation slows who depends", saturation_slows_who_depends},
        {"left-over is for who came later", left_over_is_for_who_came_later},
        {"who stands still is in nobody's way", who_stands_still_is_in_nobodys_way},
        {"turns are a part of the time", turns_are_a_part_of_the_time},
        {"slowdowns multiply", slowdowns_multiply},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention by shares", tests);
}
