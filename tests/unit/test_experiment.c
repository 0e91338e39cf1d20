/* Experiments as they are read: axes, points, keys, evaluations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/priority.h"
#include "scenarios/experiment/decimal.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/file_kind.h"
#include "sim/memory.h"
#include "tests/support/documented_experiment.h"
#include "tests/support/suite.h"

#define HEAD "{\"gpurt_experiment\":1,\"name\":\"t\","
#define GENERATOR "\"generator\":{\"name\":\"cores\",\"cores\":2},"
#define PLATFORM "\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},"
#define MPCP "\"evaluations\":[{\"name\":\"m\",\"kind\":\"analysis\",\"analysis\":\"mpcp\"}]"

static bool parse(const char *text, const struct grt_experiment_changes *changes,
                  struct grt_experiment *experiment) {
    struct grt_errors errors = {0};
    bool good =
        grt_experiment_parse(text, strlen(text), "t.json", GRT_SCRATCH_DIR, changes, experiment, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_EQUAL(good, errors.count == 0);
    grt_errors_clear(&errors);
    return good;
}

static struct grt_experiment parsed(const char *text) {
    struct grt_experiment experiment;
    CU_ASSERT_TRUE_FATAL(parse(text, NULL, &experiment));
    return experiment;
}

static void refused(const char *text, const char *message) {
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(
        grt_experiment_parse(text, strlen(text), "t.json", GRT_SCRATCH_DIR, NULL, &experiment, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    if (strcmp(errors.messages[0], message) != 0) {
        printf("\n    %s", errors.messages[0]);
    }
    grt_errors_clear(&errors);
}

#define TWO_AXES(first, second)                                                                              \
    HEAD GENERATOR PLATFORM MPCP ",\"axes\":[{\"name\":\"a\"," first "},{\"name\":\"b\"," second "}]}"

/* A later axis may complete what an earlier one puts, as long as nothing of the earlier one is lost. */
static void test_axes_at_one_place(void) {
    struct grt_experiment experiment = parsed(TWO_AXES(
        "\"path\":\"generator\",\"values\":[{\"label\":\"2\",\"value\":{\"name\":\"cores\",\"cores\":2}}]",
        "\"path\":\"generator.gpu_tasks\",\"values\":[0.1,0.2]"));
    CU_ASSERT_EQUAL(experiment.point_count, 2);
    grt_experiment_free(&experiment);
    refused(TWO_AXES("\"path\":\"generator\",\"values\":[{\"label\":\"2\",\"value\":{\"name\":\"cores\","
                     "\"cores\":2}}]",
                     "\"path\":\"generator.cores\",\"values\":[2,4]"),
            "axes[1].path: writes \"generator.cores\", as axes[0] does");
    experiment = parsed(TWO_AXES("\"path\":\"platform.gpus[0].device\",\"values\":[\"tx2\"]",
                                 "\"path\":\"platform.cpus\",\"values\":[2]"));
    grt_experiment_free(&experiment);
    refused(TWO_AXES(
                "\"path\":\"platform.gpus[0].device\",\"values\":[\"exclusive\"]",
                "\"values\":[{\"label\":\"x\",\"set\":{\"platform.cpus\":2,\"platform.gpus[00]\":{\"device\":"
                "\"tx2\"}}}]"),
            "axes[1].values[0].set: writes \"platform.gpus[0].device\", as axes[0] does");
}

/* ---- the documents' ---- */

