/* Sets of a sweep as files of their own. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/simulation.h"
#include "study/evaluate/sample.h"
#include "tests/support/drawn.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/suite.h"

/* Read again and run, the text of a set gives what the sampler finds. */
static void check_text(struct drawn_trial *trial, uint64_t sample, size_t evaluation) {
    struct grt_errors errors = {0};
    struct grt_simulation simulation = {0};
    char *text = grt_sampler_scenario(trial->sampler, 0, sample, evaluation, &errors);
    grt_errors_print(&errors, stdout, "    ");
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

/* What a test asks for: a maker of the registry, a device, and up to three policies. */
struct wanted {
    const char *generator, *json;
    const struct grt_device *gpu;
    const char *policies[3];
    struct grt_scenario_assignment assignment;
    int samples;
};

static const char *const measures[] = {"missed", "events"};

static void start(struct drawn_trial *trial, const struct wanted *wanted,
                  struct grt_evaluation evaluations[3], struct grt_arena *arena, struct grt_errors *errors) {
    size_t count = 0;
    for (; count < 3 && wanted->policies[count] != NULL; count++) {
        evaluations[count] = drawn_simulation(wanted->policies[count], wanted->gpu);
        evaluations[count].measures = measures;
        evaluations[count].measure_count = 2;
        evaluations[count].context_switch = strcmp(wanted->generator, "cores") == 0 ? 7000 : 0;
        evaluations[count].assignment = wanted->assignment;
    }
    const struct grt_generator_place place = {.seed = 5, .device = wanted->gpu, .folder = "."};
    void *maker = drawn_maker(wanted->generator, wanted->json, &place, arena, errors);
    grt_errors_print(errors, stdout, "    ");
    CU_ASSERT_FATAL(maker != NULL);
    drawn_trial_begin(trial, grt_generator_find(wanted->generator), maker, evaluations, count);
}

static void stop(struct drawn_trial *trial, struct grt_arena *arena) {
    drawn_trial_end(trial);
    trial->drawn.point.generator->destroy(trial->drawn.point.maker);
    grt_arena_clear(arena);
}

static void check(const struct wanted *wanted) {
    struct grt_evaluation evaluations[3];
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct drawn_trial trial;
    start(&trial, wanted, evaluations, &arena, &errors);
    for (int sample = 0; sample < wanted->samples; sample++) {
        for (size_t i = 0; i < trial.drawn.experiment.evaluation_count; i++) {
            check_text(&trial, (uint64_t)sample, i);
        }
    }
    stop(&trial, &arena);
}

static struct grt_device device_of(const char *name, struct grt_arena *arena) {
    struct grt_errors errors = {0};
    struct grt_device gpu = {0};
    CU_ASSERT_FATAL(grt_device_find(name, NULL, arena, &gpu, &errors, NULL));
    return gpu;
}

static void tasks_on_cores_are_written(void) {
    struct grt_arena arena = {0};
    struct grt_device gpu = device_of("exclusive", &arena);
    gpu.kernel_launch = 3 * GRT_MICROSECOND;
    check(&(struct wanted){"cores", "{}", &gpu, {"mpcp", "gpu-server", "np-edf"}, {0}, 5});
    grt_arena_clear(&arena);
}

/* Kernels with usages, on a GPU of shares. */
static void applications_are_written(void) {
    struct grt_arena arena = {0};
    struct grt_device gpu = device_of("gtx1060_6gb", &arena);
    gpu.granularity = GRT_GRANULARITY_SHARES;
    gpu.contention = GRT_CONTENTION_SATURATION;
    check(&(struct wanted){
        "applications", "{\"utilisation\": 0.8}", &gpu, {"static-shares", "np-edf"}, {0}, 3});
    grt_arena_clear(&arena);
}

/* What policies change is written as it was before; what rules give has been given. */
static void sets_that_policies_change_are_written(void) {
    static const char json[] = "{\"tasks\": 4, \"blocks\": [1, 50], \"threads\": 96, \"deadlines\": "
                               "\"factor\", \"deadline_factor\": [0.3, 1], \"jitter\": [0, 0.1]}";
    struct grt_arena arena = {0};
    const struct grt_device gpu = device_of("jetson-tx2", &arena);
    check(&(struct wanted){"independent",
                           json,
                           &gpu,
                           {"pruda-single", "gpu-atomics", "pruda-sm"},
                           {.priorities = GRT_PRIORITIES_DEADLINE_MONOTONIC},
                           5});
    grt_arena_clear(&arena);
}

static void other_devices_are_written(void) {
    struct grt_arena arena = {0};
    struct grt_device gpu = device_of("jetson-tx2", &arena);
    gpu.name = "of-nobody";
    check(&(struct wanted){"independent", "{}", &gpu, {"fifo"}, {0}, 2});
    grt_arena_clear(&arena);
}

/* The first error where a set of the scenario file cannot be written. */
static void expect_refused(const struct wanted *wanted, uint64_t sample, const char *message) {
    struct grt_evaluation evaluations[3];
    struct grt_errors errors = {0};
    struct grt_arena arena = {0};
    struct drawn_trial trial;
    start(&trial, wanted, evaluations, &arena, &errors);
    CU_ASSERT_PTR_NULL(grt_sampler_scenario(trial.sampler, 0, sample, 0, &errors));
    CU_ASSERT_FATAL(errors.count >= 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], message));
    if (strstr(errors.messages[0], message) == NULL) {
        grt_errors_print(&errors, stdout, "    ");
    }
    grt_errors_clear(&errors);
    stop(&trial, &arena);
}

static void sets_that_cannot_be_written_are_refused(void) {
    struct grt_arena arena = {0};
    const struct grt_device gpu = device_of("jetson-tx2", &arena), cores = device_of("exclusive", &arena);
    expect_refused(
        &(struct wanted){
            "scenario", "{\"file\": \"scenarios/rules/k1-host-functions.json\"}", &gpu, {"hardware"}, {0}, 1},
        0, "a call cannot be written");
    expect_refused(
        &(struct wanted){
            "independent", "{\"tasks\": 20, \"hyperperiod_below\": \"11ms\"}", &gpu, {"fifo"}, {0}, 1},
        0, "the generator found no set");
    /* Which cores the tasks have got follows from what the policy made of them. */
    expect_refused(&(struct wanted){"cores",
                                    "{\"utilisation\": 0.9}",
                                    &cores,
                                    {"pruda-single"},
                                    {.allocation = GRT_ALLOCATION_WORST_FIT},
                                    1},
                   0, "run in another way");
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tasks on cores", tasks_on_cores_are_written},
        {"applications", applications_are_written},
        {"changed by policies", sets_that_policies_change_are_written},
        {"other devices", other_devices_are_written},
        {"no files", sets_that_cannot_be_written_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sample_text", tests);
}
