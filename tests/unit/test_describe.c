/* What policies tell of the numbers that they work with, against those that the auditor is given: these are found from the scenario
 * without the policy. */
#include <string.h>

#include "policies/registry.h"
#include "policies/tdm/tdm.h"
#include "tests/support/audited_world.h"
#include "tests/support/suite.h"

/* What is told by that name of a task; -1: nothing. */
static int64_t told(const struct grt_result *result, const char *name, uint32_t task) {
    for (size_t i = 0; i < result->number_count; i++) {
        const struct grt_number_result *number = &result->numbers[i];
        if (number->task == task && number->gpu == 0 && strcmp(number->name, name) == 0) {
            return number->value;
        }
    }
    return -1;
}

static bool tells_its_slots(uint64_t number, int64_t kind) {
    struct tdm_parameters given = {.rule = {.method = TDM_EXACT, .count = TDM_COUNT_SOUND, .slots = kind}};
    struct grt_builder *builder = grt_slotted_world(number);
    struct grt_audited_run audited;
    grt_audited_run_start(&audited, &builder->scenario, grt_policy_find("tdm"), &given);
    const struct grt_result *result = audited.run.result;
    bool runs = result != NULL;
    if (runs) {
        const struct grt_audit_slots *slots = audited.promise.slots;
        CU_ASSERT_EQUAL(told(result, "server_period", GRT_NUMBER_OF_NONE), slots->period);
        for (size_t i = 0; i < slots->count; i++) {
            uint32_t task = slots->tasks[i];
            CU_ASSERT_EQUAL(told(result, "slot_length", task), slots->lengths[i]);
            CU_ASSERT_EQUAL(told(result, "slot_offset", task),
                            slots->offsets != NULL ? slots->offsets[i] : -1);
            CU_ASSERT(told(result, "slots", task) >= told(result, "slots_needed", task));
            CU_ASSERT(told(result, "slots_needed", task) > 0);
        }
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return runs;
}

static void tdm_tells_its_slots(void) {
    int runs = 0;
    for (uint64_t i = 0; i < 50; i++) {
        runs += tells_its_slots(i, TDM_SLOTS_PACKED);
        runs += tells_its_slots(i, TDM_SLOTS_TABLE);
    }
    CU_ASSERT(runs > 30);
}

/* Nothing is sure: no counts are told. */
static void what_is_not_sure_is_not_told(void) {
    struct grt_builder *builder = grt_slotted_world(1);
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "tdm");
    CU_ASSERT_EQUAL(told(run.result, "slots", 0), -1);
    CU_ASSERT(told(run.result, "slot_length", 0) > 0);
    grt_built_run_free(&run);
    grt_built_run_under(&run, builder, "np-edf");
    CU_ASSERT_EQUAL(run.result->number_count, 0);
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tdm tells its slots", tdm_tells_its_slots},
        {"what is not sure is not told", what_is_not_sure_is_not_told},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("numbers of policies", tests);
}