static void test_documented(void) {
    char *text = grt_documented_experiment();
    struct grt_experiment experiment = parsed(text);
    CU_ASSERT_STRING_EQUAL(experiment.name, "lock-or-server");
    CU_ASSERT_EQUAL(experiment.samples, 100);
    CU_ASSERT_EQUAL(experiment.seed, 1);
    CU_ASSERT_EQUAL_FATAL(experiment.axis_count, 2);
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 10);
    CU_ASSERT_EQUAL_FATAL(experiment.evaluation_count, 3);
    const struct grt_evaluation *run = &experiment.points[0].evaluations[2];
    CU_ASSERT_EQUAL(run->kind, GRT_EVALUATE_SIMULATION);
    CU_ASSERT_EQUAL(run->periods, 10);
    CU_ASSERT_TRUE(run->stop_at_miss);
    CU_ASSERT_STRING_EQUAL(run->policy->name, "mpcp");
    CU_ASSERT_EQUAL(run->gpu_count, 1);
    const struct grt_evaluation *lock = &experiment.points[0].evaluations[0];
    CU_ASSERT_STRING_EQUAL(lock->policy->name, "mpcp"); /* the analysis speaks of it */
    CU_ASSERT_PTR_NULL(lock->analyses[1]);
    CU_ASSERT_EQUAL(experiment.claim_count, 1);
    CU_ASSERT_EQUAL(experiment.claims[0].order[0], 1);
    CU_ASSERT_EQUAL(experiment.claims[0].values[0], 4);
    CU_ASSERT_TRUE(experiment.claims[0].everywhere);
    CU_ASSERT_EQUAL(experiment.plot.panel, 1);
    CU_ASSERT_EQUAL(experiment.plot.style, SIZE_MAX);
    CU_ASSERT_EQUAL(experiment.plot.y_to, 1);
    CU_ASSERT_STRING_EQUAL(experiment.plot.x_label, "Tasks that use the GPU");
    grt_experiment_free(&experiment);
    free(text);
}

/* ---- axes ---- */

static void expect_values(const struct grt_axis *axis, size_t count, const char *const *texts,
                          const double *numbers) {
    CU_ASSERT_EQUAL_FATAL(axis->count, count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_STRING_EQUAL(axis->values[i], texts[i]);
        CU_ASSERT(numbers == NULL ? axis->numbers == NULL : axis->numbers[i] == numbers[i]);
    }
}

