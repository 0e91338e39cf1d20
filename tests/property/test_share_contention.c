/* labels: soak */
/* Kernels that contend on a GPU of shares, in random worlds: against the definitions, and what holds whatever the model. */
#include <math.h>
#include <string.h>

#include "models/device/contention.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/speed_reference.h"
#include "tests/support/suite.h"

enum { MOST = GRT_REFERENCE_SHARERS, CLASSES = 4 };

struct shared_world {
    struct grt_random random;
    struct grt_device device;
    struct grt_slowdown slowdowns[CLASSES * CLASSES];
    struct grt_usage usages[MOST];
    struct grt_share_factor points[MOST][3];
    struct grt_sharer sharers[MOST];
    int64_t shares[MOST]; /* by the reference */
    uint32_t count;
    double speeds[MOST];
};

static double uniform(struct shared_world *world) {
    return grt_random_uniform(&world->random);
}

/* ---- random worlds ---- */

/* How a kernel's demands and bounds hang together: as far as it depends on a resource it uses it, not at all, or in the extreme. */
static void draw_demands(struct shared_world *world, struct grt_usage *usage, int64_t manner) {
    double sum = manner == 1 ? -log(1 - uniform(world)) : 0;
    int64_t only = grt_pick(&world->random, 0, GRT_RESOURCES);
    for (int r = 0; r < GRT_RESOURCES; r++) {
        double part = uniform(world);
        usage->demand[r] = manner == 0 ? part * part : manner == 1 ? part : part < .4 ? 1 - part : 0;
        usage->bound[r] = manner == 0   ? usage->demand[r] * (.3 + .7 * uniform(world))
                          : manner == 1 ? -log(1 - uniform(world))
                                        : (double)(r == only);
        sum += usage->bound[r];
    }
    for (int r = 0; r < GRT_RESOURCES; r++) {
        usage->bound[r] /= fmax(1, sum);
    }
}

static void draw_points(struct shared_world *world, uint32_t index) {
    if (grt_pick(&world->random, 0, 3) > 0) {
        return;
    }
    double factor = 1 + 20 * uniform(world);
    int64_t share = 0;
    for (int i = 0; i < 3; i++) {
        share += grt_pick(&world->random, 1, 33);
        world->points[index][i] = (struct grt_share_factor){share, factor};
        factor = 1 + (factor - 1) * uniform(world) * 1.1;
    }
    world->usages[index].share_factors = (struct grt_field_list){world->points[index], 3};
}

static void draw_kernel(struct shared_world *world, uint32_t index, int64_t manner) {
    struct grt_usage *usage = &world->usages[index];
    *usage = (struct grt_usage){.host_fraction = manner == 2 ? 0 : .5 * uniform(world),
                                .sm_utilisation = manner == 2 ? 1 : 1 - .9 * uniform(world)};
    draw_demands(world, usage, manner);
    draw_points(world, index);
    bool stands = grt_pick(&world->random, 0, 15) == 0;
    int64_t share = manner == 2 ? GRT_FULL_SHARE : grt_pick(&world->random, 1, GRT_FULL_SHARE);
    world->sharers[index] = (struct grt_sharer){
        .usage = usage,
        .class_number = grt_pick(&world->random, 0, 5) == 0 ? GRT_NO_CLASS : (uint32_t)(index % CLASSES),
        .share = stands ? 0 : share};
}

static void draw_table(struct shared_world *world) {
    static const char *const names[CLASSES] = {"a", "b", "c", "d"};
    for (int i = 0; i < CLASSES * CLASSES; i++) {
        world->slowdowns[i] =
            (struct grt_slowdown){names[i % CLASSES], names[i / CLASSES], 1 + uniform(world), 0};
    }
    world->device.slowdowns = (struct grt_field_list){world->slowdowns, CLASSES * CLASSES};
}

static void draw(struct shared_world *world, uint64_t key, enum grt_contention_kind kind) {
    *world = (struct shared_world){.random = grt_random_of_key(key)};
    int64_t manner = grt_pick(&world->random, 0, 2);
    double scale = manner == 2 ? 10 * uniform(world) : 1;
    world->device = (struct grt_device){
        .contention = kind,
        .share_mode =
            grt_pick(&world->random, 0, 2) == 0 ? GRT_SHARE_MODE_LEFT_OVER : GRT_SHARE_MODE_CONCURRENT,
        .contention_latency = {.15 * scale, .3 * scale, .5 * scale, .1 * scale, .15 * scale},
        .contention_exponent = manner == 2 ? .5 + .5 * uniform(world) : .9};
    draw_table(world);
    world->count = (uint32_t)grt_pick(&world->random, 1, grt_pick(&world->random, 0, 9) == 0 ? MOST : 12);
    for (uint32_t i = 0; i < world->count; i++) {
        draw_kernel(world, i, manner);
    }
    grt_reference_shares(&world->device, world->sharers, world->count, world->shares);
}

