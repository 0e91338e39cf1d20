/* What experiments wish to see and cannot: refused before the first set where that is known, told at the end where it is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/evaluate/sample.h"
#include "study/results/absent.h"
#include "tests/support/suite.h"

enum { TEXT_SIZE = 4096 };

static int samples = 5; /* of each point */

/* An experiment on sets t1 to t4, with these evaluations and other fields. */
static bool read(const char *evaluations, const char *others, struct grt_experiment *experiment,
                 struct grt_errors *errors) {
    char text[TEXT_SIZE];
    snprintf(text, sizeof text,
             "{\"gpurt_experiment\": 1, \"name\": \"w\", \"samples\": %d, \"generator\": {\"name\": "
             "\"independent\", \"tasks\": 4, \"utilisation\": 0.5, \"max_period\": \"100ms\"}, "
             "\"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]}, \"evaluations\": [%s]%s}",
             samples, evaluations, others);
    bool good = grt_experiment_parse(text, strlen(text), "text", NULL, NULL, experiment, errors);
    grt_errors_print(errors, stderr, "    ");
    CU_ASSERT_FATAL(good);
    return grt_study_check(experiment, errors);
}

/* Both the check and the study refuse it; the first error. */
static void refused(const char *evaluations, const char *others, const char *message) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0}, again = {0};
    CU_ASSERT_FALSE(read(evaluations, others, &experiment, &errors));
    CU_ASSERT_PTR_NULL(grt_study_create(&experiment, &again));
    CU_ASSERT_FATAL(errors.count >= 1 && again.count == errors.count);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], again.messages[0]);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], message));
    if (strstr(errors.messages[0], message) == NULL) {
        printf("\n    %s\n", errors.messages[0]);
    }
    grt_errors_clear(&errors);
    grt_errors_clear(&again);
    grt_experiment_free(&experiment);
}

static void accepted(const char *evaluations, const char *others) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    CU_ASSERT(read(evaluations, others, &experiment, &errors));
    grt_errors_print(&errors, stderr, "    ");
    grt_errors_clear(&errors);
    grt_experiment_free(&experiment);
}

#define EXACT "{\"name\": \"e\", \"kind\": \"analysis\", \"analysis\": \"np-edf-exact\", \"measures\": "
#define TDM "{\"name\": \"t\", \"kind\": \"analysis\", \"analysis\": \"tdm\", \"measures\": "
#define RUN "{\"name\": \"s\", \"kind\": \"simulation\", \"policy\": {\"name\": \"np-edf\"}, \"measures\": "

static void measures_that_nothing_gives(void) {
    refused(
        EXACT "[\"load\"]}", "",
        "evaluations[0].measures[0]: no analysis that is asked gives this measure (got \"load\"); tdm does");
    refused(
        EXACT "[\"steps\", \"response_ratio\"]}", "",
        "evaluations[0].measures[1]: no analysis that is asked gives this measure (got \"response_ratio\"); "
        "np-edf-response, ");
    refused(EXACT "[\"x=steps/wait\"]}", "",
            "evaluations[0].measures[0]: no analysis that is asked gives this measure (got \"wait\"); "
            "gpu-server, "
            "mpcp, fmlp+ do");
    refused(EXACT "[\"steps\"]}, " TDM "[\"e.load/load\"]}", "",
            "evaluations[1].measures[0]: no analysis that");
    accepted(EXACT "[\"steps\", \"first_miss_by\"]}, " TDM "[\"load\", \"slots:t1\", \"response_ratio\"]}",
             "");
    /* one of the points is enough */
    accepted(EXACT "[\"load\"]}", ", \"axes\": [{\"name\": \"a\", \"path\": \"evaluations[0].analysis\", "
                                  "\"values\": [\"np-edf-exact\", \"tdm\"]}]");
}

static void tasks_that_no_set_has(void) {
    refused(RUN "[\"response_max:t9\"]}", "",
            "evaluations[0].measures[0]: no set has a task of this name (got \"t9\"): none of the first 5 of "
            "each");
    refused(RUN "[\"jobs:t4/jobs:T1\"]}", "", "no set has a task of this name (got \"T1\")");
    refused(TDM "[\"slots:t5\"]}", "", "no set has a task of this name (got \"t5\")");
    accepted(RUN "[\"response_max:t4\"]}", "");
    accepted(RUN "[\"response_max:t9\"]}",
             ", \"axes\": [{\"name\": \"n\", \"path\": \"generator.tasks\", \"values\": [4, 9]}]");
}

/* Which of the first two sets at the only point are found: 1 and 2. */
static unsigned found_sets(const char *evaluations, const char *others) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(read(evaluations, others, &experiment, &errors));
    struct grt_arena arena = {0};
    unsigned found = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct grt_drawn_set set;
        found |= (unsigned)experiment.points[0].generator->make(experiment.points[0].maker, i, &arena, &set)
                 << i;
    }
    grt_arena_clear(&arena);
    grt_experiment_free(&experiment);
    return found;
}

