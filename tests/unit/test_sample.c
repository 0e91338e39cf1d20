/* labels: soak */
/* What evaluations find of sets, against direct calls of analyses and worlds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/world.h"
#include "policies/analyses/run.h"
#include "policies/registry.h"
#include "scenarios/generate/kim.h"
#include "study/evaluate/sample.h"
#include "tests/support/drawn_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "verify/campaign.h"

static const struct grt_path no_path = {0};

/* ---- outcomes ---- */

static void every_outcome_of_simulations(void) {
    static const enum grt_outcome expected[DRAWN_KINDS] = {
        [DRAWN_LIGHT] = GRT_OUTCOME_YES,
        [DRAWN_OVERLOADED] = GRT_OUTCOME_NO,
        [DRAWN_BLOCKED] = GRT_OUTCOME_YES, /* at these offsets, which are all 0 */
        [DRAWN_IMPOSSIBLE] = GRT_OUTCOME_REFUSED,
        [DRAWN_NOTHING] = GRT_OUTCOME_NONE};
    struct grt_device gpu = grt_built_exclusive();
    const struct grt_evaluation evaluation = drawn_simulation("np-edf", &gpu);
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, &evaluation, 1);
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < DRAWN_KINDS; i++) {
            drawn_trial_run(&trial, round * DRAWN_KINDS + i);
            CU_ASSERT_EQUAL(trial.found[0].outcome, expected[i]);
            CU_ASSERT_EQUAL(trial.found[0].reason[0] == '\0', expected[i] == GRT_OUTCOME_YES);
            CU_ASSERT_EQUAL(isnan(trial.found[0].values[0]) != 0,
                            i == DRAWN_IMPOSSIBLE || i == DRAWN_NOTHING);
        }
    }
    drawn_trial_run(&trial, DRAWN_IMPOSSIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(trial.found[0].reason, "tasks[1].gpu"));
    drawn_trial_end(&trial);
}

static void every_outcome_of_analyses(void) {
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluations[] = {
        drawn_analysis("np-edf", "np-edf-exact", &gpu), drawn_analysis("np-fp", "np-fp-response", &gpu),
        drawn_analysis("np-edf", "np-fp-response", &gpu), drawn_analysis("np-edf", NULL, &gpu),
        drawn_analysis("np-edf", "utilisation", &gpu)};
    static const enum grt_outcome expected[][5] = {
        {GRT_OUTCOME_YES, GRT_OUTCOME_YES, GRT_OUTCOME_INAPPLICABLE, GRT_OUTCOME_YES, GRT_OUTCOME_UNKNOWN},
        {GRT_OUTCOME_NO, GRT_OUTCOME_NO, GRT_OUTCOME_INAPPLICABLE, GRT_OUTCOME_NO, GRT_OUTCOME_NO},
        {GRT_OUTCOME_NO, GRT_OUTCOME_NO, GRT_OUTCOME_INAPPLICABLE, GRT_OUTCOME_NO, GRT_OUTCOME_UNKNOWN}};
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, evaluations, 5);
    for (uint64_t i = 0; i < 3; i++) {
        drawn_trial_run(&trial, i);
        for (size_t j = 0; j < 5; j++) {
            CU_ASSERT_EQUAL(trial.found[j].outcome, expected[i][j]);
        }
    }
    CU_ASSERT_STRING_EQUAL(trial.found[2].reason, "no analysis that is asked speaks of policy np-edf");
    drawn_trial_run(&trial, DRAWN_IMPOSSIBLE);
    CU_ASSERT_EQUAL(trial.found[0].outcome, GRT_OUTCOME_REFUSED);
    drawn_trial_run(&trial, DRAWN_NOTHING);
    CU_ASSERT_EQUAL(trial.found[0].outcome, GRT_OUTCOME_NONE);
    drawn_trial_end(&trial);
}

/* ---- measures ---- */

