/* The description of a GPU: what a device file says. A plain struct; times in nanoseconds, sizes in bytes.
 * Which rule each figure feeds is said in docs/gpu-model.md; where it was read, in the device file itself. */
#ifndef GRT_MODELS_DEVICE_H
#define GRT_MODELS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/field.h"
#include "sim/time.h"

/* The largest device that gpurt simulates. */
#define GRT_DEVICE_MAX_SMS 1024
#define GRT_DEVICE_MAX_BLOCKS_PER_SM 64
#define GRT_DEVICE_MAX_LAUNCHES 65535

/* In which order the block scheduler tries SMs that have equal room (rule P4). */
enum grt_sm_order {
    GRT_SM_ORDER_ASCENDING, /* 0, 1, 2, ... */
    GRT_SM_ORDER_TPC_FIRST, /* the first SM of every TPC, then the second: 0, 2, 4, ..., 1, 3, 5, ... */
};

/* Where the next block goes (rules P1 and P7). */
enum grt_placement_kind {
    GRT_PLACEMENT_MOST_ROOM,
    GRT_PLACEMENT_ROUND_ROBIN,
    GRT_PLACEMENT_FIRST_FIT,
    GRT_PLACEMENT_LEAST_LOADED,
    GRT_PLACEMENT_RANDOM,
};

/* How commands get from streams to the engines (rules Q1 to Q7). */
enum grt_queue_model {
    GRT_QUEUE_MODEL_DYNAMIC, /* a stream takes a free hardware queue while it has something to dispatch */
    GRT_QUEUE_MODEL_STATIC,  /* streams are bound to hardware queues in turn; a queue is first in first out */
    GRT_QUEUE_MODEL_SINGLE,  /* one queue for kernels and one for every copy engine, whatever the stream */
};

/* Who gets a hardware queue that has become free (rule Q6). */
enum grt_queue_order { GRT_QUEUE_ORDER_LIFO, GRT_QUEUE_ORDER_FIFO, GRT_QUEUE_ORDER_RANDOM };

/* Where a context can leave the SMs when its turn is over (rule T4r). */
enum grt_context_preemption {
    GRT_CONTEXT_PREEMPTION_BLOCK,       /* when its running blocks have ended */
    GRT_CONTEXT_PREEMPTION_INSTRUCTION, /* at once; its blocks are saved and go on later */
    GRT_CONTEXT_PREEMPTION_NONE,        /* when the kernels that have begun have ended */
    GRT_CONTEXT_PREEMPTION_RESET,       /* at once; its blocks are thrown away and run again later */
};

/* What saving and restoring blocks inside of which a turn ends takes (rule T4s). */
enum grt_context_save {
    GRT_CONTEXT_SAVE_FIXED, /* context_switch holds all of it */
    GRT_CONTEXT_SAVE_STATE, /* their registers and shared memory over the memory bandwidth, besides */
};

/* Which runlist serves the copy engines (rules E5 and E6). */
enum grt_copy_runlist { GRT_COPY_RUNLIST_OWN, GRT_COPY_RUNLIST_SHARED };

/* Whether running blocks and copies slow each other by the memory's bandwidth, and how it is shared (rule B1). */
enum grt_bandwidth_sharing {
    GRT_BANDWIDTH_SHARING_NONE,
    GRT_BANDWIDTH_SHARING_PROPORTIONAL, /* everybody gets the same fraction of what he asks for */
    GRT_BANDWIDTH_SHARING_MAX_MIN,      /* everybody gets the same amount, but not more than he asks for */
};

/* How fine a GPU is simulated. */
enum grt_granularity {
    GRT_GRANULARITY_BLOCKS, /* every thread block on its SM */
    GRT_GRANULARITY_SHARES, /* kernels progress at speeds that follow from their shares and from contention: models/device/contention.h */
};

/* What kernels that run at the same time have of the SMs, besides what a policy lets them have; granularity shares. */
enum grt_share_mode {
    GRT_SHARE_MODE_CONCURRENT,   /* each all that it may have: they contend for it */
    GRT_SHARE_MODE_LEFT_OVER,    /* who began first has what it fills, the next what is left of the SMs */
    GRT_SHARE_MODE_TIME_SLICING, /* turns of equal length, one kernel at a time: each at its part of the time */
};

/* What they do to each other while they have them; granularity shares. */
enum grt_contention_kind {
    GRT_CONTENTION_NONE,
    GRT_CONTENTION_SATURATION, /* resources that are asked for more than they have are shared in proportion, and those that others use have
                                  longer latencies: a damped fixed point */
    GRT_CONTENTION_MAX_MIN, /* speeds rise together until a resource is full: nobody's can be raised but by lowering a lower one */
    GRT_CONTENTION_SLOWDOWNS, /* the measured table `slowdowns`, pair by pair */
};

/* A number per resource, by enum grt_resource (models/usage.h). */
struct grt_resource_numbers {
    double sm, l2, dram, shared_memory, texture;
};

/* The class of a kernel that is in no table. */
#define GRT_NO_CLASS UINT32_MAX

