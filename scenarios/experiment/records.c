/* Which records experiments have, and how the fields are read that need a function. */
#include "models/device/share_fields.h"
#include "scenarios/experiment/fields.h"

const struct grt_record *const grt_experiment_records[] = {
    &grt_experiment_record,
    &grt_axis_record,
    &grt_axis_value_record,
    &grt_generator_record,
    &grt_bare_platform_record,
    &grt_gpu_record,
    &grt_mig_record,
    &grt_device_record,
    &grt_slowdown_record,
    &grt_latencies_record,
    &grt_evaluation_record,
    &grt_policy_record,
    &grt_periods_record,
    &grt_published_record,
    &grt_claim_record,
    &grt_plot_record,
    NULL,
};

const struct grt_custom grt_experiment_customs[] = {
    {GRT_CUSTOM_AXIS_VALUES, grt_read_as_it_is,
     "list of 1 to 1000 numbers, texts, truths, lists and [axis_value](#axis_value)",
     "{\"type\":\"array\",\"minItems\":1,\"maxItems\":1000,\"items\":{\"anyOf\":[{\"type\":[\"number\","
     "\"string\",\"boolean\",\"array\"]},{\"$ref\":\"#/$defs/axis_value\"}]}}"},
    {GRT_CUSTOM_AXIS_BOUND, grt_read_as_it_is, "number, or text with a unit",
     "{\"type\":[\"number\",\"string\"]}"},
    {GRT_CUSTOM_AXIS_VALUE, grt_read_as_it_is, "what belongs at the path", "{}"},
    {GRT_CUSTOM_AXIS_SET, grt_read_as_it_is, "object of values by their paths", "{\"type\":\"object\"}"},
    {GRT_CUSTOM_AT, grt_read_as_it_is, "object of numbers, texts and truths",
     "{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"number\",\"string\",\"boolean\"]}}"},
    {GRT_CUSTOM_ANALYSIS, grt_read_as_it_is, "name, or list of 1 to 16 names",
     "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,"
     "\"maxItems\":16,\"uniqueItems\":true}]}"},
    {GRT_CUSTOM_OPTIONS, grt_read_as_it_is, "object", "{\"type\":\"object\"}"},
    {GRT_CUSTOM_AXIS_OR_NULL, grt_read_as_it_is, "name of an axis, or `null`",
     "{\"type\":[\"string\",\"null\"]}"},
    {GRT_CUSTOM_NAME_LIST, grt_read_name_list, "list of names",
     "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64},\"minItems\":1,"
     "\"uniqueItems\":true}"},
    {GRT_CUSTOM_SPAN_OF_PLOT, grt_read_plot_span, "list of two numbers",
     "{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":2,\"maxItems\":2}"},
    {GRT_CUSTOM_GENERATOR, grt_read_generator, "[generator](#generator)", "{\"$ref\":\"#/$defs/generator\"}"},
    {GRT_CUSTOM_END, grt_read_end, "duration above 0, or [periods](#periods)",
     "{\"anyOf\":[{\"$ref\":\"#/$defs/duration\"},{\"$ref\":\"#/$defs/periods\"}]}"},
    {0, NULL, NULL, NULL},
};

static const struct grt_record *const beside_experiment[] = {&grt_sets_record, &grt_plan_record, NULL};

const struct grt_record_rule grt_experiment_rules[] = {
    {.record = &grt_experiment_record, .beside = beside_experiment},
    {.record = &grt_axis_record, .finish = grt_finish_axis},
    {.record = &grt_plan_record, .finish = grt_finish_plan},
    {.record = &grt_evaluation_record, .finish = grt_finish_evaluation},
    {.record = NULL},
};
