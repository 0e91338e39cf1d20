#include "calib/program/validate/report.h"
#include "cli/terminal/json_numbers.h"

static void add_spread(cJSON *object, const char *key, const struct grt_error_spread *spread) {
    if (spread->count == 0) {
        cJSON_AddNullToObject(object, key);
        return;
    }
    cJSON *numbers = cJSON_AddObjectToObject(object, key);
    grt_json_add_count(numbers, "count", spread->count);
    grt_json_add_integer(numbers, "min_ns", spread->least);
    grt_json_add_integer(numbers, "median_ns", spread->median);
    grt_json_add_integer(numbers, "max_ns", spread->most);
    cJSON_AddNumberToObject(numbers, "mean_ns", spread->mean_ns);
    grt_json_add_integer(numbers, "p95_absolute_ns", spread->p95_absolute);
    grt_json_add_integer(numbers, "max_absolute_ns", spread->most_absolute);
}

static void add_kinds(cJSON *object, const struct grt_validation *validation) {
    cJSON *kinds = cJSON_AddObjectToObject(object, "kinds");
    for (int kind = 0; kind < GRT_PAIRED_KINDS; kind++) {
        const struct grt_validated_kind *one = &validation->kinds[kind];
        cJSON *item = cJSON_AddObjectToObject(kinds, grt_paired_names[kind]);
        grt_json_add_count(item, "in_both", one->pairs);
        grt_json_add_count(item, "only_simulated", one->only_simulated);
        grt_json_add_count(item, "only_measured", one->only_measured);
        if (kind == GRT_PAIRED_BLOCK) {
            grt_json_add_count(item, "on_another_sm", one->other_row);
        }
        add_spread(item, "start_error", &one->start);
        add_spread(item, "end_error", &one->end);
        add_spread(item, "duration_error", &one->duration);
    }
}

static void add_items(cJSON *object, const char *key, const struct grt_validated_item *items, size_t count) {
    cJSON *list = cJSON_AddArrayToObject(object, key);
    for (size_t i = 0; i < count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "task", items[i].task);
        if (items[i].kernel != NULL) {
            cJSON_AddStringToObject(item, "kernel", items[i].kernel);
            grt_json_add_count(item, "segment", grt_trace_segment(items[i].place));
            grt_json_add_count(item, "command", grt_trace_command(items[i].place));
        }
        grt_json_add_count(item, "count", items[i].count);
        cJSON_AddNumberToObject(item, "measured_mean_ns", items[i].measured_mean_ns);
        grt_json_add_integer(item, "measured_max_ns", items[i].measured_most);
        cJSON_AddNumberToObject(item, "simulated_mean_ns", items[i].simulated_mean_ns);
        grt_json_add_integer(item, "simulated_max_ns", items[i].simulated_most);
        add_spread(item, "error", &items[i].error);
    }
}

static void add_side(cJSON *object, const char *key, const struct grt_happened *side) {
    cJSON *item = cJSON_AddObjectToObject(object, key);
    grt_json_add_integer(item, "start_ns", side->start);
    grt_json_add_integer(item, "end_ns", side->end);
}

static void add_worst(cJSON *object, const struct grt_validation *validation) {
    cJSON *list = cJSON_AddArrayToObject(object, "worst");
    for (size_t i = 0; i < validation->worst_count; i++) {
        const struct grt_validated_worst *worst = &validation->worst[i];
        const struct grt_happened *one = worst->pair.simulated;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "what", grt_paired_names[one->kind]);
        cJSON_AddStringToObject(item, "task", worst->task);
        grt_json_add_count(item, "job", one->job);
        if (worst->kernel != NULL) {
            cJSON_AddStringToObject(item, "kernel", worst->kernel);
        }
        if (one->kind == GRT_PAIRED_BLOCK) {
            grt_json_add_count(item, "block", one->block);
        }
        grt_json_add_integer(item, "error_ns", worst->error);
        add_side(item, "measured", worst->pair.measured);
        add_side(item, "simulated", worst->pair.simulated);
    }
}

/* Which runs were compared to their ends. */
static const char *const parts[] = {[GRT_SHORT_NEITHER] = "all",
                                    [GRT_SHORT_SIMULATED] = "all of the simulation",
                                    [GRT_SHORT_MEASURED] = "all of the trace"};

static void add_origin(cJSON *object, const struct grt_validated_trace *trace) {
    cJSON *origin = cJSON_AddObjectToObject(object, "origin");
    struct grt_arena arena = {0};
    for (int key = 0; key < GRT_ORIGIN_KEYS; key++) {
        const char *value = trace->origin.values[key];
        cJSON_AddItemToObject(origin, grt_origin_keys[key],
                              value != NULL ? cJSON_CreateString(value) : cJSON_CreateNull());
    }
    const char *mismatch = grt_validation_mismatch(trace, &arena);
    cJSON_AddItemToObject(object, "mismatch",
                          mismatch != NULL ? cJSON_CreateString(mismatch) : cJSON_CreateNull());
    cJSON_AddStringToObject(object, "simulated_scenario", trace->fingerprint);
    grt_arena_clear(&arena);
}

cJSON *grt_validation_json(const struct grt_validated_trace *trace) {
    const struct grt_validation *validation = trace->validation;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "trace", trace->path);
    add_origin(object, trace);
    grt_json_add_integer(object, "max_absolute_error_ns", validation->most_absolute);
    grt_json_add_integer(object, "open_error_at_least_ns", validation->pairing->open_error);
    cJSON_AddStringToObject(object, "compared", parts[validation->pairing->short_run]);
    grt_json_add_integer(object, "compared_until_ns", validation->pairing->until);
    grt_json_add_integer(object, "trace_end_ns", validation->pairing->measured_end.at);
    grt_json_add_integer(object, "simulation_end_ns", validation->pairing->simulated_end.at);
    grt_json_add_count(object, "beyond", validation->pairing->beyond);
    grt_json_add_count(object, "unpaired", validation->unpaired);
    grt_json_add_count(object, "left_out", validation->pairing->left_out);
    add_kinds(object, validation);
    add_items(object, "kernels", validation->kernels, validation->kernel_count);
    add_items(object, "response_times", validation->responses, validation->response_count);
    add_worst(object, validation);
    return object;
}
