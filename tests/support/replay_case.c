#include "tests/support/replay_case.h"

#include "policies/registry.h"

void replay_case_start(struct replay_case *it, const struct grt_scenario *scenario) {
    *it = (struct replay_case){.engine = &grt_engine_model, .policy = "hardware"};
    grt_pretend_default(&scenario->gpus[0], &it->spec);
    it->spec.kernels[GRT_KERNEL_SPIN_NS] = it->spec.kernels[GRT_KERNEL_SPIN_TABLE] =
        (struct grt_pretend_kernel){.registers = 1, .per_unit_ps = 1000};
}

static void keep(struct replay_case *it) {
    it->measured.records = it->replay.records;
    it->measured.record_count = it->replay.record_count;
    it->measured.names = it->replay.names;
    it->measured.name_count = it->replay.name_count;
}

bool replay_case_execute(struct replay_case *it, const struct grt_scenario *scenario) {
    struct grt_replay_options options = {.scenario = scenario,
                                         .policy = grt_policy_find(it->policy),
                                         .parameters = it->parameters,
                                         .real = it->real,
                                         .real_count = it->real_count,
                                         .is_interrupted = it->is_interrupted,
                                         .state = it->state,
                                         .warm_up = it->warm_up};
    struct grt_driver driver;
    if (!grt_replay_plan(&options, &it->needs, &it->errors) ||
        !grt_pretend_open(&it->spec, it->engine, &driver, &it->errors)) {
        return false;
    }
    driver.cuda.cuInit(0);
    driver.nvml = it->nvml;
    size_t bytes = 1 << 20;
    while (bytes < it->needs.copy_bytes && bytes < (size_t)it->spec.memory_bytes / 16) {
        bytes *= 2;
    }
    struct grt_bench_options bench_options = {.driver = &driver,
                                              .buffer_bytes = bytes,
                                              .record_count = it->needs.records,
                                              .order_events = it->needs.user_events,
                                              .table_count = it->needs.table};
    struct grt_bench *bench = grt_bench_open(&bench_options, &it->errors);
    bool good = bench != NULL && grt_replay_run(&options, &it->needs, bench, &it->replay, &it->errors);
    keep(it);
    if (bench != NULL) {
        grt_bench_close(bench);
    }
    driver.close(&driver);
    return good;
}

void replay_case_compare(struct replay_case *it, const struct grt_scenario *scenario) {
    grt_built_run_start_with(&it->simulated, scenario, grt_policy_find(it->policy), it->parameters, false);
    it->validation = grt_validate(&it->simulated.kept, &it->measured, &it->arena);
}

void replay_case_end(struct replay_case *it) {
    grt_errors_clear(&it->errors);
    grt_replay_free(&it->replay);
    grt_built_run_free(&it->simulated);
    grt_arena_clear(&it->arena);
}
