/* The orders of SMs, the checks across fields, and the table of fields itself. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/device.h"
#include "models/occupancy.h"
#include "sim/unit.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- The table of fields. */

static const enum grt_quantity quantity_of[] = {
    [GRT_FIELD_TIME] = GRT_QUANTITY_TIME,
    [GRT_FIELD_SIZE] = GRT_QUANTITY_SIZE,
    [GRT_FIELD_RATE] = GRT_QUANTITY_RATE,
    [GRT_FIELD_FREQUENCY] = GRT_QUANTITY_FREQUENCY,
};

static bool is_quantity(const struct grt_field *field) {
    return field->type == GRT_FIELD_TIME || field->type == GRT_FIELD_SIZE || field->type == GRT_FIELD_RATE ||
           field->type == GRT_FIELD_FREQUENCY;
}

/* The text without its quotation marks. */
static void unquote(const char *json, char text[64]) {
    size_t length = strlen(json);
    CU_ASSERT_FATAL(length >= 2 && length < 64 && json[0] == '"' && json[length - 1] == '"');
    memcpy(text, json + 1, length - 2);
    text[length - 2] = '\0';
}

static bool default_number(const struct grt_field *field, int64_t *value) {
    if (field->fallback == NULL || field->fallback[0] == '\0') {
        return false;
    }
    char text[64];
    if (field->type == GRT_FIELD_INTEGER) {
        char *end;
        *value = strtoll(field->fallback, &end, 10);
        CU_ASSERT_EQUAL(*end, '\0');
        return true;
    }
    if (is_quantity(field)) {
        unquote(field->fallback, text);
        CU_ASSERT_PTR_NULL(grt_unit_parse(quantity_of[field->type], text, value));
        return true;
    }
    if (field->type == GRT_FIELD_CHOICE) {
        unquote(field->fallback, text);
        for (*value = 0; field->choices[*value] != NULL; (*value)++) {
            if (strcmp(field->choices[*value], text) == 0) {
                return true;
            }
        }
        CU_FAIL("the default is none of the choices");
    }
    return false;
}

/* A device in which every number is the table's default; sm_count, which has none, is 1. */
static struct grt_device default_device(void) {
    struct grt_device device = {.sm_count = 1};
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        const struct grt_field *field = &grt_device_record.fields[i];
        int64_t value;
        if (default_number(field, &value)) {
            memcpy((char *)&device + field->offset, &value, sizeof value);
        }
    }
    return device;
}

static void fields_are_sound(void) {
    CU_ASSERT_EQUAL(grt_device_record.size, sizeof(struct grt_device));
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        const struct grt_field *field = &grt_device_record.fields[i];
        CU_ASSERT(field->offset < sizeof(struct grt_device));
        CU_ASSERT_PTR_NOT_NULL_FATAL(field->help);
        CU_ASSERT_EQUAL(field->fallback == NULL, strcmp(field->name, "sm_count") == 0);
        CU_ASSERT_EQUAL(field->type == GRT_FIELD_CUSTOM, field->custom != 0);
        int64_t value;
        if (default_number(field, &value) && field->type != GRT_FIELD_CHOICE) {
            CU_ASSERT(field->min < field->max || strcmp(field->name, "gpurt_device") == 0);
            CU_ASSERT(value >= field->min && value <= field->max);
        }
        for (size_t j = 0; j < i; j++) {
            const struct grt_field *other = &grt_device_record.fields[j];
            CU_ASSERT(strcmp(field->name, other->name) != 0);
            CU_ASSERT(field->offset != other->offset || field->type == GRT_FIELD_CUSTOM ||
                      other->type == GRT_FIELD_CUSTOM);
        }
    }
}

static void the_default_device_works(void) {
    struct grt_device device = default_device();
    struct grt_errors errors = {0};
    CU_ASSERT(grt_device_check(&device, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 0);
    struct grt_block_needs needs = {.threads = 256, .registers_per_thread = 32};
    CU_ASSERT_EQUAL(grt_occupancy_of(&device, &needs).blocks_per_sm, 6); /* CC 8.7 */
    CU_ASSERT_EQUAL(device.kernel_launch, 0);
    CU_ASSERT_EQUAL(device.copy_latency, 0);
    CU_ASSERT_EQUAL(device.h2d_bytes_per_second, INT64_C(12000000000));
    CU_ASSERT_EQUAL(device.placement, GRT_PLACEMENT_MOST_ROOM);
}

/* The choices stand in the order of their enumerations. */
static void choices_match_their_enumerations(void) {
    static const struct {
        const char *field, *word;
        int64_t value;
    } rows[] = {
        {"sm_order", "ascending", GRT_SM_ORDER_ASCENDING},
        {"sm_order", "tpc_first", GRT_SM_ORDER_TPC_FIRST},
        {"placement", "most_room", GRT_PLACEMENT_MOST_ROOM},
        {"placement", "round_robin", GRT_PLACEMENT_ROUND_ROBIN},
        {"placement", "first_fit", GRT_PLACEMENT_FIRST_FIT},
        {"placement", "least_loaded", GRT_PLACEMENT_LEAST_LOADED},
        {"placement", "random", GRT_PLACEMENT_RANDOM},
        {"context_preemption", "block", 0},
        {"context_preemption", "instruction", 1},
    };
    size_t found = 0;
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        const struct grt_field *field = &grt_device_record.fields[i];
        for (size_t j = 0; j < COUNT(rows); j++) {
            if (strcmp(field->name, rows[j].field) == 0) {
                CU_ASSERT_STRING_EQUAL(field->choices[rows[j].value], rows[j].word);
                found++;
            }
        }
    }
    CU_ASSERT_EQUAL(found, COUNT(rows));
}

