/* What an experiment is bound to: its identity, and the files that it depends on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/experiment/experiment.h"
#include "tests/support/suite.h"

#define HEAD "{\"gpurt_experiment\":1,\"name\":\"t\","
#define GENERATOR "\"generator\":{\"name\":\"cores\",\"cores\":2},"
#define PLATFORM "\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},"
#define MPCP "\"evaluations\":[{\"name\":\"m\",\"kind\":\"analysis\",\"analysis\":\"mpcp\"}]"
#define RUN "\"evaluations\":[{\"name\":\"r\",\"kind\":\"simulation\"}]"

/* In the scratch folder, where the test stands. */
static void put(const char *name, const char *text) {
    FILE *out = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(text, out);
    fclose(out);
}

static struct grt_experiment parsed(const char *text, const char *folder,
                                    const struct grt_experiment_changes *changes) {
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    bool good = grt_experiment_parse(text, strlen(text), "t.json", folder, changes, &experiment, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_TRUE_FATAL(good);
    return experiment;
}

static uint64_t identity_in(const char *text, const char *folder) {
    struct grt_experiment experiment = parsed(text, folder, NULL);
    uint64_t identity = experiment.identity;
    grt_experiment_free(&experiment);
    return identity;
}

/* ---- identity ---- */

static uint64_t identity_of(const char *text, const struct grt_experiment_changes *changes) {
    struct grt_experiment experiment = parsed(text, ".", changes);
    uint64_t identity = experiment.identity;
    grt_experiment_free(&experiment);
    return identity;
}

static void test_identity(void) {
    static const char
        plain[] = HEAD GENERATOR PLATFORM MPCP "}",
        spaced[] = HEAD GENERATOR "\n  " PLATFORM "\n" MPCP "}\n",
        said[] = HEAD GENERATOR PLATFORM MPCP
        ",\"title\":\"T\",\"description\":\"D\",\"source\":\"S\",\"plot\":{\"measure\":\"load\"},"
        "\"published\":[{\"evaluation\":\"m\",\"value\":0.5}]}";
    const char *const sets[] = {"generator.cores=3"};
    const struct grt_experiment_changes seed = {.seed = "2"}, samples = {.samples = 7},
                                        set = {.sets = sets, .set_count = 1};
    uint64_t identity = identity_of(plain, NULL);
    CU_ASSERT_EQUAL(identity_of(spaced, NULL), identity);
    CU_ASSERT_EQUAL(identity_of(said, NULL), identity);
    CU_ASSERT_NOT_EQUAL(identity_of(plain, &seed), identity);
    CU_ASSERT_NOT_EQUAL(identity_of(plain, &samples), identity);
    CU_ASSERT_NOT_EQUAL(identity_of(plain, &set), identity);
}

/* Files that are named count with their bytes. */
static void test_files(void) {
    static const char text[] = HEAD GENERATOR
        "\"platform\":{\"gpus\":[{\"device\":\"device.json\"},{\"device\":\"device.json\"}]}," MPCP "}";
    put("device.json", "{\"sm_count\": 4}");
    struct grt_experiment experiment = parsed(text, ".", NULL);
    CU_ASSERT_EQUAL_FATAL(experiment.input_count, 2);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[0].name, "t.json");
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].name, "device.json");
    uint64_t identity = experiment.identity;
    grt_experiment_free(&experiment);
    CU_ASSERT_EQUAL(identity_of(text, NULL), identity);
    put("device.json", "{\"sm_count\": 5}");
    CU_ASSERT_NOT_EQUAL(identity_of(text, NULL), identity);
}

/* ---- whole scenarios ---- */

static const char one_task[] =
    "{\"gpurt\":1,\"name\":\"s\",\"horizon\":\"10ms\",\"platform\":{\"gpus\":[{\"device\":\"first.json\"}]},"
    "\"policy\":{\"name\":\"fifo\"},\"tasks\":[{\"name\":\"a\",\"period\":\"5ms\",\"segments\":[{\"gpu\":["
    "{\"kernel\":\"k\",\"blocks\":1,\"threads\":32,\"block_time\":\"1ms\"}]}]}]}";

