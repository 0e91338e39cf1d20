/* The rules of a plug-in's tables. Those of gpurt's own policies are checked by tests; a plug-in's are checked where it is loaded, so that
 * a mistake in them is a sentence and not a crash. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/analysis_options.h"
#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "scenarios/json_syntax.h"
#include "scenarios/plugin.h"
#include "scenarios/read_fields.h"
#include "sim/utf8.h"

enum { MOST_FIELDS = 64, MOST_DEPTH = 4, MOST_ANALYSES = 16, LONGEST_NAME = 32 };
#define MOST_BYTES ((size_t)1 << 30) /* of a policy's state, and of its parameters */

/* One check. */
struct check {
    const char *shown; /* the file */
    const char *whose; /* whom the errors are about: "policy llf" */
    struct grt_errors *errors;
    const struct grt_path *path;
};

static bool __attribute__((format(printf, 2, 3))) refuse(const struct check *check, const char *format, ...) {
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    grt_error_add(check->errors, check->path, "%s: %s %s", check->shown, check->whose, sentence);
    return false;
}

/* A letter, then letters, digits and `others`, all in lower case: "np-edf". */
static bool is_name(const char *name, const char *others) {
    size_t length = strlen(name);
    bool good = length > 0 && length <= LONGEST_NAME && name[0] >= 'a' && name[0] <= 'z';
    for (size_t i = 0; good && i < length; i++) {
        good = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
               strchr(others, name[i]) != NULL;
    }
    return good;
}

static bool is_text(const char *text) {
    bool good = text != NULL && text[0] != '\0' && grt_utf8_valid(text);
    for (; good && *text != '\0'; text++) {
        good = !iscntrl((unsigned char)*text);
    }
    return good;
}

/* ---- parameters ---- */

static bool check_record(const struct check *check, const struct grt_record *record, int depth);

static size_t size_of(const struct grt_field *field) {
    switch (field->type) {
    case GRT_FIELD_BOOLEAN:
        return sizeof(bool);
    case GRT_FIELD_LIST:
        return sizeof(struct grt_field_list);
    case GRT_FIELD_OBJECT:
        return field->record->size;
    default:
        return sizeof(int64_t);
    }
}

/* Worlds that are made without a file have the defaults as well, by grt_record_defaults, which reads no JSON. */
static bool is_plain_default(const struct grt_field *field) {
    const char *text = field->fallback;
    bool whole = text[strspn(text, text[0] == '-' ? "-0123456789" : "0123456789")] == '\0';
    bool composed =
        field->type == GRT_FIELD_NAME || field->type == GRT_FIELD_OBJECT || field->type == GRT_FIELD_LIST;
    return !composed && (field->type != GRT_FIELD_INTEGER || whole);
}

/* The default must be one that a file could give, but for the bounds: it may stand for "none". */
static bool check_default(const struct check *check, const struct grt_record *record,
                          const struct grt_field *field) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_reader reader = {.arena = &arena, .errors = &errors, .folder = "."};
    char *memory = grt_arena_array(&arena, 1, record->size);
    struct grt_field unbounded = *field;
    if (field->type != GRT_FIELD_LIST && field->type != GRT_FIELD_NAME) {
        unbounded.min = unbounded.max = 0;
    }
    cJSON *value = grt_json_parse(field->fallback, strlen(field->fallback), &errors);
    if (value != NULL && errors.count == 0) {
        grt_read_value(&reader, &unbounded, value, NULL, memory + field->offset);
    }
    bool good = errors.count == 0 ||
                refuse(check, "has a parameter %s with a wrong default: %s", field->name, errors.messages[0]);
    cJSON_Delete(value);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return good;
}

