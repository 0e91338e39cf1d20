#include <inttypes.h>
#include <string.h>

#include "cli/command.h"
#include "cli/terminal/options.h"
#include "cli/terminal/paragraph.h"
#include "policies/registry.h"
#include "scenarios/plugin.h"
#include "scenarios/read_fields.h"
#include "viz/gantt/text_cells.h"

struct policies {
    const char *name; /* NULL: all */
    struct grt_style style;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct policies *policies = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &policies->style;
        return 0;
    case ARGP_KEY_ARG:
        if (policies->name != NULL) {
            argp_error(state, "one policy at a time (got '%s' and '%s')", policies->name, argument);
        }
        policies->name = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_style_argp, 0, NULL, 0}, {0}};

const struct argp grt_command_policies_argp = {
    .parser = parse_option,
    .children = children,
    .args_doc = "[POLICY]",
    .doc = "Lists the scheduling policies, or shows one, or that of a plug-in's file, with its parameters."
           "\v"
           "Examples:\n"
           "  gpurt policies\n"
           "  gpurt policies np-edf\n"
           "  gpurt policies ./mine.so\n"
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

static const char *type_text(enum grt_field_type type) {
    static const char *const names[] = {[GRT_FIELD_TIME] = "duration",
                                        [GRT_FIELD_SIZE] = "size",
                                        [GRT_FIELD_RATE] = "rate",
                                        [GRT_FIELD_FREQUENCY] = "frequency",
                                        [GRT_FIELD_INTEGER] = "whole number",
                                        [GRT_FIELD_NUMBER] = "number",
                                        [GRT_FIELD_BOOLEAN] = "true or false",
                                        [GRT_FIELD_CHOICE] = "one of",
                                        [GRT_FIELD_NAME] = "text",
                                        [GRT_FIELD_OBJECT] = "object",
                                        [GRT_FIELD_LIST] = "list",
                                        [GRT_FIELD_CUSTOM] = "value"};
    return names[type];
}

/* "whole number from 1 to 16", "duration above 0", "one of ...": what a value may be. */
static void print_type(const struct grt_field *field) {
    bool bounded = field->min != 0 || field->max != 0;
    fputs(type_text(field->type), stdout);
    if (field->type == GRT_FIELD_CHOICE) {
        for (const char *const *choice = field->choices; *choice != NULL; choice++) {
            printf("%s\"%s\"", choice == field->choices ? " " : ", ", *choice);
        }
    } else if (field->type == GRT_FIELD_INTEGER && bounded) {
        printf(" from %" PRId64, field->min);
        if (field->max < GRT_INTEGER_LIMIT) {
            printf(" to %" PRId64, field->max);
        }
    } else if (field->type == GRT_FIELD_TIME && field->min > 0) {
        printf(" above 0");
    } else if (field->type == GRT_FIELD_LIST) {
        printf(" of objects");
    }
}

/* The fields of an object, or of a list's objects, stand below it. */
static void print_field(const struct grt_field *field, size_t indent, size_t width) {
    printf("%*s%s: ", (int)indent, "", field->name);
    print_type(field);
    if (field->fallback == NULL) {
        printf("; required\n");
    } else {
        printf("%s%s\n", field->fallback[0] != '\0' ? "; default " : "; optional", field->fallback);
    }
    printf("%*s", (int)indent + 4, "");
    grt_paragraph_put(stdout, field->help != NULL ? field->help : "", indent + 4, width);
    bool nested = field->type == GRT_FIELD_LIST || field->type == GRT_FIELD_OBJECT;
    for (size_t i = 0; nested && i < field->record->field_count; i++) {
        print_field(&field->record->fields[i], indent + 4, width);
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
        printf("\nparameters, in the scenario's \"policy\" object beside \"%s\": \"%s\":\n", key, value);
    }
    for (size_t i = 0; record != NULL && i < record->field_count; i++) {
        print_field(&record->fields[i], 2, width);
    }
    print_analyses(policy, width);
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
    struct policies policies = {.style = grt_style_default()};
    grt_options_parse(&grt_command_policies_argp, argc, argv, &policies);
    size_t width = (size_t)policies.style.width;
    if (policies.name != NULL) {
        struct grt_arena arena = {0};
        print_policy(find_policy(argv[0], policies.name, &arena), width);
        grt_arena_clear(&arena);
    } else {
        print_list(width);
    }
    return GRT_EXIT_DONE;
}