/* A device that a change puts in counts, however the change says it; one that it replaces does not. */
static void test_files_of_changes(void) {
    static const char *const sets[] = {
        "platform.gpus[0].device=second.json", "platform.gpus[0].device=\\\"second.json\\\"",
        "platform.gpus[0]={\\\"device\\\":\\\"second.json\\\"}",
        "platform={\\\"gpus\\\":[{\\\"copy_engines\\\":1,\\\"device\\\":\\\"second.json\\\"}]}"};
    put("one-task.json", one_task);
    put("first.json", "{\"sm_count\": 4}");
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"one-task.json\",\"set\":[\"%s\"]}," RUN
                      "}",
                 sets[i]);
        put("second.json", "{\"sm_count\": 4}");
        struct grt_experiment experiment = parsed(text, ".", NULL);
        CU_ASSERT_EQUAL_FATAL(experiment.input_count, 3);
        CU_ASSERT_STRING_EQUAL(experiment.inputs[1].name, "one-task.json");
        CU_ASSERT_STRING_EQUAL(experiment.inputs[2].name, "second.json");
        uint64_t identity = experiment.identity;
        grt_experiment_free(&experiment);
        put("second.json", "{\"sm_count\": 5}");
        CU_ASSERT_NOT_EQUAL(identity_of(text, NULL), identity);
    }
}

/* "a/one-task.json" in the folder "a" is a/a/one-task.json, not a/one-task.json. */
static void test_folder_of_the_same_name(void) {
    static const char text[] =
        HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"a/one-task.json\"}," RUN "}";
    CU_ASSERT_FATAL((mkdir("a", 0777) == 0 || access("a", F_OK) == 0) &&
                    (mkdir("a/a", 0777) == 0 || access("a/a", F_OK) == 0));
    put("a/one-task.json", "this is not read");
    put("a/a/one-task.json", one_task);
    put("a/a/first.json", "{\"sm_count\": 4}");
    struct grt_experiment experiment = parsed(text, "a", NULL);
    CU_ASSERT_EQUAL_FATAL(experiment.input_count, 3);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].name, "a/one-task.json");
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].path, "a/a/one-task.json");
    CU_ASSERT_STRING_EQUAL(experiment.inputs[2].name, "a/first.json");
    uint64_t identity = experiment.identity;
    grt_experiment_free(&experiment);
    put("a/one-task.json", "nor is this");
    CU_ASSERT_EQUAL(identity_in(text, "a"), identity);
    put("a/a/first.json", "{\"sm_count\": 5}");
    CU_ASSERT_NOT_EQUAL(identity_in(text, "a"), identity);
}

/* Names of files may hold anything; what writes results sees to it. */
static void test_strange_names(void) {
    static const char strange[] = "a\nb\x7f\xff\xc2\x85\xc3\xa9%.json";
    put(strange, HEAD "\"generator\":{\"name\":\"scenario\",\"file\":\"50%\\n.json\"}," RUN "}");
    put("50%\n.json", one_task);
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    CU_ASSERT_TRUE_FATAL(grt_experiment_read(strange, NULL, &experiment, &errors));
    CU_ASSERT_EQUAL_FATAL(experiment.input_count, 3);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[0].name, strange);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[0].path, strange);
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].name, "50%\n.json");
    CU_ASSERT_STRING_EQUAL(experiment.inputs[1].path, "50%\n.json");
    grt_experiment_free(&experiment);
}

int main(void) {
    static CU_TestInfo tests[] = {{"identity", test_identity},
                                  {"files", test_files},
                                  {"files of changes", test_files_of_changes},
                                  {"a folder of the same name", test_folder_of_the_same_name},
                                  {"strange names", test_strange_names},
                                  CU_TEST_INFO_NULL};
    if (chdir(GRT_SCRATCH_DIR) != 0) {
        return 1;
    }
    return grt_suite_run("experiment identity", tests);
}