static bool check_type(const struct check *check, const struct grt_field *field, int depth) {
    bool nested = field->type == GRT_FIELD_OBJECT || field->type == GRT_FIELD_LIST;
    if ((unsigned)field->type >= GRT_FIELD_CUSTOM) {
        return refuse(check, "has a parameter %s of a type that plug-ins may not have", field->name);
    }
    if (field->type == GRT_FIELD_CHOICE && (field->choices == NULL || field->choices[0] == NULL)) {
        return refuse(check, "has a parameter %s without choices", field->name);
    }
    if (nested && field->record == NULL) {
        return refuse(check, "has a parameter %s without a record", field->name);
    }
    return !nested || check_record(check, field->record, depth + 1);
}

static bool check_field(const struct check *check, const struct grt_record *record, size_t number,
                        int depth) {
    const struct grt_field *field = &record->fields[number];
    if (field->name == NULL || !is_name(field->name, "_")) {
        return refuse(
            check,
            "has a parameter whose name is not of letters, digits and \"_\" in lower case (number %zu "
            "of %s)",
            number, record->name);
    }
    for (size_t i = 0; i < number; i++) {
        if (strcmp(record->fields[i].name, field->name) == 0) {
            return refuse(check, "has two parameters %s", field->name);
        }
    }
    if (depth == 0 && (strcmp(field->name, "name") == 0 || strcmp(field->name, "plugin") == 0)) {
        return refuse(check, "has a parameter %s, which says something else there", field->name);
    }
    if (field->help == NULL) {
        return refuse(check, "has a parameter %s without a help", field->name);
    }
    if (!check_type(check, field, depth)) {
        return false;
    }
    size_t size = size_of(field), alignment = size < sizeof(int64_t) ? 1 : sizeof(int64_t);
    if (field->offset % alignment != 0 || size > record->size || field->offset > record->size - size) {
        return refuse(check, "has a parameter %s outside of its struct", field->name);
    }
    bool has_default = field->fallback != NULL && field->fallback[0] != '\0';
    if (has_default && !is_plain_default(field)) {
        return refuse(check,
                      "has a parameter %s whose default is not plain: texts, objects and lists have \"\" or "
                      "none, whole numbers digits",
                      field->name);
    }
    return !has_default || check_default(check, record, field);
}

static bool check_record(const struct check *check, const struct grt_record *record, int depth) {
    if (depth > MOST_DEPTH) {
        return refuse(check, "has parameters nested more than %d deep", MOST_DEPTH);
    }
    if (record->name == NULL || record->field_count > MOST_FIELDS || record->size > MOST_BYTES ||
        (record->field_count > 0 && record->fields == NULL)) {
        return refuse(check, "has parameters without a name, without fields, or more than %d", MOST_FIELDS);
    }
    for (size_t i = 0; i < record->field_count; i++) {
        if (!check_field(check, record, i, depth)) {
            return false;
        }
    }
    return true;
}

static bool check_parameters(const struct check *check, const struct grt_policy_ops *policy) {
    if (policy->parameters != NULL && policy->parameters->size != policy->parameters_size) {
        return refuse(check, "says parameters_size %zu and a record of size %zu", policy->parameters_size,
                      policy->parameters->size);
    }
    if (policy->state_size > MOST_BYTES || policy->parameters_size > MOST_BYTES) {
        return refuse(check, "has a state or parameters above %zu bytes", MOST_BYTES);
    }
    if (policy->permissive != NULL && policy->parameters_size == 0) {
        return refuse(check, "has permissive parameters, and no parameters");
    }
    return policy->parameters == NULL || check_record(check, policy->parameters, 0);
}

/* ---- analyses ---- */

static bool check_options(const struct check *check, const struct grt_record *options) {
    if (options == NULL) {
        return true;
    }
    if (options->size > GRT_ANALYSIS_OPTIONS_SIZE) {
        return refuse(check, "has options of %zu bytes, at most %d are allowed", options->size,
                      GRT_ANALYSIS_OPTIONS_SIZE);
    }
    if (!check_record(check, options, 0)) {
        return false;
    }
    for (size_t i = 0; i < options->field_count; i++) {
        enum grt_field_type type = options->fields[i].type;
        bool allowed = type == GRT_FIELD_CHOICE || type == GRT_FIELD_BOOLEAN || type == GRT_FIELD_INTEGER ||
                       type == GRT_FIELD_TIME;
        const char *fallback = options->fields[i].fallback;
        if (!allowed || fallback == NULL || fallback[0] == '\0') {
            return refuse(check,
                          "has an option %s that is no choice, boolean, whole number or time with a default",
                          options->fields[i].name);
        }
    }
    return true;
}

