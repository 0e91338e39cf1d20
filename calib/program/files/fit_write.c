#include "calib/program/files/fit_write.h"

#include <math.h>

#include "calib/program/files/file_text.h"

static const char *const statuses[] = {[GRT_FINDING_MEASURED] = "measured",
                                       [GRT_FINDING_TOLD] = "told",
                                       [GRT_FINDING_REFUSED] = "refused",
                                       [GRT_FINDING_MISSING] = "missing"};
static const char *const units[] = {
    [GRT_UNIT_NONE] = "",    [GRT_UNIT_NS] = "ns",   [GRT_UNIT_BYTES_PER_SECOND] = "B/s",
    [GRT_UNIT_HERTZ] = "Hz", [GRT_UNIT_BYTES] = "B", [GRT_UNIT_PERCENT] = "%"};

static cJSON *write_finding(const struct grt_finding *finding) {
    cJSON *object = cJSON_CreateObject();
    grt_put_text(object, "name", finding->name);
    grt_put_text(object, "experiment", finding->experiment);
    grt_put_text(object, "status", statuses[finding->status]);
    if (finding->status < GRT_FINDING_REFUSED) {
        grt_put_text(object, "word", finding->word);
        grt_put_number(object, "value", finding->value);
        grt_put_number(object, "low", finding->low);
        grt_put_number(object, "high", finding->high);
        grt_put_text(object, "unit", units[finding->unit]);
        cJSON_AddNumberToObject(object, "samples", (double)finding->samples);
        grt_put_number(object, "residual", finding->residual);
        grt_put_text(object, "how", finding->how);
    }
    grt_put_text(object, "why", finding->why);
    grt_put_text(object, "field", finding->field);
    return object;
}

static cJSON *write_findings(const struct grt_fit *fit) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < fit->finding_count; i++) {
        cJSON_AddItemToArray(list, write_finding(&fit->findings[i]));
    }
    return list;
}

/* ---- workloads and pairs of them ---- */

static void put_times(cJSON *object, const struct grt_fitted_workload *workload) {
    cJSON *times = cJSON_AddArrayToObject(object, "block_times_ns");
    for (size_t i = 0; i < workload->block_time_count; i++) {
        cJSON_AddItemToArray(times, cJSON_CreateNumber((double)workload->block_times[i]));
    }
}

static void put_factors(cJSON *object, const struct grt_fitted_workload *workload) {
    cJSON *factors = cJSON_AddArrayToObject(object, "share_factors");
    for (size_t i = 0; i < workload->share_factor_count; i++) {
        cJSON *factor = cJSON_CreateObject();
        cJSON_AddNumberToObject(factor, "share", (double)workload->share_factors[i].share);
        cJSON_AddNumberToObject(factor, "factor", workload->share_factors[i].factor);
        cJSON_AddItemToArray(factors, factor);
    }
}

static cJSON *write_workloads(const struct grt_fit *fit) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < fit->workload_count; i++) {
        const struct grt_fitted_workload *workload = &fit->workloads[i];
        cJSON *object = cJSON_CreateObject();
        grt_put_text(object, "workload", workload->workload->name);
        put_times(object, workload);
        cJSON_AddNumberToObject(object, "split_overhead_ns", workload->split_overhead);
        put_factors(object, workload);
        if (workload->bytes_per_second > 0) {
            cJSON_AddNumberToObject(object, "bytes_per_second", workload->bytes_per_second);
        }
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static cJSON *write_slowdowns(const struct grt_fit *fit) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < fit->slowdown_count; i++) {
        const struct grt_fitted_slowdown *slowdown = &fit->slowdowns[i];
        cJSON *object = cJSON_CreateObject();
        grt_put_text(object, "workload", slowdown->workload);
        grt_put_text(object, "beside", slowdown->beside);
        cJSON_AddNumberToObject(object, "sms", (double)slowdown->sms);
        cJSON_AddNumberToObject(object, "beside_sms", (double)slowdown->beside_sms);
        grt_put_text(object, "how", slowdown->how);
        grt_put_number(object, "factor", slowdown->factor);
        grt_put_number(object, "low", slowdown->low);
        grt_put_number(object, "high", slowdown->high);
        grt_put_number(object, "p99", slowdown->p99);
        grt_put_number(object, "longest", slowdown->longest);
        grt_put_number(object, "over_alone", slowdown->over_alone);
        cJSON_AddBoolToObject(object, "separate", slowdown->is_separate);
        cJSON_AddNumberToObject(object, "samples", (double)slowdown->samples);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

/* ---- curves ---- */

static cJSON *write_curve(const struct grt_curve *curve) {
    cJSON *object = cJSON_CreateObject();
    grt_put_text(object, "name", curve->name);
    grt_put_text(object, "experiment", curve->experiment);
    grt_put_text(object, "x", curve->x_label);
    grt_put_text(object, "y", curve->y_label);
    grt_put_text(object, "model", curve->model_label);
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (size_t i = 0; i < curve->count; i++) {
        const struct grt_curve_point *point = &curve->points[i];
        cJSON *item = cJSON_CreateObject();
        grt_put_number(item, "x", point->x);
        grt_put_number(item, "measured", point->measured);
        grt_put_number(item, "low", point->low);
        grt_put_number(item, "high", point->high);
        grt_put_number(item, "model", point->model);
        cJSON_AddItemToArray(points, item);
    }
    return object;
}

char *grt_fit_text_of(const struct grt_fit *fit) {
    cJSON *root = cJSON_CreateObject(), *curves, *warnings;
    cJSON_AddNumberToObject(root, "gpurt_fit", 1);
    cJSON_AddItemToObject(root, "measured", grt_provenance(fit->raw));
    cJSON_AddBoolToObject(root, "complete", fit->raw->complete);
    warnings = cJSON_AddArrayToObject(root, "warnings");
    for (size_t i = 0; i < fit->warning_count; i++) {
        cJSON_AddItemToArray(warnings, cJSON_CreateString(fit->warnings[i]));
    }
    cJSON_AddItemToObject(root, "findings", write_findings(fit));
    cJSON_AddItemToObject(root, "workloads", write_workloads(fit));
    cJSON_AddItemToObject(root, "slowdowns", write_slowdowns(fit));
    curves = cJSON_AddArrayToObject(root, "curves");
    for (size_t i = 0; i < fit->curve_count; i++) {
        cJSON_AddItemToArray(curves, write_curve(&fit->curves[i]));
    }
    return grt_tree_text(root);
}
