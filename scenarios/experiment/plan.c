#include "scenarios/experiment/plan.h"

#include <stdio.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/analyses/run.h"
#include "policies/audsley.h"
#include "policies/registry.h"
#include "scenarios/experiment/names.h"
#include "scenarios/spelling.h"

/* ---- analyses ---- */

const struct grt_analysis_ops *grt_plan_analysis(struct grt_reader *reader,
                                                 const struct grt_policy_ops *policy, const char *name,
                                                 const struct grt_path *path) {
    const struct grt_analysis_ops *analysis = grt_analysis_find_for(policy, name);
    if (analysis == NULL) {
        char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
        struct grt_guess guess = grt_guess_start(name);
        for (size_t i = 0; grt_analysis_number(policy, i) != NULL; i++) {
            grt_guess_try(&guess, grt_analysis_number(policy, i)->name);
        }
        const char *plugin = policy != NULL ? policy->plugin : NULL;
        grt_error_add(reader->errors, path, "unknown analysis %s%s; `gpurt analyze --list` lists them%s%s%s",
                      grt_text_show(name, shown), grt_guess_text(&guess, hint),
                      plugin != NULL ? ", and `gpurt policies " : "", plugin != NULL ? plugin : "",
                      plugin != NULL ? "` those of the plug-in" : "");
    }
    return analysis;
}

/* Reads one name into list[*count], unless it is there already. */
static void add_analysis(struct grt_reader *reader, const struct grt_policy_ops *policy, const cJSON *value,
                         const struct grt_path *path, const struct grt_analysis_ops **list, size_t *count) {
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be the name of an analysis");
        return;
    }
    const struct grt_analysis_ops *analysis = grt_plan_analysis(reader, policy, value->valuestring, path);
    for (size_t i = 0; i < *count; i++) {
        if (list[i] == analysis && analysis != NULL) {
            grt_read_error(reader, path, value, "is there twice");
            return;
        }
    }
    list[*count] = analysis;
    *count += analysis != NULL;
}

static size_t read_analyses(struct grt_reader *reader, const cJSON *value, const struct grt_path *parent,
                            struct grt_evaluation *evaluation) {
    const struct grt_path path = {.parent = parent, .key = "analysis"};
    size_t length = 1, count = 0;
    bool is_list = cJSON_IsArray(value);
    if (value == NULL ||
        (is_list && !grt_read_list(reader, value, &path, 1, GRT_ANALYSIS_MOST_SETTINGS, &length))) {
        return 0;
    }
    const struct grt_analysis_ops **list = grt_arena_array(reader->arena, length + 1, sizeof *list);
    struct grt_path place = {.parent = &path};
    for (const cJSON *item = is_list ? value->child : value; item != NULL;
         item = is_list ? item->next : NULL, place.index++) {
        add_analysis(reader, evaluation->policy, item, is_list ? &place : &path, list, &count);
    }
    evaluation->analyses = list;
    return count;
}

static void read_options(struct grt_reader *reader, const cJSON *value, const struct grt_path *parent,
                         size_t count, struct grt_evaluation *evaluation) {
    const struct grt_path path = {.parent = parent, .key = "options"};
    if (value == NULL) {
        return;
    }
    if (count != 1) {
        grt_error_add(reader->errors, &path, "has a meaning only where one analysis is named");
        return;
    }
    const struct grt_analysis_ops *analysis = evaluation->analyses[0];
    if (analysis->options == NULL) {
        grt_error_add(reader->errors, &path, "analysis %s has none", analysis->name);
        return;
    }
    struct grt_analysis_setting *setting = &evaluation->settings.items[0];
    evaluation->settings.count = 1;
    setting->analysis = analysis;
    grt_read_record(reader, analysis->options, value, &path, setting->options);
}

/* ---- the policy ---- */

/* Which of the policy's parameters the file gives. */
static uint64_t given_of(const struct grt_record *record, const cJSON *object) {
    uint64_t given = 0;
    for (size_t i = 0; record != NULL && i < record->field_count && i < 64; i++) {
        given |= (uint64_t)(grt_json_find(object, record->fields[i].name) != NULL) << i;
    }
    return given;
}

