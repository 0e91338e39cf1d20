#include "cli/policy/json.h"
#include "cli/terminal/json_numbers.h"
#include "cli/verify/report.h"
#include <cjson/cJSON.h>

/* A text, or null. */
static void add_text(cJSON *object, const char *key, const char *text) {
    if (text == NULL || text[0] == '\0') {
        cJSON_AddNullToObject(object, key);
    } else {
        cJSON_AddStringToObject(object, key, text);
    }
}

static const char *task_name(const struct grt_campaign *campaign, uint32_t task) {
    return task == GRT_ANALYSIS_NO_TASK ? NULL : campaign->subject->scenario->tasks[task].name;
}

static void add_pattern(cJSON *object, uint64_t number) {
    if (number == GRT_CAMPAIGN_UNNUMBERED) {
        cJSON_AddNullToObject(object, "pattern");
    } else {
        grt_json_add_count(object, "pattern", number);
    }
}

static void add_itself(cJSON *root, const struct grt_campaign_itself *itself) {
    if (!itself->tried) {
        cJSON_AddNullToObject(root, "itself");
        return;
    }
    cJSON *object = cJSON_AddObjectToObject(root, "itself");
    grt_json_add_count(object, "jobs", itself->jobs);
    grt_json_add_time(object, "end_ns", itself->end);
}