/* A row of a measured table: how much longer blocks of one class take while a kernel of another class runs. */
struct grt_slowdown {
    const char *class_name, *beside;
    double factor;  /* 1 or more; while it runs anywhere on the device */
    double same_sm; /* while it has a block on the same SM; 0: as `factor` */
};
/* Among which kernels the streams' priorities count under MPS (rule M2). */
enum grt_mps_priorities { GRT_MPS_PRIORITIES_CLIENT, GRT_MPS_PRIORITIES_DEVICE };

/* How a client's share of the device becomes a number of TPCs (rule M3). */
enum grt_mps_rounding { GRT_MPS_ROUNDING_DOWN, GRT_MPS_ROUNDING_UP };

/* Which calls synchronise the streams of a process by themselves (rules S1 and S2). */
enum grt_implicit_sync {
    GRT_IMPLICIT_SYNC_NONE,
    GRT_IMPLICIT_SYNC_GUIDE,    /* allocations, memset and copies inside the device, as the guide has it */
    GRT_IMPLICIT_SYNC_MEASURED, /* free, as was observed */
};

struct grt_device {
    int64_t version; /* of the format of device files */
    const char *name;
    const char *description;
    int64_t compute_capability; /* major * 10 + minor, 62 for 6.2; 0 where the device is no CUDA device */

    int64_t sm_count;
    int64_t sms_per_tpc;
    int64_t sm_order;  /* enum grt_sm_order */
    int64_t placement; /* enum grt_placement_kind */

    /* Limits of one SM and of one block (occupancy, docs/gpu-model.md). */
    int64_t warp_size;
    int64_t max_threads_per_block;
    int64_t max_threads_per_sm;
    int64_t max_blocks_per_sm;
    int64_t registers_per_sm;
    int64_t registers_per_block;
    int64_t max_registers_per_thread;
    int64_t register_unit; /* registers are handed to a warp in multiples of this */
    int64_t warp_unit;     /* the warps that an SM's registers hold are counted down to a multiple of this:
                                     2 on CC 2.x, else 1 */
    int64_t sm_partitions; /* parts into which the register file is split */
    int64_t shared_memory_per_sm;           /* bytes, with the largest carve-out */
    int64_t shared_memory_per_block;        /* bytes, without opt-in */
    int64_t shared_memory_per_block_opt_in; /* bytes */
    int64_t shared_memory_reserved;         /* bytes that the driver takes in every block */
    int64_t shared_memory_unit;             /* bytes; a block's share is rounded up to it */
    int64_t max_resident_grids;
    int64_t task_slots; /* kernels that the block scheduler knows at a time; 0: all */
    int64_t cores_per_sm;

    int64_t copy_engines; /* 0: memory is shared; copies follow one another and take their latency */
    int64_t h2d_bytes_per_second;
    int64_t d2h_bytes_per_second;
    int64_t copy_latency;         /* ns, added to every copy */
    int64_t kernel_launch;        /* ns, from the call to the moment the kernel is in its stream */
    int64_t device_launch;        /* ns, the same for a kernel that is launched by a block */
    int64_t max_pending_launches; /* of these, per process; 0: the device has no such launches */
    int64_t max_sync_depth;       /* levels of kernels whose blocks may wait for what they launch */

    int64_t priority_levels; /* of streams: 0 is the lowest, -(priority_levels - 1) the highest */

    /* Carried for the reports and for later rules; the single-process device does not use them. 0: not known. */
    int64_t core_hertz, memory_hertz, memory_bus_bits, memory_bytes_per_second, l2_bytes;

    /* Between the streams of a process and the engines. */
    int64_t hardware_queues, max_hardware_queues; /* 0: as many as streams */
    int64_t queue_model;                          /* enum grt_queue_model */
    int64_t queue_order;                          /* enum grt_queue_order */

    bool dependency_check; /* single model: rule Q1b */

    /* What the host's calls do besides. */
    int64_t pageable_percent;   /* of the bandwidth, for copies of pageable memory */
    int64_t early_return_bytes; /* synchronous copies to the device of up to so many return at once */
    int64_t implicit_sync;      /* enum grt_implicit_sync */

    /* Processes that share the GPU. */
    int64_t max_contexts;       /* processes on the device at a time; 0: no limit */
    int64_t runlist_update;     /* ns */
    int64_t time_slice;         /* ns */
    int64_t context_switch;     /* ns */
    int64_t context_preemption; /* enum grt_context_preemption */
    int64_t context_save;       /* enum grt_context_save */
    int64_t copy_runlist;       /* enum grt_copy_runlist */
    int64_t copy_time_slice;    /* ns, of engines with runlists of their own */
    int64_t copy_chunk;         /* bytes; 0: copies can be stopped anywhere */

    /* How what runs at the same time slows each other: rules B1 to B3. */
    bool integrated;                 /* its memory is the CPU's */
    int64_t bandwidth_sharing;       /* enum grt_bandwidth_sharing */
    int64_t threads_per_core;        /* resident threads that a core serves at full speed; 0: any number */
    struct grt_field_list slowdowns; /* of struct grt_slowdown */
    bool mps;                        /* the processes are clients of one MPS server */
    int64_t mps_clients;             /* at most; 0: by compute_capability */
    int64_t mps_priorities;          /* enum grt_mps_priorities */
    int64_t mps_rounding;            /* enum grt_mps_rounding */

