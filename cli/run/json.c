#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>

#include "cli/policy/json.h"
#include "cli/run/numbers.h"
#include "cli/run/report.h"
#include "cli/run/slack.h"
#include "cli/terminal/json_numbers.h"
#include "cli/terminal/quantity.h"
#include "models/allocation.h"
#include "models/priority.h"
#include "models/task/rule_names.h"

static void add_statistics(cJSON *object, const char *key, const struct grt_stats *stats) {
    cJSON *part = cJSON_AddObjectToObject(object, key);
    bool any = stats->count > 0;
    grt_json_add_count(part, "count", stats->count);
    grt_json_add_time(part, "min_ns", any ? stats->min : -1);
    grt_json_add_time(part, "mean_ns", any ? (grt_time)llround(grt_stats_mean(stats)) : -1);
    grt_json_add_time(part, "p50_ns", any ? grt_stats_quantile(stats, 0.50) : -1);
    grt_json_add_time(part, "p95_ns", any ? grt_stats_quantile(stats, 0.95) : -1);
    grt_json_add_time(part, "p99_ns", any ? grt_stats_quantile(stats, 0.99) : -1);
    grt_json_add_time(part, "max_ns", any ? stats->max : -1);
}

static void add_counts(cJSON *object, const struct grt_task_result *task) {
    grt_json_add_count(object, "released", task->released);
    grt_json_add_count(object, "finished", task->finished);
    grt_json_add_count(object, "met", task->met);
    grt_json_add_count(object, "missed", task->missed);
    grt_json_add_count(object, "aborted", task->aborted);
    grt_json_add_count(object, "skipped", task->skipped);
    grt_json_add_count(object, "unfinished", task->unfinished);
}

static void add_totals(cJSON *root, const struct grt_result *result) {
    struct grt_task_result sum = {0};
    for (size_t i = 0; i < result->task_count; i++) {
        const struct grt_task_result *task = &result->tasks[i];
        sum.released += task->released;
        sum.finished += task->finished;
        sum.met += task->met;
        sum.missed += task->missed;
        sum.aborted += task->aborted;
        sum.skipped += task->skipped;
        sum.unfinished += task->unfinished;
    }
    cJSON *totals = cJSON_AddObjectToObject(root, "totals");
    add_counts(totals, &sum);
    struct grt_slack slack = grt_report_slack_total(result);
    grt_report_slack_json(cJSON_AddObjectToObject(totals, "slack"), &slack);
}

