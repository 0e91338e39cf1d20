/* What a sweep does for one set: drawing it, completing it, and all that is asked of it. The reference is the same number of divisions as in the
 * other suites. */
#include <stdio.h>

#include "policies/tdm/tdm.h"
#include "scenarios/generate/independent.h"
#include "scenarios/generate/kim.h"
#include "sim/check.h"
#include "study/evaluate/sample.h"
#include "tests/bench/bench.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/world_builder.h"

enum { SETS = 2000 };

static const struct grt_path no_path = {0};

struct sweeping {
    struct drawn_experiment drawn;
    struct grt_sampler *sampler;
    uint64_t next, yes;
};

static uint64_t divide(void *state) {
    struct sweeping *self = state;
    int64_t sum = 0;
    for (int64_t i = 0; i < 256 * SETS; i++) {
        sum += (i * 1000000) / (int64_t)(100 + (self->next + (uint64_t)i) % 400);
    }
    bench_use((uint64_t)sum);
    return SETS;
}

static uint64_t sample(void *state) {
    struct sweeping *self = state;
    struct grt_found found[8] = {{.outcome = GRT_OUTCOME_NONE}};
    for (int i = 0; i < SETS; i++) {
        grt_sampler_run(self->sampler, 0, self->next++, found);
        self->yes += found[0].outcome == GRT_OUTCOME_YES;
    }
    return SETS;
}

static void measure(const char *title, const struct grt_generator_ops *generator, const void *parameters,
                    const struct grt_evaluation *evaluations, size_t count, const char *target) {
    static struct sweeping sweeping;
    struct grt_errors errors = {0};
    void *maker = generator->create(parameters, &(struct grt_generator_place){.seed = 1}, &errors, &no_path);
    GRT_REQUIRE(maker != NULL, "give the generator what it takes");
    drawn_experiment_start(&sweeping.drawn, generator, maker, evaluations, count);
    struct grt_study *study = grt_study_create(&sweeping.drawn.experiment, &errors);
    GRT_REQUIRE(study != NULL, "ask for what can be asked");
    sweeping.sampler = grt_sampler_create(study);
    sweeping.next = sweeping.yes = 0;
    double reference = bench_ns_per_unit(divide, &sweeping, 3);
    double ours = bench_ns_per_unit(sample, &sweeping, 3);
    char name[80];
    snprintf(name, sizeof name, "%s, %d %% pass", title, (int)(100 * sweeping.yes / sweeping.next));
    bench_report(name, ours, "256 divisions", reference, target);
    grt_sampler_free(sweeping.sampler);
    grt_study_free(study);
    generator->destroy(maker);
}

static void measure_locks(const struct grt_device *gpu) {
    const struct grt_evaluation evaluations[] = {
        drawn_analysis("mpcp", "mpcp", gpu), drawn_analysis("fmlp+", "fmlp+", gpu),
        drawn_analysis("gpu-server", "gpu-server", gpu), drawn_analysis("mpcp", "mpcp", gpu),
        drawn_analysis("gpu-server", "gpu-server", gpu)};
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_kim_spec spec = grt_kim_spec_default();
    spec.gpu_tasks = (struct grt_generated_range){0.5, 0.5};
    measure("cores, drawn", generator, &spec, evaluations, 0, "");
    measure("cores, drawn, 1 analysis", generator, &spec, evaluations, 1, "");
    measure("cores, drawn, 5 analyses of locks", generator, &spec, evaluations, 5, "<= 50000 ns");
}

static void measure_slots(const struct grt_device *gpu) {
    const struct grt_evaluation evaluations[] = {drawn_analysis("tdm", NULL, gpu),
                                                 drawn_analysis("np-edf", "np-edf-exact", gpu)};
    struct grt_independent parameters = {
        .spec = grt_generator_spec_default(), .tasks = 10, .threads = 256, .takes = 1};
    parameters.spec.utilisation = 0.5;
    parameters.spec.overhead = 400 * GRT_MICROSECOND;
    parameters.spec.deadline_factor = (struct grt_generated_range){1, 1};
    const struct grt_generator_ops *generator = grt_generator_find("independent");
    measure("independent, drawn", generator, &parameters, evaluations, 0, "");
    measure("independent, drawn, tdm", generator, &parameters, evaluations, 1, "<= 40000 ns");
    measure("independent, drawn, tdm and np-edf-exact", generator, &parameters, evaluations, 2, "");
}

/* The four curves of V. Golyanik et al.'s figures 2 and 3, one after the other. */
static void measure_servers(const struct grt_device *gpu) {
    static const struct tdm_parameters parameters[] = {
        {.rule = {.method = TDM_CUBIC, .count = TDM_COUNT_PAPER}},
        {.rule = {.method = TDM_PAPER, .count = TDM_COUNT_PAPER}},
        {.rule = {.method = TDM_EXACT, .count = TDM_COUNT_TIGHT, .slots = TDM_SLOTS_TABLE}},
        {.rule = {.method = TDM_EXACT, .count = TDM_COUNT_PAPER}}};
    static const char *const titles[] = {"figure 2, n = 10, U = 0.7: drawn", "the same and cubic",
                                         "the same and roots", "the same and slot table",
                                         "the same and exact: all of it"};
    struct grt_evaluation evaluations[4];
    for (int i = 0; i < 4; i++) {
        evaluations[i] = drawn_analysis("tdm", "tdm", gpu);
        evaluations[i].parameters = &parameters[i];
    }
    struct grt_independent sets = {
        .spec = grt_generator_spec_default(), .tasks = 10, .threads = 256, .takes = 1};
    sets.spec.utilisation = 0.7;
    sets.spec.periods = (struct grt_period_spec){.method = GRT_PERIODS_UNIFORM,
                                                 .least = 100 * GRT_MILLISECOND,
                                                 .most = 100 * GRT_SECOND,
                                                 .granularity = 1};
    sets.spec.overhead = 6 * GRT_MILLISECOND;
    for (size_t i = 0; i <= 4; i++) {
        measure(titles[i], grt_generator_find("independent"), &sets, evaluations, i, "");
    }
}

static void measure_worlds(const struct grt_device *gpu) {
    struct grt_evaluation evaluation = drawn_simulation("mpcp", gpu);
    evaluation.periods = 1;
    struct grt_kim_spec spec = grt_kim_spec_default();
    measure("cores, drawn, simulated for a period", grt_generator_find("cores"), &spec, &evaluation, 1, "");
}

void bench_sweep(void) {
    struct grt_device gpu = grt_built_exclusive();
    measure_locks(&gpu);
    measure_slots(&gpu);
    measure_servers(&gpu);
    measure_worlds(&gpu);
}