/* They have no tasks, in a sweep as well; but three are the most that are searched for. */
static void sets_that_are_not_found(void) {
#define UTILISATIONS(list)                                                                                   \
    ", \"axes\": [{\"name\": \"n\", \"path\": \"generator.tasks\", \"values\": [25]}, {\"name\": \"u\", "    \
    "\"path\": \"generator.utilisation\", \"values\": [" list "]}]"
#define NOT_THERE "no set has a task of this name (got \"t99\")"
    samples = 2;
    CU_ASSERT_EQUAL(found_sets(RUN "[\"jobs:t25\"]}", UTILISATIONS("15.6")), 2);
    refused(RUN "[\"jobs:t99\"]}", UTILISATIONS("15.6"), NOT_THERE);
    refused(RUN "[\"jobs:t99\"]}", UTILISATIONS("0.5, 15.6"), NOT_THERE);
    accepted(RUN "[\"jobs:t99\"]}", UTILISATIONS("22")); /* what is missing is not the task alone */
    refused(RUN "[\"jobs:t99\"]}", UTILISATIONS("0.5, 22"), NOT_THERE);
    accepted(RUN "[\"jobs:t99\"]}", UTILISATIONS("0.5, 22, 23"));
    samples = 3;
    accepted(RUN "[\"jobs:t99\"]}", UTILISATIONS("0.5, 22"));
    samples = 5;
}

static void what_is_said_of_other_measures(void) {
    refused(RUN "[\"jobs\"]}", ", \"plot\": {\"measure\": \"job\"}",
            "plot.measure: no evaluation has a measure of this name (got \"job\") (did you mean \"jobs\"?); "
            "there are "
            "ratio, jobs");
    refused(RUN "[\"jobs\"]}",
            ", \"published\": [{\"evaluation\": \"s\", \"measure\": \"missed\", \"value\": 1}]",
            "published[0].measure: evaluation s has no measure of this name (got \"missed\"); there are "
            "ratio, jobs");
    refused(
        RUN "[\"jobs\"]}, " TDM "[\"load\"]}",
        ", \"claims\": [{\"text\": \"x\", \"measure\": \"jobs\", \"order\": [\"s\", \"t\"]}]",
        "claims[0].measure: evaluation t has no measure of this name (got \"jobs\"); there are ratio, load");
    accepted(RUN "[\"jobs\"]}",
             ", \"plot\": {\"measure\": \"jobs\"}, \"published\": [{\"evaluation\": \"s\", "
             "\"measure\": \"jobs\", \"value\": 1}]");
    accepted(RUN "[\"jobs\"]}", ", \"plot\": {\"measure\": \"refused\"}");
}

/* ---- what a sweep says at its end ---- */

static void join(void *context, const char *sentence) {
    char *all = context;
    snprintf(all + strlen(all), TEXT_SIZE - strlen(all), "%s\n", sentence);
}

static void swept(const char *evaluations, const char *expected) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    struct grt_results results;
    char all[TEXT_SIZE] = "";
    CU_ASSERT_FATAL(read(evaluations, "", &experiment, &errors));
    struct grt_study *study = grt_study_create(&experiment, &errors);
    CU_ASSERT_FATAL(grt_sweep_run(study, &(struct grt_sweep_options){.threads = 1}, &results, &errors));
    grt_results_absent(&results, join, all);
    CU_ASSERT_STRING_EQUAL(all, expected);
    if (strcmp(all, expected) != 0) {
        printf("\n    %s\n", all);
    }
    grt_results_free(&results);
    grt_study_free(study);
    grt_experiment_free(&experiment);
}

static void what_had_no_value_is_told(void) {
    swept(RUN "[\"jobs\", \"scheduling_runs\", \"x=jobs/overruns\"]}",
          "measure scheduling_runs of evaluation s had no value in any set\n"
          "measure x of evaluation s had no value in any set\n");
    swept(
        "{\"name\": \"u\", \"kind\": \"analysis\", \"analysis\": \"utilisation\"}",
        "evaluation u says neither yes nor no of any set (5 unknown): a ratio of 0 says that it proves none "
        "of them, not that they miss deadlines\n");
    swept("{\"name\": \"u\", \"kind\": \"analysis\", \"analysis\": \"tdm\"}", ""); /* nothing was named */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"measures that nothing gives", measures_that_nothing_gives},
        {"tasks that no set has", tasks_that_no_set_has},
        {"sets that are not found", sets_that_are_not_found},
        {"published, claims, plot", what_is_said_of_other_measures},
        {"told at the end", what_had_no_value_is_told},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("wishes of experiments", tests);
}
