/* Sets of a sweep as files of their own. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/generate/kim.h"
#include "scenarios/simulation.h"
#include "study/sample.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const struct grt_path no_path = {0};

struct trial {
    struct drawn_experiment drawn;
    struct grt_study *study;
    struct grt_sampler *sampler;
    struct grt_found found[3];
};

static void begin(struct trial *trial, const struct grt_generator_ops *generator, void *maker,
                  const struct grt_evaluation *evaluations, size_t count) {
    struct grt_errors errors = {0};
    drawn_experiment_start(&trial->drawn, generator, maker, evaluations, count);
    trial->study = grt_study_create(&trial->drawn.experiment, &errors);
    CU_ASSERT_FATAL(trial->study != NULL);
    trial->sampler = grt_sampler_create(trial->study);
}

static void end(struct trial *trial) {
    grt_sampler_free(trial->sampler);
    grt_study_free(trial->study);
}

/* Read again and run, the text of a set gives what the sampler finds. */
static void check_text(struct trial *trial, uint64_t sample, size_t evaluation) {
    struct grt_errors errors = {0};
    struct grt_simulation simulation = {0};
    char *text = grt_sampler_scenario(trial->sampler, 0, sample, evaluation, &errors);
    CU_ASSERT_FATAL(text != NULL);
    const struct grt_scenario_text source = {text, strlen(text), NULL};
    CU_ASSERT_FATAL(grt_simulation_parse(&simulation, &source, NULL, &errors));
    CU_ASSERT_FATAL(grt_simulation_run(&simulation, false, &errors));
    grt_sampler_run(trial->sampler, 0, sample, trial->found);
    uint64_t missed = 0;
    for (size_t i = 0; i < simulation.result->task_count; i++) {
        missed += simulation.result->tasks[i].missed;
    }
    CU_ASSERT(trial->found[evaluation].values[0] == (double)missed);
    CU_ASSERT(trial->found[evaluation].values[1] == (double)simulation.result->events);
    grt_simulation_free(&simulation);
    free(text);
}

static void sets_are_written_as_files(void) {
    static const char *const wanted[] = {"missed", "events"};
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_device gpu = {0};
    CU_ASSERT_FATAL(grt_device_find("exclusive", NULL, &arena, &gpu, &errors, NULL));
    gpu.kernel_launch = 3 * GRT_MICROSECOND;
    struct grt_evaluation evaluations[] = {drawn_simulation("mpcp", &gpu),
                                           drawn_simulation("gpu-server", &gpu),
                                           drawn_simulation("np-edf", &gpu)};
    struct grt_kim_spec spec = grt_kim_spec_default();
    void *maker = generator->create(&spec, &(struct grt_generator_place){.seed = 5}, &errors, &no_path);
    struct trial trial;
    for (size_t i = 0; i < 3; i++) {
        evaluations[i].measures = wanted;
        evaluations[i].measure_count = 2;
        evaluations[i].context_switch = 7000;
    }
    begin(&trial, generator, maker, evaluations, 3);
    for (uint64_t sample = 0; sample < 5; sample++) {
        for (size_t i = 0; i < 3; i++) {
            check_text(&trial, sample, i);
        }
    }
    end(&trial);
    generator->destroy(maker);
    grt_arena_clear(&arena);
}

/* A device that no preset is like, a set that is refused, none at all. */
static void sets_that_cannot_be_written_are_refused(void) {
    struct grt_device gpu = grt_built_exclusive();
    gpu.name = "of-nobody";
    const struct grt_evaluation evaluation = drawn_simulation("fifo", &gpu);
    static const uint64_t samples[] = {DRAWN_LIGHT, DRAWN_NOTHING};
    static const char *const messages[] = {"unknown device", "the generator found no set"};
    struct trial trial;
    begin(&trial, &drawn_sets, NULL, &evaluation, 1);
    for (size_t i = 0; i < 2; i++) {
        struct grt_errors errors = {0};
        CU_ASSERT_PTR_NULL(grt_sampler_scenario(trial.sampler, 0, samples[i], 0, &errors));
        CU_ASSERT_FATAL(errors.count == 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], messages[i]));
        grt_errors_clear(&errors);
    }
    end(&trial);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"files", sets_are_written_as_files},
        {"no files", sets_that_cannot_be_written_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sample_text", tests);
}