static void test_steps(void) {
    static const char *const texts[] = {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"};
    static const double numbers[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    static const char *const times[] = {"500us", "1ms", "1500us"};
    static const double nanoseconds[] = {5e5, 1e6, 1.5e6};
    struct grt_experiment experiment = parsed(
        HEAD GENERATOR PLATFORM MPCP
        ",\"axes\":[{\"name\":\"u\",\"path\":\"generator.utilisation\",\"from\":0.1,\"to\":0.9,\"step\":0.1},"
        "{\"name\":\"e\",\"path\":\"generator.epsilon\",\"from\":\"500us\",\"to\":\"1.5ms\",\"step\":"
        "\"500us\"}]}");
    expect_values(&experiment.axes[0], 9, texts, numbers);
    expect_values(&experiment.axes[1], 3, times, nanoseconds);
    CU_ASSERT_STRING_EQUAL(experiment.axes[0].label, "u");
    grt_experiment_free(&experiment);
    experiment =
        parsed(HEAD GENERATOR PLATFORM
               "\"evaluations\":[{\"name\":\"m\",\"kind\":\"analysis\",\"analysis\":\"mpcp\"}],\"axes\":["
               "{\"name\":\"p\",\"path\":\"evaluations[0].label\",\"values\":[\"x\"]},"
               "{\"name\":\"n\",\"path\":\"platform.cpus\",\"values\":[2]}]}");
    CU_ASSERT_PTR_NULL(experiment.axes[0].numbers);
    CU_ASSERT_EQUAL(experiment.axes[1].numbers[0], 2);
    grt_experiment_free(&experiment);
}

static void check_decimal(const char *text, const char *expected) {
    struct grt_decimal decimal;
    char written[GRT_DECIMAL_TEXT_SIZE];
    bool good = grt_decimal_parse(text, &decimal);
    CU_ASSERT_EQUAL(good, expected != NULL);
    if (good && expected != NULL) {
        CU_ASSERT_STRING_EQUAL(grt_decimal_text(decimal, written), expected);
    }
}

static void test_decimals(void) {
    check_decimal("0.10", "0.1");
    check_decimal("-0.05", "-0.05");
    check_decimal("100", "100");
    check_decimal("1e-06", "0.000001");
    check_decimal("1.5e+3", "1500");
    check_decimal("0", "0");
    check_decimal("-0", "0");
    check_decimal("999999999999999", "999999999999999");
    check_decimal("1000000000000000", NULL);
    check_decimal("1e-16", NULL);
    check_decimal("1e15", NULL);
    check_decimal("1e99", NULL);
    check_decimal("1.", NULL);
    check_decimal(".5", NULL);
    check_decimal("1e", NULL);
    check_decimal("", NULL);
    check_decimal("-", NULL);
    check_decimal("1 ", NULL);
}

/* Several values at once, and a path into what an axis before has put. */
static void test_sets(void) {
    struct grt_experiment experiment = parsed(
        HEAD GENERATOR PLATFORM
        "\"evaluations\":[{\"name\":\"m\",\"kind\":\"analysis\",\"policy\":{\"name\":\"mpcp\"}}],\"axes\":["
        "{\"name\":\"cores\",\"values\":[{\"label\":\"2\",\"set\":{\"generator.cores\":2,\"platform.cpus\":2}"
        "},"
        "{\"label\":\"8\",\"set\":{\"generator.cores\":8,\"platform.cpus\":8}}]},"
        "{\"name\":\"policy\",\"path\":\"evaluations[0].policy\",\"same_sets\":true,\"values\":["
        "{\"label\":\"server\",\"value\":{\"name\":\"gpu-server\"}}]},"
        "{\"name\":\"epsilon\",\"path\":\"evaluations[0].policy.epsilon\",\"same_sets\":true,\"values\":["
        "\"7us\"]}]}");
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 2);
    CU_ASSERT_EQUAL(experiment.points[0].evaluations[0].core_count, 2);
    CU_ASSERT_EQUAL(experiment.points[1].evaluations[0].core_count, 8);
    CU_ASSERT_EQUAL(experiment.axes[0].numbers[1], 8);
    const struct grt_evaluation *server = &experiment.points[1].evaluations[0];
    CU_ASSERT_STRING_EQUAL(server->policy->name, "gpu-server");
    for (size_t i = 0; i < server->policy->parameters->field_count; i++) {
        const struct grt_field *field = &server->policy->parameters->fields[i];
        bool epsilon = strcmp(field->name, "epsilon") == 0;
        CU_ASSERT_EQUAL(server->given >> i & 1, epsilon);
        if (epsilon) {
            int64_t time;
            memcpy(&time, (const char *)server->parameters + field->offset, sizeof time);
            CU_ASSERT_EQUAL(time, 7000);
        }
    }
    struct grt_arena arena = {0};
    struct grt_drawn_set set = {0};
    CU_ASSERT_TRUE(experiment.points[1].generator->make(experiment.points[1].maker, 3, &arena, &set));
    CU_ASSERT_EQUAL(set.scenario.core_count, 8);
    grt_arena_clear(&arena);
    grt_experiment_free(&experiment);
}

/* ---- points ---- */

static const char two_axes[] = HEAD GENERATOR PLATFORM MPCP
    ",\"axes\":[{\"name\":\"u\",\"path\":\"generator.utilisation\",\"values\":[0.2,0.4,0.6]},"
    "{\"name\":\"s\",\"same_sets\":true,\"path\":\"platform.wake_up\",\"values\":[\"0ns\",\"1us\"]}]}";

static void test_points(void) {
    struct grt_experiment experiment = parsed(two_axes);
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct grt_point *point = &experiment.points[i];
        CU_ASSERT_EQUAL(point->values[0], i / 2);
        CU_ASSERT_EQUAL(point->values[1], i % 2);
        CU_ASSERT_EQUAL(grt_experiment_point(&experiment, point->values), i);
        CU_ASSERT_EQUAL(point->evaluations[0].wake_up, i % 2 == 0 ? 0 : 1000);
        CU_ASSERT_EQUAL(point->key == experiment.points[0].key, i < 2);
    }
    grt_experiment_free(&experiment);
}

