#include "models/device/share_fields.h"

const char *const grt_granularity_names[] = {"blocks", "shares", NULL};
const char *const grt_share_mode_names[] = {"concurrent", "left-over", "time-slicing", NULL};
const char *const grt_contention_names[] = {"none", "saturation", "max-min", "slowdowns", NULL};

/* No latency is longer than this by what others do; it keeps speeds within what numbers can hold. */
enum { MOST_LATENCY = 100 };

#define ROW(key, default_text, text)                                                                         \
    {                                                                                                        \
        .name = #key, .type = GRT_FIELD_NUMBER, .offset = offsetof(struct grt_resource_numbers, key),        \
        .fallback = default_text, .max = MOST_LATENCY, .help = text                                          \
    }

static const struct grt_field fields[] = {
    ROW(sm, "0.15", "Of the SMs' issue slots."),   ROW(l2, "0.3", "Of the L2 cache."),
    ROW(dram, "0.5", "Of the device's memory."),   ROW(shared_memory, "0.1", "Of the SMs' shared memory."),
    ROW(texture, "0.15", "Of the texture units."),
};

const struct grt_record grt_latencies_record = {
    .name = "latencies",
    .size = sizeof(struct grt_resource_numbers),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "By which fraction latencies grow while other kernels use all of a resource, from 0 to 100. The "
            "defaults are chosen, not measured.",
};
