/* What a file says of the rules by which priorities and cores are given. */
#include "policies/analyses/run.h"
#include "scenarios/assignment.h"
#include "scenarios/spelling.h"

void grt_assignment_read(const struct grt_scenario_fields *fields, const cJSON *tree,
                         struct grt_scenario_assignment *assignment) {
    bool asked = grt_json_find(tree, "priorities") != NULL;
    *assignment = (struct grt_scenario_assignment){.priorities = asked ? (int64_t)grt_priority_choice(fields)
                                                                       : GRT_PRIORITIES_EXPLICIT,
                                                   .allocation = fields->platform.allocation,
                                                   .counts = fields->platform.allocation_counts};
}

static const struct grt_analysis_ops *find_analysis(struct grt_reader *reader,
                                                    const struct grt_policy_ops *policy, const char *name,
                                                    const struct grt_path *path) {
    const struct grt_analysis_ops *analysis = grt_analysis_find_for(policy, name);
    if (analysis == NULL) {
        char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
        struct grt_guess guess = grt_guess_start(name);
        for (size_t i = 0; grt_analysis_number(policy, i) != NULL; i++) {
            grt_guess_try(&guess, grt_analysis_number(policy, i)->name);
        }
        grt_error_add(reader->errors, path, "unknown analysis %s%s", grt_text_show(name, shown),
                      grt_guess_text(&guess, hint));
    }
    return analysis;
}

static void check_counts(struct grt_reader *reader, const cJSON *tree,
                         const struct grt_scenario_assignment *assignment) {
    static const struct grt_path root = {0};
    const struct grt_path platform = {&root, "platform", 0}, counts = {&platform, "allocation_counts", 0};
    if (assignment->allocation == GRT_ALLOCATION_GIVEN &&
        grt_json_find(grt_json_find(tree, "platform"), "allocation_counts") != NULL) {
        grt_error_add(reader->errors, &counts, "has no meaning without an allocation");
    }
}

bool grt_assignment_check(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                          const cJSON *tree, struct grt_scenario_draft *draft) {
    static const struct grt_path root = {0};
    const struct grt_path name = {&root, "priority_analysis", 0};
    size_t before = reader->errors->count;
    check_counts(reader, tree, &draft->assignment);
    grt_allocation_check(draft, reader->errors);
    if (fields->priority_analysis == NULL) {
        return reader->errors->count == before;
    }
    if (draft->assignment.priorities != GRT_PRIORITIES_AUDSLEY) {
        grt_error_add(reader->errors, &name, "has a meaning only with \"priorities\": \"audsley\"");
    } else {
        draft->assignment.analysis = find_analysis(reader, draft->policy, fields->priority_analysis, &name);
    }
    return reader->errors->count == before;
}
