#include "scenarios/records.h"

#include <stddef.h>

#include "models/device/share_fields.h"

const struct grt_record *const grt_records[] = {
    &grt_scenario_record,     &grt_platform_record,
    &grt_gpu_record,          &grt_mig_record,
    &grt_device_record,       &grt_slowdown_record,
    &grt_latencies_record,    &grt_process_record,
    &grt_group_record,        &grt_policy_record,
    &grt_task_record,         &grt_sporadic_record,
    &grt_poisson_record,      &grt_segment_record,
    &grt_host_record,         &grt_command_record,
    &grt_launch_record,       &grt_kernel_definition_record,
    &grt_kernel_file_record,  &grt_usage_record,
    &grt_resources_record,    &grt_counters_record,
    &grt_share_factor_record, &grt_time_record,
    &grt_tail_record,         &grt_expect_record,
    &grt_expect_task_record,  &grt_expect_blocks_record,
    &grt_expect_copy_record,  &grt_expect_core_record,
    &grt_expect_row_record,   NULL,
};

const struct grt_record *const grt_kernel_records[] = {
    &grt_kernel_file_record,  &grt_kernel_definition_record,
    &grt_launch_record,       &grt_usage_record,
    &grt_resources_record,    &grt_counters_record,
    &grt_share_factor_record, &grt_time_record,
    &grt_tail_record,         NULL,
};

static const struct grt_custom customs[] = {
    {GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY, grt_read_compute_capability, "text such as `\"6.2\"`",
     "{\"type\":\"string\",\"pattern\":\"^[0-9]{1,2}\\\\.[0-9]$\"}"},
    {GRT_DEVICE_CUSTOM_SOURCES, grt_read_sources, "object of texts",
     "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}"},
    {GRT_DEVICE_CUSTOM_ALIASES, grt_read_aliases, "list of names",
     "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1}}"},
    {GRT_CUSTOM_HORIZON, grt_read_horizon, "duration above 0, `\"hyperperiod\"` or `\"auto\"`",
     "{\"anyOf\":[{\"$ref\":\"#/$defs/duration\"},{\"enum\":[\"hyperperiod\",\"auto\"]}]}"},
    {GRT_CUSTOM_GPUS, grt_read_gpus, "list of 1 to 8 [gpu](#gpu)",
     "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/gpu\"},\"minItems\":1,\"maxItems\":8}"},
    {GRT_CUSTOM_DEVICE, grt_read_device, "name, file ending in `.json`, or [device](#device)",
     "{\"anyOf\":[{\"type\":\"string\",\"minLength\":1},{\"$ref\":\"#/$defs/device\"}]}"},
    {GRT_CUSTOM_MIG, grt_read_mig,
     "list of 1 to 7 of `\"1g\"`, `\"2g\"`, `\"3g\"`, `\"4g\"`, `\"7g\"` and [mig](#mig)",
     "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"enum\":[\"1g\",\"2g\",\"3g\",\"4g\",\"7g\"]},"
     "{\"$ref\":\"#/$defs/mig\"}]},\"minItems\":1,\"maxItems\":7}"},
    {GRT_CUSTOM_POLICY, grt_read_policy, "[policy](#policy)", "{\"$ref\":\"#/$defs/policy\"}"},
    {GRT_CUSTOM_POLICY_NAME, grt_read_policy_name, "name of a policy", "{\"type\":\"string\"}"},
    {GRT_CUSTOM_POLICY_PLUGIN, grt_read_policy_plugin, "file",
     "{\"type\":\"string\",\"minLength\":1,\"maxLength\":1000}"},
    {GRT_CUSTOM_SPAN, grt_read_span, "duration or [time](#time)",
     "{\"anyOf\":[{\"$ref\":\"#/$defs/duration\"},{\"$ref\":\"#/$defs/time\"}]}"},
    {GRT_CUSTOM_POSITIVE_SPAN, grt_read_span, "duration or [time](#time), above 0",
     "{\"anyOf\":[{\"$ref\":\"#/$defs/duration\"},{\"$ref\":\"#/$defs/time\"}]}"},
    {GRT_CUSTOM_TIMES, grt_read_times, "list of 1 to 100000 durations from 0 on, ascending",
     "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/duration\"},\"minItems\":1,\"maxItems\":100000}"},
    {GRT_CUSTOM_DELAYS, grt_read_delays, "list of 1 to 100000 durations from 0 on",
     "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/duration\"},\"minItems\":1,\"maxItems\":100000}"},
    {GRT_CUSTOM_NAMES, grt_read_names, "list of names of tasks",
     "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64},\"minItems\":1,"
     "\"maxItems\":4096,\"uniqueItems\":true}"},
    {GRT_CUSTOM_SMS, grt_read_sms, "list of whole numbers from 0 on",
     "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0}}"},
    {GRT_CUSTOM_DIGEST, grt_read_digest, "text of 16 digits `0-9a-f`",
     "{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}$\"}"},
    {GRT_CUSTOM_USAGE, grt_read_usage, "name, file ending in `.json`, or [usage](#usage)",
     "{\"anyOf\":[{\"type\":\"string\",\"minLength\":1},{\"$ref\":\"#/$defs/usage\"}]}"},
    {GRT_CUSTOM_REALS, grt_read_reals, "list of numbers",
     "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}"},
    {GRT_CUSTOM_NETWORKS, grt_read_networks, "file ending in `.json`",
     "{\"type\":\"string\",\"pattern\":\".\\\\.json$\",\"maxLength\":1000}"},
    {GRT_CUSTOM_RANGE, grt_read_range, "number, or list of two: from the one to the other",
     "{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":2,"
     "\"maxItems\":2}]}"},
    {GRT_CUSTOM_COUNTS, grt_read_counts, "whole number, or list of two: from the one to the other",
     "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"minItems\":2,"
     "\"maxItems\":2}]}"},
    {GRT_CUSTOM_TEXTS, grt_read_texts, "list of up to 1000 texts",
     "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1000},\"maxItems\":"
     "1000}"},
    {GRT_CUSTOM_MEASURED, grt_read_measured, "list of 1 to 100000 durations, ascending",
     "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/duration\"},\"minItems\":1,\"maxItems\":100000}"},
    {GRT_CUSTOM_TAIL, grt_read_tail, "[tail](#tail)", "{\"$ref\":\"#/$defs/tail\"}"},
    {GRT_CUSTOM_KERNELS, grt_read_kernels,
     "file ending in `.json`, or list of such files and of [kernel_definition](#kernel_definition)",
     "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\".\\\\.json$\"},{\"type\":\"array\",\"minItems\":1,"
     "\"maxItems\":"
     "4096,\"items\":{\"anyOf\":[{\"type\":\"string\",\"pattern\":\".\\\\.json$\"},{\"$ref\":"
     "\"#/$defs/kernel_definition\"}]}}]}"},
    {GRT_CUSTOM_LIKE, grt_read_like, "name of a kernel in `kernels`",
     "{\"type\":\"string\",\"minLength\":1,\"maxLength\":64}"},
};

