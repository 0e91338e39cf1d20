/* Scenario files that are accepted: all analyses that speak of their policy. */
#include "policies/analyses/run.h"
#include "scenarios/scenario.h"
#include "tests/fuzz/target.h"

static void look(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                 const struct grt_analysis_result *result) {
    size_t *found = context;
    (void)ops;
    (void)set;
    *found += result != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    if (!fuzz_judge(
            grt_scenario_parse((const char *)data, size, GRT_SOURCE_DIR "/scenarios", NULL, &file, &errors),
            &errors)) {
        return 0;
    }
    struct grt_arena arena = {0};
    size_t found = 0;
    const struct grt_analyses_subject subject = {
        .scenario = &file.scenario, .policy = file.policy, .parameters = file.policy_parameters};
    const struct grt_analyses_choice choice = {.analyses = grt_analyses};
    const struct grt_analyses_visitor visitor = {.context = &found, .found = look};
    grt_analyses_run(&subject, &choice, &visitor, &arena);
    grt_arena_clear(&arena);
    grt_scenario_file_free(&file);
    return 0;
}
