/* The presets of how kernels use a GPU of shares: complete, with sources, and with counters that agree with what they say of
 * their demands (docs/usages.md). */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "scenarios/usages.h"
#include "tests/support/suite.h"

/* Of a GTX 1060, a second. */
#define CYCLES 1.506e9
#define SMS 10
#define INSTRUCTIONS (4 * SMS * CYCLES)
#define L2_SECTORS (12 * CYCLES)
#define DRAM_SECTORS (192.2e9 / 32)
#define SHARED_REQUESTS (SMS * CYCLES)
#define TEXTURE_REQUESTS (SMS * CYCLES / 4)
#define ACTIVE_WARPS (64 * SMS * CYCLES)

/* Counters are rounded to three digits. */
#define ROUNDING 0.01

static void check_file(const struct grt_embedded_file *file) {
    static const char *const keys[] = {"gpurt_usage",   "name",          "aliases",        "description",
                                       "measured_time", "host_fraction", "sm_utilisation", "demand",
                                       "bound",         "counters",      "sources"};
    static const char *const sourced[] = {"measured_time", "host_fraction", "sm_utilisation",
                                          "demand",        "bound",         "counters"};
    cJSON *tree = cJSON_ParseWithLength(file->text, file->size_bytes);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItemCaseSensitive(tree, keys[i]));
    }
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(tree, "sources");
    for (size_t i = 0; i < sizeof sourced / sizeof sourced[0]; i++) {
        CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItemCaseSensitive(sources, sourced[i]));
    }
    CU_ASSERT_EQUAL(cJSON_GetArraySize(sources), sizeof sourced / sizeof sourced[0]);
    const cJSON *alias;
    cJSON_ArrayForEach(alias, cJSON_GetObjectItemCaseSensitive(tree, "aliases")) {
        CU_ASSERT_PTR_EQUAL(grt_usage_preset(alias->valuestring), file); /* it is nobody else's */
    }
    cJSON_Delete(tree);
}

/* Within the rounding of the capacity's part. */
static void check_near(double counted, double demand, double capacity) {
    CU_ASSERT_DOUBLE_EQUAL(counted, demand * capacity, ROUNDING * demand * capacity);
}

static double sum(const double *values, size_t first, size_t last) {
    double total = 0;
    for (size_t i = first; i <= last; i++) {
        total += values[i];
    }
    return total;
}

static void check_counters(const struct grt_usage *usage) {
    const double *counters = usage->counters, *demand = usage->demand, on_sms = 1 - usage->host_fraction;
    double l2 = sum(counters, GRT_INDICATOR_L2_READ, GRT_INDICATOR_L2_WRITE);
    double shared = sum(counters, GRT_INDICATOR_SHARED_LOAD, GRT_INDICATOR_SHARED_STORE_CONFLICTS);
    double memory = sum(counters, GRT_INDICATOR_GLOBAL_LOAD, GRT_INDICATOR_SHARED_STORE) +
                    counters[GRT_INDICATOR_TEXTURE_LOAD];
    check_near(counters[GRT_INDICATOR_INSTRUCTIONS], demand[GRT_RESOURCE_SM], INSTRUCTIONS);
    check_near(l2, demand[GRT_RESOURCE_L2], L2_SECTORS);
    check_near(shared, demand[GRT_RESOURCE_SHARED_MEMORY], SHARED_REQUESTS);
    check_near(counters[GRT_INDICATOR_TEXTURE_LOAD], demand[GRT_RESOURCE_TEXTURE], TEXTURE_REQUESTS);
    CU_ASSERT(demand[GRT_RESOURCE_DRAM] * DRAM_SECTORS <= l2); /* it goes through the L2 */
    CU_ASSERT(memory <= counters[GRT_INDICATOR_INSTRUCTIONS]); /* they are instructions */
    CU_ASSERT(sum(counters, GRT_INDICATOR_GLOBAL_LOAD, GRT_INDICATOR_GLOBAL_STORE) <= l2);
    CU_ASSERT(counters[GRT_INDICATOR_WARPS] > 0);
    CU_ASSERT(counters[GRT_INDICATOR_WARPS] <= usage->sm_utilisation * on_sms * ACTIVE_WARPS);
    CU_ASSERT(demand[GRT_RESOURCE_SM] <= usage->sm_utilisation * on_sms);
    for (size_t i = 0; i < GRT_RESOURCES; i++) {
        CU_ASSERT(demand[i] <= on_sms);
        CU_ASSERT((usage->bound[i] > 0) == (demand[i] > 0)); /* who uses a resource waits for it */
    }
}

static void every_preset_is_whole(void) {
    CU_ASSERT_EQUAL(grt_embedded_usage_count, 15);
    for (size_t i = 0; i < grt_embedded_usage_count; i++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_usage_fields fields;
        bool found = grt_usage_find(grt_embedded_usages[i].name, NULL, &arena, &fields, &errors, NULL);
        CU_ASSERT_TRUE_FATAL(found);
        CU_ASSERT_STRING_EQUAL(fields.usage.name, grt_embedded_usages[i].name);
        CU_ASSERT(fields.measured_time > 0);
        check_file(&grt_embedded_usages[i]);
        check_counters(&fields.usage);
        grt_arena_clear(&arena);
    }
}

/* Tables 3 and 4 of Yao et al., in seconds. */
static void the_times_are_those_of_the_paper(void) {
    static const struct {
        const char *alias;
        double seconds;
    } rows[] = {{"GS", 0.261}, {"HW", 0.356},  {"CFD", 2.081}, {"KM", 0.079},  {"LM", 0.448},
                {"LC", 0.144}, {"LUD", 0.028}, {"MC", 0.531},  {"SRD", 0.301}, {"ST", 1.444},
                {"BD", 0.405}, {"CM", 1.712},  {"MA", 2.071},  {"PP", 2.896},  {"OD", 8.495}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct grt_arena arena = {0};
        struct grt_errors errors = {0};
        struct grt_usage_fields fields;
        CU_ASSERT_TRUE_FATAL(grt_usage_find(rows[i].alias, NULL, &arena, &fields, &errors, NULL));
        CU_ASSERT_EQUAL(fields.measured_time, llround(rows[i].seconds * 1e9));
        grt_arena_clear(&arena);
    }
    CU_ASSERT_PTR_NULL(grt_usage_preset("gs"));
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"every preset is whole", every_preset_is_whole},
        {"the times are those of the paper", the_times_are_those_of_the_paper},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("usage_presets", tests);
}
