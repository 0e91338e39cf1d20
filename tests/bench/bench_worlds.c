/* Worlds per second: a generated set of 10 tasks, its world made, run and freed, with chunks of memory kept from one world to the next and
 * without; its check alone; and sets by Kim's parameters per second. */
#include <stdio.h>

#include "models/task/scenario_check.h"
#include "models/world.h"
#include "policies/registry.h"
#include "scenarios/generate/kim.h"
#include "sim/check.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { TASKS = 10, WORLDS = 2000, SETS = 20000, TRIES = 5 };

struct worlds {
    struct grt_device device;
    struct grt_scenario scenario;
    const struct grt_policy_ops *policy;
    const void *parameters;
    struct grt_arena_store *store; /* NULL: none */
};

static uint64_t make_worlds(void *state) {
    const struct worlds *worlds = state;
    uint64_t count = bench_argument(WORLDS);
    for (uint64_t i = 0; i < count; i++) {
        struct grt_errors errors = {0};
        struct grt_world_options options = {.store = worlds->store};
        struct grt_world *world =
            grt_world_create(&worlds->scenario, worlds->policy, worlds->parameters, &options, &errors);
        GRT_REQUIRE(world != NULL, "give a scenario that the policy takes");
        grt_world_run(world);
        bench_use(grt_world_result(world)->events);
        grt_world_free(world);
    }
    return count;
}

static uint64_t check_scenarios(void *state) {
    const struct worlds *worlds = state;
    uint64_t count = bench_argument(WORLDS);
    for (uint64_t i = 0; i < count; i++) {
        struct grt_errors errors = {0};
        bench_use(grt_scenario_check(&worlds->scenario, &errors));
    }
    return count;
}

static void compare(struct worlds *worlds, const char *name) {
    struct grt_arena_store store = {0};
    char kept[80];
    double without = bench_ns_per_unit(make_worlds, worlds, TRIES);
    worlds->store = &store;
    double with = bench_ns_per_unit(make_worlds, worlds, TRIES);
    worlds->store = NULL;
    grt_arena_store_free(&store);
    snprintf(kept, sizeof kept, "%s, memory kept, per world", name);
    bench_report(kept, with, "the same without, per world", without, "");
}

static void measure_worlds(void) {
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct grt_generated_task tasks[TASKS];
    struct worlds worlds = {.device = grt_built_exclusive()};
    struct grt_generator_spec spec = grt_generator_spec_default();
    struct grt_generator *generator = grt_generator_create(&spec, &errors);
    const struct grt_generated_frame frame = {.name = "bench", .seed = 1, .gpu = &worlds.device};
    grt_generator_make(generator, 1, tasks);
    worlds.scenario = grt_generated_scenario(&frame, tasks, TASKS, &arena);
    worlds.policy = grt_policy_find("np-edf");
    worlds.scenario.horizon = 1;
    compare(&worlds, "np-edf, 10 tasks, horizon 1 ns");
    bench_report("the check of its scenario, per check", bench_ns_per_unit(check_scenarios, &worlds, TRIES),
                 "the world, per world", bench_ns_per_unit(make_worlds, &worlds, TRIES), "");
    worlds.scenario.horizon = 2 * GRT_SECOND;
    compare(&worlds, "the same, horizon 2 s");
    grt_generator_free(generator);
    grt_arena_clear(&arena);
}

static struct grt_kim_task kim_tasks[GRT_KIM_MOST_TASKS];
static struct grt_kim_set kim_set = {.tasks = kim_tasks};

static uint64_t make_kim_sets(void *state) {
    uint64_t count = bench_argument(SETS);
    for (uint64_t number = 0; number < count; number++) {
        grt_kim_make(state, number, &kim_set);
        bench_use(kim_set.count);
    }
    return count;
}

static uint64_t make_kim_scenarios(void *state) {
    struct grt_device device = grt_built_exclusive();
    const struct grt_generated_frame frame = {.name = "bench", .seed = 1, .gpu = &device};
    struct grt_arena_store store = {0};
    struct grt_arena arena = {.store = &store};
    uint64_t count = bench_argument(SETS);
    for (uint64_t number = 0; number < count; number++) {
        grt_kim_make(state, number, &kim_set);
        bench_use((uint64_t)grt_kim_scenario(&frame, &kim_set, &arena).horizon);
        grt_arena_clear(&arena);
    }
    grt_arena_store_free(&store);
    return count;
}

void bench_worlds(void) {
    measure_worlds();
    struct grt_errors errors = {0};
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_kim *kim = grt_kim_create(&spec, &errors);
    double sets = bench_ns_per_unit(make_kim_sets, kim, TRIES);
    double scenarios = bench_ns_per_unit(make_kim_scenarios, kim, TRIES);
    bench_report("Kim's sets as scenarios in memory, per set", scenarios, "the sets alone", sets, "<= 50 us");
    grt_kim_free(kim);
}
