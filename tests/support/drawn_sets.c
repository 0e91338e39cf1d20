#include "tests/support/drawn_sets.h"

#include <stdio.h>

#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "sim/check.h"
#include "sim/distribution.h"
#include "tests/support/cunit.h"

static void fill(struct grt_task *task, const char *name, grt_time period, grt_time time,
                 struct grt_arena *arena) {
    struct grt_segment *segment = grt_arena_new(arena, struct grt_segment);
    struct grt_command_spec *command = grt_arena_new(arena, struct grt_command_spec);
    command->kind = GRT_COMMAND_KERNEL;
    command->kernel.name = name;
    command->kernel.whole_device = true;
    command->kernel.block_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
    *segment = (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = command, .command_count = 1};
    *task = (struct grt_task){.name = name,
                              .arrival = GRT_ARRIVAL_PERIODIC,
                              .period = period,
                              .deadline = period,
                              .cpu = -1,
                              .priority = -period,
                              .segments = segment,
                              .segment_count = 1};
}

static bool make(const void *maker, uint64_t number, struct grt_arena *arena, struct grt_drawn_set *set) {
    static const grt_time times[DRAWN_KINDS][2] = {[DRAWN_LIGHT] = {2, 3},
                                                   [DRAWN_OVERLOADED] = {9, 6},
                                                   [DRAWN_BLOCKED] = {2, 9},
                                                   [DRAWN_IMPOSSIBLE] = {2, 3}};
    enum drawn_kind kind = number % DRAWN_KINDS;
    (void)maker;
    if (kind == DRAWN_NOTHING) {
        return false;
    }
    struct grt_task *tasks = grt_arena_array(arena, 2, sizeof *tasks);
    fill(&tasks[0], "fast", 10 * GRT_MILLISECOND, times[kind][0] * GRT_MILLISECOND, arena);
    fill(&tasks[1], "slow", 30 * GRT_MILLISECOND, times[kind][1] * GRT_MILLISECOND, arena);
    tasks[1].gpu = kind == DRAWN_IMPOSSIBLE ? 3 : 0;
    *set = (struct grt_drawn_set){.scenario = {.name = "drawn",
                                               .seed = number,
                                               .horizon = 300 * GRT_MILLISECOND,
                                               .tasks = tasks,
                                               .task_count = 2}};
    return true;
}

const struct grt_generator_ops drawn_sets = {.name = "drawn", .make = make};

void drawn_experiment_start(struct drawn_experiment *it, const struct grt_generator_ops *generator,
                            void *maker, const struct grt_evaluation *evaluations, size_t count) {
    it->point = (struct grt_point){.generator = generator, .maker = maker, .evaluations = evaluations};
    it->experiment = (struct grt_experiment){.name = "drawn",
                                             .title = "Drawn",
                                             .seed = 1,
                                             .samples = 20,
                                             .points = &it->point,
                                             .point_count = 1,
                                             .evaluation_count = count};
}

void drawn_trial_begin(struct drawn_trial *trial, const struct grt_generator_ops *generator, void *maker,
                       const struct grt_evaluation *evaluations, size_t count) {
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(count <= DRAWN_MOST_EVALUATIONS);
    drawn_experiment_start(&trial->drawn, generator, maker, evaluations, count);
    trial->study = grt_study_create(&trial->drawn.experiment, &errors);
    grt_errors_print(&errors, stderr, "    ");
    CU_ASSERT_FATAL(trial->study != NULL);
    trial->sampler = grt_sampler_create(trial->study);
}

void drawn_trial_end(struct drawn_trial *trial) {
    grt_sampler_free(trial->sampler);
    grt_study_free(trial->study);
}

void drawn_trial_run(struct drawn_trial *trial, uint64_t sample) {
    grt_sampler_run(trial->sampler, 0, sample, trial->found);
}

static const struct grt_analysis_ops *const *named(const char *name) {
    static const struct grt_analysis_ops *lists[64][2];
    static size_t count;
    const struct grt_analysis_ops *analysis = grt_analysis_find(name);
    GRT_REQUIRE(analysis != NULL && count < 64, "name an analysis that there is, and few of them");
    lists[count][0] = analysis;
    return lists[count++];
}

struct grt_evaluation drawn_analysis(const char *policy, const char *analysis, const struct grt_device *gpu) {
    struct grt_evaluation evaluation = drawn_simulation(policy, gpu);
    evaluation.kind = GRT_EVALUATE_ANALYSIS;
    evaluation.name = evaluation.label = analysis != NULL ? analysis : policy;
    evaluation.analyses = analysis != NULL ? named(analysis) : NULL;
    return evaluation;
}

struct grt_evaluation drawn_simulation(const char *policy, const struct grt_device *gpu) {
    const struct grt_policy_ops *ops = grt_policy_find(policy);
    GRT_REQUIRE(ops != NULL, "name a policy that there is");
    return (struct grt_evaluation){.name = policy,
                                   .label = policy,
                                   .kind = GRT_EVALUATE_SIMULATION,
                                   .policy = ops,
                                   .gpus = gpu,
                                   .gpu_count = 1};
}