/* One that leaves tasks as they are. */
static const char neutral_policy[] = "hardware";

/* The first policy that an analysis speaks of, with its default parameters; of one that speaks of none, a neutral one. */
static void find_policy(struct grt_reader *reader, const struct grt_path *parent,
                        struct grt_evaluation *evaluation) {
    const struct grt_path path = {.parent = parent, .key = "policy"};
    const struct grt_analysis_ops *analysis = evaluation->analyses[0];
    static const char *const neutral[] = {neutral_policy, NULL};
    bool of_none = grt_analysis_is_of_none(analysis);
    const char *const *name = of_none ? neutral : analysis->policies;
    while (!of_none && *name != NULL && !grt_analysis_speaks_of(analysis, grt_policy_find(*name), NULL)) {
        name++;
    }
    if (*name == NULL) {
        grt_error_add(reader->errors, &path, "required");
        return;
    }
    struct grt_policy_fields policy = {0};
    const struct grt_field field = {.name = "policy", .type = GRT_FIELD_CUSTOM, .custom = GRT_CUSTOM_POLICY};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", *name);
    grt_read_policy(reader, &field, object, &path, &policy);
    cJSON_Delete(object);
    evaluation->policy = policy.ops;
    evaluation->parameters = policy.parameters;
}

/* Analyses that speak of no policy are asked alone, whatever the policy is: what they say is nothing that a simulation could contradict. */
static void check_of_none(struct grt_reader *reader, size_t count, const struct grt_path *list,
                          const struct grt_evaluation *evaluation) {
    size_t of_none = 0, other = count;
    for (size_t i = 0; i < count; i++) {
        bool is = grt_analysis_is_of_none(evaluation->analyses[i]);
        of_none += is;
        other = is ? other : i;
    }
    if (of_none > 0 && evaluation->kind != GRT_EVALUATE_ANALYSIS) {
        grt_error_add(reader->errors, list,
                      "names analyses that speak of no policy: no simulation can be held against them");
    } else if (of_none > 0 && other < count) {
        grt_error_add(reader->errors, list,
                      "%s speaks of a policy, others here speak of none: ask them in two evaluations",
                      evaluation->analyses[other]->name);
    } else if (of_none > 0 && evaluation->policy != NULL) {
        grt_error_add(reader->errors, list, "%s speaks of no policy: it is asked without \"policy\"",
                      evaluation->analyses[0]->name);
    }
}

/* Audsley's algorithm asks the analysis that is asked, where neither the file nor a policy says another one. */
static void find_priority_analysis(struct grt_reader *reader, const struct grt_path *path,
                                   struct grt_evaluation *evaluation) {
    const struct grt_analysis_ops *analysis = evaluation->analyses[0];
    struct grt_scenario_assignment *assignment = &evaluation->assignment;
    if (assignment->priorities != GRT_PRIORITIES_AUDSLEY || assignment->analysis != NULL ||
        !grt_analysis_is_of_none(analysis)) {
        return;
    }
    const char *objection = grt_audsley_objection(analysis);
    if (objection != NULL) {
        grt_error_add(reader->errors, path,
                      "Audsley's algorithm cannot ask %s, which %s; say which it asks as "
                      "\"priority_analysis\"",
                      analysis->name, objection);
    }
    assignment->analysis = analysis;
}

