/* How a kernel uses a GPU that is simulated by shares. */
#include <stddef.h>

#include "models/device/usage_check.h"
#include "scenarios/records.h"

#define AT(member) offsetof(struct grt_usage_fields, usage.member)

/* In tables, whose bounds are whole numbers. */
#define MOST_EVENTS INT64_C(1000000000000000)

/* A number of a list of doubles, from 0; absent: 0. */
#define NUMBER(key, index, most, text)                                                                       \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_NUMBER, .offset = (index) * sizeof(double), .fallback = "0",          \
        .max = (most), .help = text                                                                          \
    }

static const struct grt_field resource_fields[] = {
    NUMBER("sm", GRT_RESOURCE_SM, 1, "The SMs' issue slots."),
    NUMBER("l2", GRT_RESOURCE_L2, 1, "The L2 cache."),
    NUMBER("dram", GRT_RESOURCE_DRAM, 1, "The device's memory."),
    NUMBER("shared_memory", GRT_RESOURCE_SHARED_MEMORY, 1, "The SMs' shared memory."),
    NUMBER("texture", GRT_RESOURCE_TEXTURE, 1, "The texture units."),
};

const struct grt_record grt_resources_record = {
    .name = "resources",
    .size = GRT_RESOURCES * sizeof(double),
    .fields = resource_fields,
    .field_count = GRT_FIELD_COUNT(resource_fields),
    .help = "A fraction, from 0 to 1, of each resource for which kernels contend.",
};

static const struct grt_field counter_fields[] = {
    NUMBER("instructions", GRT_INDICATOR_INSTRUCTIONS, MOST_EVENTS, "Instructions that warps execute."),
    NUMBER("warps", GRT_INDICATOR_WARPS, MOST_EVENTS, "Active warps, added up over the cycles."),
    NUMBER("l2_read", GRT_INDICATOR_L2_READ, MOST_EVENTS, "Sectors of 32 bytes read from the L2 cache."),
    NUMBER("l2_write", GRT_INDICATOR_L2_WRITE, MOST_EVENTS, "Sectors written to it."),
    NUMBER("global_load", GRT_INDICATOR_GLOBAL_LOAD, MOST_EVENTS, "Loads of global memory, by warps."),
    NUMBER("global_store", GRT_INDICATOR_GLOBAL_STORE, MOST_EVENTS, "Stores to it."),
    NUMBER("shared_load", GRT_INDICATOR_SHARED_LOAD, MOST_EVENTS, "Loads of shared memory, by warps."),
    NUMBER("shared_store", GRT_INDICATOR_SHARED_STORE, MOST_EVENTS, "Stores to it."),
    NUMBER("shared_load_conflicts", GRT_INDICATOR_SHARED_LOAD_CONFLICTS, MOST_EVENTS,
           "Bank conflicts of such loads."),
    NUMBER("shared_store_conflicts", GRT_INDICATOR_SHARED_STORE_CONFLICTS, MOST_EVENTS,
           "Bank conflicts of such stores."),
    NUMBER("texture_load", GRT_INDICATOR_TEXTURE_LOAD, MOST_EVENTS, "Requests to the texture units."),
};

const struct grt_record grt_counters_record = {
    .name = "counters",
    .size = GRT_INDICATORS * sizeof(double),
    .fields = counter_fields,
    .field_count = GRT_FIELD_COUNT(counter_fields),
    .help = "What a profiler counts in a second of a kernel that runs alone with the whole GPU, each from 0 "
            "to 10^15. Policies and performance models see the sums over what runs; speeds do not depend on "
            "them.",
};

static const struct grt_field factor_fields[] = {
    {.name = "share",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_share_factor, share),
     .min = 1,
     .max = GRT_FULL_SHARE,
     .help = "Percent of the SMs."},
    {.name = "factor",
     .type = GRT_FIELD_NUMBER,
     .offset = offsetof(struct grt_share_factor, factor),
     .min = 1,
     .max = 1000000,
     .help = "How many times as long the kernel then takes alone as with all of them."},
};

const struct grt_record grt_share_factor_record = {
    .name = "share_factor",
    .size = sizeof(struct grt_share_factor),
    .fields = factor_fields,
    .field_count = GRT_FIELD_COUNT(factor_fields),
    .help = "A measured point of a kernel's time over its share.",
};

static const struct grt_field usage_fields[] = {
    {.name = "gpurt_usage",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_usage_fields, version),
     .fallback = "1",
     .min = 1,
     .max = 1,
     .help = "Version of the format of usage files."},
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(name),
     .fallback = "",
     .help = "Name for reports. A preset's name is also its file's name."},
    {.name = "aliases",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_ALIASES,
     .help = "List of further names by which a kernel may ask for this preset."},
    {.name = "description",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_usage_fields, description),
     .fallback = "\"\"",
     .max = 400,
     .help = "What the kernel is, for people."},
    {.name = "measured_time",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_usage_fields, measured_time),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "What the kernel took alone with the whole GPU where it was measured, for people: a kernel says "
             "its own `time`."},
    {.name = "host_fraction",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(host_fraction),
     .fallback = "0",
     .max = 1,
     .help = "The fraction of its time alone in which it does not use the SMs, because the host prepares or "
             "launches its parts: below 1. No share, and nothing that runs beside it, makes that longer."},
    {.name = "sm_utilisation",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(sm_utilisation),
     .max = 1,
     .help = "The fraction of the SMs that it fills when it has all of them: above 0, at most 1. A larger "
             "share than that makes it no faster."},
    {.name = "demand",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(demand),
     .fallback = "{}",
     .record = &grt_resources_record,
     .help = "Of each resource's capacity, what it uses on the average when it runs alone with the whole "
             "GPU. Default: nothing."},
    {.name = "bound",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(bound),
     .fallback = "{}",
     .record = &grt_resources_record,
     .help = "With `contention` saturation, which fraction of its time on the SMs depends on each resource: "
             "at most 1 in sum; the rest depends on none. Default: none does."},
    {.name = "counters",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(counters),
     .fallback = "{}",
     .record = &grt_counters_record,
     .help = "What a profiler counts, for performance models. Default: nothing."},
    {.name = "share_factors",
     .type = GRT_FIELD_LIST,
     .offset = AT(share_factors),
     .fallback = "",
     .min = 1,
     .max = GRT_FULL_SHARE,
     .record = &grt_share_factor_record,
     .help = "Measured times over shares, in ascending order of shares. Default: from `host_fraction` h and "
             "`sm_utilisation` u, h + (1 - h) max(1, 100 u / share)."},
    {.name = "sources",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_SOURCES,
     .help = "Object that says for each field of the file where its value was measured or read, or that it "
             "was chosen."},
};

const struct grt_record grt_usage_record = {
    .name = "usage",
    .size = sizeof(struct grt_usage_fields),
    .fields = usage_fields,
    .field_count = GRT_FIELD_COUNT(usage_fields),
    .help =
        "How a kernel uses a GPU with `granularity` shares: a file of its own, or an object in place of a "
        "preset's name. Only sm_utilisation is required.",
};

GRT_FINISH(grt_finish_usage) {
    const struct grt_usage_fields *fields = out;
    (void)object;
    if (clean) { /* else the same would be said twice */
        grt_usage_check(&fields->usage, reader->errors, path);
    }
}
