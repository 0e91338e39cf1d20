/* Equations (9) to (11), and the predictors. */
#include <math.h>

#include "policies/shares/predictor.h"
#include "policies/shares/progress.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define CLOSE(a, b) CU_ASSERT(fabs((a) - (b)) <= 1e-9 * fabs(b))

/* As in figure 7 of the paper: three workloads. Alone it takes 1000 ns; beside the first 2000, of which it spends 500; beside the second 4000, of which
 * it spends 1000; beside the third 1600. Equation (9) makes 250 ns alone of each: half is left, 800 ns. */
static void the_remaining_time(void) {
    struct shares_progress progress = {.since = 100};
    shares_progress_change(&progress, 100, 2000);
    shares_progress_advance(&progress, 400);
    shares_progress_advance(&progress, 600); /* nothing changes where it is looked at */
    CLOSE(progress.done, 0.25);
    CLOSE(shares_progress_left(&progress, 2000), 1500.0);
    shares_progress_change(&progress, 600, 4000);
    shares_progress_change(&progress, 1600, 1600);
    CLOSE(progress.done, 0.5);
    CLOSE(shares_progress_left(&progress, 1600), 800.0);
    CU_ASSERT_EQUAL(progress.executed, 1500);
}

static void standing_still(void) {
    struct shares_progress progress = {.since = 0};
    shares_progress_advance(&progress, 100); /* it waits */
    shares_progress_change(&progress, 100, 1000);
    shares_progress_change(&progress, 200, 0);
    shares_progress_change(&progress, 900, 1000);
    shares_progress_advance(&progress, 1000);
    CLOSE(progress.done, 0.2);
    CU_ASSERT_EQUAL(progress.executed, 200);
}

/* Predictions that were too short. */
static void more_than_all(void) {
    struct shares_progress progress = {0};
    shares_progress_change(&progress, 0, 1000);
    shares_progress_advance(&progress, 995);
    CLOSE(shares_progress_left(&progress, 1000), 10.0);
    shares_progress_advance(&progress, 3000);
    CU_ASSERT_EQUAL(progress.done, 1);
    CLOSE(shares_progress_left(&progress, 1000), 10.0);
}

/* ---- predictors ---- */

enum { COUNT = 3 };

/* Three kernels, that of the first of two. */
struct world {
    struct grt_arena arena;
    struct grt_device device;
    struct grt_kernel kernel;
    struct shares_kernel kernels[COUNT + 1];
    struct shares_segment segments[COUNT];
    struct shares_active active[COUNT];
};

static void make(struct world *world, enum grt_contention_kind contention) {
    *world = (struct world){.device = grt_built_device(10), .kernel = {.name = "k"}};
    world->device.granularity = GRT_GRANULARITY_SHARES;
    world->device.contention = contention;
    for (int i = 0; i <= COUNT; i++) {
        world->kernels[i] =
            (struct shares_kernel){.kernel = &world->kernel,
                                   .time = 1000 * (i + 1),
                                   .usage = {.sm_utilisation = 1,
                                             .demand = {[GRT_RESOURCE_DRAM] = i < 3 ? 0.8 : 0},
                                             .bound = {[GRT_RESOURCE_DRAM] = i < 3 ? 1 : 0},
                                             .counters = {[GRT_INDICATOR_WARPS] = 10 * (i + 1)}}};
    }
    for (int i = 0; i < COUNT; i++) {
        world->segments[i] = (struct shares_segment){
            .fixed = 10, .kernels = &world->kernels[i], .kernel_count = i == 2 ? 2 : 1};
        shares_segment_fill(&world->segments[i]);
        world->active[i] = (struct shares_active){
            .segment = &world->segments[i], .share = 50, .order = (uint64_t)i, .speed = 0.5};
    }
}

static double predicted(struct world *world, enum shares_predictor_kind kind, uint32_t count, uint32_t i) {
    static const double measured[GRT_INDICATORS];
    struct shares_predictor *predictor = shares_predictor_create(kind, &world->device, COUNT, &world->arena);
    bool knows = false;
    shares_predictor_look(predictor, world->active, count);
    double time = shares_predict(predictor, i, measured, &knows);
    CU_ASSERT(knows);
    return time;
}