/* LIGHT under np-fp: fast ends at 2, 12, 22 ms; slow at 5 ms: [0, 2) fast, [2, 5) slow. 10 rounds of 30 ms. */
static void measures_of_a_simulation_by_hand(void) {
    static const char *const wanted[] = {"jobs",
                                         "missed",
                                         "miss_ratio",
                                         "response_ratio",
                                         "gpu_busy",
                                         "end",
                                         "response_max:slow",
                                         "jobs:fast",
                                         "slack:fast",
                                         "response_p99:fast",
                                         "core_busy",
                                         "tardiness"};
    static const double expected[] = {40, 0, 0, 0.2, 0.3, 300e6, 5e6, 30, 30 * -8e6, 2e6, (double)NAN, 0};
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluation = drawn_simulation("np-fp", &gpu);
    struct grt_errors errors = {0};
    evaluation.measures = wanted;
    evaluation.measure_count = sizeof wanted / sizeof wanted[0];
    CU_ASSERT(grt_evaluation_check(&evaluation, &errors, &no_path));
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, &evaluation, 1);
    drawn_trial_run(&trial, DRAWN_LIGHT);
    for (size_t i = 0; i < evaluation.measure_count; i++) {
        double value = trial.found[0].values[i];
        CU_ASSERT(isnan(expected[i]) ? isnan(value) : fabs(value - expected[i]) <= 1e-12 * fabs(expected[i]));
    }
    drawn_trial_end(&trial);
}

/* 9 ms in 10 and 6 ms in 30 from 0 on, the more urgent first: slow begins at 9 ms, fast's second job at 15 ms, and ends at 24 ms. */
static void simulations_stop_at_misses_and_horizons(void) {
    static const char *const wanted[] = {"end", "missed", "tardiness"};
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluations[3];
    for (int i = 0; i < 3; i++) {
        evaluations[i] = drawn_simulation("np-fp", &gpu);
        evaluations[i].measures = wanted;
        evaluations[i].measure_count = 3;
    }
    evaluations[0].stop_at_miss = true;
    evaluations[1].horizon = 25 * GRT_MILLISECOND;
    evaluations[2].periods = 2.5;
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, evaluations, 3);
    drawn_trial_run(&trial, DRAWN_OVERLOADED);
    CU_ASSERT(trial.found[0].values[0] == 20e6 && trial.found[0].values[1] == 1);
    CU_ASSERT(trial.found[1].values[0] == 25e6 && trial.found[1].values[2] == 4e6);
    CU_ASSERT(trial.found[2].values[0] == 75e6);
    CU_ASSERT_STRING_EQUAL(trial.found[0].reason, "task fast misses a deadline");
    drawn_trial_end(&trial);
}

/* fast waits for slow, which has begun 1 ns before and takes 3 ms, and takes 2 ms; slow: 3 + 2 = 5 of 30 ms. */
static void measures_of_an_analysis_by_hand(void) {
    static const char *const wanted[] = {"response_ratio", "steps", "first_miss_by"};
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluation = drawn_analysis("np-fp", "np-fp-response", &gpu);
    evaluation.measures = wanted;
    evaluation.measure_count = 3;
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, &evaluation, 1);
    drawn_trial_run(&trial, DRAWN_LIGHT);
    CU_ASSERT_DOUBLE_EQUAL(trial.found[0].values[0], 0.4999999, 1e-12);
    CU_ASSERT(trial.found[0].values[1] > 0);
    drawn_trial_run(&trial, DRAWN_BLOCKED);
    CU_ASSERT(isnan(trial.found[0].values[0]));
    drawn_trial_end(&trial);
}

/* DRAWN_LIGHT, of which the deadline of "slow" counts from releases that are late in odd sets, on a GPU of its own in sets 2 and 3. */
static bool make_late(const void *maker, uint64_t number, struct grt_arena *arena,
                      struct grt_drawn_set *set) {
    if (!drawn_sets.make(maker, DRAWN_LIGHT, arena, set)) {
        return false;
    }
    struct grt_task *tasks = grt_arena_array(arena, set->scenario.task_count, sizeof *tasks);
    memcpy(tasks, set->scenario.tasks, set->scenario.task_count * sizeof *tasks);
    tasks[1].jitter = number % 2 == 1 ? GRT_MILLISECOND : 0;
    tasks[1].deadline_from = GRT_DEADLINE_FROM_RELEASE;
    tasks[1].gpu = number >= 2 ? 1 : 0;
    set->scenario.tasks = tasks;
    return true;
}

