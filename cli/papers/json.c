#include <math.h>

#include "cli/papers/papers.h"
#include "cli/terminal/json_numbers.h"

/* A number, or null where there is none. */
static void add_number(cJSON *object, const char *key, double value) {
    if (isfinite(value)) {
        cJSON_AddNumberToObject(object, key, value);
    } else {
        cJSON_AddNullToObject(object, key);
    }
}

static void add_place(cJSON *object, const struct grt_experiment *experiment, const size_t *axes,
                      const size_t *values, size_t count) {
    cJSON *at = cJSON_AddObjectToObject(object, "at");
    for (size_t i = 0; i < count; i++) {
        const struct grt_axis *axis = &experiment->axes[axes[i]];
        cJSON_AddStringToObject(at, axis->name, axis->values[values[i]]);
    }
}

static cJSON *json_of_value(const struct grt_experiment *experiment, const struct grt_compared *value) {
    const struct grt_published *published = value->published;
    cJSON *object = cJSON_CreateObject();
    add_place(object, experiment, published->axes, published->values, published->axis_count);
    cJSON_AddStringToObject(object, "evaluation",
                            experiment->points[0].evaluations[published->evaluation].name);
    cJSON_AddStringToObject(object, "measure", published->measure);
    cJSON_AddStringToObject(object, "from", grt_published_from_names[published->from]);
    cJSON_AddStringToObject(object, "source", published->source);
    add_number(object, "value", published->value);
    add_number(object, "simulated", value->simulated.value);
    add_number(object, "low", value->simulated.within.low);
    add_number(object, "high", value->simulated.within.high);
    grt_json_add_count(object, "sets", value->simulated.sets);
    add_number(object, "difference", value->difference);
    add_number(object, "difference_low", value->within.low);
    add_number(object, "difference_high", value->within.high);
    if (value->agreement == GRT_NOT_COMPARABLE) {
        cJSON_AddNullToObject(object, "agrees");
    } else {
        cJSON_AddBoolToObject(object, "agrees", value->agreement == GRT_AGREES);
    }
    return object;
}

static cJSON *json_of_claim(const struct grt_experiment *experiment, const struct grt_claim_found *found) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "text", found->claim->text);
    add_place(object, experiment, found->claim->axes, found->claim->values, found->claim->axis_count);
    cJSON_AddBoolToObject(object, "holds", found->holds);
    grt_json_add_count(object, "points", found->points);
    grt_json_add_count(object, "points_held", found->held);
    grt_json_add_count(object, "points_without_values", found->without_values);
    add_number(object, "by", found->by);
    return object;
}

cJSON *grt_papers_json(const struct grt_paper_found *found) {
    const struct grt_experiment *experiment = found->experiment;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", experiment->name);
    cJSON_AddStringToObject(object, "paper", found->item->paper);
    cJSON_AddStringToObject(object, "title", experiment->title != NULL ? experiment->title : "");
    grt_json_add_integer(object, "samples", experiment->samples);
    grt_json_add_integer(object, "full_samples", found->full_samples);
    cJSON_AddBoolToObject(object, "quickly_trained", found->quickly_trained);
    cJSON *values = cJSON_AddArrayToObject(object, "published");
    for (size_t i = 0; i < experiment->published_count; i++) {
        cJSON_AddItemToArray(values, json_of_value(experiment, &found->values[i]));
    }
    cJSON *claims = cJSON_AddArrayToObject(object, "claims");
    for (size_t i = 0; i < experiment->claim_count; i++) {
        cJSON_AddItemToArray(claims, json_of_claim(experiment, &found->claims[i]));
    }
    return object;
}