static void alone(void) {
    struct world world;
    make(&world, GRT_CONTENTION_MAX_MIN);
    CLOSE(predicted(&world, SHARES_NONE, 3, 0), 2010.0);
    CLOSE(predicted(&world, SHARES_NONE, 3, 2), 14010.0);
    CLOSE(predicted(&world, SHARES_PERFECT, 1, 0), 2010.0);
    CLOSE(predicted(&world, SHARES_SOFNN, 3, 2), 14010.0); /* without networks */
    grt_arena_clear(&world.arena);
}

/* The first two go at half their speed, 0.4 of the memory each. With the third's first kernel beside them, a third of it each, 1 / 2.4; its second one
 * asks for nothing, and the two have what they had. */
static void beside_others(void) {
    struct world world;
    make(&world, GRT_CONTENTION_MAX_MIN);
    CLOSE(predicted(&world, SHARES_PERFECT, 2, 0), 2010.0);
    CLOSE(predicted(&world, SHARES_PERFECT, 3, 0), 10 + 1000 * 2.4);
    CLOSE(predicted(&world, SHARES_PERFECT, 3, 1), 10 + 2000 * 2.4);
    CLOSE(predicted(&world, SHARES_PERFECT, 3, 2), 10 + 3000 * 2.4 + 4000 * 2);
    world.active[2].done = 0.5;
    CLOSE(predicted(&world, SHARES_PERFECT, 3, 0), 2010.0);
    CLOSE(predicted(&world, SHARES_PERFECT, 3, 2), 10 + 3000 * 2.4 + 4000 * 2);
    grt_arena_clear(&world.arena);
}

static void which_kernel(void) {
    struct world world;
    make(&world, GRT_CONTENTION_NONE);
    world.active[2].done = 0.42; /* of 3000 and 4000 */
    CU_ASSERT_EQUAL(shares_current_kernel(&world.active[2]), 0);
    world.active[2].done = 0.43;
    CU_ASSERT_EQUAL(shares_current_kernel(&world.active[2]), 1);
    world.active[2].done = 1;
    CU_ASSERT_EQUAL(shares_current_kernel(&world.active[2]), 1);
    grt_arena_clear(&world.arena);
}

/* A network of one rule, whose consequent is linear in the warps: e^(ln 1000 + warps / 100). */
static double by_network(struct world *world, const double *measured) {
    static const double centre[GRT_NETWORK_INPUTS],
        width[GRT_NETWORK_INPUTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const double consequents[1 + GRT_NETWORK_INPUTS] = {0, [1 + GRT_INDICATOR_WARPS] = 1};
    struct grt_network network = {.kernel = "k",
                                  .rules = 1,
                                  .order = 1,
                                  .mean = log(1000),
                                  .deviation = 1,
                                  .centres = centre,
                                  .widths = width,
                                  .consequents = consequents};
    for (int i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network.high[i] = 100;
    }
    grt_network_finish(&network, &world->arena);
    struct shares_predictor *predictor =
        shares_predictor_create(SHARES_SOFNN, &world->device, COUNT, &world->arena);
    bool knows = false;
    world->kernels[0].network = &network;
    shares_predictor_look(predictor, world->active, 3);
    return shares_predict(predictor, 0, measured, &knows);
}

/* What runs is measured, what does not is added at its speed alone: half of 20 and of 30 warps per second. */
static void workloads(void) {
    struct world world;
    make(&world, GRT_CONTENTION_NONE);
    double measured[GRT_INDICATORS] = {0};
    CLOSE(by_network(&world, measured), 10 + 1000 * exp(0.25));
    world.active[1].seen = true;
    measured[GRT_INDICATOR_WARPS] = 7;
    CLOSE(by_network(&world, measured), 10 + 1000 * exp(0.22));
    world.active[2].seen = true;
    CLOSE(by_network(&world, measured), 10 + 1000 * exp(0.07));
    grt_arena_clear(&world.arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the remaining time", the_remaining_time},
        {"standing still", standing_still},
        {"more than all", more_than_all},
        {"predicted alone", alone},
        {"predicted beside others", beside_others},
        {"which kernel", which_kernel},
        {"workloads", workloads},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("progress and predictions", tests);
}