const struct grt_custom *grt_custom_find(int number) {
    for (size_t i = 0; i < sizeof customs / sizeof customs[0]; i++) {
        if (customs[i].number == number) {
            return &customs[i];
        }
    }
    for (const struct grt_custom *custom = grt_experiment_customs; custom->read != NULL; custom++) {
        if (custom->number == number) {
            return custom;
        }
    }
    return NULL;
}

static const char *const arrivals[] = {"period", "sporadic", "poisson", "times", "after", NULL};
static const char *const policies[] = {"name", "plugin", NULL};
static const char *const segments[] = {"cpu", "gpu", NULL};
static const char *const commands[] = {"h2d",         "d2h",          "kernel",   "record",      "wait",
                                       "query",       "query_stream", "callback", "synchronize", "malloc",
                                       "malloc_host", "free",         "memset",   "d2d",         NULL};

static const struct grt_record_rule rules[] = {
    {.record = &grt_task_record, .one_of = arrivals, .finish = grt_finish_task},
    {.record = &grt_policy_record, .one_of = policies},
    {.record = &grt_segment_record, .one_of = segments, .finish = grt_finish_segment},
    {.record = &grt_host_record, .finish = grt_finish_host},
    {.record = &grt_command_record, .one_of = commands, .finish = grt_finish_command},
    {.record = &grt_launch_record, .finish = grt_finish_launch},
    {.record = &grt_kernel_definition_record, .finish = grt_finish_kernel_definition},
    {.record = &grt_time_record, .finish = grt_finish_time},
    {.record = &grt_usage_record, .finish = grt_finish_usage},
    {.record = &grt_expect_record, .finish = grt_finish_expect},
    {.record = &grt_expect_task_record, .finish = grt_finish_expect_task},
    {.record = &grt_expect_blocks_record, .finish = grt_finish_expect_blocks},
    {.record = &grt_expect_copy_record, .finish = grt_finish_expect_copy},
    {.record = &grt_expect_core_record, .finish = grt_finish_expect_core},
    {.record = &grt_expect_row_record, .finish = grt_finish_expect_row},
};

const struct grt_record_rule *grt_record_rule_find(const struct grt_record *record) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].record == record) {
            return &rules[i];
        }
    }
    for (const struct grt_record_rule *rule = grt_experiment_rules; rule->record != NULL; rule++) {
        if (rule->record == record) {
            return rule;
        }
    }
    return NULL;
}