static bool check_analysis(const struct check *check, const struct grt_analysis_ops *analysis) {
    char whose[sizeof "analysis " + LONGEST_NAME];
    if (analysis->name == NULL || !is_name(analysis->name, "-+")) {
        return refuse(check,
                      "has an analysis whose name is not of letters, digits, \"-\" and \"+\" in lower case");
    }
    snprintf(whose, sizeof whose, "analysis %s", analysis->name);
    struct check own = *check;
    own.whose = whose;
    if (grt_analysis_find(analysis->name) != NULL) {
        return refuse(&own, "has the name of one of gpurt's");
    }
    if (!is_text(analysis->summary) || !is_text(analysis->source) || analysis->run == NULL) {
        return refuse(&own, "lacks a summary, a source or its function `run`");
    }
    if ((unsigned)analysis->scope > GRT_SCOPE_PLATFORM || (unsigned)analysis->order > GRT_ORDER_LATENESS) {
        return refuse(&own, "has a scope or an order that is none");
    }
    return check_options(&own, analysis->options);
}

static bool check_analyses(const struct check *check, const struct grt_policy_ops *policy) {
    bool good = true;
    for (size_t i = 0; policy->analyses != NULL && policy->analyses[i] != NULL && good; i++) {
        if (i == MOST_ANALYSES) {
            return refuse(check, "has more than %d analyses", MOST_ANALYSES);
        }
        good = check_analysis(check, policy->analyses[i]);
        for (size_t j = 0; j < i && good; j++) {
            if (strcmp(policy->analyses[j]->name, policy->analyses[i]->name) == 0) {
                good = refuse(check, "has two analyses %s", policy->analyses[i]->name);
            }
        }
    }
    return good;
}

/* ---- the policy ---- */

static bool check_promise(const struct check *check, const struct grt_policy_ops *policy) {
    const struct grt_promise *promise = &policy->promise;
    bool known =
        (unsigned)promise->gpu <= GRT_PROMISE_PLACES && (unsigned)promise->order <= GRT_ORDER_LATENESS &&
        (unsigned)promise->overlap <= GRT_OVERLAP_ALL && (unsigned)policy->host <= GRT_HOST_BY_POLICY;
    return known || refuse(check, "has a promise, or a `host`, that is none");
}

bool grt_plugin_check(const struct grt_policy_ops *policy, const char *shown, struct grt_errors *errors,
                      const struct grt_path *path) {
    char whose[sizeof "policy " + LONGEST_NAME];
    struct check check = {shown, "the policy", errors, path};
    if (policy == NULL || policy->name == NULL || !is_name(policy->name, "-+")) {
        return refuse(&check, "must have a name of letters, digits, \"-\" and \"+\" in lower case");
    }
    snprintf(whose, sizeof whose, "policy %s", policy->name);
    check.whose = whose;
    if (grt_policy_find(policy->name) != NULL) {
        return refuse(&check, "has the name of one of gpurt's");
    }
    if (!is_text(policy->summary)) {
        return refuse(&check, "has no summary, which is one line");
    }
    if (policy->start == NULL || policy->decide == NULL) {
        return refuse(&check, "lacks its operation `%s`", policy->start == NULL ? "start" : "decide");
    }
    if (policy->plugin != NULL) {
        return refuse(&check, "must leave `plugin` NULL");
    }
    return check_promise(&check, policy) && check_parameters(&check, policy) &&
           check_analyses(&check, policy);
}
