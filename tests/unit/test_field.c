/* Defaults without a reader: the same as the reader of scenario files fills in. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/scenario.h"
#include "sim/field.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

struct sample {
    int64_t time, size, rate, frequency, integer, choice, optional;
    double number;
    bool yes, no;
};

static void every_type_has_its_default(void) {
    static const char *const words[] = {"no", "perhaps", "yes", NULL};
#define FIELD(member, kind, text)                                                                            \
    { .name = #member, .type = (kind), .offset = offsetof(struct sample, member), .fallback = (text) }
    struct grt_field fields[] = {
        FIELD(time, GRT_FIELD_TIME, "\"1.5us\""), FIELD(size, GRT_FIELD_SIZE, "\"2KiB\""),
        FIELD(rate, GRT_FIELD_RATE, "\"1GB/s\""), FIELD(frequency, GRT_FIELD_FREQUENCY, "\"3MHz\""),
        FIELD(integer, GRT_FIELD_INTEGER, "-7"),  FIELD(choice, GRT_FIELD_CHOICE, "\"yes\""),
        FIELD(optional, GRT_FIELD_INTEGER, ""),   FIELD(number, GRT_FIELD_NUMBER, "0.25"),
        FIELD(yes, GRT_FIELD_BOOLEAN, "true"),    FIELD(no, GRT_FIELD_BOOLEAN, "false"),
    };
#undef FIELD
    struct grt_record record = {
        .size = sizeof(struct sample), .fields = fields, .field_count = GRT_FIELD_COUNT(fields)};
    struct sample sample = {.optional = 9, .no = true};
    fields[5].choices = words;
    CU_ASSERT(grt_record_defaults(&record, &sample));
    CU_ASSERT_EQUAL(sample.time, 1500);
    CU_ASSERT_EQUAL(sample.size, 2048);
    CU_ASSERT_EQUAL(sample.rate, 1000000000);
    CU_ASSERT_EQUAL(sample.frequency, 3000000);
    CU_ASSERT_EQUAL(sample.integer, -7);
    CU_ASSERT_EQUAL(sample.choice, 2);
    CU_ASSERT_EQUAL(sample.optional, 0);
    CU_ASSERT_EQUAL(sample.number, 0.25);
    CU_ASSERT(sample.yes && !sample.no);
    fields[0].fallback = NULL; /* required */
    CU_ASSERT(!grt_record_defaults(&record, &sample));
    CU_ASSERT_EQUAL(sample.time, 0);
    CU_ASSERT_EQUAL(sample.integer, -7);
}

static void policies_have_the_defaults_of_files(void) {
    int compared = 0;
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        char text[512];
        unsigned char own[1024];
        if ((*policy)->parameters == NULL) {
            continue;
        }
        snprintf(text, sizeof text,
                 "{\"gpurt\":1,\"horizon\":\"1ms\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},"
                 "\"policy\":{\"name\":\"%s\"},\"tasks\":[{\"name\":\"a\",\"period\":\"1ms\","
                 "\"segments\":[{\"cpu\":\"1us\"}]}]}",
                 (*policy)->name);
        struct grt_scenario_file file;
        grt_scenario_text_load(text, NULL, &file);
        CU_ASSERT_EQUAL((*policy)->parameters->size, (*policy)->parameters_size);
        CU_ASSERT_FATAL((*policy)->parameters_size <= sizeof own);
        CU_ASSERT(grt_record_defaults((*policy)->parameters, own));
        CU_ASSERT_EQUAL(memcmp(own, file.policy_parameters, (*policy)->parameters_size), 0);
        grt_scenario_file_free(&file);
        compared++;
    }
    CU_ASSERT(compared > 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every type has its default", every_type_has_its_default},
        {"policies have the defaults of files", policies_have_the_defaults_of_files},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("defaults", tests);
}
