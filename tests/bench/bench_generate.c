/* Task sets per second: utilisations, periods and execution times of 10 tasks, and what else can be drawn, against textbook code:
 * UUniFast with pow and log-uniform periods with exp, from the same generator, without streams. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/generate/generated_scenario.h"
#include "sim/check.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"

enum { TASKS = 10, SETS = 200000, TRIES = 5 };

static uint64_t textbook(void *state) {
    struct grt_random *random = state;
    uint64_t sets = bench_argument(SETS);
    for (uint64_t set = 0; set < sets; set++) {
        double rest = 0.7;
        uint64_t sum = 0;
        for (int i = 0; i < TASKS; i++) {
            double next = i + 1 < TASKS ? rest * pow(grt_random_uniform(random), 1.0 / (TASKS - 1 - i)) : 0;
            double period = exp(log(1e7) + (log(1e9) - log(1e7)) * grt_random_uniform(random));
            sum += (uint64_t)((rest - next) * period);
            rest = next;
        }
        bench_use(sum);
    }
    return sets;
}

static uint64_t make_sets(void *state) {
    struct grt_generated_task tasks[TASKS];
    uint64_t sets = bench_argument(SETS);
    for (uint64_t number = 0; number < sets; number++) {
        grt_generator_make(state, number, tasks);
        bench_use((uint64_t)tasks[0].execution);
    }
    return sets;
}

static double measure(const struct grt_generator_spec *spec) {
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(spec, &errors);
    GRT_REQUIRE(generator != NULL, "give a specification that can be met");
    double ns = bench_ns_per_unit(make_sets, generator, TRIES);
    grt_generator_free(generator);
    return ns;
}

static uint64_t make_scenarios(void *state) {
    struct grt_device device = grt_built_exclusive();
    const struct grt_generated_frame frame = {.name = "bench", .seed = 1, .gpu = &device};
    struct grt_generated_task tasks[TASKS];
    struct grt_arena arena = {0};
    uint64_t sets = bench_argument(SETS) / 10 + 1;
    for (uint64_t number = 0; number < sets; number++) {
        grt_generator_make(state, number, tasks);
        bench_use((uint64_t)grt_generated_scenario(&frame, tasks, TASKS, &arena).horizon);
        grt_arena_clear(&arena);
    }
    return sets;
}

void bench_generate(void) {
    struct grt_random random = grt_random_of_key(1);
    static const char against[] = "textbook code, per set";
    double reference = bench_ns_per_unit(textbook, &random, TRIES);
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.utilisation = 0.7;
    spec.method = GRT_UTILISATION_UUNIFAST;
    bench_report("uunifast, 10 tasks, per set", measure(&spec), against, reference, "");
    spec.method = GRT_UTILISATION_UUNISORT;
    bench_report("uunisort, the same", measure(&spec), against, reference, "");
    spec.method = GRT_UTILISATION_RANDFIXEDSUM;
    bench_report("randfixedsum, the same", measure(&spec), against, reference, "");
    spec.method = GRT_UTILISATION_UUNIFAST_DISCARD;
    spec.utilisation = 3;
    bench_report("uunifast-discard, utilisation 3, the same", measure(&spec), against, reference, "");
    spec.utilisation = 0.7;
    spec.deadlines = GRT_DEADLINES_SLACK;
    spec.deadline_factor = (struct grt_generated_range){0.5, 1};
    spec.jitter = (struct grt_generated_range){0, 0.1};
    spec.overhead = 6 * GRT_MILLISECOND;
    spec.random_offsets = true;
    spec.blocks.low = 1;
    spec.blocks.high = 100;
    bench_report("all that can be drawn, the same", measure(&spec), against, reference, "");
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(&spec, &errors);
    bench_report("the same as a scenario in memory", bench_ns_per_unit(make_scenarios, generator, TRIES),
                 against, reference, "");
    grt_generator_free(generator);
}
