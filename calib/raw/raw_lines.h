/* The plain lines of a raw file as structs and tables of their fields, by which they are written and read. Lines of samples are in raw_shapes.h. */
#ifndef GRT_CALIB_RAW_RAW_LINES_H
#define GRT_CALIB_RAW_RAW_LINES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "calib/bench/bench.h"
#include "calib/raw/cells.h"
#include "models/device.h"
#include "sim/field.h"

/* Whole numbers up to here are exact in every reader of JSON: 2^53 - 1. */
#define GRT_RAW_INTEGER_LIMIT INT64_C(9007199254740991)

/* Bytes of free texts. */
enum { GRT_RAW_TEXT_LENGTH = 4096 };

/* Provenance: the first line. Texts that are NULL are written as "". */
struct grt_raw_head {
    int64_t version;             /* of the format: GRT_RAW_VERSION */
    const char *program, *build; /* "gpurt-calib 0.1.0", what it was built of */
    const char *backend;
    const char *started; /* date and time in UTC, as in ISO 8601 */
    const char *command; /* the command line */
    int64_t seed;        /* up to 2^53 - 1 */
    double budget_s;
    const char *host; /* operating system, processor, what the measuring thread may do */
    struct {
        const char *path;
        int64_t version; /* 1000 * major + 10 * minor */
    } driver;
    struct {
        const char *made_by, *hash;
    } kernels;
};

enum { GRT_RAW_VERSION = 1 };

/* Priorities of streams are from so many below 0 to so many above. */
enum { GRT_RAW_PRIORITIES = 1000 };

/* More than any generation or lanes of PCIe. */
enum { GRT_RAW_PCIE_LIMIT = 256 };

/* Whole numbers of struct grt_bench_device, as they are called in files, and what they may be. */
#define GRT_RAW_DEVICE_NUMBERS(X)                                                                            \
    X(driver_version, 0, INT_MAX)                                                                            \
    X(compute_capability, 0, 10000)                                                                          \
    X(sm_count, 1, GRT_DEVICE_MAX_SMS)                                                                       \
    X(warp_size, 0, 1024)                                                                                    \
    X(max_threads_per_block, 0, 65536)                                                                       \
    X(max_threads_per_sm, 0, 65536)                                                                          \
    X(max_blocks_per_sm, 0, GRT_DEVICE_MAX_BLOCKS_PER_SM)                                                    \
    X(registers_per_sm, 0, INT_MAX)                                                                          \
    X(registers_per_block, 0, INT_MAX)                                                                       \
    X(shared_memory_per_sm, 0, INT_MAX)                                                                      \
    X(shared_memory_per_block, 0, INT_MAX)                                                                   \
    X(shared_memory_per_block_opt_in, 0, INT_MAX)                                                            \
    X(shared_memory_reserved, 0, INT_MAX)                                                                    \
    X(l2_bytes, 0, INT_MAX)                                                                                  \
    X(async_engines, 0, 1024)                                                                                \
    X(core_khz, 0, INT_MAX)                                                                                  \
    X(memory_khz, 0, INT_MAX)                                                                                \
    X(memory_bus_bits, 0, INT_MAX)                                                                           \
    X(integrated, 0, 1)                                                                                      \
    X(priority_least, -GRT_RAW_PRIORITIES, GRT_RAW_PRIORITIES)                                               \
    X(priority_greatest, -GRT_RAW_PRIORITIES, GRT_RAW_PRIORITIES)                                            \
    X(partition_least, 0, GRT_DEVICE_MAX_SMS)                                                                \
    X(partition_step, 0, GRT_DEVICE_MAX_SMS)

struct grt_raw_device_line {
    const char *name, *uuid, *bus_id;
#define GRT_RAW_MEMBER(name, least, most) int64_t name;
    GRT_RAW_DEVICE_NUMBERS(GRT_RAW_MEMBER)
#undef GRT_RAW_MEMBER
    int64_t memory_bytes;
};

/* Texts belong to `device`. */
struct grt_raw_device_line grt_raw_line_of_device(const struct grt_bench_device *device);
void grt_raw_device_of_line(const struct grt_raw_device_line *line, struct grt_bench_device *device);

/* What the kernel of a file of the user's own is called. */
#define GRT_RAW_USER_KERNEL "user"

struct grt_raw_workload_line {
    const char *workload, *kernel;
    int64_t amount, blocks, threads, shared_bytes, registers, static_shared_bytes, occupancy, ptx_version,
        binary_version;
    const char *made_by;
};

struct grt_raw_workload_line grt_raw_line_of_workload(const struct grt_raw_workload *workload);
/* False: there is no such kernel. The name stays the line's. */
bool grt_raw_workload_of_line(const struct grt_raw_workload_line *line, struct grt_raw_workload *workload);

struct grt_raw_origin_line {
    const char *host_ns, *device_ns; /* decimal numbers */
};

struct grt_raw_health_line {
    int64_t at_ns, sm_mhz, memory_mhz, celsius, milliwatts, reasons;
    int64_t pcie_generation, pcie_lanes, pcie_most_generation, pcie_most_lanes; /* older files: 0 */
};

/* By enum grt_partition_how; NULL is the end. */
extern const char *const grt_raw_partition_names[];

struct grt_raw_partition_line {
    int64_t how; /* enum grt_partition_how */
    bool glued;  /* and its SMs, which are a list of numbers */
};

struct grt_raw_skipped_line {
    const char *skipped, *why;
};

struct grt_raw_stopped_line {
    const char *stopped;
    double seconds;
};

struct grt_raw_end_line {
    bool end;
    double seconds;
};

/* Device, origin, health and partition are the only field of their line, the others are lines. */
extern const struct grt_record grt_raw_head_record, grt_raw_device_record, grt_raw_origin_record,
    grt_raw_workload_record, grt_raw_health_record, grt_raw_partition_record, grt_raw_skipped_record,
    grt_raw_stopped_record, grt_raw_end_record;

#endif
