/* The documents that are made from the tables are up to date. Where GRT_UPDATE is set in the environment, they are
 * written instead of compared. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/experiment/experiment.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "tests/support/suite.h"

static char *written_by(void (*write)(FILE *)) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write(out);
    fclose(out);
    return text;
}

static void check_file(const char *path, void (*write)(FILE *)) {
    char *text = written_by(write);
    if (getenv("GRT_UPDATE") != NULL) {
        FILE *out = fopen(path, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        fputs(text, out);
        fclose(out);
    }
    struct grt_errors errors = {0};
    size_t size;
    char *file = grt_text_file_read(path, &size, &errors);
    bool same = file != NULL && strcmp(file, text) == 0;
    if (!same) {
        printf("\n    %s is not what the tables say: run this test with GRT_UPDATE=1", path);
    }
    CU_ASSERT(same);
    grt_errors_clear(&errors);
    free(file);
    free(text);
}

static void test_reference(void) {
    check_file(GRT_SOURCE_DIR "/docs/scenario-reference.md", grt_scenario_write_reference);
}

static void test_schema(void) {
    check_file(GRT_SOURCE_DIR "/docs/scenario.schema.json", grt_scenario_write_schema);
}

static void test_experiment_reference(void) {
    check_file(GRT_SOURCE_DIR "/docs/experiment-reference.md", grt_experiment_write_reference);
}

static void test_experiment_schema(void) {
    check_file(GRT_SOURCE_DIR "/docs/experiment.schema.json", grt_experiment_write_schema);
}

static void test_kernel_schema(void) {
    check_file(GRT_SOURCE_DIR "/docs/kernels.schema.json", grt_kernels_write_schema);
}

static void check_references(const cJSON *value, const cJSON *definitions) {
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(value, "$ref"), *child;
    if (cJSON_IsString(target)) {
        char name[128];
        CU_ASSERT_EQUAL(sscanf(target->valuestring, "#/$defs/%127[^/]", name), 1);
        CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItemCaseSensitive(definitions, name));
    }
    cJSON_ArrayForEach(child, value) {
        check_references(child, definitions);
    }
}

static void check_schema(void (*write)(FILE *)) {
    char *text = written_by(write);
    cJSON *schema = cJSON_Parse(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    check_references(schema, cJSON_GetObjectItemCaseSensitive(schema, "$defs"));
    cJSON_Delete(schema);
    free(text);
}

static void test_schema_is_json(void) {
    check_schema(grt_scenario_write_schema);
    check_schema(grt_experiment_write_schema);
    check_schema(grt_kernels_write_schema);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"reference", test_reference},
        {"schema", test_schema},
        {"reference of experiments", test_experiment_reference},
        {"schema of experiments", test_experiment_schema},
        {"schema of kernels", test_kernel_schema},
        {"schema is JSON", test_schema_is_json},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenario documents", tests);
}
