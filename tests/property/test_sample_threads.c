/* labels: soak */
/* Samplers of several threads at once find what one finds alone, under every policy and with every analysis. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/generate/independent.h"
#include "scenarios/generate/kim.h"
#include "sim/check.h"
#include "study/evaluate/sample.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/file_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { THREADS = 4, MOST = GRT_MOST_EVALUATIONS };

static const struct grt_path no_path = {0};

struct work {
    const struct grt_study *study;
    struct grt_found *found; /* of each sample, each evaluation */
    size_t evaluations;
    int first, step, samples;
};

static void *work_on(void *state) {
    const struct work *work = state;
    struct grt_sampler *sampler = grt_sampler_create(work->study);
    for (int i = work->first; i < work->samples; i += work->step) {
        grt_sampler_run(sampler, 0, (uint64_t)i, &work->found[(size_t)i * work->evaluations]);
    }
    grt_sampler_free(sampler);
    return NULL;
}

static struct grt_found *find_all(const struct grt_study *study, int samples, int threads) {
    size_t evaluations = grt_study_experiment(study)->evaluation_count;
    struct grt_found *found = grt_allocate((size_t)samples * evaluations * sizeof *found);
    struct work works[THREADS];
    pthread_t running[THREADS];
    memset(found, 0, (size_t)samples * evaluations * sizeof *found);
    for (int i = 0; i < threads; i++) {
        works[i] = (struct work){study, found, evaluations, i, threads, samples};
        CU_ASSERT_FATAL(pthread_create(&running[i], NULL, work_on, &works[i]) == 0);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(running[i], NULL);
    }
    return found;
}

/* Bit by bit, but for what stands behind the ends of texts. */
static bool is_same(const struct grt_found *a, const struct grt_found *b) {
    return a->outcome == b->outcome && strcmp(a->reason, b->reason) == 0 &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

static void compare(const struct grt_generator_ops *generator, void *maker,
                    const struct grt_evaluation *evaluations, size_t count, int samples) {
    struct drawn_experiment drawn;
    struct grt_errors errors = {0};
    int outcomes[GRT_OUTCOMES] = {0};
    drawn_experiment_start(&drawn, generator, maker, evaluations, count);
    struct grt_study *study = grt_study_create(&drawn.experiment, &errors);
    CU_ASSERT_FATAL(study != NULL);
    struct grt_found *alone = find_all(study, samples, 1), *together = find_all(study, samples, THREADS);
    for (size_t i = 0; i < (size_t)samples * count; i++) {
        CU_ASSERT(is_same(&alone[i], &together[i]));
        outcomes[alone[i].outcome]++;
    }
    CU_ASSERT(outcomes[GRT_OUTCOME_YES] > 0); /* else not much was compared */
    free(alone);
    free(together);
    grt_study_free(study);
}

/* An analysis by all that speak of it and a simulation for each policy. */
static size_t every_policy(struct grt_evaluation *evaluations, const struct grt_device *gpu,
                           const struct grt_device *shares) {
    size_t count = 0;
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        GRT_REQUIRE(count + 2 <= MOST, "raise the most evaluations of the test");
        const struct grt_device *device = (*policy)->sets_shares ? shares : gpu;
        for (int i = 0; i < 2; i++) {
            evaluations[count] = i == 0 ? drawn_simulation((*policy)->name, device)
                                        : drawn_analysis((*policy)->name, NULL, device);
            evaluations[count].parameters = (*policy)->permissive;
            evaluations[count++].horizon = 100 * GRT_MILLISECOND;
        }
    }
    return count;
}

static void on_cores(void) {
    struct grt_evaluation evaluations[MOST];
    struct grt_device gpu = grt_built_exclusive(), shares = grt_built_tx2();
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_errors errors = {0};
    shares.granularity = GRT_GRANULARITY_SHARES;
    spec.gpu_tasks = (struct grt_generated_range){0.4, 0.6};
    void *maker = generator->create(&spec, &(struct grt_generator_place){.seed = 3}, &errors, &no_path);
    CU_ASSERT_FATAL(maker != NULL);
    compare(generator, maker, evaluations, every_policy(evaluations, &gpu, &shares), grt_suite_cases(2, 200));
    generator->destroy(maker);
}

static void on_one_gpu(void) {
    struct grt_evaluation evaluations[MOST];
    struct grt_device gpu = grt_built_exclusive(), shares = grt_built_tx2();
    const struct grt_generator_ops *generator = grt_generator_find("independent");
    struct grt_independent parameters;
    struct grt_errors errors = {0};
    shares.granularity = GRT_GRANULARITY_SHARES;
    CU_ASSERT_FATAL(grt_generator_defaults(generator, &parameters));
    parameters.tasks = 5;
    void *maker = generator->create(&parameters, &(struct grt_generator_place){.seed = 3}, &errors, &no_path);
    CU_ASSERT_FATAL(maker != NULL);
    compare(generator, maker, evaluations, every_policy(evaluations, &gpu, &shares), grt_suite_cases(2, 200));
    generator->destroy(maker);
}

/* Networks are trained before, once, and shared. */
static void with_networks(void) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    const struct grt_scenario_changes changes = {.without_networks = true};
    CU_ASSERT_FATAL(grt_scenario_read(GRT_SOURCE_DIR "/scenarios/papers/wamp2s/airborne-wamp2s.json",
                                      &changes, &file, &errors));
    struct grt_evaluation evaluation = {.name = "x",
                                        .label = "x",
                                        .kind = GRT_EVALUATE_SIMULATION,
                                        .horizon = 20 * GRT_SECOND,
                                        .training = GRT_TRAIN_QUICK};
    compare(&file_sets, &file, &evaluation, 1, grt_suite_cases(8, 100));
    grt_scenario_file_free(&file);
}

/* Nobody trains networks for every set without being asked. */
static void without_networks(void) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    const struct grt_scenario_changes changes = {.without_networks = true};
    struct drawn_experiment drawn;
    struct grt_evaluation evaluation = {.name = "x", .label = "x", .kind = GRT_EVALUATE_SIMULATION};
    CU_ASSERT_FATAL(grt_scenario_read(GRT_SOURCE_DIR "/scenarios/papers/wamp2s/airborne-wamp2s.json",
                                      &changes, &file, &errors));
    drawn_experiment_start(&drawn, &file_sets, &file, &evaluation, 1);
    CU_ASSERT_PTR_NULL(grt_study_create(&drawn.experiment, &errors));
    CU_ASSERT_FATAL(errors.count == 1);
    CU_ASSERT_STRING_EQUAL(
        errors.messages[0],
        "evaluations[0]: its policy would train networks for every set: give \"networks\" of "
        "gpurt train, or \"train\": \"quick\" or \"full\" to have them trained once");
    grt_errors_clear(&errors);
    evaluation.kind = GRT_EVALUATE_ANALYSIS; /* no world */
    struct grt_study *study = grt_study_create(&drawn.experiment, &errors);
    CU_ASSERT_PTR_NOT_NULL(study);
    grt_study_free(study);
    grt_scenario_file_free(&file);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"on cores", on_cores},
        {"on one GPU", on_one_gpu},
        {"with networks", with_networks},
        {"without networks", without_networks},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sample_threads", tests);
}