/* A bound from the arrival says nothing of how near to such a deadline a job ends, and the other task alone nothing of the largest ratio. */
static void without_all_bounds_there_is_no_ratio(void) {
    static const struct grt_generator_ops late_sets = {.name = "late", .make = make_late};
    const struct grt_device gpus[] = {grt_built_exclusive(), grt_built_exclusive()};
    struct grt_evaluation evaluation = drawn_analysis("np-fp", "np-fp-response", gpus);
    struct drawn_trial trial;
    evaluation.gpu_count = 2;
    drawn_trial_begin(&trial, &late_sets, NULL, &evaluation, 1);
    for (uint64_t number = 0; number < 4; number++) {
        drawn_trial_run(&trial, number);
        CU_ASSERT_EQUAL(trial.found[0].outcome, GRT_OUTCOME_YES);
        CU_ASSERT_EQUAL(isnan(trial.found[0].values[0]) != 0, number % 2 == 1);
    }
    drawn_trial_end(&trial);
}

static void campaigns_find_nothing(void) {
    static const char *const wanted[] = {"patterns", "violations", "closeness", "response_ratio"};
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluation = drawn_simulation("np-fp", &gpu);
    evaluation.kind = GRT_EVALUATE_VERIFY;
    evaluation.patterns = 15;
    evaluation.measures = wanted;
    evaluation.measure_count = 4;
    struct drawn_trial trial;
    drawn_trial_begin(&trial, &drawn_sets, NULL, &evaluation, 1);
    drawn_trial_run(&trial, DRAWN_LIGHT);
    CU_ASSERT_EQUAL(trial.found[0].outcome, GRT_OUTCOME_YES);
    CU_ASSERT(trial.found[0].values[0] == 15 && trial.found[0].values[1] == 0);
    CU_ASSERT_DOUBLE_EQUAL(trial.found[0].values[2], 1, 1e-6); /* slow in front of fast is tried */
    CU_ASSERT_DOUBLE_EQUAL(trial.found[0].values[3], 0.5, 1e-6);
    drawn_trial_run(&trial, DRAWN_IMPOSSIBLE);
    CU_ASSERT_EQUAL(trial.found[0].outcome, GRT_OUTCOME_REFUSED);
    drawn_trial_end(&trial);
}

/* ---- against direct calls ---- */

enum { LOCKS = 4 };

struct direct {
    enum grt_verdict verdict;
    double ratio;
};

static void take_direct(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                        const struct grt_analysis_result *result) {
    struct direct *direct = context;
    (void)ops;
    *direct = (struct direct){result->verdict, 0};
    for (size_t i = 0; i < set->count; i++) {
        double ratio = (double)result->response[i] / (double)set->tasks[i].deadline;
        direct->ratio = ratio > direct->ratio ? ratio : direct->ratio;
    }
}

static void analyse_directly(const struct grt_generator_ops *generator, const void *maker, uint64_t number,
                             const struct grt_evaluation *evaluation, struct direct *direct) {
    struct grt_arena arena = {0};
    struct grt_drawn_set set;
    CU_ASSERT_FATAL(generator->make(maker, number, &arena, &set));
    set.scenario.gpus = evaluation->gpus;
    set.scenario.gpu_count = 1;
    const struct grt_analyses_subject subject = {
        &set.scenario, evaluation->policy, grt_set_parameters(&set, evaluation->policy, NULL, 0, &arena)};
    const struct grt_analyses_choice choice = {.analyses = evaluation->analyses};
    const struct grt_analyses_visitor visitor = {direct, NULL, take_direct};
    grt_analyses_run(&subject, &choice, &visitor, &arena);
    grt_arena_clear(&arena);
}