/* What sets look like, for comparing. */
static double drawn(const struct grt_point *point) {
    struct grt_arena arena = {0};
    struct grt_drawn_set set = {0};
    double sum = 0;
    CU_ASSERT_TRUE_FATAL(point->generator->make(point->maker, 5, &arena, &set));
    for (size_t i = 0; i < set.scenario.task_count; i++) {
        sum += (double)set.scenario.tasks[i].period * (double)(i + 1);
    }
    grt_arena_clear(&arena);
    return sum;
}

/* same_sets: the same; else others. Adding a value keeps those of the other points; another seed does not. */
static void test_keys(void) {
    struct grt_experiment experiment = parsed(two_axes);
    CU_ASSERT_EQUAL(drawn(&experiment.points[0]), drawn(&experiment.points[1]));
    CU_ASSERT_NOT_EQUAL(drawn(&experiment.points[0]), drawn(&experiment.points[2]));
    const char *const sets[] = {"axes[0].values=[0.1,0.2]"};
    const struct grt_experiment_changes longer = {.sets = sets, .set_count = 1}, other = {.seed = "9"};
    struct grt_experiment changed;
    CU_ASSERT_TRUE_FATAL(parse(two_axes, &longer, &changed));
    CU_ASSERT_EQUAL(changed.points[2].key, experiment.points[0].key);
    CU_ASSERT_EQUAL(drawn(&changed.points[2]), drawn(&experiment.points[0]));
    grt_experiment_free(&changed);
    CU_ASSERT_TRUE_FATAL(parse(two_axes, &other, &changed));
    CU_ASSERT_EQUAL(changed.points[0].key, experiment.points[0].key);
    CU_ASSERT_NOT_EQUAL(drawn(&changed.points[0]), drawn(&experiment.points[0]));
    grt_experiment_free(&changed);
    grt_experiment_free(&experiment);
}

/* Runs of a whole scenario: the same for all evaluations, which see the one drawn set, and for points that differ in axes of same_sets; others else. */
static void test_keys_of_whole(void) {
    static const char text[] =
        HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"quickstart.json\"},"
             "\"evaluations\":[{\"name\":\"a\",\"kind\":\"simulation\"},{\"name\":\"b\","
             "\"kind\":\"simulation\",\"policy\":{\"name\":\"np-rm\"}}],\"axes\":["
             "{\"name\":\"h\",\"path\":\"generator.set\",\"values\":[[\"horizon=1s\"],[\"horizon=2s\"]]},"
             "{\"name\":\"s\",\"path\":\"horizon\",\"same_sets\":true,\"values\":[\"3s\",\"4s\"]}]}";
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    uint64_t seeds[4];
    CU_ASSERT_TRUE_FATAL(grt_experiment_parse(text, strlen(text), "t.json", GRT_SOURCE_DIR "/scenarios", NULL,
                                              &experiment, &errors));
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 4);
    for (size_t i = 0; i < 4; i++) {
        struct grt_arena arena = {0};
        struct grt_drawn_set set = {0};
        CU_ASSERT_TRUE(experiment.points[i].generator->make(experiment.points[i].maker, 0, &arena, &set));
        seeds[i] = set.scenario.seed;
        grt_arena_clear(&arena);
    }
    CU_ASSERT_EQUAL(seeds[0], seeds[1]);
    CU_ASSERT_EQUAL(seeds[2], seeds[3]);
    CU_ASSERT_NOT_EQUAL(seeds[0], seeds[2]);
    grt_experiment_free(&experiment);
}

