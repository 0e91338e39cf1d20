/* The fields of a device file. */
#include <stddef.h>

#include "models/device.h"
#include "models/device/share_fields.h"

/* The defaults of an SM are those of CC 8.7 ("CUDA C++ Programming Guide", tables of limits per compute capability;
 * cuda_occupancy.h of CUDA 13.0). The rules that the figures feed are in docs/gpu-model.md. */

#define AT(member) offsetof(struct grt_device, member)

/* A field with bounds. */
#define ROW(key, kind, member, default_text, low, high, text)                                                \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_##kind, .offset = AT(member), .fallback = default_text, .min = (low), \
        .max = (high), .help = text                                                                          \
    }

/* Upper bounds that no device comes near; they keep sums and products of figures within 64 bits. */
#define MOST_THREADS 65536
#define MOST_REGISTERS 16777216
#define MOST_LEVELS 64
#define MOST_SYNC_DEPTH 24 /* as deep as launches are nested: rule D1 */
#define MOST_QUEUES 1024
#define MOST_GRIDS 65536
#define MOST_SHARED_MEMORY 1073741824
#define LARGEST INT64_C(1000000000000000000)

/* Fewer would leave no register charge that gives the exact occupancy (models/device/occupancy.c). */
#define LEAST_REGISTERS (GRT_DEVICE_MAX_BLOCKS_PER_SM * GRT_DEVICE_MAX_BLOCKS_PER_SM)

static const char *const sm_orders[] = {"ascending", "tpc_first", NULL};
static const char *const placements[] = {"most_room",    "round_robin", "first_fit",
                                         "least_loaded", "random",      NULL};
static const char *const context_preemptions[] = {"block", "instruction", "none", "reset", NULL};
static const char *const context_saves[] = {"fixed", "state", NULL};
static const char *const queue_models[] = {"dynamic", "static", "single", NULL};
static const char *const queue_orders[] = {"lifo", "fifo", "random", NULL};
static const char *const copy_runlists[] = {"own", "shared", NULL};
static const char *const implicit_syncs[] = {"none", "guide", "measured", NULL};
static const char *const bandwidth_sharings[] = {"none", "proportional", "max_min", NULL};
static const char *const mps_priorities[] = {"client", "device", NULL};
static const char *const mps_roundings[] = {"down", "up", NULL};

#define SLOWDOWN_AT(member) offsetof(struct grt_slowdown, member)

static const struct grt_field slowdown_fields[] = {
    {.name = "class",
     .type = GRT_FIELD_NAME,
     .offset = SLOWDOWN_AT(class_name),
     .help = "Whose blocks take longer: kernels of this `class`."},
    {.name = "beside",
     .type = GRT_FIELD_NAME,
     .offset = SLOWDOWN_AT(beside),
     .help = "While another kernel of this `class` runs."},
    {.name = "factor",
     .type = GRT_FIELD_NUMBER,
     .offset = SLOWDOWN_AT(factor),
     .help = "How many times as long they take; 1 or more."},
    {.name = "same_sm",
     .type = GRT_FIELD_NUMBER,
     .offset = SLOWDOWN_AT(same_sm),
     .fallback = "",
     .help = "How many times as long if that kernel has a block on the same SM; 0 or absent: `factor`."},
};

const struct grt_record grt_slowdown_record = {
    .name = "slowdown",
    .size = sizeof(struct grt_slowdown),
    .fields = slowdown_fields,
    .field_count = GRT_FIELD_COUNT(slowdown_fields),
    .help = "One measured pair of a device's `slowdowns`. Several kernels beside multiply.",
};

