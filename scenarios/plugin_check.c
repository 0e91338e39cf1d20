/* The rules of a plug-in's tables. Those of gpurt's own policies are checked by tests; a plug-in's are checked where it is loaded, so that
 * a mistake in them is a sentence and not a crash. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_options.h"
#include "models/world/policy_question.h"
#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "scenarios/plugin.h"
#include "scenarios/plugin_check.h"
#include "sim/utf8.h"
#include "sim/word.h"

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

bool plugin_is_text(const char *text) {
    return text != NULL && text[0] != '\0' && grt_utf8_is_line(text);
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
    return policy->parameters == NULL || plugin_check_parameters(check, policy->parameters);
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
    if (!plugin_check_options(check, options)) {
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
        if (i == MOST_VALUES || !grt_word_is_valid(values[i], "_")) {
            return plugin_refuse(check,
                                 "has more than %d values, or one whose name is not of letters, digits and "
                                 "\"_\" in lower case (number %zu)",
                                 MOST_VALUES, i);
        }
    }
    return true;
}

/* Pairs of a name and a value. */
static bool check_audsley_options(const struct plugin_check *check, const struct grt_analysis_ops *analysis) {
    _Alignas(max_align_t) char options[GRT_ANALYSIS_OPTIONS_SIZE] = {0};
    const char *const *pair = analysis->audsley_options;
    bool good = true;
    for (size_t i = 0; pair != NULL && pair[0] != NULL && good; i++, pair += 2) {
        struct grt_errors errors = {0};
        if (i == MOST_VALUES || pair[1] == NULL) {
            return plugin_refuse(check,
                                 "has `audsley_options` that are not at most %d pairs of a name and a value",
                                 MOST_VALUES);
        }
        good =
            grt_analysis_option_set(analysis->options, options, analysis->name, pair[0], pair[1], &errors) ||
            plugin_refuse(check, "has `audsley_options` that it does not take: %s", errors.messages[0]);
        grt_errors_clear(&errors);
    }
    return good;
}

/* What Audsley's algorithm goes by. */
static bool check_audsley(const struct plugin_check *check, const struct grt_analysis_ops *analysis) {
    if (analysis->suits_audsley && !analysis->bounds) {
        return plugin_refuse(check,
                             "suits Audsley's algorithm, which goes by bounds, and has none (`bounds`)");
    }
    if (analysis->audsley_objection != NULL && !plugin_is_text(analysis->audsley_objection)) {
        return plugin_refuse(check, "has an `audsley_objection` that is no text of one line");
    }
    return check_audsley_options(check, analysis);
}

static bool check_analysis(const struct plugin_check *check, const struct grt_analysis_ops *analysis) {
    char whose[sizeof "analysis " + GRT_WORD_LONGEST];
    if (!grt_word_is_valid(analysis->name, "-+")) {
        return plugin_refuse(check,
                             "has an analysis whose name is not of letters, digits, \"-\" and \"+\" in lower "
                             "case, a letter first, at most %d",
                             GRT_WORD_LONGEST);
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
    return check_values(&own, analysis->values) && check_options(&own, analysis->options) &&
           check_audsley(&own, analysis);
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

/* Pieces have no host parts, so nobody but the job could execute them. */
static bool check_host(const struct plugin_check *check, const struct grt_policy_ops *policy) {
    bool cuts = policy->gpu_piece_done != NULL || policy->gpu_submission_done != NULL;
    return !cuts || policy->host == GRT_HOST_BY_JOB ||
           plugin_refuse(check,
                         "has segments cut (`gpu_piece_done`, `gpu_submission_done`), and a `host` that is "
                         "not GRT_HOST_BY_JOB");
}

static bool check_promise(const struct plugin_check *check, const struct grt_policy_ops *policy) {
    const struct grt_promise *promise = &policy->promise;
    if ((unsigned)policy->host > GRT_HOST_BY_POLICY) {
        return plugin_refuse(check, "has a `host` that is none");
    }
    return grt_promise_is_valid(promise) ||
           plugin_refuse(check,
                         "has a promise that is none, or of the order by lateness, which only batches have");
}

bool grt_plugin_check(const struct grt_policy_ops *policy, const char *shown, struct grt_errors *errors,
                      const struct grt_path *path) {
    char whose[sizeof "policy " + GRT_WORD_LONGEST];
    struct plugin_check check = {.shown = shown, .whose = "the policy", .errors = errors, .path = path};
    if (policy == NULL || !grt_word_is_valid(policy->name, "-+")) {
        return plugin_refuse(
            &check,
            "must have a name of letters, digits, \"-\" and \"+\" in lower case, a letter first, at most %d",
            GRT_WORD_LONGEST);
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
    return check_promise(&check, policy) && check_host(&check, policy) && check_parameters(&check, policy) &&
           check_analyses(&check, policy);
}