/* What a generator that finds no set would draw is known: the platform is checked at every point, and reading takes no time to search for sets. */
static void test_sets_that_are_not_found(void) {
    static const char none[] =
        "platform.cpus: needs an allocation: generator independent puts tasks on no cores";
#define INDEPENDENT(platform, policy)                                                                        \
    HEAD "\"generator\":{\"name\":\"independent\",\"tasks\":100}," platform                                  \
         "\"evaluations\":[{\"name\":\"a\",\"kind\":\"analysis\"" policy                                     \
         "}],\"axes\":[{\"name\":\"u\",\"path\":\"generator.utilisation\",\"from\":50,\"to\":63.986,"        \
         "\"step\":0.014}]}"
#define EXCLUSIVE(cpus) "\"platform\":{" cpus "\"gpus\":[{\"device\":\"exclusive\"}]},"
    struct grt_experiment experiment =
        parsed(INDEPENDENT(EXCLUSIVE(""), ",\"policy\":{\"name\":\"np-edf\"}"));
    struct grt_arena arena = {0};
    struct grt_drawn_set set;
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 1000);
    CU_ASSERT_FALSE(experiment.points[999].generator->make(experiment.points[999].maker, 0, &arena, &set));
    grt_arena_clear(&arena);
    grt_experiment_free(&experiment);
    refused(INDEPENDENT(EXCLUSIVE("\"cpus\":2,"), ",\"policy\":{\"name\":\"np-edf\"}"), none);
    refused(INDEPENDENT("", ",\"policy\":{\"name\":\"np-edf\"}"),
            "platform: required: generator independent draws tasks only");
    refused(INDEPENDENT(EXCLUSIVE(""), ""), "evaluations[0].policy: required");
}

/* Equal plans are one, so that many points need little memory. */
static void test_sharing(void) {
    struct grt_experiment experiment =
        parsed(HEAD GENERATOR PLATFORM MPCP
               ",\"axes\":[{\"name\":\"u\",\"path\":\"generator.utilisation\",\"from\":0.001,\"to\":0.5,"
               "\"step\":0.001},"
               "{\"name\":\"r\",\"path\":\"generator.gpu_ratio\",\"from\":0.1,\"to\":1,\"step\":0.1}]}");
    CU_ASSERT_EQUAL_FATAL(experiment.point_count, 5000);
    for (size_t i = 0; i < 5000; i++) {
        CU_ASSERT_PTR_EQUAL(experiment.points[i].evaluations, experiment.points[0].evaluations);
    }
    CU_ASSERT_EQUAL(experiment.maker_count, 5000);
    grt_experiment_free(&experiment);
}

/* ---- surroundings ---- */

