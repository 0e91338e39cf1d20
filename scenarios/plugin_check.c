/* The rules of a plug-in's tables. Those of gpurt's own policies are checked by tests; a plug-in's are checked where it is loaded, so that
 * a mistake in them is a sentence and not a crash. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_options.h"
#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "scenarios/plugin.h"
#include "scenarios/plugin_check.h"
#include "sim/utf8.h"

enum { MOST_ANALYSES = 16, MOST_VALUES = 64 };

bool plugin_refuse(const struct plugin_check *check, const char *format, ...) {
    char sentence[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    grt_error_add(check->errors, check->path, "%s: %s %s", check->shown, check->whose, sentence);
    return false;
}

bool plugin_is_name(const char *name, const char *others) {
    size_t length = name != NULL ? strlen(name) : 0;
    bool good = length > 0 && length <= PLUGIN_LONGEST_NAME && name[0] >= 'a' && name[0] <= 'z';
    for (size_t i = 0; good && i < length; i++) {
        good = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
               strchr(others, name[i]) != NULL;
    }
    return good;
}

bool plugin_is_text(const char *text) {
    bool good = text != NULL && text[0] != '\0' && grt_utf8_valid(text);
    for (; good && *text != '\0'; text++) {
        good = !iscntrl((unsigned char)*text);
    }
    return good;
}

/* ---- parameters ---- */

static bool check_parameters(const struct plugin_check *check, const struct grt_policy_ops *policy) {
    if (policy->parameters != NULL && policy->parameters->size != policy->parameters_size) {
        return plugin_refuse(check, "says parameters_size %zu and a record of size %zu",
                             policy->parameters_size, policy->parameters->size);
    }
    if (policy->state_size > PLUGIN_MOST_BYTES || policy->parameters_size > PLUGIN_MOST_BYTES) {
        return plugin_refuse(check, "has a state or parameters above %zu bytes", PLUGIN_MOST_BYTES);
    }
    if (policy->permissive != NULL && policy->parameters_size == 0) {
        return plugin_refuse(check, "has permissive parameters, and no parameters");
    }
    return policy->parameters == NULL || plugin_check_record(check, policy->parameters);
}

/* ---- analyses ---- */

static bool check_options(const struct plugin_check *check, const struct grt_record *options) {
    if (options == NULL) {
        return true;
    }
    if (options->size > GRT_ANALYSIS_OPTIONS_SIZE) {
        return plugin_refuse(check, "has options of %zu bytes, at most %d are allowed", options->size,
                             GRT_ANALYSIS_OPTIONS_SIZE);
    }
    if (!plugin_check_record(check, options)) {
        return false;
    }
    for (size_t i = 0; i < options->field_count; i++) {
        enum grt_field_type type = options->fields[i].type;
        bool allowed = type == GRT_FIELD_CHOICE || type == GRT_FIELD_BOOLEAN || type == GRT_FIELD_INTEGER ||
                       type == GRT_FIELD_TIME;
        const char *fallback = options->fields[i].fallback;
        if (!allowed || fallback == NULL || fallback[0] == '\0') {
            return plugin_refuse(
                check, "has an option %s that is no choice, boolean, whole number or time with a default",
                options->fields[i].name);
        }
    }
    return true;
}

/* They are keys of JSON. */
static bool check_values(const struct plugin_check *check, const char *const *values) {
    for (size_t i = 0; values != NULL && values[i] != NULL; i++) {
        if (i == MOST_VALUES || !plugin_is_name(values[i], "_")) {
            return plugin_refuse(check,
                                 "has more than %d values, or one whose name is not of letters, digits and "
                                 "\"_\" in lower case (number %zu)",
                                 MOST_VALUES, i);
        }
    }
    return true;
}

static bool check_analysis(const struct plugin_check *check, const struct grt_analysis_ops *analysis) {
    char whose[sizeof "analysis " + PLUGIN_LONGEST_NAME];
    if (!plugin_is_name(analysis->name, "-+")) {
        return plugin_refuse(
            check,
            "has an analysis whose name is not of letters, digits, \"-\" and \"+\" in lower case, at most %d",
            PLUGIN_LONGEST_NAME);
    }
    snprintf(whose, sizeof whose, "analysis %s", analysis->name);
    struct plugin_check own = *check;
    own.whose = whose;
    if (grt_analysis_find(analysis->name) != NULL) {
        return plugin_refuse(&own, "has the name of one of gpurt's");
    }
    if (!plugin_is_text(analysis->summary) || !plugin_is_text(analysis->source) || analysis->run == NULL) {
        return plugin_refuse(&own, "lacks a summary, a source or its function `run`");
    }
    if (analysis->deviation != NULL && !plugin_is_text(analysis->deviation)) {
        return plugin_refuse(&own, "has a deviation that is no text of one line");
    }
    if ((unsigned)analysis->scope > GRT_SCOPE_PLATFORM || (unsigned)analysis->order > GRT_ORDER_LATENESS) {
        return plugin_refuse(&own, "has a scope or an order that is none");
    }
    return check_values(&own, analysis->values) && check_options(&own, analysis->options);
}

static bool check_analyses(const struct plugin_check *check, const struct grt_policy_ops *policy) {
    bool good = true;
    for (size_t i = 0; policy->analyses != NULL && policy->analyses[i] != NULL && good; i++) {
        if (i == MOST_ANALYSES) {
            return plugin_refuse(check, "has more than %d analyses", MOST_ANALYSES);
        }
        good = check_analysis(check, policy->analyses[i]);
        for (size_t j = 0; j < i && good; j++) {
            if (strcmp(policy->analyses[j]->name, policy->analyses[i]->name) == 0) {
                good = plugin_refuse(check, "has two analyses %s", policy->analyses[i]->name);
            }
        }
    }
    return good;
}

/* ---- the policy ---- */

static bool check_promise(const struct plugin_check *check, const struct grt_policy_ops *policy) {
    const struct grt_promise *promise = &policy->promise;
    bool known =
        (unsigned)promise->gpu <= GRT_PROMISE_PLACES && (unsigned)promise->order <= GRT_ORDER_LATENESS &&
        (unsigned)promise->overlap <= GRT_OVERLAP_ALL && (unsigned)policy->host <= GRT_HOST_BY_POLICY;
    return known || plugin_refuse(check, "has a promise, or a `host`, that is none");
}

bool grt_plugin_check(const struct grt_policy_ops *policy, const char *shown, struct grt_errors *errors,
                      const struct grt_path *path) {
    char whose[sizeof "policy " + PLUGIN_LONGEST_NAME];
    struct plugin_check check = {shown, "the policy", errors, path};
    if (policy == NULL || !plugin_is_name(policy->name, "-+")) {
        return plugin_refuse(&check,
                             "must have a name of letters, digits, \"-\" and \"+\" in lower case, at most %d",
                             PLUGIN_LONGEST_NAME);
    }
    snprintf(whose, sizeof whose, "policy %s", policy->name);
    check.whose = whose;
    if (grt_policy_find(policy->name) != NULL) {
        return plugin_refuse(&check, "has the name of one of gpurt's");
    }
    if (!plugin_is_text(policy->summary)) {
        return plugin_refuse(&check, "has no summary, which is one line");
    }
    if (policy->start == NULL || policy->decide == NULL) {
        return plugin_refuse(&check, "lacks its operation `%s`", policy->start == NULL ? "start" : "decide");
    }
    if (policy->plugin != NULL) {
        return plugin_refuse(&check, "must leave `plugin` NULL");
    }
    return check_promise(&check, policy) && check_parameters(&check, policy) &&
           check_analyses(&check, policy);
}
