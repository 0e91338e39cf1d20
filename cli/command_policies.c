#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/named_list.h"
#include "cli/policy/json.h"
#include "cli/policy/parameters.h"
#include "cli/terminal/paragraph.h"
#include "policies/registry.h"
#include "scenarios/plugin.h"
#include "viz/gantt/text_cells.h"

static const struct argp_option policy_options[] = {
    {"json", 'j', NULL, 0, "Print the policy, or a list of all of them, as JSON", 0}, {0}};

const struct argp grt_command_policies_argp = {
    .options = policy_options,
    .parser = grt_named_list_parse,
    .children = grt_named_list_children,
    .args_doc = "[POLICY]",
    .doc = "Lists the scheduling policies, or shows one, or that of a plug-in's file, with its parameters."
           "\v"
           "Examples:\n"
           "  gpurt policies\n"
           "  gpurt policies np-edf\n"
           "  gpurt policies ./mine.so\n"
           "  gpurt policies --json\n"
           "\n" GRT_EXIT_HELP,
};

static void print_list(size_t width) {
    size_t cells = 0;
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        size_t name = strlen((*policy)->name);
        cells = name > cells ? name : cells;
    }
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        grt_text_put(stdout, (*policy)->name, cells + 2, GRT_TEXT_LEFT);
        grt_paragraph_put(stdout, (*policy)->summary, cells + 2, width);
    }
}

/* Those that it brings along: `gpurt analyze --list` does not know them. */
static void print_analyses(const struct grt_policy_ops *policy, size_t width) {
    const struct grt_analysis_ops *const *own = policy->analyses;
    for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
        printf("%s  %s: ", i == 0 ? "\nanalyses:\n" : "", own[i]->name);
        grt_paragraph_put(stdout, own[i]->summary, strlen(own[i]->name) + 4, width);
    }
}

static void print_policy(const struct grt_policy_ops *policy, size_t width) {
    printf("%s: ", policy->name);
    grt_paragraph_put(stdout, policy->summary, strlen(policy->name) + 2, width);
    const struct grt_record *record = policy->parameters;
    const char *key = policy->plugin != NULL ? "plugin" : "name";
    const char *value = policy->plugin != NULL ? policy->plugin : policy->name;
    if (record == NULL || record->field_count == 0) {
        printf("\nno parameters: \"policy\": { \"%s\": \"%s\" }\n", key, value);
    } else {
        printf("\nparameters, in the scenario's \"policy\" object beside \"%s\": \"%s\":\n\n", key, value);
        grt_parameters_print(record, width, stdout);
    }
    print_analyses(policy, width);
}

static cJSON *policy_json(const struct grt_policy_ops *policy) {
    cJSON *object = cJSON_CreateObject();
    grt_json_add_policy(object, policy);
    cJSON_AddStringToObject(object, "summary", policy->summary);
    cJSON_AddItemToObject(object, "parameters", grt_parameters_json(policy->parameters));
    cJSON *analyses = cJSON_AddArrayToObject(object, "analyses");
    for (size_t i = 0; policy->analyses != NULL && policy->analyses[i] != NULL; i++) {
        cJSON *analysis = cJSON_CreateObject();
        cJSON_AddStringToObject(analysis, "name", policy->analyses[i]->name);
        cJSON_AddStringToObject(analysis, "summary", policy->analyses[i]->summary);
        cJSON_AddItemToArray(analyses, analysis);
    }
    return object;
}

/* One, or a list of all where `policy` is NULL. */
static void print_json(const struct grt_policy_ops *policy) {
    cJSON *root = policy != NULL ? policy_json(policy) : cJSON_CreateArray();
    for (size_t i = 0; policy == NULL && grt_policies[i] != NULL; i++) {
        cJSON_AddItemToArray(root, policy_json(grt_policies[i]));
    }
    char *text = cJSON_Print(root);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

static const struct grt_policy_ops *find_policy(const char *program, const char *name,
                                                struct grt_arena *arena) {
    struct grt_errors errors = {0};
    const struct grt_policy_ops *policy = grt_policy_choose(name, arena, &errors, NULL);
    if (policy == NULL) {
        grt_options_fail(program, "%s", errors.messages[0]);
    }
    grt_errors_clear(&errors);
    return policy;
}

enum grt_exit grt_command_policies(int argc, char **argv) {
    struct grt_named_list list = {.what = "policy", .style = grt_style_default()};
    grt_options_parse(&grt_command_policies_argp, argc, argv, &list);
    size_t width = (size_t)list.style.width;
    struct grt_arena arena = {0};
    const struct grt_policy_ops *policy = list.name != NULL ? find_policy(argv[0], list.name, &arena) : NULL;
    if (list.json) {
        print_json(policy);
    } else if (policy != NULL) {
        print_policy(policy, width);
    } else {
        print_list(width);
    }
    grt_arena_clear(&arena);
    return GRT_EXIT_DONE;
}