/* --- Orders of SMs. */

static void orders_sms(void) {
    static const struct {
        int64_t sm_count, sms_per_tpc, order;
        uint16_t expected[8];
    } rows[] = {
        {1, 1, GRT_SM_ORDER_ASCENDING, {0}},
        {5, 1, GRT_SM_ORDER_ASCENDING, {0, 1, 2, 3, 4}},
        {6, 2, GRT_SM_ORDER_ASCENDING, {0, 1, 2, 3, 4, 5}},
        {8, 2, GRT_SM_ORDER_TPC_FIRST, {0, 2, 4, 6, 1, 3, 5, 7}},
        {6, 3, GRT_SM_ORDER_TPC_FIRST, {0, 3, 1, 4, 2, 5}},
        {4, 1, GRT_SM_ORDER_TPC_FIRST, {0, 1, 2, 3}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct grt_device device = default_device();
        device.sm_count = rows[i].sm_count;
        device.sms_per_tpc = rows[i].sms_per_tpc;
        device.sm_order = rows[i].order;
        uint16_t order[8] = {0};
        grt_device_sm_order(&device, order);
        CU_ASSERT_EQUAL(memcmp(order, rows[i].expected, sizeof order), 0);
    }
}

static void orders_the_largest_device(void) {
    struct grt_device device = default_device();
    device.sm_count = GRT_DEVICE_MAX_SMS;
    device.sms_per_tpc = 2;
    device.sm_order = GRT_SM_ORDER_TPC_FIRST;
    uint16_t order[GRT_DEVICE_MAX_SMS];
    grt_device_sm_order(&device, order);
    for (size_t i = 0; i < GRT_DEVICE_MAX_SMS / 2; i++) {
        CU_ASSERT_EQUAL(order[i], 2 * i);
        CU_ASSERT_EQUAL(order[GRT_DEVICE_MAX_SMS / 2 + i], 2 * i + 1);
    }
}

/* --- Checks across fields. */

static void check_one(struct grt_device device, const char *message) {
    struct grt_path root = {0}, gpu = {.parent = &root, .key = "device"};
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_device_check(&device, &errors, &gpu));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
}

static void finds_contradictions(void) {
    struct grt_device device = default_device();
    device.sm_count = 5;
    device.sms_per_tpc = 2;
    struct grt_errors errors = {0};
    CU_ASSERT(grt_device_check(&device, &errors, NULL)); /* the ascending order does not ask for whole TPCs */
    device.sm_order = GRT_SM_ORDER_TPC_FIRST;
    check_one(device, "device.sm_count: must be a multiple of sms_per_tpc, 2 (got 5)");

    device = default_device();
    device.max_threads_per_sm = 1000;
    check_one(device, "device.max_threads_per_sm: must be a multiple of warp_size, 32 (got 1000)");

    device = default_device();
    device.registers_per_sm = 65535;
    check_one(device, "device.registers_per_sm: must be a multiple of sm_partitions, 4 (got 65535)");

    device = default_device();
    device.shared_memory_per_block_opt_in = 32768;
    check_one(device, "device.shared_memory_per_block_opt_in: must be at least shared_memory_per_block, "
                      "\"48KiB\" (got \"32KiB\")");

    device = default_device();
    device.hardware_queues = 33;
    check_one(device, "device.hardware_queues: must be at most max_hardware_queues, 32 (got 33)");
}

static void finds_all_contradictions_at_once(void) {
    struct grt_device device = default_device();
    device.max_threads_per_sm = 1;
    device.hardware_queues = 64;
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_device_check(&device, &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 2);
    CU_ASSERT_STRING_EQUAL(errors.messages[1],
                           "hardware_queues: must be at most max_hardware_queues, 32 (got 64)");
    CU_ASSERT_FALSE(grt_device_check(&device, &errors, NULL)); /* earlier errors of the list do not matter */
    CU_ASSERT_EQUAL(errors.count, 4);
    device = default_device();
    CU_ASSERT(grt_device_check(&device, &errors, NULL));
    grt_errors_clear(&errors);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"fields are sound", fields_are_sound},
        {"the default device works", the_default_device_works},
        {"choices match their enumerations", choices_match_their_enumerations},
        {"orders SMs", orders_sms},
        {"orders the largest device", orders_the_largest_device},
        {"finds contradictions", finds_contradictions},
        {"finds all contradictions at once", finds_all_contradictions_at_once},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("device", tests);
}