/* Where there is no policy the generator has to draw whole scenarios, which have one; points.c sees to it. */
static void check_policy(struct grt_reader *reader, size_t count, const struct grt_path *path,
                         struct grt_evaluation *evaluation) {
    const struct grt_path list = {.parent = path, .key = "analysis"};
    size_t before = reader->errors->count;
    check_of_none(reader, count, &list, evaluation);
    if (reader->errors->count > before) {
        return;
    }
    if (evaluation->policy == NULL && evaluation->gpu_count > 0 &&
        evaluation->kind == GRT_EVALUATE_ANALYSIS && count > 0) {
        find_policy(reader, path, evaluation);
        find_priority_analysis(reader, path, evaluation);
    }
    for (size_t i = 0; i < count && evaluation->policy != NULL; i++) {
        const struct grt_analysis_ops *analysis = evaluation->analyses[i];
        if (!grt_analysis_is_of_none(analysis) &&
            !grt_analysis_speaks_of(analysis, evaluation->policy, evaluation->parameters)) {
            grt_error_add(reader->errors, &list, "%s does not speak of policy %s with these parameters",
                          analysis->name, evaluation->policy->name);
        }
    }
}

/* ---- measures ---- */

/* "NAME=FORMULA" has both, other texts are both. */
static void split_measures(struct grt_reader *reader, const struct grt_path *parent,
                           struct grt_evaluation *evaluation) {
    const struct grt_path list = {.parent = parent, .key = "measures"};
    size_t count = evaluation->measure_count;
    const char **names = grt_arena_array(reader->arena, count, sizeof *names);
    const char **formulas = grt_arena_array(reader->arena, count, sizeof *formulas);
    for (size_t i = 0; i < count; i++) {
        const struct grt_path path = {.parent = &list, .index = i};
        char *name = grt_arena_text(reader->arena, evaluation->measures[i]), *sign = strchr(name, '=');
        names[i] = name;
        formulas[i] = sign != NULL ? sign + 1 : name;
        if (sign != NULL) {
            *sign = '\0';
            if (*name == '\0' || strpbrk(name, "/:., ") != NULL) {
                grt_error_add(
                    reader->errors, &path,
                    "must begin with a name without \"/\", \":\", \".\", \",\" and spaces (got \"%s\")",
                    evaluation->measures[i]);
            } else if (grt_name_is_of_column(name)) {
                grt_error_add(reader->errors, &path,
                              "must not begin with the name of another column of the results (got \"%s\")",
                              evaluation->measures[i]);
            }
        }
    }
    evaluation->measures = names;
    evaluation->formulas = formulas;
}

/* ---- evaluations ---- */

static void make_evaluation(struct grt_reader *reader, const struct grt_setting_fields *all,
                            const struct grt_evaluation_fields *fields, const struct grt_path *path,
                            struct grt_evaluation *evaluation) {
    const struct grt_policy_ops *policy = fields->policy.ops;
    const cJSON *object = grt_json_find(fields->setting.object, "policy");
    *evaluation = (struct grt_evaluation){
        .name = fields->name,
        .label = fields->label != NULL ? fields->label : fields->name,
        .group = fields->group != NULL ? fields->group : "",
        .kind = fields->kind,
        .policy = policy,
        .parameters = fields->policy.parameters,
        .given = policy != NULL ? given_of(policy->parameters, object) : 0,
        .stop_at_miss = fields->stop_at_miss,
        .patterns = (uint64_t)fields->patterns,
        .jobs = (uint32_t)fields->jobs,
        .kernel = fields->kernel,
        .model = fields->model,
        .measures = fields->measures.items,
        .measure_count = fields->measures.count,
    };
    split_measures(reader, path, evaluation);
    size_t before = reader->errors->count;
    size_t count = read_analyses(reader, fields->analysis, path, evaluation);
    if (reader->errors->count > before) {
        return; /* the rest goes by them */
    }
    read_options(reader, fields->options, path, count, evaluation);
    grt_setting_apply(reader, all, &fields->setting, path, evaluation);
    check_policy(reader, count, path, evaluation);
}

static void check_names(struct grt_reader *reader, const struct grt_evaluation *evaluations, size_t number,
                        const struct grt_path *path) {
    const struct grt_path name = {.parent = path, .key = "name"};
    for (size_t i = 0; i < number; i++) {
        const char *other = evaluations[i].name, *own = evaluations[number].name;
        if (grt_names_are_alike(other, own)) {
            grt_error_add(reader->errors, &name, "%s evaluations[%zu].name (got \"%s\")",
                          strcmp(other, own) == 0 ? "is the same as" : "reads like", i, own);
            return;
        }
    }
}