static void ask(struct shared_world *world) {
    struct grt_arena arena = {0};
    struct grt_contention *contention = grt_contention_create(&world->device, &arena);
    grt_contention_speeds(contention, world->sharers, world->count, world->speeds);
    grt_arena_clear(&arena);
}

static double alone(const struct shared_world *world, uint32_t index) {
    return world->shares[index] > 0 ? 1 / grt_usage_share_factor(&world->usages[index], world->shares[index])
                                    : 0;
}

static bool is_near(const double *speeds, const double *expected, uint32_t count, double tolerance) {
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs(speeds[i] - expected[i]) <= tolerance * expected[i])) {
            return false;
        }
    }
    return true;
}

/* ---- each kind by its definition ---- */

static void saturation_is_the_limit_of_its_iteration(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(3000, 100000);
    for (int i = 0; i < cases; i++) {
        draw(&world, (uint64_t)i, GRT_CONTENTION_SATURATION);
        ask(&world);
        double expected[MOST];
        for (uint32_t k = 0; k < world.count; k++) {
            expected[k] = alone(&world, k);
        }
        CU_ASSERT_FATAL(grt_reference_saturation(&world.device, world.sharers, world.shares, world.count, .5,
                                                 2000, expected) > 0);
        CU_ASSERT_FATAL(is_near(world.speeds, expected, world.count, 1e-11));
    }
}

/* Several fixed points can be made (tests/unit/test_share_contention.c), but are not met at random. */
static void saturation_is_reached_from_everywhere(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(1000, 100000);
    for (int i = 0; i < cases; i++) {
        draw(&world, (uint64_t)i, GRT_CONTENTION_SATURATION);
        ask(&world);
        double reached[MOST];
        for (uint32_t k = 0; k < world.count; k++) {
            reached[k] = alone(&world, k) * exp(-5 * uniform(&world));
        }
        CU_ASSERT_FATAL(grt_reference_saturation(&world.device, world.sharers, world.shares, world.count, .5,
                                                 2000, reached) > 0);
        CU_ASSERT_FATAL(is_near(world.speeds, reached, world.count, 1e-11));
    }
}

static void max_min_is_fair(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(10000, 100000);
    for (int i = 0; i < cases; i++) {
        draw(&world, (uint64_t)i, GRT_CONTENTION_MAX_MIN);
        ask(&world);
        CU_ASSERT_FATAL(grt_reference_unfairness(world.sharers, world.shares, world.count, world.speeds) <
                        1e-12);
    }
}

static void slowdowns_and_none_are_products(void) {
    static struct shared_world world;
    for (int i = 0; i < 2000; i++) {
        bool table = i % 2 == 0;
        draw(&world, (uint64_t)i, table ? GRT_CONTENTION_SLOWDOWNS : GRT_CONTENTION_NONE);
        struct grt_arena arena = {0};
        struct grt_contention *contention = grt_contention_create(&world.device, &arena);
        CU_ASSERT(grt_device_class(&world.device, "a") == 0);
        grt_contention_speeds(contention, world.sharers, world.count, world.speeds);
        double expected[MOST];
        for (uint32_t k = 0; k < world.count; k++) {
            expected[k] = alone(&world, k);
            for (uint32_t j = 0; table && j < world.count; j++) {
                uint32_t of = world.sharers[k].class_number, beside = world.sharers[j].class_number;
                for (int row = 0; row < CLASSES * CLASSES && j != k && world.shares[j] > 0; row++) {
                    bool is_it = grt_device_class(&world.device, world.slowdowns[row].class_name) == of &&
                                 grt_device_class(&world.device, world.slowdowns[row].beside) == beside;
                    expected[k] /= is_it ? world.slowdowns[row].factor : 1;
                }
            }
        }
        CU_ASSERT_FATAL(is_near(world.speeds, expected, world.count, 1e-12));
        grt_arena_clear(&arena);
    }
}

/* ---- whatever the model ---- */

static const enum grt_contention_kind all_kinds[] = {GRT_CONTENTION_NONE, GRT_CONTENTION_SATURATION,
                                                     GRT_CONTENTION_MAX_MIN, GRT_CONTENTION_SLOWDOWNS};

static void draw_any(struct shared_world *world, int number) {
    draw(world, (uint64_t)number, all_kinds[number % 4]);
    if (number % 5 == 0) {
        world->device.share_mode = GRT_SHARE_MODE_TIME_SLICING;
        grt_reference_shares(&world->device, world->sharers, world->count, world->shares);
    }
}

/* Who stands still has speed 0, everybody else goes, and no faster than alone. */
static void speeds_are_within_what_each_has_alone(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(10000, 100000);
    for (int i = 0; i < cases; i++) {
        draw_any(&world, i);
        ask(&world);
        for (uint32_t k = 0; k < world.count; k++) {
            CU_ASSERT_FATAL((world.speeds[k] > 0) == (world.shares[k] > 0));
            CU_ASSERT_FATAL(world.speeds[k] <= alone(&world, k));
        }
        world.count = 1;
        ask(&world);
        CU_ASSERT_FATAL(world.speeds[0] == alone(&world, 0));
    }
}

