/* The performance models that a scenario names. */
#include <stdio.h>
#include <string.h>

#include "models/learning/network.h"
#include "scenarios/networks.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

/* A file of a network with one rule, for kernels of that name. */
static void write_networks(const char *path, const char *kernel) {
    struct grt_arena arena = {0};
    double centres[GRT_NETWORK_INPUTS], widths[GRT_NETWORK_INPUTS], consequents[] = {0.5};
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        centres[i] = 0.5;
        widths[i] = 0.25;
    }
    struct grt_network network = {.kernel = kernel,
                                  .rules = 1,
                                  .order = 0,
                                  .mean = 14,
                                  .deviation = 1,
                                  .threshold = 0.05,
                                  .centres = centres,
                                  .widths = widths,
                                  .consequents = consequents};
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        network.high[i] = i + 1 == GRT_NETWORK_INPUTS ? 4.5 : 1e9;
    }
    grt_network_finish(&network, &arena);
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    grt_networks_write(out, &(struct grt_networks){&network, 1}, NULL);
    CU_ASSERT_EQUAL(fclose(out), 0);
    grt_arena_clear(&arena);
}

/* The first error, or "" where the scenario is good. */
static void check(const char *networks, const char *device, const char *expected) {
    char text[1000];
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    int length =
        snprintf(text, sizeof text,
                 "{\"gpurt\":1,\"horizon\":\"1s\",\"networks\":%s,\"platform\":{\"gpus\":[{\"device\":"
                 "\"tx2\"%s}]},\"tasks\":[{\"name\":\"a\",\"period\":\"9ms\",\"segments\":[{\"gpu\":[{"
                 "\"kernel\":\"k\",\"time\":\"1ms\"}]}]}]}",
                 networks, device);
    bool good = grt_scenario_parse(text, (size_t)length, GRT_SCRATCH_DIR, NULL, &file, &errors);
    CU_ASSERT_EQUAL(good, expected[0] == '\0');
    CU_ASSERT_STRING_EQUAL(errors.count > 0 ? errors.messages[0] : "", expected);
    if (good) {
        const struct grt_network *network = grt_networks_find(file.scenario.networks, "k");
        CU_ASSERT_PTR_NOT_NULL_FATAL(network);
        CU_ASSERT_EQUAL(network->rules, 1);
        CU_ASSERT_EQUAL(network->mean, 14);
        CU_ASSERT_PTR_EQUAL(file.written.networks, file.scenario.networks);
    }
    grt_errors_clear(&errors);
    grt_scenario_file_free(&file);
}

static void networks_are_read(void) {
    write_networks(GRT_SCRATCH_DIR "/k.json", "k");
    write_networks(GRT_SCRATCH_DIR "/l.json", "l");
    check("\"k.json\"", ",\"granularity\":\"shares\"", "");
    check("\"k.json\"", "", ""); /* it describes the kernel */
    check("\"l.json\"", "",
          "networks: no task has a kernel that the file has a network of (it has one of \"l\")");
    check("\"none.json\"", "",
          "networks: the networks file none.json cannot be opened: No such file or directory");
    check("\"-\"", "", "networks: must be the name of a file that ends in .json (got \"-\")");
    check("\".json\"", "", "networks: must be the name of a file that ends in .json (got \".json\")");
    check("[]", "", "networks: must be the name of a file that ends in .json (got [])");
}

/* Without the key there is none. */
static void there_need_be_none(void) {
    struct grt_scenario_file file;
    grt_scenario_text_load("{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},"
                           "\"tasks\":[" SCENARIO_TASK("a", "\"period\":\"6ms\"") "]}",
                           NULL, &file);
    CU_ASSERT_PTR_NULL(file.scenario.networks);
    grt_scenario_file_free(&file);
}

/* A file of networks is no scenario, as a file of a device is none. */
static void the_file_is_no_scenario(void) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    write_networks(GRT_SCRATCH_DIR "/m.json", "m");
    CU_ASSERT_FALSE(grt_scenario_read(GRT_SCRATCH_DIR "/m.json", NULL, &file, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "this is a file of networks; name it as the \"networks\" of a scenario");
    grt_errors_clear(&errors);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"networks are read", networks_are_read},
        {"there need be none", there_need_be_none},
        {"the file is no scenario", the_file_is_no_scenario},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenario_networks", tests);
}
