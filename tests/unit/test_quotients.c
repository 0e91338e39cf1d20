/* Measures that are quotients, with names of their own or without; and values that are about the same. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/results/compare.h"
#include "study/sweep/sweep.h"
#include "tests/support/suite.h"

/* Two policies on random sets; `first` and `second`: their measures. */
static bool sweep(const char *first, const char *second, struct grt_experiment *experiment,
                  struct grt_study **study, struct grt_results *results, struct grt_errors *errors) {
    char text[2048];
    int length = snprintf(
        text, sizeof text,
        "{\"gpurt_experiment\": 1, \"name\": \"q\", \"samples\": 3,"
        " \"generator\": {\"name\": \"independent\", \"tasks\": 4, \"utilisation\": 0.8},"
        " \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]}, \"evaluations\": ["
        "{\"name\": \"a\", \"kind\": \"simulation\", \"policy\": {\"name\": \"np-edf\"}, \"measures\": [%s]},"
        "{\"name\": \"b.c\", \"kind\": \"simulation\", \"policy\": {\"name\": \"np-rm\"}, \"measures\": "
        "[%s]}],"
        " \"claims\": [{\"text\": \"near\", \"measure\": \"ratio\", \"order\": [\"a\", \"b.c\"], \"about\": "
        "0.1}]}",
        first, second);
    const struct grt_sweep_options options = {.threads = 1};
    *study = NULL;
    bool read = grt_experiment_parse(text, (size_t)length, "text", NULL, NULL, experiment, errors);
    *study = read ? grt_study_create(experiment, errors) : NULL;
    return *study != NULL && grt_sweep_run(*study, &options, results, errors);
}

static const struct grt_moments *moments(const struct grt_results *results, size_t evaluation,
                                         size_t measure) {
    return &grt_results_tally(results, 0, evaluation)->moments[measure];
}

/* Against the values of each sample, asked for apart. */
static void quotients_are_of_the_same_set(void) {
    struct grt_experiment experiment, plain;
    struct grt_study *study, *asked;
    struct grt_results results, values;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(sweep("\"end\", \"mean=jobs/events\", \"events/b.c.jobs\"",
                          "\"other=a.events/jobs\", \"end\"", &experiment, &study, &results, &errors));
    CU_ASSERT_FATAL(sweep("\"jobs\", \"events\", \"end\"", "\"jobs\", \"end\", \"events\"", &plain, &asked,
                          &values, &errors));
    CU_ASSERT_STRING_EQUAL(experiment.points[0].evaluations[0].measures[1], "mean");
    struct grt_sampler *sampler = grt_sampler_create(asked);
    double mean = 0, across = 0;
    for (uint64_t i = 0; i < 3; i++) {
        struct grt_found found[2];
        grt_sampler_run(sampler, 0, i, found);
        mean += found[0].values[0] / found[0].values[1] / 3;
        across += found[0].values[1] / found[1].values[0] / 3;
    }
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_mean(moments(&results, 0, 1)), mean, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_mean(moments(&results, 0, 2)), across, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(grt_moments_mean(moments(&results, 1, 0)), across, 1e-12);
    CU_ASSERT_EQUAL(moments(&results, 0, 0)->sum, moments(&values, 0, 2)->sum);
    CU_ASSERT_EQUAL(moments(&results, 1, 1)->sum, moments(&values, 1, 1)->sum);
    grt_sampler_free(sampler);
    grt_results_free(&results), grt_results_free(&values);
    grt_study_free(study), grt_study_free(asked);
    grt_experiment_free(&experiment), grt_experiment_free(&plain);
}

/* By nothing there is no quotient; a second name for a measure has its values. */
static void what_has_no_value(void) {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_results results;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(sweep("\"nothing=jobs/skipped\", \"jobs\", \"again=jobs\"", "\"jobs\"", &experiment,
                          &study, &results, &errors));
    CU_ASSERT_EQUAL(moments(&results, 0, 0)->count, 0);
    CU_ASSERT_EQUAL(moments(&results, 0, 1)->count, 3);
    CU_ASSERT_EQUAL(moments(&results, 0, 1)->sum, moments(&results, 0, 2)->sum);
    struct grt_claimed nearer = experiment.claims[0];
    nearer.measure = "jobs";
    struct grt_claim_found near = grt_compare_claim(&results, &nearer);
    CU_ASSERT(near.holds && near.by <= 0.1 + 1e-15);
    nearer.measure = "nothing";
    CU_ASSERT(!grt_compare_claim(&results, &nearer).holds);
    grt_results_free(&results);
    grt_study_free(study);
    grt_experiment_free(&experiment);
}

static void refused(const char *measures, const char *message) {
    struct grt_experiment experiment;
    struct grt_study *study;
    struct grt_results results;
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(sweep(measures, "\"jobs\"", &experiment, &study, &results, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], message));
    if (strstr(errors.messages[0], message) == NULL) {
        printf("\n    %s ", errors.messages[0]);
    }
    grt_errors_clear(&errors);
    grt_study_free(study);
    grt_experiment_free(&experiment);
}

static void absurd_quotients_are_refused(void) {
    refused("\"jobs/nothing\"",
            "evaluations[0].measures[0]: no simulation has this measure (got \"nothing\")");
    refused("\"c.jobs/jobs\"",
            "evaluations[0].measures[0]: there is no evaluation of this name (got \"c.jobs\")");
    refused("\"jobs/jobs/jobs\"", "must be a quotient of two measures (got \"jobs/jobs/jobs\")");
    refused("\"a/b=jobs\"", "must begin with a name without");
    refused("\"=jobs\"", "must begin with a name without");
    refused("\"x=\"", "no simulation has this measure (got \"\")");
    refused("\"jobs\", \"jobs=missed\"", "evaluations[0].measures[1]: is there already (got \"jobs\")");
}

/* The results would have two columns of one name. */
static void axes_are_no_measures(void) {
    static const char usual[] = "", own[] = ",\"measures\":[\"Jobs=jobs\"]";
    for (int i = 0; i < 4; i++) {
        char text[1000];
        struct grt_experiment experiment;
        struct grt_errors errors = {0};
        int length = snprintf(
            text, sizeof text,
            "{\"gpurt_experiment\":1,\"name\":\"q\",\"generator\":{\"name\":\"independent\"},"
            "\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"axes\":[{\"name\":\"%s\","
            "\"path\":\"generator.tasks\",\"values\":[2,3]}],\"evaluations\":[{\"name\":\"a\",\"kind\":"
            "\"simulation\",\"policy\":{\"name\":\"fifo\"}%s}]}",
            i < 2 ? "jobs" : "miss_ratio", i % 2 == 0 ? usual : own);
        CU_ASSERT_FATAL(grt_experiment_parse(text, (size_t)length, "text", NULL, NULL, &experiment, &errors));
        struct grt_study *study = grt_study_create(&experiment, &errors);
        bool clash = i == 1 || i == 2;
        CU_ASSERT_EQUAL(study == NULL, clash);
        CU_ASSERT_EQUAL_FATAL(errors.count, clash);
        if (clash) {
            CU_ASSERT_PTR_NOT_NULL(strstr(
                errors.messages[0], "axes[0].name: must not be that of a measure, which evaluation a has"));
        }
        grt_errors_clear(&errors);
        grt_study_free(study);
        grt_experiment_free(&experiment);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"quotients are of the same set", quotients_are_of_the_same_set},
        {"what has no value", what_has_no_value},
        {"absurd quotients are refused", absurd_quotients_are_refused},
        {"axes are no measures", axes_are_no_measures},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("quotients", tests);
}