static void add_tasks(cJSON *root, const struct grt_campaign *campaign) {
    cJSON *list = cJSON_AddArrayToObject(root, "tasks");
    for (uint32_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        const struct grt_campaign_task *task = &campaign->tasks[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddStringToObject(object, "name", task_name(campaign, i));
        grt_json_add_count(object, "jobs", task->jobs);
        grt_json_add_count(object, "missed", task->missed);
        grt_json_add_time(object, "response_max_ns", task->response);
        add_pattern(object, task->response < 0 ? GRT_CAMPAIGN_UNNUMBERED : task->pattern);
        add_text(object, "pattern_name", task->name);
    }
}

static void add_bounds(cJSON *object, const struct grt_campaign *campaign, const struct grt_claim *claim) {
    cJSON *list = cJSON_AddArrayToObject(object, "tasks");
    for (uint32_t i = 0; i < campaign->subject->scenario->task_count; i++) {
        if (!claim->covers[i]) {
            continue;
        }
        cJSON *task = cJSON_CreateObject();
        double closeness = grt_campaign_closeness(campaign, claim, i);
        cJSON_AddItemToArray(list, task);
        cJSON_AddStringToObject(task, "name", task_name(campaign, i));
        grt_json_add_time(task, "bound_ns", claim->bounds[i]);
        if (closeness < 0) {
            cJSON_AddNullToObject(task, "closeness_ratio");
        } else {
            cJSON_AddNumberToObject(task, "closeness_ratio", closeness);
        }
    }
}

static void add_claims(cJSON *root, const struct grt_campaign *campaign) {
    cJSON *list = cJSON_AddArrayToObject(root, "analyses");
    for (size_t i = 0; i < campaign->claims.count; i++) {
        const struct grt_claim *claim = &campaign->claims.items[i];
        const struct grt_campaign_witness *witness = &campaign->witnesses[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddStringToObject(object, "name", claim->analysis->name);
        if (claim->gpu == GRT_ANALYSIS_ALL_GPUS) {
            cJSON_AddNullToObject(object, "gpu");
        } else {
            grt_json_add_count(object, "gpu", claim->gpu);
        }
        cJSON_AddStringToObject(object, "verdict", grt_verify_verdict(claim->verdict));
        cJSON_AddBoolToObject(object, "unsound", claim->unsound);
        cJSON_AddBoolToObject(object, "claimed", claim->claimed);
        add_text(object, "reason", claim->reason);
        add_text(object, "failing", task_name(campaign, claim->failing));
        add_text(object, "not_checked", grt_verify_unchecked(claim, witness));
        if (witness->tried) {
            cJSON *tried = cJSON_AddObjectToObject(object, "witness");
            cJSON_AddBoolToObject(tried, "missed", witness->missed);
            grt_json_add_time(tried, "end_ns", witness->end);
            add_pattern(tried, claim->witness != NULL ? GRT_CAMPAIGN_UNNUMBERED : witness->pattern);
            add_text(tried, "pattern_name", witness->name);
        } else {
            cJSON_AddNullToObject(object, "witness");
        }
        add_bounds(object, campaign, claim);
    }
}

static void add_audit(cJSON *root, const struct grt_campaign *campaign) {
    if (campaign->options.no_audit) {
        cJSON_AddNullToObject(root, "audit");
        return;
    }
    cJSON *list = cJSON_AddArrayToObject(root, "audit");
    for (size_t i = 0; i < campaign->count_count; i++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddStringToObject(object, "rule", campaign->counts[i].rule);
        grt_json_add_count(object, "checked", campaign->counts[i].checked);
        grt_json_add_count(object, "broken", campaign->counts[i].broken);
    }
}

static void add_violation(cJSON *object, const struct grt_campaign *campaign,
                          const struct grt_violation *violation) {
    cJSON_AddStringToObject(object, "kind", grt_violation_names[violation->kind]);
    add_text(object, "analysis", violation->analysis != NULL ? violation->analysis->name : NULL);
    add_text(object, "rule", violation->rule);
    add_text(object, "task", task_name(campaign, violation->task));
    grt_json_add_count(object, "job", violation->job);
    grt_json_add_time(object, "time_ns", violation->time);
    grt_json_add_time(object, "response_ns", violation->response);
    grt_json_add_time(object, "bound_ns", violation->bound);
    cJSON_AddStringToObject(object, "text", violation->text);
}

static void add_violations(cJSON *root, const struct grt_campaign *campaign) {
    cJSON *list = cJSON_AddArrayToObject(root, "violations");
    for (size_t i = 0; i < campaign->violation_count; i++) {
        const struct grt_campaign_violation *found = &campaign->violations[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        add_violation(object, campaign, &found->violation);
        grt_json_add_count(object, "patterns", found->times);
        add_pattern(object, found->pattern);
        cJSON_AddStringToObject(object, "pattern_name", found->shown.name);
    }
}

static void add_reproduction(cJSON *root, const struct grt_verify_report *report) {
    if (report->reproduction == NULL) {
        cJSON_AddNullToObject(root, "reproduction");
        return;
    }
    cJSON *object = cJSON_AddObjectToObject(root, "reproduction");
    cJSON_AddStringToObject(object, "file", report->reproduction);
    grt_json_add_count(object, "simulations", report->plays);
    cJSON_AddBoolToObject(object, "stands_alone", !report->keeps_claim);
    cJSON *tasks = cJSON_AddArrayToObject(object, "tasks");
    for (uint32_t i = 0; i < report->shrunk->task_count; i++) {
        if (!report->shrunk->tasks[i].absent) {
            cJSON_AddItemToArray(tasks, cJSON_CreateString(task_name(report->campaign, i)));
        }
    }
    add_violation(object, report->campaign, report->shown);
}

char *grt_verify_report_json(const struct grt_verify_report *report) {
    const struct grt_campaign *campaign = report->campaign;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "gpurt_verify", 1);
    cJSON_AddStringToObject(root, "version", GRT_VERSION);
    cJSON_AddStringToObject(root, "scenario", campaign->subject->scenario->name);
    grt_json_add_policy(root, campaign->subject->policy);
    grt_json_add_count(root, "seed", campaign->options.seed);
    grt_json_add_count(root, "patterns", campaign->done);
    grt_json_add_count(root, "patterns_wanted", campaign->options.patterns);
    cJSON_AddStringToObject(root, "stopped_by", report->stop);
    grt_json_add_count(root, "jobs", campaign->jobs);
    grt_json_add_time(root, "window_ns", campaign->window);
    grt_json_add_time(root, "horizon_ns", campaign->horizon);
    add_itself(root, &campaign->itself);
    add_tasks(root, campaign);
    add_claims(root, campaign);
    add_audit(root, campaign);
    add_text(root, "not_audited", campaign->unaudited);
    add_violations(root, campaign);
    add_reproduction(root, report);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