static void test_settings(void) {
    struct grt_experiment experiment = parsed(
        HEAD GENERATOR
        "\"platform\":{\"cpus\":2,\"gpus\":[{\"device\":\"exclusive\"}]},"
        "\"priorities\":\"deadline-monotonic\",\"horizon\":\"2s\",\"train\":\"quick\",\"evaluations\":["
        "{\"name\":\"a\",\"kind\":\"simulation\",\"policy\":{\"name\":\"fifo\"}},"
        "{\"name\":\"b\",\"kind\":\"simulation\",\"policy\":{\"name\":\"fifo\"},\"horizon\":{\"periods\":2.5}"
        ","
        "\"priorities\":\"rate-monotonic\",\"train\":\"full\",\"platform\":{\"cpus\":3,\"allocation\":"
        "\"worst-fit\",\"allocation_counts\":\"cpu-and-gpu\",\"wake_up\":\"3us\",\"gpus\":[{\"device\":"
        "\"exclusive\"},{\"device\":\"exclusive\"}]}},"
        "{\"name\":\"c\",\"kind\":\"verify\",\"policy\":{\"name\":\"np-edf\"},\"patterns\":3,\"jobs\":9,"
        "\"measures\":[\"violations\"]}]}");
    const struct grt_evaluation *own = experiment.points[0].evaluations;
    CU_ASSERT_EQUAL(own[0].horizon, 2 * GRT_SECOND);
    CU_ASSERT_EQUAL(own[0].periods, 0);
    CU_ASSERT_EQUAL(own[0].assignment.priorities, GRT_PRIORITIES_DEADLINE_MONOTONIC);
    CU_ASSERT_EQUAL(own[0].training, GRT_TRAIN_QUICK);
    CU_ASSERT_EQUAL(own[0].gpu_count, 1);
    CU_ASSERT_EQUAL(own[0].core_count, 2);
    CU_ASSERT_EQUAL(own[1].horizon, 0);
    CU_ASSERT_EQUAL(own[1].periods, 2.5);
    CU_ASSERT_EQUAL(own[1].assignment.priorities, GRT_PRIORITIES_RATE_MONOTONIC);
    CU_ASSERT_EQUAL(own[1].assignment.counts, GRT_ALLOCATION_COUNTS_CPU_AND_GPU);
    CU_ASSERT_NOT_EQUAL(own[1].assignment.allocation, own[0].assignment.allocation);
    CU_ASSERT_EQUAL(own[1].training, GRT_TRAIN_FULL);
    CU_ASSERT_EQUAL(own[1].gpu_count, 2);
    CU_ASSERT_EQUAL(own[1].wake_up, 3000);
    CU_ASSERT_EQUAL(own[2].patterns, 3);
    CU_ASSERT_EQUAL(own[2].jobs, 9);
    CU_ASSERT_EQUAL_FATAL(own[2].measure_count, 1);
    CU_ASSERT_STRING_EQUAL(own[2].measures[0], "violations");
    CU_ASSERT_PTR_NULL(own[2].analyses);
    grt_experiment_free(&experiment);
}

static void test_options(void) {
    struct grt_experiment experiment =
        parsed(HEAD GENERATOR PLATFORM
               "\"evaluations\":[{\"name\":\"m\",\"kind\":\"analysis\",\"analysis\":[\"mpcp\"],"
               "\"options\":{\"jitter\":\"deadline\"}}]}");
    const struct grt_evaluation *own = experiment.points[0].evaluations;
    CU_ASSERT_EQUAL_FATAL(own->settings.count, 1);
    const struct grt_record *record = own->settings.items[0].analysis->options;
    char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
    for (size_t i = 0; i < record->field_count; i++) {
        struct grt_analysis_setting usual;
        char by_default[GRT_ANALYSIS_OPTION_TEXT_SIZE];
        grt_analysis_options_default(record, usual.options);
        bool given = strcmp(record->fields[i].name, "jitter") == 0;
        CU_ASSERT_STRING_EQUAL(
            grt_analysis_option_text(&record->fields[i], own->settings.items[0].options, text),
            given ? "deadline" : grt_analysis_option_text(&record->fields[i], usual.options, by_default));
    }
    grt_experiment_free(&experiment);
}

/* ---- errors of points ---- */

static void test_point_errors(void) {
    refused(HEAD GENERATOR PLATFORM MPCP
            ",\"axes\":[{\"name\":\"s\",\"path\":\"platform.wake_up\",\"values\":[\"0ns\",\"1us\"]},"
            "{\"name\":\"u\",\"path\":\"generator.utilisation\",\"values\":[0.5,1.5]}]}",
            "at s=0ns, u=1.5: generator.utilisation: must be from 1e-06 to 1, the lower bound first (got 1.5 "
            "to 1.5)");
    refused(HEAD GENERATOR PLATFORM MPCP
            ",\"axes\":[{\"name\":\"u\",\"path\":\"generator.nothing\",\"values\":[1,2,3]}]}",
            "generator.nothing: unknown field");
}

