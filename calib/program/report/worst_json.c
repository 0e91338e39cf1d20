#include <math.h>

#include "calib/program/report/worst.h"

/* Not a number is null. */
static void add_number(cJSON *object, const char *key, double value) {
    if (isfinite(value)) {
        cJSON_AddNumberToObject(object, key, value);
    } else {
        cJSON_AddNullToObject(object, key);
    }
}

static void add_texts(cJSON *object, const char *key, const char *const *texts, size_t count) {
    cJSON *list = cJSON_AddArrayToObject(object, key);
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(list, cJSON_CreateString(texts[i]));
    }
}

static void add_answers(cJSON *object, const struct grt_pwcet *pwcet) {
    cJSON *list = cJSON_AddArrayToObject(object, "answers");
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        add_number(item, "exceedance_per_run", answer->exceedance);
        cJSON_AddStringToObject(item, "verdict", grt_pwcet_verdict_names[answer->verdict]);
        if (answer->verdict == GRT_PWCET_MODEL) {
            cJSON_AddStringToObject(item, "method", grt_pwcet_method_names[answer->method]);
        }
        add_number(item, "value", answer->value);
        add_number(item, "low", answer->low);
        add_number(item, "high", answer->high);
        add_number(item, "declared", answer->declared);
        add_number(item, "least_of_methods", answer->least);
        add_number(item, "most_of_methods", answer->most);
        if (answer->why != NULL) {
            cJSON_AddStringToObject(item, "why", answer->why);
        }
    }
}

static cJSON *fit_json(const struct grt_pwcet *pwcet, enum grt_pwcet_method method) {
    const struct grt_pwcet_fit *fit = &pwcet->fits[method];
    const struct grt_extreme *extreme = &fit->estimate.likely.extreme;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "method", grt_pwcet_method_names[method]);
    if (fit->why_not != NULL) {
        cJSON_AddStringToObject(object, "why_not", fit->why_not);
        return object;
    }
    cJSON_AddStringToObject(object, "distribution", grt_extreme_names[extreme->kind]);
    cJSON_AddStringToObject(object, "estimated_by",
                            fit->estimate.is_likely ? "maximum likelihood" : "L-moments");
    add_number(object, "location", extreme->location);
    add_number(object, "scale", extreme->scale);
    add_number(object, "shape", extreme->shape);
    cJSON *rows = cJSON_AddArrayToObject(object, "covariance");
    for (int i = 0; i < 3; i++) {
        cJSON *row = cJSON_CreateArray();
        cJSON_AddItemToArray(rows, row);
        for (int j = 0; j < 3; j++) {
            double value = fit->covariance[i][j];
            cJSON_AddItemToArray(row, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
        }
    }
    add_number(object, "values", (double)fit->count);
    add_number(object, "block", (double)fit->block);
    add_number(object, "rate", fit->rate);
    cJSON *goodness = cJSON_AddObjectToObject(object, "goodness_p");
    for (int i = 0; i < GRT_DISTANCES; i++) {
        add_number(goodness, grt_distance_names[i], fit->p[i]);
    }
    cJSON_AddBoolToObject(object, "is_good", fit->is_good);
    cJSON *quantiles = cJSON_AddArrayToObject(object, "quantiles");
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        cJSON *quantile = cJSON_CreateObject();
        cJSON_AddItemToArray(quantiles, quantile);
        add_number(quantile, "exceedance_per_run", pwcet->answers[i].exceedance);
        add_number(quantile, "value", fit->quantiles[i].value);
        add_number(quantile, "low", fit->quantiles[i].low);
        add_number(quantile, "high", fit->quantiles[i].high);
        add_number(quantile, "moved", fit->quantiles[i].moved);
    }
    return object;
}

static void add_tests(cJSON *object, const struct grt_pwcet *pwcet) {
    cJSON *tests = cJSON_AddArrayToObject(object, "tests");
    for (int i = 0; i < GRT_PWCET_TESTS; i++) {
        cJSON *test = cJSON_CreateObject();
        cJSON_AddItemToArray(tests, test);
        cJSON_AddStringToObject(test, "name", grt_pwcet_test_names[i]);
        add_number(test, "statistic", pwcet->tests[i].test.statistic);
        add_number(test, "p", pwcet->tests[i].test.p);
        add_number(test, "p_for_all", pwcet->tests[i].p);
    }
    add_number(object, "one_mode_p", pwcet->one_mode.p);
    add_number(object, "gumbel_or_gev_p", pwcet->gumbel_or_gev.p);
    add_number(object, "exponential_or_gpd_p", pwcet->exponential_or_gpd.p);
}

cJSON *grt_worst_json(const struct grt_pwcet *pwcet, const char *name) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", name);
    add_number(object, "runs", (double)pwcet->count);
    if (pwcet->condition != NULL) {
        add_number(object, "dropped", (double)pwcet->dropped);
        cJSON_AddStringToObject(object, "condition", pwcet->condition);
    }
    if (pwcet->apart != NULL) {
        cJSON_AddStringToObject(object, "apart", pwcet->apart);
    }
    add_number(object, "smallest", pwcet->smallest);
    add_number(object, "median", pwcet->median);
    add_number(object, "largest", pwcet->largest);
    add_number(object, "quantum", pwcet->quantum);
    cJSON_AddBoolToObject(object, "quantum_is_seen", pwcet->quantum_is_seen);
    cJSON_AddBoolToObject(object, "was_jittered", pwcet->was_jittered);
    if (pwcet->constant != NULL) {
        cJSON_AddStringToObject(object, "constant", pwcet->constant);
    }
    add_texts(object, "refusals", pwcet->refusals, pwcet->refusal_count);
    add_texts(object, "warnings", pwcet->warnings, pwcet->warning_count);
    add_answers(object, pwcet);
    cJSON *fits = cJSON_AddArrayToObject(object, "fits");
    for (int i = 0; i < GRT_PWCET_METHODS; i++) {
        cJSON_AddItemToArray(fits, fit_json(pwcet, (enum grt_pwcet_method)i));
    }
    add_tests(object, pwcet);
    add_number(object, "fallback", pwcet->fallback);
    add_number(object, "margin", pwcet->margin);
    return object;
}
