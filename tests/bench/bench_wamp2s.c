/* Half an hour of an airborne system (Table 4 of Yao et al., WAMP2S, IEEE TPDS 2022), from its file to the result: per job. */
#include "scenarios/simulation.h"
#include "tests/bench/bench.h"

static uint64_t simulate(void *state) {
    struct grt_scenario_changes changes = {.policy = NULL};
    struct grt_simulation simulation = {0};
    struct grt_errors errors = {0};
    const char *sets[] = {state};
    changes.sets = sets;
    changes.set_count = 1;
    uint64_t jobs = 0;
    if (grt_simulation_load(&simulation, GRT_SOURCE_DIR "/scenarios/papers/wamp2s/airborne-wamp2s.json",
                            &changes, &errors) &&
        grt_simulation_run(&simulation, false, &errors)) {
        for (size_t i = 0; i < simulation.result->task_count; i++) {
            jobs += simulation.result->tasks[i].finished;
        }
    }
    grt_errors_clear(&errors);
    grt_simulation_free(&simulation);
    return jobs;
}

void bench_wamp2s(void) {
    static char hardware[] = "policy={\"name\":\"hardware\"}", perfect[] = "policy.predictor=perfect",
                trained[] = "policy.predictor=sofnn";
    double bare = bench_ns_per_unit(simulate, hardware, 3);
    bench_report("airborne, wamp2s, perfect, per job", bench_ns_per_unit(simulate, perfect, 3),
                 "hardware, per job", bare, "429000 ns: 1 s");
    bench_report("the same, networks trained before", bench_ns_per_unit(simulate, trained, 3),
                 "hardware, per job", bare, "429000 ns: 1 s");
}
