/* labels: soak */
/* What an experiment finds of a set is what its text says, read back as a file: for every generator, the verdicts of analyses that are run one by one, the
 * misses of a run, and the violations of a campaign. */
#include <stdlib.h>
#include <string.h>

#include "models/analysis_set.h"
#include "policies/analyses/run.h"
#include "scenarios/simulation.h"
#include "study/evaluate/sample.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "verify/campaign.h"

/* An experiment that is compared, and what was compared of it. */
struct comparison {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_sampler *sampler;
    struct grt_found found[GRT_MOST_EVALUATIONS];
    int compared[GRT_MOST_EVALUATIONS];               /* of each evaluation: sets */
    int outcomes[GRT_MOST_EVALUATIONS][GRT_OUTCOMES]; /* of these */
};

/* ---- analyses, one by one ---- */

struct verdicts {
    bool schedulable, unschedulable, unknown;
};

static struct verdicts judge_set(const struct grt_scenario *scenario, const struct grt_evaluation *evaluation,
                                 const struct grt_simulation *simulation, uint32_t gpu,
                                 enum grt_analysis_scope scope) {
    struct grt_arena arena = {0};
    struct verdicts verdicts = {0};
    struct grt_analysis_set set = grt_analysis_set_of(scenario, gpu, NULL, &arena);
    const struct grt_analysis_ops *const *list =
        evaluation->analyses != NULL ? evaluation->analyses : grt_analyses;
    const struct grt_policy_ops *policy = simulation->file.policy;
    const void *parameters = simulation->file.policy_parameters;
    for (; *list != NULL && set.count > 0; list++) {
        bool none = (*list)->policies[0] == NULL && evaluation->analyses != NULL;
        if ((*list)->scope == scope && (none || grt_analysis_speaks_of(*list, policy, parameters))) {
            struct grt_analysis_result result = grt_analysis_result_for(&set, &arena);
            set.parameters = none ? NULL : parameters;
            grt_analysis_run(*list, &set, &result);
            verdicts.schedulable |= result.verdict == GRT_VERDICT_SCHEDULABLE;
            verdicts.unschedulable |= result.verdict == GRT_VERDICT_UNSCHEDULABLE;
            verdicts.unknown |= result.verdict == GRT_VERDICT_UNKNOWN;
        }
    }
    grt_arena_clear(&arena);
    return verdicts;
}

static bool has_tasks(const struct grt_scenario *scenario, uint32_t gpu) {
    struct grt_arena arena = {0};
    bool has = grt_analysis_set_of(scenario, gpu, NULL, &arena).count > 0;
    grt_arena_clear(&arena);
    return has;
}

static enum grt_outcome judge(const struct grt_simulation *simulation,
                              const struct grt_evaluation *evaluation) {
    const struct grt_scenario *scenario = &simulation->file.scenario;
    struct verdicts whole =
        judge_set(scenario, evaluation, simulation, GRT_ANALYSIS_ALL_GPUS, GRT_SCOPE_PLATFORM);
    bool all = true, no = whole.unschedulable, some = whole.schedulable || whole.unknown;
    for (uint32_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        struct verdicts own = judge_set(scenario, evaluation, simulation, gpu, GRT_SCOPE_GPU);
        all = all && (own.schedulable || !has_tasks(scenario, gpu));
        no = no || own.unschedulable;
        some = some || own.schedulable || own.unknown;
    }
    return no                         ? GRT_OUTCOME_NO
           : whole.schedulable || all ? GRT_OUTCOME_YES
           : some                     ? GRT_OUTCOME_UNKNOWN
                                      : GRT_OUTCOME_INAPPLICABLE;
}

/* ---- runs and campaigns ---- */

static void check_run(struct grt_simulation *simulation, const struct grt_found *found) {
    struct grt_errors errors = {0};
    uint64_t missed = 0, jobs = 0;
    CU_ASSERT_FATAL(grt_simulation_run(simulation, false, &errors));
    for (size_t i = 0; i < simulation->result->task_count; i++) {
        missed += simulation->result->tasks[i].missed;
        jobs += simulation->result->tasks[i].released;
    }
    CU_ASSERT(found->values[0] == (double)missed && found->values[1] == (double)jobs);
    CU_ASSERT(missed == 0 || found->outcome == GRT_OUTCOME_NO);
}

static void check_campaign(const struct grt_simulation *simulation, const struct grt_evaluation *evaluation,
                           const struct grt_found *found) {
    const struct grt_campaign_options options = {
        .patterns = evaluation->patterns, .seed = simulation->file.scenario.seed, .jobs = evaluation->jobs};
    struct grt_errors errors = {0};
    struct grt_subject subject = {0};
    struct grt_campaign campaign = {0};
    grt_subject_start(&subject, &simulation->file.scenario, simulation->file.policy,
                      simulation->file.policy_parameters);
    CU_ASSERT_FATAL(grt_campaign_run(&campaign, &subject, &options, &errors));
    CU_ASSERT(found->values[0] == (double)campaign.violation_count);
    CU_ASSERT(found->values[1] == (double)campaign.jobs);
    CU_ASSERT_EQUAL(found->outcome, campaign.violation_count > 0 ? GRT_OUTCOME_NO : GRT_OUTCOME_YES);
    grt_campaign_free(&campaign);
    grt_subject_free(&subject);
}

