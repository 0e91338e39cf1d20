#include "calib/raw/raw_lines.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define RECORD(record_name, owner, table)                                                                    \
    { .name = record_name, .size = sizeof(owner), .fields = table, .field_count = GRT_FIELD_COUNT(table) }
#define WHOLE(owner, field, least, most)                                                                     \
    {                                                                                                        \
        .name = #field, .type = GRT_FIELD_INTEGER, .offset = offsetof(owner, field), .min = (least),         \
        .max = (most)                                                                                        \
    }
/* A whole number that older files do not have: 0. */
#define NEWER(owner, field, most)                                                                            \
    {                                                                                                        \
        .name = #field, .type = GRT_FIELD_INTEGER, .offset = offsetof(owner, field), .fallback = "0",        \
        .max = (most)                                                                                        \
    }
#define WORDS(owner, field)                                                                                  \
    { .name = #field, .type = GRT_FIELD_NAME, .offset = offsetof(owner, field), .max = GRT_RAW_TEXT_LENGTH }
#define NUMBER(owner, field)                                                                                 \
    { .name = #field, .type = GRT_FIELD_NUMBER, .offset = offsetof(owner, field) }
#define OBJECT(owner, field, what)                                                                           \
    { .name = #field, .type = GRT_FIELD_OBJECT, .offset = offsetof(owner, field), .record = &(what) }

/* ---- the head ---- */

typedef struct grt_raw_head head;

static const struct grt_field driver_fields[] = {
    {.name = "path", .type = GRT_FIELD_NAME, .offset = 0, .max = GRT_RAW_TEXT_LENGTH},
    {.name = "version",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(head, driver.version) - offsetof(head, driver),
     .min = 0,
     .max = INT_MAX},
};
static const struct grt_record driver_record = {.name = "driver",
                                                .size = sizeof(((head *)NULL)->driver),
                                                .fields = driver_fields,
                                                .field_count = GRT_FIELD_COUNT(driver_fields)};

static const struct grt_field kernels_fields[] = {
    {.name = "made_by", .type = GRT_FIELD_NAME, .offset = 0, .max = GRT_RAW_TEXT_LENGTH},
    {.name = "hash",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(head, kernels.hash) - offsetof(head, kernels),
     .max = GRT_RAW_TEXT_LENGTH},
};
static const struct grt_record kernels_record = {.name = "kernels",
                                                 .size = sizeof(((head *)NULL)->kernels),
                                                 .fields = kernels_fields,
                                                 .field_count = GRT_FIELD_COUNT(kernels_fields)};

static const struct grt_field head_fields[] = {
    {.name = "gpurt_raw",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(head, version),
     .min = GRT_RAW_VERSION,
     .max = GRT_RAW_VERSION},
    WORDS(head, program),
    WORDS(head, build),
    WORDS(head, backend),
    WORDS(head, started),
    WORDS(head, command),
    WHOLE(head, seed, 0, GRT_RAW_INTEGER_LIMIT),
    NUMBER(head, budget_s),
    WORDS(head, host),
    OBJECT(head, driver, driver_record),
    OBJECT(head, kernels, kernels_record),
};
const struct grt_record grt_raw_head_record = RECORD("raw measurements", head, head_fields);

/* ---- the device ---- */

typedef struct grt_raw_device_line device_line;

#define MEMBER(name, least, most) WHOLE(device_line, name, least, most),
static const struct grt_field device_fields[] = {
    WORDS(device_line, name),
    WORDS(device_line, uuid),
    WORDS(device_line, bus_id),
    GRT_RAW_DEVICE_NUMBERS(MEMBER) WHOLE(device_line, memory_bytes, 0, GRT_RAW_INTEGER_LIMIT),
};
#undef MEMBER
const struct grt_record grt_raw_device_record = RECORD("device", device_line, device_fields);

struct grt_raw_device_line grt_raw_line_of_device(const struct grt_bench_device *device) {
    struct grt_raw_device_line line = {.name = device->name,
                                       .uuid = device->uuid,
                                       .bus_id = device->bus_id,
                                       .memory_bytes = device->memory_bytes,
#define COPY(field, least, most) .field = device->field,
                                       GRT_RAW_DEVICE_NUMBERS(COPY)
#undef COPY
    };
    return line;
}

void grt_raw_device_of_line(const struct grt_raw_device_line *line, struct grt_bench_device *device) {
    memset(device, 0, sizeof *device);
    snprintf(device->name, sizeof device->name, "%s", line->name);
    snprintf(device->uuid, sizeof device->uuid, "%s", line->uuid);
    snprintf(device->bus_id, sizeof device->bus_id, "%s", line->bus_id);
#define COPY(field, least, most) device->field = (int)line->field;
    GRT_RAW_DEVICE_NUMBERS(COPY)
#undef COPY
    device->memory_bytes = line->memory_bytes;
}

/* ---- workloads ---- */

typedef struct grt_raw_workload_line workload_line;

static const struct grt_field workload_fields[] = {
    {.name = "workload", .type = GRT_FIELD_NAME, .offset = offsetof(workload_line, workload)},
    {.name = "kernel", .type = GRT_FIELD_NAME, .offset = offsetof(workload_line, kernel)},
    WHOLE(workload_line, amount, 0, GRT_RAW_INTEGER_LIMIT),
    WHOLE(workload_line, blocks, 1, INT_MAX),
    WHOLE(workload_line, threads, 1, 1024),
    WHOLE(workload_line, shared_bytes, 0, INT_MAX),
    WHOLE(workload_line, registers, 0, INT_MAX),
    WHOLE(workload_line, static_shared_bytes, 0, INT_MAX),
    WHOLE(workload_line, occupancy, 0, GRT_DEVICE_MAX_BLOCKS_PER_SM),
    NEWER(workload_line, ptx_version, INT_MAX),
    NEWER(workload_line, binary_version, INT_MAX),
    {.name = "made_by",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(workload_line, made_by),
     .fallback = "\"\"",
     .max = GRT_RAW_TEXT_LENGTH},
};
const struct grt_record grt_raw_workload_record = RECORD("workload", workload_line, workload_fields);

struct grt_raw_workload_line grt_raw_line_of_workload(const struct grt_raw_workload *workload) {
    return (struct grt_raw_workload_line){.workload = workload->name,
                                          .kernel = workload->kernel == GRT_KERNEL_USER
                                                        ? GRT_RAW_USER_KERNEL
                                                        : grt_kernel_kinds[workload->kernel].name,
                                          .amount = (int64_t)workload->amount,
                                          .blocks = workload->blocks,
                                          .threads = workload->threads,
                                          .shared_bytes = workload->shared_bytes,
                                          .registers = workload->registers,
                                          .static_shared_bytes = workload->static_shared_bytes,
                                          .occupancy = workload->occupancy,
                                          .ptx_version = workload->ptx_version,
                                          .binary_version = workload->binary_version,
                                          .made_by = workload->made_by};
}

bool grt_raw_workload_of_line(const struct grt_raw_workload_line *line, struct grt_raw_workload *workload) {
    *workload = (struct grt_raw_workload){.name = line->workload,
                                          .kernel = GRT_KERNEL_USER,
                                          .amount = (uint64_t)line->amount,
                                          .blocks = (uint32_t)line->blocks,
                                          .threads = (uint32_t)line->threads,
                                          .shared_bytes = (uint32_t)line->shared_bytes,
                                          .registers = (int)line->registers,
                                          .static_shared_bytes = (int)line->static_shared_bytes,
                                          .occupancy = (int)line->occupancy,
                                          .ptx_version = (int)line->ptx_version,
                                          .binary_version = (int)line->binary_version,
                                          .made_by = line->made_by};
    for (int i = 0; i < GRT_KERNEL_IDS; i++) {
        if (strcmp(grt_kernel_kinds[i].name, line->kernel) == 0) {
            workload->kernel = (enum grt_kernel_id)i;
            return true;
        }
    }
    return strcmp(line->kernel, GRT_RAW_USER_KERNEL) == 0;
}

/* ---- the rest ---- */

static const struct grt_field origin_fields[] = {
    {.name = "host_ns", .type = GRT_FIELD_NAME, .offset = offsetof(struct grt_raw_origin_line, host_ns)},
    {.name = "device_ns", .type = GRT_FIELD_NAME, .offset = offsetof(struct grt_raw_origin_line, device_ns)},
};
const struct grt_record grt_raw_origin_record = RECORD("origin", struct grt_raw_origin_line, origin_fields);

static const struct grt_field health_fields[] = {
    WHOLE(struct grt_raw_health_line, at_ns, -GRT_RAW_INTEGER_LIMIT, GRT_RAW_INTEGER_LIMIT),
    WHOLE(struct grt_raw_health_line, sm_mhz, 0, INT_MAX),
    WHOLE(struct grt_raw_health_line, memory_mhz, 0, INT_MAX),
    WHOLE(struct grt_raw_health_line, celsius, INT_MIN, INT_MAX),
    WHOLE(struct grt_raw_health_line, milliwatts, 0, INT_MAX),
    WHOLE(struct grt_raw_health_line, reasons, 0, GRT_RAW_INTEGER_LIMIT),
    NEWER(struct grt_raw_health_line, pcie_generation, GRT_RAW_PCIE_LIMIT),
    NEWER(struct grt_raw_health_line, pcie_lanes, GRT_RAW_PCIE_LIMIT),
    NEWER(struct grt_raw_health_line, pcie_most_generation, GRT_RAW_PCIE_LIMIT),
    NEWER(struct grt_raw_health_line, pcie_most_lanes, GRT_RAW_PCIE_LIMIT),
};
const struct grt_record grt_raw_health_record = RECORD("health", struct grt_raw_health_line, health_fields);

const char *const grt_raw_partition_names[] = {
    [GRT_PARTITION_NONE] = "none", [GRT_PARTITION_GREEN] = "green", [GRT_PARTITION_FILTER] = "filter", NULL};

static const struct grt_field partition_fields[] = {
    {.name = "how",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_raw_partition_line, how),
     .choices = grt_raw_partition_names},
    {.name = "glued", .type = GRT_FIELD_BOOLEAN, .offset = offsetof(struct grt_raw_partition_line, glued)},
};
const struct grt_record grt_raw_partition_record =
    RECORD("partition", struct grt_raw_partition_line, partition_fields);

static const struct grt_field skipped_fields[] = {
    {.name = "skipped", .type = GRT_FIELD_NAME, .offset = offsetof(struct grt_raw_skipped_line, skipped)},
    WORDS(struct grt_raw_skipped_line, why),
};
const struct grt_record grt_raw_skipped_record =
    RECORD("skipped", struct grt_raw_skipped_line, skipped_fields);

static const struct grt_field stopped_fields[] = {
    WORDS(struct grt_raw_stopped_line, stopped),
    NUMBER(struct grt_raw_stopped_line, seconds),
};
const struct grt_record grt_raw_stopped_record = RECORD("end", struct grt_raw_stopped_line, stopped_fields);

static const struct grt_field end_fields[] = {
    {.name = "end", .type = GRT_FIELD_BOOLEAN, .offset = offsetof(struct grt_raw_end_line, end)},
    NUMBER(struct grt_raw_end_line, seconds),
};
const struct grt_record grt_raw_end_record = RECORD("end", struct grt_raw_end_line, end_fields);