static void *cores_maker(uint64_t seed) {
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_errors errors = {0};
    spec.gpu_tasks = (struct grt_generated_range){0.4, 0.7};
    spec.utilisation = (struct grt_generated_range){0.3, 0.6};
    void *maker = generator->create(&spec, &(struct grt_generator_place){.seed = seed}, &errors, &no_path);
    CU_ASSERT_FATAL(maker != NULL);
    return maker;
}

/* All evaluations see the same set, whatever is shared among them. */
static void analyses_are_those_of_direct_calls(void) {
    static const enum grt_outcome outcomes[] = {[GRT_VERDICT_INAPPLICABLE] = GRT_OUTCOME_INAPPLICABLE,
                                                [GRT_VERDICT_SCHEDULABLE] = GRT_OUTCOME_YES,
                                                [GRT_VERDICT_UNSCHEDULABLE] = GRT_OUTCOME_NO,
                                                [GRT_VERDICT_UNKNOWN] = GRT_OUTCOME_UNKNOWN};
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_device gpu = grt_built_exclusive();
    const struct grt_evaluation evaluations[LOCKS] = {
        drawn_analysis("mpcp", "mpcp", &gpu), drawn_analysis("fmlp+", "fmlp+", &gpu),
        drawn_analysis("gpu-server", "gpu-server", &gpu), drawn_analysis("mpcp", "mpcp", &gpu)};
    void *maker = cores_maker(7);
    struct drawn_trial trial;
    int yes = 0, cases = grt_suite_cases(100, 3000);
    drawn_trial_begin(&trial, generator, maker, evaluations, LOCKS);
    for (int number = 0; number < cases; number++) {
        drawn_trial_run(&trial, (uint64_t)number);
        for (size_t i = 0; i < LOCKS; i++) {
            struct direct direct = {0};
            analyse_directly(generator, maker, (uint64_t)number, &evaluations[i], &direct);
            CU_ASSERT_EQUAL(trial.found[i].outcome, outcomes[direct.verdict]);
            CU_ASSERT(direct.verdict != GRT_VERDICT_SCHEDULABLE || trial.found[i].values[0] == direct.ratio);
            yes += direct.verdict == GRT_VERDICT_SCHEDULABLE;
        }
    }
    CU_ASSERT(yes > 0 && yes < cases * LOCKS); /* else it would show nothing */
    drawn_trial_end(&trial);
    generator->destroy(maker);
}

static void simulate_directly(const struct grt_generator_ops *generator, const void *maker, uint64_t number,
                              const struct grt_evaluation *evaluation, const struct grt_found *found) {
    struct grt_arena arena = {0};
    struct grt_drawn_set set;
    struct grt_errors errors = {0};
    uint64_t missed = 0, jobs = 0;
    CU_ASSERT_FATAL(generator->make(maker, number, &arena, &set));
    set.scenario.gpus = evaluation->gpus;
    set.scenario.gpu_count = 1;
    struct grt_world *world = grt_world_create(&set.scenario, evaluation->policy,
                                               grt_set_parameters(&set, evaluation->policy, NULL, 0, &arena),
                                               &(struct grt_world_options){0}, &errors);
    CU_ASSERT_FATAL(world != NULL);
    grt_world_run(world);
    const struct grt_result *result = grt_world_result(world);
    for (size_t i = 0; i < result->task_count; i++) {
        missed += result->tasks[i].missed;
        jobs += result->tasks[i].released;
    }
    CU_ASSERT_EQUAL(found->outcome, missed > 0 ? GRT_OUTCOME_NO : GRT_OUTCOME_YES);
    CU_ASSERT(found->values[0] == (double)missed && found->values[1] == (double)jobs);
    CU_ASSERT(found->values[2] == (double)result->events);
    grt_world_free(world);
    grt_arena_clear(&arena);
}