static const struct grt_field fields[] = {
    /* What it is. */
    ROW("gpurt_device", INTEGER, version, "1", 1, 1, "Version of the format of device files."),
    ROW("name", NAME, name, "\"custom\"", 1, 64,
        "Name for reports. A preset's name is also its file's name."),
    {.name = "aliases",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_ALIASES,
     .help = "List of further names by which a scenario may ask for this preset."},
    ROW("description", NAME, description, "\"\"", 0, 400, "What the device is, for people."),
    {.name = "compute_capability",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(compute_capability),
     .fallback = "\"0.0\"",
     .custom = GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY,
     .help = "NVIDIA's compute capability as text, \"6.2\"; \"0.0\" for a device that has none. 6.0 adds a "
             "check to rule O4."},
    {.name = "sources",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_SOURCES,
     .help = "Object that says for each field of the file where its value was measured or read."},

    /* The SMs and where blocks go. */
    ROW("sm_count", INTEGER, sm_count, NULL, 1, GRT_DEVICE_MAX_SMS,
        "Number of SMs (streaming multiprocessors, OpenCL: compute units)."),
    ROW("sms_per_tpc", INTEGER, sms_per_tpc, "1", 1, GRT_DEVICE_MAX_SMS,
        "SMs of one TPC (texture processing cluster); the SMs of a TPC have consecutive numbers. Rule P4."),
    {.name = "sm_order",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(sm_order),
     .fallback = "\"ascending\"",
     .choices = sm_orders,
     .help = "Order in which SMs with equal room are tried: by number, or the first SM of every TPC, then "
             "the second. Rule P4."},
    {.name = "placement",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(placement),
     .fallback = "\"most_room\"",
     .choices = placements,
     .help = "How the SM of the next block is chosen. Rule P1 is most_room, rule P7 the others."},

    /* Limits of one SM and of one block. */
    ROW("warp_size", INTEGER, warp_size, "32", 1, 1024, "Threads of one warp. Rule O1."),
    ROW("max_threads_per_block", INTEGER, max_threads_per_block, "1024", 1, MOST_THREADS,
        "Most threads of one block. Rule O1."),
    ROW("max_threads_per_sm", INTEGER, max_threads_per_sm, "1536", 1, MOST_THREADS,
        "Most resident threads of one SM, a multiple of warp_size. Rule O1."),
    ROW("max_blocks_per_sm", INTEGER, max_blocks_per_sm, "16", 1, GRT_DEVICE_MAX_BLOCKS_PER_SM,
        "Most resident blocks of one SM. Rule O2."),
    ROW("registers_per_sm", INTEGER, registers_per_sm, "65536", LEAST_REGISTERS, MOST_REGISTERS,
        "32-bit registers of one SM. Rule O3."),
    ROW("registers_per_block", INTEGER, registers_per_block, "65536", 1, MOST_REGISTERS,
        "Most registers of one block. Rule O4."),
    ROW("max_registers_per_thread", INTEGER, max_registers_per_thread, "255", 1, 4096,
        "Most registers of one thread. Rule O4."),
    ROW("register_unit", INTEGER, register_unit, "256", 1, 65536,
        "Registers are handed to a warp in multiples of this. Rule O3."),
    ROW("warp_unit", INTEGER, warp_unit, "1", 1, 64,
        "The number of warps that an SM's registers can hold is counted down to a multiple of this: 2 on "
        "CC 2.x. Rule O3."),
    ROW("sm_partitions", INTEGER, sm_partitions, "4", 1, 64,
        "Equal parts into which the register file is split; a warp's registers lie in one part. Rules O3 "
        "and O4."),
    ROW("shared_memory_per_sm", SIZE, shared_memory_per_sm, "\"164KiB\"", 0, MOST_SHARED_MEMORY,
        "Shared memory of one SM, with the largest carve-out where it is configurable. Rule O5."),
    ROW("shared_memory_per_block", SIZE, shared_memory_per_block, "\"48KiB\"", 0, MOST_SHARED_MEMORY,
        "Most shared memory of one block of a kernel that did not opt in to more. Rule O6."),
    ROW("shared_memory_per_block_opt_in", SIZE, shared_memory_per_block_opt_in, "\"163KiB\"", 0,
        MOST_SHARED_MEMORY, "Most shared memory of one block of a kernel that opted in. Rule O6."),
    ROW("shared_memory_reserved", SIZE, shared_memory_reserved, "\"1KiB\"", 0, MOST_SHARED_MEMORY,
        "Shared memory that the driver takes in every block, beyond the block's own: 1KiB from CC 8.0 on. "
        "Rule O5."),
    ROW("shared_memory_unit", SIZE, shared_memory_unit, "\"128B\"", 1, 1048576,
        "A block's shared memory is rounded up to a multiple of this. Rule O5."),
    ROW("max_resident_grids", INTEGER, max_resident_grids, "128", 1, MOST_GRIDS,
        "Most kernels that have blocks on the device at once. Rule Q9."),
    ROW("task_slots", INTEGER, task_slots, "0", 0, MOST_GRIDS,
        "Kernels of a process that the work distributor knows at a time; only they hand out blocks. 0: no "
        "limit. "
        "Rule Q10."),
    ROW("cores_per_sm", INTEGER, cores_per_sm, "128", 1, MOST_THREADS,
        "Arithmetic lanes of one SM, for models in which resident blocks slow each other."),

    /* Copies and launches. */
    ROW("copy_engines", INTEGER, copy_engines, "1", 0, 16,
        "Engines for copies between host and device; 0 means that copies need none and take only "
        "copy_latency. Rules E1 and E2."),
    ROW("h2d_bandwidth", RATE, h2d_bytes_per_second, "\"12GB/s\"", 1, LARGEST,
        "Bandwidth of a copy from host to device."),
    ROW("d2h_bandwidth", RATE, d2h_bytes_per_second, "\"12GB/s\"", 1, LARGEST,
        "Bandwidth of a copy from device to host."),
    ROW("copy_latency", TIME, copy_latency, "\"0ns\"", 0, GRT_TIME_LIMIT,
        "Time that every copy takes beyond its bytes divided by the bandwidth."),
    ROW("kernel_launch", TIME, kernel_launch, "\"0ns\"", 0, GRT_TIME_LIMIT,
        "Time from the launching call to the moment the kernel is in its stream. Rule G1."),
    ROW("device_launch", TIME, device_launch, "\"0ns\"", 0, GRT_TIME_LIMIT,
        "The same for a kernel that is launched by a block of another one. Rule D5."),
    ROW("max_pending_launches", INTEGER, max_pending_launches, "2048", 0, GRT_DEVICE_MAX_LAUNCHES,
        "Kernels launched by blocks of one process that have not begun; a launch beyond them fails. 0: "
        "kernels "
        "cannot launch kernels on this device. Rule D1."),
    ROW("max_sync_depth", INTEGER, max_sync_depth, "2", 0, MOST_SYNC_DEPTH,
        "Levels of kernels whose blocks may wait for what they launch, the host's kernels being the first. "
        "0: "
        "no "
        "block may, as from compute capability 9.0 on. Rule D4."),
    ROW("priority_levels", INTEGER, priority_levels, "2", 1, MOST_LEVELS,
        "Stream priorities that the device tells apart: 0 is the lowest, -(priority_levels - 1) the "
        "highest. Rules A1 and A2."),

    /* For reports and for rules beyond one process. */
    ROW("core_clock", FREQUENCY, core_hertz, "", 1, LARGEST, "Highest clock of the SMs; absent: not known."),
    ROW("memory_clock", FREQUENCY, memory_hertz, "", 1, LARGEST,
        "Clock of the device memory, which moves two words per cycle; absent: not known."),
    ROW("memory_bus_bits", INTEGER, memory_bus_bits, "", 1, 65536,
        "Width of the bus to the device memory in bits; absent: not known."),
    ROW("memory_bandwidth", RATE, memory_bytes_per_second, "", 1, LARGEST,
        "Peak bandwidth of the device memory, for models of contention; absent: not known."),
    ROW("l2", SIZE, l2_bytes, "", 0, LARGEST, "Size of the L2 cache; absent: not known."),
    ROW("hardware_queues", INTEGER, hardware_queues, "0", 0, MOST_QUEUES,
        "Hardware queues (channels) for the streams of one process, as the driver sets them up; 0: no limit, "
        "and `queue_model`, `queue_order` and `dependency_check` are refused unless the scenario writes this "
        "0 itself (device files are not asked, nor is a device that --set put in another's place). Rules Q2 "
        "to Q7."),
    ROW("max_hardware_queues", INTEGER, max_hardware_queues, "32", 1, MOST_QUEUES,
        "The most that hardware_queues can be set to on this device. Rule Q2."),
    {.name = "queue_model",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(queue_model),
     .fallback = "\"dynamic\"",
     .choices = queue_models,
     .help =
         "How commands get from streams to the engines: a stream takes a free hardware queue while it has "
         "something to dispatch (dynamic, rules Q4 to Q6), streams are bound to hardware queues in turn "
         "(static, "
         "rule Q7), or there is one queue for kernels and one for every copy engine (single, up to compute "
         "capability 3.0, rule Q1)."},
    {.name = "queue_order",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(queue_order),
     .fallback = "\"lifo\"",
     .choices = queue_orders,
     .help = "Which of the waiting streams gets a hardware queue that has become free: the last, the first "
             "or any. "
             "Rule Q6 says only that it need not be the first."},
    {.name = "dependency_check",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(dependency_check),
     .fallback = "true",
     .help =
         "In queue model `single`: a command other than a kernel that follows a kernel in its stream, and a "
         "query, waits until all kernels launched before have had all their blocks started, and holds back "
         "the "
         "kernels launched after it until it knows that the kernel has ended. Rule Q1b."},
    ROW("pageable_percent", INTEGER, pageable_percent, "50", 1, 100,
        "Bandwidth of copies from and to pageable memory, in percent of that of pinned memory. Rule E7."),
    ROW("early_return", SIZE, early_return_bytes, "\"64KiB\"", 0, LARGEST,
        "A synchronous copy from host to device of at most so many bytes returns before it is complete. Rule "
        "E7."),
    {.name = "implicit_sync",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(implicit_sync),
     .fallback = "\"none\"",
     .choices = implicit_syncs,
     .help = "Which calls synchronise the process's streams by themselves: none; `malloc`, `malloc_host`, "
             "`memset` and `d2d`, as old programming guides say (guide, rule S1); or only `free`, as was "
             "observed "
             "(measured, rule S2)."},
    ROW("max_contexts", INTEGER, max_contexts, "0", 0, 1024,
        "Most processes on the device; 0: no limit. Rule T8r."),
    ROW("runlist_update", TIME, runlist_update, "\"0ns\"", 0, GRT_TIME_LIMIT,
        "Where processes have priorities, the time of putting others on the runlist of the SMs. Rule T9r."),
    ROW("time_slice", TIME, time_slice, "\"1024us\"", 1, GRT_TIME_LIMIT,
        "Longest turn of a process on the SMs while another one has work for them; the default is that of "
        "NVIDIA's drivers. Rule T3r."),
    ROW("context_switch", TIME, context_switch, "\"0ns\"", 0, GRT_TIME_LIMIT,
        "Time between the turns of two processes on the SMs, in which no block runs."),
    {.name = "context_preemption",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(context_preemption),
     .fallback = "\"instruction\"",
     .choices = context_preemptions,
     .help =
         "Where the turn of a process on the SMs can end: when its running blocks have ended (block, up to "
         "Maxwell), inside them, saving their state (instruction, from Pascal on), only when the kernels "
         "that have begun have ended (none), or inside them, throwing away what they have done (reset). Rule "
         "T4r."},
    {.name = "context_save",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(context_save),
     .fallback = "\"fixed\"",
     .choices = context_saves,
     .help =
         "Where turns end inside blocks (instruction): whether a switch takes `context_switch` whatever is "
         "running, or besides the time of saving the registers and shared memory of the blocks that are "
         "interrupted, and of restoring those of the blocks that go on, each at `memory_bandwidth`, which "
         "it requires. Where turns end otherwise it is refused, unless the scenario itself writes "
         "`context_preemption` (device files are not asked, nor is a device that --set put in another's "
         "place). Rule T4s."},
    {.name = "copy_runlist",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(copy_runlist),
     .fallback = "\"own\"",
     .choices = copy_runlists,
     .help =
         "Whether processes take turns on every copy engine by itself (own) or have their turns on the SMs "
         "and the copy engines together (shared, as on TX2). Rules E5 and E6."},
    ROW("copy_time_slice", TIME, copy_time_slice, "\"1024us\"", 1, GRT_TIME_LIMIT,
        "Longest turn of a process on a copy engine while another one waits; on a shared runlist, of a "
        "process "
        "that has only copies to do. Rules E5 and E6."),
    ROW("copy_chunk", SIZE, copy_chunk, "\"0B\"", 0, LARGEST,
        "A copy can be stopped for another process only after a multiple of these bytes; 0: anywhere. Rule "
        "E5."),

    /* Contention. */
    {.name = "integrated",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(integrated),
     .fallback = "false",
     .help = "The device's memory is the CPU's, as on Tegra: with bandwidth_sharing, the CPU's threads share "
             "it. Rule B2."},
    {.name = "bandwidth_sharing",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(bandwidth_sharing),
     .fallback = "\"none\"",
     .choices = bandwidth_sharings,
     .help =
         "How blocks, copies and threads that together ask for more than memory_bandwidth slow each other: "
         "not at all (every `bandwidth` is then without effect), all by the same factor, or down to the same "
         "amount. What a kernel asks for is its "
         "`bandwidth`. Rule B1."},
    ROW("threads_per_core", INTEGER, threads_per_core, "0", 0, 1024,
        "Resident threads that one of cores_per_sm serves at full speed, by hiding their latencies; beyond "
        "it "
        "the blocks of an SM slow each other. 0: any number. Rule B3."),
    {.name = "slowdowns",
     .type = GRT_FIELD_LIST,
     .offset = AT(slowdowns),
     .fallback = "",
     .max = 256,
     .record = &grt_slowdown_record,
     .help =
         "A measured table of how much kernels slow each other, pair by pair of their `class`. A row of the "
         "scenario itself must be of classes of its kernels; a device file may hold those of more kernels."},
    {.name = "mps",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(mps),
     .fallback = "false",
     .help =
         "Whether the processes are clients of one MPS server (NVIDIA's Multi-Process Service): they take "
         "no turns, their kernels share the SMs as if they were of one process. Without, the other `mps_` "
         "fields and `active_thread_percentage` are refused, unless the scenario writes this `false` itself "
         "(device files are not asked, nor is a device that --set put in another's place). Rules M1 to M5."},
    ROW("mps_clients", INTEGER, mps_clients, "0", 0, 64,
        "Most clients of the MPS server; 0: 16 below compute capability 7.0, else 48, the limit up to CUDA "
        "13.0 (60 from CUDA 13.1 on). Rule M5."),
    {.name = "mps_priorities",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(mps_priorities),
     .fallback = "\"client\"",
     .choices = mps_priorities,
     .help = "Under MPS, whether a stream's priority counts only among the kernels of its own client, or "
             "among those of all clients on the device. Rule M2."},
    {.name = "mps_rounding",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(mps_rounding),
     .fallback = "\"down\"",
     .choices = mps_roundings,
     .help = "Whether a client's `active_thread_percentage` of the TPCs is rounded down, as NVIDIA's present "
             "guide says, or up, as an older one did. Rule M3."},
    ROW("group_minimum_sms", INTEGER, group_minimum_sms, "0", 0, GRT_DEVICE_MAX_SMS,
        "Fewest SMs of a group (green context); 0: by compute capability, 2 for 6.x and 7.x, 4 for 8.x, 8 "
        "from "
        "9.0 on, one TPC for a device without. Rule W5."),
    ROW("group_multiple_sms", INTEGER, group_multiple_sms, "0", 0, GRT_DEVICE_MAX_SMS,
        "SMs of groups are rounded up to a multiple of this, and to whole TPCs; 0: by compute capability, 2 "
        "for 6.x to 8.x, 8 from 9.0 on. Rule W5."),

    /* Simulated by shares. */
    GRT_SHARE_FIELDS,
};

const struct grt_record grt_device_record = {
    .name = "device",
    .size = sizeof(struct grt_device),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "A GPU: a file of its own, or an object in place of a device's name. Only sm_count is required; "
            "an SM is by default one of compute capability 8.7, and overheads are zero.",
};