    int64_t group_minimum_sms, group_multiple_sms; /* of groups of SMs; 0: by compute_capability */

    int64_t granularity; /* enum grt_granularity; what follows counts with shares only */
    int64_t share_mode;  /* enum grt_share_mode */
    int64_t contention;  /* enum grt_contention_kind */
    /* kappa: by how much longer a resource's latency is while others use all of it */
    struct grt_resource_numbers contention_latency;
    double contention_exponent; /* of the slowdown in the speed: below 1 where kernels hide a part of it */
    /* how often a share's tokens are refilled; 0: a share is a part of the SMs (rule F4) */
    grt_time share_interval;
    /* the work that is launched at a time, for which tokens are taken, ns alone on the whole GPU */
    grt_time share_launch;
};

/* Numbers of the fields of grt_device_record that its reader parses itself (GRT_FIELD_CUSTOM). */
enum grt_device_custom {
    GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY = 1, /* text "6.2" -> int64_t, major * 10 + minor */
    GRT_DEVICE_CUSTOM_SOURCES,                /* object of texts by field name; has no place in the struct */
    GRT_DEVICE_CUSTOM_ALIASES,                /* list of texts; has no place in the struct */
};

/* Whether rule Q1b holds on it. */
static inline bool grt_device_checks_dependencies(const struct grt_device *device) {
    return device->hardware_queues > 0 && device->queue_model == GRT_QUEUE_MODEL_SINGLE &&
           device->dependency_check;
}

/* Whether it is an NVIDIA device older than Volta, on which MPS is another (rules M3, M5, Q8). */
static inline bool grt_device_is_before_volta(const struct grt_device *device) {
    return device->compute_capability > 0 && device->compute_capability < 70;
}

/* Nobody alone asks for more of a memory than it has: adds an error at `bandwidth` under the path and returns false where
 * that is shared, and somebody does. */
bool grt_device_check_demand(const struct grt_device *device, int64_t bytes_per_second,
                             struct grt_errors *errors, const struct grt_path *path);

static inline bool grt_device_has_shares(const struct grt_device *device) {
    return device->granularity == GRT_GRANULARITY_SHARES;
}

/* Whether blocks and copies that run can slow each other: rules B1 to B3. */
static inline bool grt_device_is_contended(const struct grt_device *device) {
    return !grt_device_has_shares(device) && (device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE ||
                                              device->threads_per_core > 0 || device->slowdowns.count > 0);
}

/* Whether it shares the bandwidth of its memory with the CPU's threads (rule B2). */
static inline bool grt_device_shares_cpu_memory(const struct grt_device *device) {
    return !grt_device_has_shares(device) && device->integrated &&
           device->bandwidth_sharing != GRT_BANDWIDTH_SHARING_NONE;
}

/* The table of the fields of a device file or of an inline device object. Only sm_count is required; an SM is by
 * default one of CC 8.7, and overheads are zero. */
extern const struct grt_record grt_device_record;
extern const struct grt_record grt_slowdown_record;

/* Checks what one field cannot say: figures that contradict each other. Adds an error per contradiction, with the
 * path of the field under `path`, and returns whether there was none. Each field must already be within the
 * bounds of grt_device_record. Caps per block that no SM can meet are no contradiction: they never bite. */
bool grt_device_check(const struct grt_device *device, struct grt_errors *errors,
                      const struct grt_path *path);

/* The class of a kernel in the table of slowdowns, by the name that it has there; GRT_NO_CLASS: it is not in it. Classes are numbered by their
 * first mention, below twice the number of rows. */
uint32_t grt_device_class(const struct grt_device *device, const char *name);

/* Fills order[position] = SM id for the device's sm_count positions, by device->sm_order (rule P4). */
void grt_device_sm_order(const struct grt_device *device, uint16_t *order);

/* The number of TPCs; the last one may be smaller. */
static inline int64_t grt_device_tpcs(const struct grt_device *device) {
    return (device->sm_count + device->sms_per_tpc - 1) / device->sms_per_tpc;
}

/* On how many TPCs a process of an active_thread_percentage may have blocks at a time: at least one (rule M3); on all where it
 * has none, 0, or the device has no MPS. */
int64_t grt_device_mps_tpcs(const struct grt_device *device, int64_t percentage);

/* How many clients an MPS server on the device may have. */
int64_t grt_device_mps_clients(const struct grt_device *device);

/* How many SMs a group has that asks for so many (rule W5); 0 where the device has no groups. A multiple of sms_per_tpc. */
int64_t grt_device_group_sms(const struct grt_device *device, int64_t sms);

/* How many copy engines take copies between host and device: 1, or 2, one per direction. */
static inline uint32_t grt_device_engines(const struct grt_device *device) {
    return device->copy_engines >= 2 ? 2 : 1;
}

#endif