static void simulations_are_those_of_direct_calls(void) {
    static const char *const wanted[] = {"missed", "jobs", "events"};
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation evaluations[] = {drawn_simulation("mpcp", &gpu),
                                           drawn_simulation("gpu-server", &gpu)};
    void *maker = cores_maker(9);
    struct drawn_trial trial;
    for (size_t i = 0; i < 2; i++) {
        evaluations[i].measures = wanted;
        evaluations[i].measure_count = 3;
    }
    drawn_trial_begin(&trial, generator, maker, evaluations, 2);
    for (int number = grt_suite_cases(20, 500); number-- > 0;) {
        drawn_trial_run(&trial, (uint64_t)number);
        for (size_t i = 0; i < 2; i++) {
            simulate_directly(generator, maker, (uint64_t)number, &evaluations[i], &trial.found[i]);
        }
    }
    drawn_trial_end(&trial);
    generator->destroy(maker);
}

/* A sampler that has worked on much else finds the same as a new one. */
static void samples_do_not_depend_on_those_before(void) {
    const struct grt_generator_ops *generator = grt_generator_find("cores");
    struct grt_device gpu = grt_built_exclusive();
    const struct grt_evaluation evaluations[] = {drawn_analysis("mpcp", NULL, &gpu),
                                                 drawn_simulation("fmlp+", &gpu)};
    void *maker = cores_maker(11);
    struct drawn_trial used, fresh;
    drawn_trial_begin(&used, generator, maker, evaluations, 2);
    for (uint64_t number = 0; number < 20; number++) {
        drawn_trial_begin(&fresh, generator, maker, evaluations, 2);
        drawn_trial_run(&fresh, 19 - number);
        drawn_trial_run(&used, 19 - number);
        for (size_t i = 0; i < 2; i++) {
            CU_ASSERT_EQUAL(used.found[i].outcome, fresh.found[i].outcome);
            CU_ASSERT_STRING_EQUAL(used.found[i].reason, fresh.found[i].reason);
            CU_ASSERT(used.found[i].values[0] == fresh.found[i].values[0] ||
                      (isnan(used.found[i].values[0]) && isnan(fresh.found[i].values[0])));
        }
        drawn_trial_end(&fresh);
    }
    drawn_trial_end(&used);
    generator->destroy(maker);
}

/* ---- names ---- */

static void check_refused(struct grt_evaluation evaluation, const char *const *names, size_t count,
                          const char *message) {
    struct grt_errors errors = {0};
    evaluation.measures = names;
    evaluation.measure_count = count;
    CU_ASSERT(!grt_evaluation_check(&evaluation, &errors, &no_path));
    CU_ASSERT_FATAL(errors.count == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], message));
    grt_errors_clear(&errors);
}

static void unknown_measures_are_refused(void) {
    static const char *const typo[] = {"mis_ratio"}, *const twice[] = {"jobs", "jobs"},
                             *const empty[] = {"response_max:"}, *const alone[] = {"response_max"},
                             *const whole[] = {"events:t1"};
    struct grt_device gpu = grt_built_exclusive();
    struct grt_evaluation simulation = drawn_simulation("fifo", &gpu);
    check_refused(simulation, typo, 1, "measures[0]: no simulation has this measure (got \"mis_ratio\")");
    check_refused(simulation, twice, 2, "measures[1]: is there already (got \"jobs\")");
    check_refused(simulation, empty, 1, "measures[0]: no simulation has this measure");
    check_refused(simulation, alone, 1, "measures[0]: no simulation has this measure");
    check_refused(simulation, whole, 1, "measures[0]: no simulation has this measure");
    check_refused(drawn_analysis("np-fp", NULL, &gpu), twice, 1,
                  "no analysis has this measure (got \"jobs\")");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"outcomes of simulations", every_outcome_of_simulations},
        {"outcomes of analyses", every_outcome_of_analyses},
        {"measures of a simulation", measures_of_a_simulation_by_hand},
        {"misses and horizons", simulations_stop_at_misses_and_horizons},
        {"measures of an analysis", measures_of_an_analysis_by_hand},
        {"ratios without bounds", without_all_bounds_there_is_no_ratio},
        {"campaigns", campaigns_find_nothing},
        {"analyses, directly", analyses_are_those_of_direct_calls},
        {"simulations, directly", simulations_are_those_of_direct_calls},
        {"independence", samples_do_not_depend_on_those_before},
        {"names", unknown_measures_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sample", tests);
}