/* A whole scenario has a platform and a policy; an evaluation may have its own. Its file is named as seen from the experiment's folder. */
static void test_whole(void) {
    static const char evaluations[] =
        "\"evaluations\":[{\"name\":\"a\",\"kind\":\"simulation\"},{\"name\":\"b\","
        "\"kind\":\"simulation\",\"policy\":{\"name\":\"fifo\"},"
        "\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]}}]}";
    char text[2000];
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    snprintf(text, sizeof text, HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"quickstart.json\"},%s",
             evaluations);
    CU_ASSERT_TRUE_FATAL(grt_experiment_parse(text, strlen(text), "t.json", GRT_SOURCE_DIR "/scenarios", NULL,
                                              &experiment, &errors));
    CU_ASSERT_PTR_NULL(experiment.points[0].evaluations[0].policy);
    CU_ASSERT_EQUAL(experiment.points[0].evaluations[0].gpu_count, 0);
    CU_ASSERT_EQUAL(experiment.points[0].evaluations[1].gpu_count, 1);
    CU_ASSERT_EQUAL_FATAL(experiment.input_count, 2);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].name, "quickstart.json");
    CU_ASSERT_NOT_EQUAL(experiment.inputs[1].hash, 0);
    grt_experiment_free(&experiment);
    snprintf(text, sizeof text,
             HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"quickstart.json\"}," PLATFORM "%s",
             evaluations);
    CU_ASSERT_FALSE(grt_experiment_parse(text, strlen(text), "t.json", GRT_SOURCE_DIR "/scenarios", NULL,
                                         &experiment, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "platform: not allowed for all evaluations: generator scenario draws "
                           "whole scenarios, with theirs");
    grt_errors_clear(&errors);
}

/* ---- kinds of files ---- */

static enum grt_file_kind kind_of(const char *text) {
    return grt_file_kind_of_text(text, strlen(text));
}

static void test_kinds(void) {
    CU_ASSERT_EQUAL(kind_of("{\"gpurt\":1,\"tasks\":[]}"), GRT_FILE_SCENARIO);
    CU_ASSERT_EQUAL(kind_of("{\"sm_count\":1}"), GRT_FILE_DEVICE);
    CU_ASSERT_EQUAL(kind_of("{\"gpurt_usage\":1}"), GRT_FILE_USAGE);
    CU_ASSERT_EQUAL(kind_of("{\"gpurt\":1,\"networks\":[]}"), GRT_FILE_NETWORKS);
    CU_ASSERT_EQUAL(kind_of("{\"gpurt\":1,\"networks\":\"a.json\",\"tasks\":[]}"), GRT_FILE_SCENARIO);
    CU_ASSERT_EQUAL(kind_of("{\"gpurt_experiment\":1,\"networks\":\"a.json\"}"), GRT_FILE_EXPERIMENT);
    CU_ASSERT_EQUAL(kind_of("[]"), GRT_FILE_UNKNOWN);
    CU_ASSERT_EQUAL(kind_of("{"), GRT_FILE_UNKNOWN);
    refused("{\"gpurt\":1,\"tasks\":[]}", "this is a scenario; `gpurt run` simulates it");
    refused("{\"sm_count\":1}", "this is a device file; name it as the \"device\" of a scenario");
}

int main(void) {
    static CU_TestInfo tests[] = {{"the experiment of the documents", test_documented},
                                  {"axes by steps", test_steps},
                                  {"axes at one place", test_axes_at_one_place},
                                  {"decimals", test_decimals},
                                  {"several values at once", test_sets},
                                  {"points", test_points},
                                  {"keys", test_keys},
                                  {"keys of whole scenarios", test_keys_of_whole},
                                  {"equal plans are shared", test_sharing},
                                  {"sets that are not found", test_sets_that_are_not_found},
                                  {"settings of all and of one", test_settings},
                                  {"options of analyses", test_options},
                                  {"errors of points", test_point_errors},
                                  {"whole scenarios", test_whole},
                                  {"kinds of files", test_kinds},
                                  CU_TEST_INFO_NULL};
    return grt_suite_run("experiment", tests);
}