static void add_tasks(cJSON *root, const struct grt_simulation *simulation) {
    cJSON *list = cJSON_AddArrayToObject(root, "tasks");
    for (size_t i = 0; i < simulation->result->task_count; i++) {
        const struct grt_task *task = &simulation->file.scenario.tasks[i];
        const struct grt_task_result *result = &simulation->result->tasks[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", result->name);
        grt_json_add_time(object, "period_ns", task->period > 0 ? task->period : -1);
        grt_json_add_time(object, "deadline_ns", grt_report_has_deadline(task) ? task->deadline : -1);
        grt_json_add_integer(object, "priority", task->priority);
        if (simulation->file.assignment.allocation != GRT_ALLOCATION_GIVEN) {
            grt_json_add_integer(object, "cpu", task->cpu);
        }
        add_counts(object, result);
        grt_json_add_time(object, "worst_tardiness_ns",
                          grt_report_has_deadline(task) ? result->worst_tardiness : -1);
        add_statistics(object, "response", &result->response);
        add_statistics(object, "gpu_wait", &result->gpu_wait);
        add_statistics(object, "blocking", &result->blocking);
        grt_report_task_slack_json(object, task, result);
        cJSON_AddItemToArray(list, object);
    }
}

static void add_busy(cJSON *list, grt_time busy, grt_time end) {
    cJSON *object = cJSON_CreateObject();
    grt_json_add_time(object, "busy_ns", busy);
    grt_json_add_ratio(object, "busy_ratio", (double)busy, (double)end);
    cJSON_AddItemToArray(list, object);
}

/* What cores spent with what is no work, in runs in which any did. */
static void add_cores(cJSON *list, const struct grt_result *result) {
    bool spinning = false, overhead = false;
    for (size_t i = 0; i < result->core_count; i++) {
        spinning = spinning || result->cores[i].spinning > 0;
        overhead = overhead || result->cores[i].overhead > 0;
    }
    for (size_t i = 0; i < result->core_count; i++) {
        const struct grt_core_result *core = &result->cores[i];
        add_busy(list, core->busy, result->end);
        cJSON *object = cJSON_GetArrayItem(list, (int)i);
        if (spinning) {
            grt_json_add_time(object, "spinning_ns", core->spinning);
            grt_json_add_ratio(object, "spinning_ratio", (double)core->spinning, (double)result->end);
        }
        if (overhead) {
            grt_json_add_time(object, "overhead_ns", core->overhead);
            grt_json_add_ratio(object, "overhead_ratio", (double)core->overhead, (double)result->end);
        }
    }
}

static void add_gpu(cJSON *list, const struct grt_gpu_result *gpu, grt_time end) {
    cJSON *object = cJSON_CreateObject();
    double sm_time = (double)end * (double)gpu->sm_count;
    cJSON_AddStringToObject(object, "device", gpu->device);
    grt_json_add_count(object, "sm_count", gpu->sm_count);
    grt_json_add_time(object, "busy_ns", gpu->busy);
    grt_json_add_ratio(object, "busy_ratio", (double)gpu->busy, (double)end);
    grt_json_add_ratio(object, "sm_busy_ratio", gpu->sm_busy, sm_time);
    if (gpu->shares) {
        cJSON_AddStringToObject(object, "granularity", "shares");
    } else {
        grt_json_add_ratio(object, "thread_ratio", gpu->thread_time, sm_time);
    }
    grt_json_add_count(object, "kernels", gpu->kernels);
    if (!gpu->shares) {
        grt_json_add_count(object, "blocks", gpu->blocks);
    }
    grt_json_add_count(object, "copies", gpu->copies);
    if (gpu->launches) {
        grt_json_add_count(object, "failed_launches", gpu->failed_launches);
    }
    if (gpu->pins) {
        grt_json_add_count(object, "lost_items", gpu->lost_items);
    }
    cJSON *engines = cJSON_AddArrayToObject(object, "copy_engines");
    for (uint32_t i = 0; i < gpu->engine_count; i++) {
        add_busy(engines, gpu->engine_busy[i], end);
    }
    cJSON_AddItemToArray(list, object);
}

static void add_resources(cJSON *root, const struct grt_result *result) {
    cJSON *cores = cJSON_AddArrayToObject(root, "cores");
    add_cores(cores, result);
    cJSON *gpus = cJSON_AddArrayToObject(root, "gpus");
    for (size_t i = 0; i < result->gpu_count; i++) {
        add_gpu(gpus, &result->gpus[i], result->end);
    }
    grt_report_numbers_json(root, result);
    cJSON *counters = result->counter_count > 0 ? cJSON_AddObjectToObject(root, "counters") : NULL;
    for (size_t i = 0; i < result->counter_count; i++) {
        grt_json_add_count(counters, result->counters[i].name, result->counters[i].count);
    }
}

/* Nothing where the tasks say all themselves. */
static void add_assignment(cJSON *root, const struct grt_scenario_assignment *assignment) {
    if (assignment->priorities != GRT_PRIORITIES_EXPLICIT) {
        cJSON_AddStringToObject(root, "priorities", grt_priority_rule_names[assignment->priorities]);
    }
    if (assignment->analysis != NULL) {
        cJSON_AddStringToObject(root, "priority_analysis", assignment->analysis->name);
    }
    if (assignment->allocation != GRT_ALLOCATION_GIVEN) {
        cJSON_AddStringToObject(root, "allocation", grt_allocation_rule_names[assignment->allocation]);
    }
}

static void add_run(cJSON *root, const struct grt_simulation *simulation) {
    static const char *const horizons[] = {[GRT_HORIZON_FIXED] = "fixed",
                                           [GRT_HORIZON_HYPERPERIOD] = "hyperperiod",
                                           [GRT_HORIZON_AUTO] = "auto"};
    const struct grt_scenario *scenario = &simulation->file.scenario;
    cJSON_AddStringToObject(root, "scenario", scenario->name);
    grt_json_add_policy(root, simulation->file.policy);
    grt_json_add_count(root, "seed", scenario->seed);
    add_assignment(root, &simulation->file.assignment);
    cJSON_AddStringToObject(root, "ties", grt_report_ties(scenario));
    cJSON_AddStringToObject(root, "horizon", horizons[scenario->horizon_kind]);
    grt_json_add_time(root, "horizon_ns",
                      scenario->horizon_kind == GRT_HORIZON_AUTO ? -1 : scenario->horizon);
    grt_json_add_time(root, "end_ns", simulation->result->end);
    cJSON_AddStringToObject(root, "stopped_by", grt_report_stop(simulation->result));
    grt_json_add_count(root, "events", simulation->result->events);
}

static void add_trace(cJSON *root, const struct grt_trace *trace) {
    if (trace == NULL) {
        cJSON_AddNullToObject(root, "trace_digest");
        cJSON_AddNullToObject(root, "trace_records");
        return;
    }
    char digest[32];
    snprintf(digest, sizeof digest, "%016" PRIx64, trace->digest);
    cJSON_AddStringToObject(root, "trace_digest", digest);
    grt_json_add_count(root, "trace_records", trace->record_count);
}

char *grt_report_json(const struct grt_simulation *simulation) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "gpurt_result", 1);
    cJSON_AddStringToObject(root, "version", GRT_VERSION);
    add_run(root, simulation);
    add_trace(root, simulation->trace);
    cJSON_AddNumberToObject(root, "quantile_error_ratio", GRT_STATS_QUANTILE_ERROR);
    add_totals(root, simulation->result);
    add_tasks(root, simulation);
    add_resources(root, simulation->result);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