/* ---- comparing ---- */

/* A set whose policy refuses it has no text of its own: the first evaluation's, with the policy of this one, which leaves tasks as they are. */
static bool read_set(struct comparison *it, size_t point, uint64_t sample, size_t number,
                     struct grt_simulation *simulation) {
    const struct grt_evaluation *evaluation = &it->experiment.points[point].evaluations[number];
    struct grt_errors errors = {0};
    char *text = grt_sampler_scenario(it->sampler, point, sample, number, &errors);
    bool own = text != NULL;
    grt_errors_clear(&errors);
    if (!own && evaluation->kind == GRT_EVALUATE_ANALYSIS && evaluation->policy->adapt == NULL) {
        text = grt_sampler_scenario(it->sampler, point, sample, 0, &errors);
    }
    grt_errors_clear(&errors);
    if (text == NULL) {
        return false;
    }
    const struct grt_scenario_text source = {text, strlen(text), GRT_SOURCE_DIR};
    CU_ASSERT_FATAL(grt_simulation_parse(simulation, &source, NULL, &errors));
    if (!own) {
        simulation->file.policy = evaluation->policy;
        simulation->file.policy_parameters = NULL;
    }
    free(text);
    return true;
}

static void compare_one(struct comparison *it, size_t point, uint64_t sample, size_t number) {
    const struct grt_evaluation *evaluation = &it->experiment.points[point].evaluations[number];
    const struct grt_found *found = &it->found[number];
    struct grt_simulation simulation = {0};
    if (!read_set(it, point, sample, number, &simulation)) {
        CU_ASSERT(found->outcome == GRT_OUTCOME_REFUSED || found->outcome == GRT_OUTCOME_NONE);
        return;
    }
    if (evaluation->kind == GRT_EVALUATE_ANALYSIS) {
        CU_ASSERT_EQUAL(found->outcome, judge(&simulation, evaluation));
    } else if (evaluation->kind == GRT_EVALUATE_SIMULATION) {
        check_run(&simulation, found);
    } else {
        check_campaign(&simulation, evaluation, found);
    }
    it->compared[number]++;
    it->outcomes[number][found->outcome]++;
    grt_simulation_free(&simulation);
}

static void start(struct comparison *it, const char *text) {
    struct grt_errors errors = {0};
    *it = (struct comparison){0};
    bool read =
        grt_experiment_parse(text, strlen(text), "text", GRT_SOURCE_DIR, NULL, &it->experiment, &errors);
    it->study = read ? grt_study_create(&it->experiment, &errors) : NULL;
    grt_errors_print(&errors, stderr, "    ");
    CU_ASSERT_FATAL(it->study != NULL);
    it->sampler = grt_sampler_create(it->study);
}

static void stop(struct comparison *it) {
    grt_sampler_free(it->sampler);
    grt_study_free(it->study);
    grt_experiment_free(&it->experiment);
}

/* `different`: how many evaluations have several outcomes at least, else it would show nothing. */
static void compare(const char *text, int different) {
    struct comparison it;
    struct grt_random random = grt_random_of_key(8);
    int varied = 0, of_a_set = grt_suite_cases(1, 3); /* evaluations of each set that are compared */
    start(&it, text);
    for (int cases = grt_suite_all_cases(200, 3000); cases > 0; cases--) {
        size_t point = (size_t)grt_random_below(&random, it.experiment.point_count);
        uint64_t sample = grt_random_below(&random, (uint64_t)it.experiment.samples);
        grt_sampler_run(it.sampler, point, sample, it.found);
        for (int i = 0; i < of_a_set; i++) {
            compare_one(&it, point, sample,
                        (size_t)grt_random_below(&random, it.experiment.evaluation_count));
        }
    }
    for (size_t i = 0; i < it.experiment.evaluation_count; i++) {
        int outcomes = 0;
        for (int j = 0; j < GRT_OUTCOMES; j++) {
            outcomes += it.outcomes[i][j] > 0;
        }
        varied += outcomes > 1;
        CU_ASSERT(it.compared[i] > 0);
    }
    CU_ASSERT(varied >= different);
    stop(&it);
}

#define SIMULATION(policy)                                                                                   \
    "{\"name\": \"" policy "\", \"kind\": \"simulation\", \"policy\": {\"name\": \"" policy "\"},"           \
    " \"measures\": [\"missed\", \"jobs\"]}"
#define ANALYSIS(name) "{\"name\": \"" name "?\", \"kind\": \"analysis\", \"analysis\": \"" name "\"}"
#define VERIFY(policy)                                                                                       \
    "{\"name\": \"" policy "!\", \"kind\": \"verify\", \"policy\": {\"name\": \"" policy "\"},"              \
    " \"patterns\": 3, \"jobs\": 10, \"measures\": [\"violations\", \"jobs\"]}"