static void the_past_has_no_effect(void) {
    static struct shared_world world, other;
    struct grt_arena arena = {0};
    for (int i = 0; i < 2000; i++) {
        draw_any(&world, i);
        ask(&world);
        double before[MOST];
        memcpy(before, world.speeds, sizeof before);
        struct grt_contention *contention = grt_contention_create(&world.device, &arena);
        draw_any(&other, i + 1);
        grt_contention_speeds(contention, other.sharers, other.count, other.speeds);
        grt_contention_speeds(contention, world.sharers, world.count, world.speeds);
        CU_ASSERT_FATAL(memcmp(before, world.speeds, world.count * sizeof before[0]) == 0);
    }
    grt_arena_clear(&arena);
}

/* Who began first counts under left-over only. */
static void order_has_no_effect(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(4000, 40000);
    for (int i = 0; i < cases; i++) {
        draw_any(&world, i);
        if (world.device.share_mode == GRT_SHARE_MODE_LEFT_OVER) {
            continue;
        }
        ask(&world);
        double expected[MOST];
        for (uint32_t k = 0; k < world.count; k++) { /* reversed */
            expected[world.count - 1 - k] = world.speeds[k];
        }
        for (uint32_t k = 0; k < world.count / 2; k++) {
            struct grt_sharer sharer = world.sharers[k];
            world.sharers[k] = world.sharers[world.count - 1 - k];
            world.sharers[world.count - 1 - k] = sharer;
        }
        ask(&world);
        CU_ASSERT_FATAL(is_near(world.speeds, expected, world.count, 1e-11));
    }
}

/* With a larger share a kernel is never slower itself; whatever the kind, whatever it does to others. */
static void more_is_never_less(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(6000, 100000);
    for (int i = 0; i < cases; i++) {
        draw_any(&world, i);
        uint32_t index = (uint32_t)grt_pick(&world.random, 0, world.count - 1);
        ask(&world);
        double before = world.speeds[index];
        world.sharers[index].share = grt_pick(&world.random, world.sharers[index].share, GRT_FULL_SHARE);
        ask(&world);
        CU_ASSERT_FATAL(world.speeds[index] >= before * (1 - 1e-11));
    }
}

/* One kernel more never makes another faster where kernels meet in one place: under none, slowdowns, and time slicing; and under
 * saturation and max-min if all use the same resource only. (tests/unit/test_share_contention.c: where it does.) */
static void more_kernels_are_never_faster(void) {
    static struct shared_world world;
    int cases = grt_suite_cases(6000, 100000);
    for (int i = 0; i < cases; i++) {
        draw_any(&world, i);
        for (uint32_t k = 0; k < world.count; k++) {
            for (int r = 0; r < GRT_RESOURCES; r++) {
                world.usages[k].demand[r] *= r == i % GRT_RESOURCES;
            }
        }
        struct grt_sharer last = world.sharers[world.count - 1];
        world.sharers[world.count - 1].share = 0;
        ask(&world);
        double before[MOST];
        memcpy(before, world.speeds, sizeof before);
        world.sharers[world.count - 1] = last;
        ask(&world);
        for (uint32_t k = 0; k + 1 < world.count; k++) {
            CU_ASSERT_FATAL(world.speeds[k] <= before[k] * (1 + 1e-11));
        }
    }
}

/* A turn is all of the GPU for a part of the time, in which nobody needs more than he has while he is on the SMs. */
static void turns_give_no_more_than_there_is(void) {
    static struct shared_world world;
    for (int i = 0; i < 2000; i++) {
        draw(&world, (uint64_t)i, GRT_CONTENTION_NONE);
        world.device.share_mode = GRT_SHARE_MODE_TIME_SLICING;
        ask(&world);
        for (int r = 0; r < GRT_RESOURCES; r++) {
            double load = 0;
            for (uint32_t k = 0; k < world.count; k++) {
                const struct grt_usage *usage = &world.usages[k];
                load += world.speeds[k] * fmin(usage->demand[r], 1 - usage->host_fraction);
            }
            CU_ASSERT_FATAL(load <= 1 + 1e-12);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"saturation is the limit of its iteration", saturation_is_the_limit_of_its_iteration},
        {"saturation is reached from everywhere", saturation_is_reached_from_everywhere},
        {"max-min is fair", max_min_is_fair},
        {"slowdowns and none are products", slowdowns_and_none_are_products},
        {"speeds are within what each has alone", speeds_are_within_what_each_has_alone},
        {"the past has no effect", the_past_has_no_effect},
        {"order has no effect", order_has_no_effect},
        {"more is never less", more_is_never_less},
        {"more kernels are never faster", more_kernels_are_never_faster},
        {"turns give no more than there is", turns_give_no_more_than_there_is},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention by shares, at random", tests);
}
