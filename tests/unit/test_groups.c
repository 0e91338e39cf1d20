/* Groups of SMs (rule W5): how many SMs a group gets, and which TPCs. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

static struct grt_scenario_file file;

/* A scenario with these GPUs and groups, and a task for each of the texts. */
static void load(const char *gpus, const char *groups, const char *const *tasks, int count) {
    char text[4000];
    int size =
        snprintf(text, sizeof text,
                 "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[%s],\"groups\":[%s]},\"tasks\":[",
                 gpus, groups);
    for (int i = 0; i < count; i++) {
        size += snprintf(text + size, sizeof text - (size_t)size,
                         "%s{\"name\":\"t%d\",\"period\":\"1ms\",%s\"segments\":[{\"gpu\":[{\"kernel\":\"k\","
                         "\"blocks\":1,\"threads\":32,\"block_time\":\"1us\"}]}]}",
                         i > 0 ? "," : "", i, tasks[i]);
    }
    snprintf(text + size, sizeof text - (size_t)size, "]}");
    grt_scenario_text_load(text, NULL, &file);
}

/* Whether a task is kept to so many TPCs from a first one on. */
static bool has_tpcs(size_t task, int64_t first, size_t count) {
    const struct grt_number_list *tpcs = &file.scenario.tasks[task].tpcs;
    bool good = tpcs->count == count;
    for (size_t i = 0; good && i < count; i++) {
        good = tpcs->items[i] == first + (int64_t)i;
    }
    return good;
}

static void test_sizes(void) {
    static const struct {
        int64_t capability, sms_per_tpc, asked, given;
    } cases[] = {
        {60, 1, 1, 2}, {61, 1, 3, 4}, {62, 1, 2, 2}, {70, 2, 1, 2},  {75, 2, 5, 6},  {80, 2, 1, 4},
        {86, 2, 4, 4}, {87, 2, 5, 6}, {90, 2, 1, 8}, {90, 2, 9, 16}, {120, 2, 8, 8}, {53, 1, 2, 0},
        {35, 1, 2, 0}, {0, 1, 1, 1},  {0, 2, 3, 4},  {0, 4, 5, 8},   {61, 3, 2, 6},  {61, 3, 7, 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_device device = {.compute_capability = cases[i].capability,
                                    .sms_per_tpc = cases[i].sms_per_tpc};
        CU_ASSERT_EQUAL(grt_device_group_sms(&device, cases[i].asked), cases[i].given);
    }
}

static void test_sizes_by_field(void) {
    struct grt_device device = {
        .compute_capability = 53, .sms_per_tpc = 1, .group_minimum_sms = 3, .group_multiple_sms = 5};
    CU_ASSERT_EQUAL(grt_device_group_sms(&device, 1), 5);
    CU_ASSERT_EQUAL(grt_device_group_sms(&device, 6), 10);
    device.group_multiple_sms = 0;
    CU_ASSERT_EQUAL(grt_device_group_sms(&device, 6), 0); /* the device has no multiple of its own */
}

/* Two groups of one process lie behind one another, whatever other processes and GPUs have. */
static void test_places(void) {
    static const char *const tasks[] = {"\"group\":\"a\",",
                                        "\"group\":\"b\",",
                                        "\"process\":\"p\",\"group\":\"c\",",
                                        "\"gpu\":1,\"group\":\"d\",",
                                        "",
                                        "\"group\":\"e\","};
    load("{\"device\":\"orin\"},{\"device\":\"h100\"}",
         "{\"name\":\"a\",\"sms\":5},{\"name\":\"c\",\"sms\":16,\"process\":\"p\"},"
         "{\"name\":\"d\",\"sms\":9,\"gpu\":1},{\"name\":\"b\",\"sms\":1},{\"name\":\"e\",\"sms\":6}",
         tasks, 6);
    CU_ASSERT(has_tpcs(0, 0, 3)); /* 6 of 16 SMs */
    CU_ASSERT(has_tpcs(1, 3, 2)); /* 4 */
    CU_ASSERT(has_tpcs(2, 0, 8));
    CU_ASSERT(has_tpcs(3, 0, 8));
    CU_ASSERT(has_tpcs(4, 0, 0)); /* of no group: all */
    CU_ASSERT(has_tpcs(5, 5, 3)); /* the last 6 */
    grt_scenario_file_free(&file);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"sizes", test_sizes},
        {"sizes by field", test_sizes_by_field},
        {"places", test_places},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("groups of SMs", tests);
}