static void independent_tasks(void) {
    compare(
        "{\"gpurt_experiment\": 1, \"name\": \"i\", \"samples\": 1000, \"horizon\": {\"periods\": 1},"
        " \"generator\": {\"name\": \"independent\", \"tasks\": 4, \"utilisation\": 0.5,"
        " \"periods\": \"uniform\", \"min_period\": \"5ms\", \"max_period\": \"50ms\", \"granularity\": "
        "\"1ms\"},"
        " \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},"
        " \"axes\": [{\"name\": \"n\", \"path\": \"generator.tasks\", \"values\": [2, 4, 6]},"
        " {\"name\": \"u\", \"path\": \"generator.utilisation\", \"values\": [0.5, 0.95, 1.05]}],"
        " \"evaluations\": [" SIMULATION("fifo") "," SIMULATION("np-edf") "," ANALYSIS("np-edf-exact") "," ANALYSIS("np-fp-response") "," ANALYSIS("tdm") "," ANALYSIS("edf-demand") "," ANALYSIS(
            "fp-response") "," ANALYSIS("fp-suspension") "," ANALYSIS("rm-"
                                                                      "utilisatio"
                                                                      "n") "," ANALYSIS("rm-hyperbolic") ","
                                                                                                         "{\""
                                                                                                         "nam"
                                                                                                         "e\""
                                                                                                         ": "
                                                                                                         "\"a"
                                                                                                         "ll"
                                                                                                         "\","
                                                                                                         " \""
                                                                                                         "kin"
                                                                                                         "d\""
                                                                                                         ": "
                                                                                                         "\"a"
                                                                                                         "nal"
                                                                                                         "ysi"
                                                                                                         "s\""
                                                                                                         ", "
                                                                                                         "\"p"
                                                                                                         "oli"
                                                                                                         "cy"
                                                                                                         "\":"
                                                                                                         " {"
                                                                                                         "\"n"
                                                                                                         "ame"
                                                                                                         "\":"
                                                                                                         " \""
                                                                                                         "np-"
                                                                                                         "edf"
                                                                                                         "\"}"
                                                                                                         "}"
                                                                                                         "," VERIFY(
                                                                                                             "np-fp") "]}",
        11);
}

static void tasks_on_cores(void) {
    compare("{\"gpurt_experiment\": 1, \"name\": \"c\", \"samples\": 1000, \"horizon\": {\"periods\": 1},"
            " \"generator\": {\"name\": \"cores\", \"cores\": 2, \"gpu_tasks\": 0.3},"
            " \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},"
            " \"axes\": [{\"name\": \"g\", \"path\": \"generator.gpu_tasks\", \"values\": [0.1, 0.5]},"
            " {\"name\": \"u\", \"path\": \"generator.utilisation\", \"values\": [[0.4, 0.6], [0.7, 0.9]]}],"
            " \"evaluations\": [" SIMULATION("mpcp") "," ANALYSIS("mpcp") "," ANALYSIS("fmlp+") "," ANALYSIS(
                "gpu-server") "," ANALYSIS("fp-response") "," VERIFY("gpu-server") "]}",
            4);
}

static void applications(void) {
    compare(
        "{\"gpurt_experiment\": 1, \"name\": \"a\", \"samples\": 1000, \"horizon\": {\"periods\": 1},"
        " \"generator\": {\"name\": \"applications\", \"utilisation\": 0.5},"
        " \"platform\": {\"gpus\": [{\"device\": \"gtx1060_6gb\", \"granularity\": \"shares\"}]},"
        " \"axes\": [{\"name\": \"u\", \"path\": \"generator.utilisation\", \"values\": [0.3, 0.9, 1.5]}],"
        " \"evaluations\": [" SIMULATION("np-edf") "," SIMULATION("static-shares") "," ANALYSIS(
            "np-edf-exact") "," ANALYSIS("utilisation") "]}",
        4);
}

static void whole_scenarios(void) {
    compare("{\"gpurt_experiment\": 1, \"name\": \"w\", \"samples\": 1000,"
            " \"generator\": {\"name\": \"scenario\", \"file\": \"scenarios/quickstart.json\", \"set\": []},"
            " \"axes\": [{\"name\": \"period\", \"path\": \"generator.set\", \"values\": ["
            " {\"label\": \"short\", \"value\": [\"tasks[0].period=10ms\"]}, {\"label\": \"long\", "
            "\"value\": [\"tasks[0].period=60ms\"]}]}],"
            " \"evaluations\": [{\"name\": \"s\", \"kind\": \"simulation\", \"measures\": [\"missed\", "
            "\"jobs\"]},"
            " {\"name\": \"a\", \"kind\": \"analysis\"}," ANALYSIS(
                "edf-demand") ","
                              "{\"name\": \"v\", \"kind\": \"verify\", \"patterns\": 3, \"measures\": "
                              "[\"violations\", \"jobs\"]}]}",
            1);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"independent tasks", independent_tasks},
        {"tasks on cores", tasks_on_cores},
        {"applications", applications},
        {"whole scenarios", whole_scenarios},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("sets evaluated and read back", tests);
}