/* In the legend of a panel they are told apart by their labels alone. */
static void check_labels(struct grt_reader *reader, const struct grt_evaluation *evaluations, size_t number,
                         const struct grt_path *path) {
    const struct grt_path label = {.parent = path, .key = "label"};
    const struct grt_evaluation *own = &evaluations[number];
    char shown[GRT_JSON_SHOWN_SIZE];
    for (size_t i = 0; i < number; i++) {
        if (strcmp(evaluations[i].label, own->label) == 0 && strcmp(evaluations[i].group, own->group) == 0) {
            grt_error_add(reader->errors, &label, "must differ from evaluations[%zu].label%s (got %s)", i,
                          own->group[0] != '\0' ? " in the same group" : "",
                          grt_text_show(own->label, shown));
            return;
        }
    }
}

/* Those without a group would be in a panel without a title. */
static void check_groups(struct grt_reader *reader, const struct grt_evaluation *evaluations, size_t count,
                         const struct grt_path *list) {
    size_t with = count, without = count;
    for (size_t i = count; i-- > 0;) {
        *(evaluations[i].group[0] != '\0' ? &with : &without) = i;
    }
    if (with < count && without < count) {
        const struct grt_path path = {.parent = list, .index = without};
        const struct grt_path group = {.parent = &path, .key = "group"};
        grt_error_add(reader->errors, &group,
                      "required, since evaluations[%zu] has one: all evaluations have a group, or none",
                      with);
    }
}

const struct grt_plan *grt_plan_read(struct grt_reader *reader, const cJSON *object) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "evaluations"};
    struct grt_plan_fields fields = {0};
    size_t before = reader->errors->count;
    if (!grt_read_record(reader, &grt_plan_record, object, &root, &fields)) {
        return NULL;
    }
    size_t count = fields.evaluations.count;
    struct grt_evaluation *evaluations = grt_arena_array(reader->arena, count, sizeof *evaluations);
    const struct grt_evaluation_fields *read = fields.evaluations.items;
    for (size_t i = 0; i < count; i++) {
        const struct grt_path path = {.parent = &list, .index = i};
        make_evaluation(reader, &fields.setting, &read[i], &path, &evaluations[i]);
        size_t known = reader->errors->count;
        check_names(reader, evaluations, i, &path);
        if (reader->errors->count == known) { /* the label may be the name */
            check_labels(reader, evaluations, i, &path);
        }
    }
    check_groups(reader, evaluations, count, &list);
    if (reader->errors->count > before) {
        return NULL;
    }
    struct grt_plan *plan = grt_arena_new(reader->arena, struct grt_plan);
    *plan = (struct grt_plan){evaluations, count, fields.setting.platform.gpus.items};
    return plan;
}

static bool same_measures(const struct grt_evaluation *a, const struct grt_evaluation *b) {
    bool same = a->measure_count == b->measure_count;
    for (size_t i = 0; same && i < a->measure_count; i++) {
        same = strcmp(a->measures[i], b->measures[i]) == 0 && strcmp(a->formulas[i], b->formulas[i]) == 0;
    }
    return same;
}

void grt_plan_compare(const struct grt_plan *first, const struct grt_plan *plan, struct grt_errors *errors) {
    static const struct grt_path root = {0};
    const struct grt_path list = {.parent = &root, .key = "evaluations"};
    if (first->count != plan->count) {
        grt_error_add(errors, &list, "must be as many at all points (got %zu and %zu)", first->count,
                      plan->count);
        return;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct grt_path path = {.parent = &list, .index = i};
        const struct grt_evaluation *a = &first->evaluations[i], *b = &plan->evaluations[i];
        if (strcmp(a->name, b->name) != 0 || strcmp(a->label, b->label) != 0 ||
            strcmp(a->group, b->group) != 0 || a->kind != b->kind || !same_measures(a, b)) {
            grt_error_add(errors, &path,
                          "must have the same name, label, group, kind and measures at all points");
        }
    }
}
