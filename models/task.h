/* The task set and the platform as the user describes them: plain structs, filled by a loader or by hand, read-only
 * while a world runs. Times in nanoseconds, sizes in bytes. */
#ifndef GRT_MODELS_TASK_H
#define GRT_MODELS_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/device.h"
#include "models/occupancy.h"
#include "models/usage.h"
#include "sim/distribution.h"
#include "sim/field.h"
#include "sim/time.h"

enum {
    GRT_MAX_TASKS = 4096,
    GRT_MAX_SEGMENTS = 256,
    GRT_MAX_COMMANDS = 1024,
    GRT_MAX_LAUNCHES = 64,           /* in one kernel */
    GRT_MAX_SEGMENT_LAUNCHES = 4096, /* in all kernels of a segment */
    GRT_MAX_LAUNCH_DEPTH = 24,       /* rule D1 */
    GRT_MAX_CORES = 256,
    GRT_MAX_GPUS = 8,
    GRT_MAX_PROCESSES = 64,
    GRT_MAX_GROUPS = 1024
};

/* Jobs of a run, all tasks together, as far as periods tell before it begins: at the best of speeds it would take half a day. */
#define GRT_MAX_JOBS INT64_C(1000000000000)

/* Of no task, or of no GPU, where a number that a policy tells says whose it is. */
#define GRT_NUMBER_OF_NONE UINT32_MAX

/* Numbers, owned by whoever filled the list. */
struct grt_number_list {
    const int64_t *items;
    size_t count;
};

/* A kernel's grid. Its blocks are equal in what they need; their times come from one distribution. */
struct grt_kernel {
    const char *name;
    bool whole_device; /* described by one `time`: one block per SM, each filling its SM */
    /* a kernel that is on the device launches it (rule D5): its launch takes device_launch. Only where a policy adapts it so */
    bool from_device;
    int64_t blocks; /* of the grid; 1 or more; not used where whole_device */
    struct grt_block_needs needs;
    struct grt_distribution block_time; /* run time of one block on an otherwise idle SM */
    int64_t draw_per;                   /* enum grt_draw_per */
    /* bytes per second of the device's memory that it draws when it runs alone, with as many blocks as fit; 0: none that counts (rule B1) */
    int64_t bandwidth;
    const char *class_name;      /* in the device's table of slowdowns; NULL: its name */
    struct grt_number_list tpcs; /* the TPCs that its blocks may use; none: the task's, or its launcher's */
    struct grt_field_list launches; /* of struct grt_launch_spec: what its blocks launch */
    /* the SMs on which its blocks work; on others they exit (rule W8). None: it is not pinned */
    struct grt_number_list sms;
    int64_t items;      /* pinned: of work, for all its blocks; 0: as many as `blocks` */
    grt_time exit_time; /* pinned: what a block takes that finds itself on another SM, or no item left */
    /* how it uses a GPU that is simulated by shares; NULL: it fills the SMs that its blocks fill, and depends on nothing else */
    const struct grt_usage *usage;
};

/* How many items of work a kernel has for its blocks to share out (rule W8); 0: it is not pinned, every block has its own. */
static inline int64_t grt_kernel_items(const struct grt_kernel *kernel) {
    return kernel->sms.count == 0 ? 0 : kernel->items > 0 ? kernel->items : kernel->blocks;
}

/* Which blocks of a kernel make a launch, and into which stream (rule D3). */
enum grt_launch_from { GRT_LAUNCH_FROM_EVERY_BLOCK, GRT_LAUNCH_FROM_FIRST_BLOCK };
enum grt_launch_stream {
    GRT_LAUNCH_STREAM_BLOCK,           /* the block's own: its launches there run one after the other */
    GRT_LAUNCH_STREAM_FIRE_AND_FORGET, /* one of its own */
    GRT_LAUNCH_STREAM_TAIL,            /* behind all else of the grid that launches it */
};

/* A kernel that blocks of another one launch. */
struct grt_launch_spec {
    struct grt_kernel kernel; /* not whole_device */
    grt_time at;              /* since the block's start; 0: at its end */
    int64_t from;             /* enum grt_launch_from */
    int64_t stream;           /* enum grt_launch_stream */
    bool wait;                /* then the block waits for all that it has launched, but for tails (rule D4) */
};

/* Whether the blocks of one launch draw a time each, or share one draw. */
enum grt_draw_per { GRT_DRAW_PER_BLOCK, GRT_DRAW_PER_KERNEL };

/* What is after the copies is a call that no engine executes: rules V1 to V4, K1, E7, S1, S2. */
enum grt_command_kind {
    GRT_COMMAND_KERNEL,
    GRT_COMMAND_H2D,
    GRT_COMMAND_D2H,
    GRT_COMMAND_RECORD,
    GRT_COMMAND_WAIT,
    GRT_COMMAND_QUERY,
    GRT_COMMAND_CALLBACK,
    GRT_COMMAND_SYNCHRONIZE,
    GRT_COMMAND_SYNCHRONIZE_DEVICE,
    GRT_COMMAND_MALLOC,
    GRT_COMMAND_MALLOC_HOST,
    GRT_COMMAND_FREE,
    GRT_COMMAND_MEMSET,
    GRT_COMMAND_D2D,
    GRT_COMMAND_KINDS
};

/* One command of a GPU segment. */
struct grt_command_spec {
    int64_t kind;             /* enum grt_command_kind */
    struct grt_kernel kernel; /* GRT_COMMAND_KERNEL */
    int64_t bytes;            /* copies, memset, d2d */
    bool sync, pageable;      /* copies; pageable ones are sync, too */
    const char *event; /* record, wait, query: its name in the process; query: NULL asks for the stream */
    struct grt_distribution callback_time; /* callback */
};

/* Whether a command is a call that no engine executes. */
static inline bool grt_command_is_call(int64_t kind) {
    return kind > GRT_COMMAND_D2H;
}

enum grt_segment_kind { GRT_SEGMENT_CPU, GRT_SEGMENT_GPU };

/* When the second of a GPU segment's host parts is executed. */
enum grt_host_mode {
    GRT_HOST_SYNCHRONOUS, /* when the commands have completed */
    GRT_HOST_ASYNCHRONOUS /* beside them, as soon as they were issued */
};

/* The host parts of a GPU segment. */
enum grt_host_part { GRT_HOST_BEFORE, GRT_HOST_AFTER };

/* One step of a job: computing on the task's core, or a list of GPU commands executed in order, with what a core does for them. */
struct grt_segment {
    int64_t kind; /* enum grt_segment_kind */
    struct grt_distribution cpu_time;
    int64_t cpu_bandwidth; /* bytes per second that it draws from memory while it computes (rule B2) */
    const struct grt_command_spec *commands;
    size_t command_count;
    /* of GPU segments, by enum grt_host_part: computing before the commands are issued, and after; constant 0: none */
    struct grt_distribution host_part[2];
    int64_t host_mode; /* enum grt_host_mode */
};

/* Whether a core has something to do for a GPU segment. */
static inline bool grt_segment_has_host_parts(const struct grt_segment *segment) {
    return segment->kind == GRT_SEGMENT_GPU &&
           (grt_distribution_worst(&segment->host_part[GRT_HOST_BEFORE]) > 0 ||
            grt_distribution_worst(&segment->host_part[GRT_HOST_AFTER]) > 0);
}

enum grt_arrival_kind {
    GRT_ARRIVAL_PERIODIC, /* offset + k * period */
    GRT_ARRIVAL_SPORADIC, /* the instants in `times`, which keep gaps of at least `period`; where there are none, the
                             first at offset, then gaps of `period` plus a draw of `extra_gap` */
    GRT_ARRIVAL_POISSON, /* exponential gaps with mean `period`, the first from `offset` */
    GRT_ARRIVAL_TIMES,   /* the instants in `times` */
    GRT_ARRIVAL_AFTER,   /* job k arrives when job k of every predecessor has finished */
};

/* From where a periodic task's thread counts to its next arrival. */
enum grt_clock {
    GRT_CLOCK_ABSOLUTE, /* from the arrival before: offset + k * period */
    GRT_CLOCK_RELATIVE, /* from the release before, so that whatever jitter delays, delays all that comes: drift */
};

enum grt_on_miss { GRT_MISS_CONTINUE, GRT_MISS_ABORT, GRT_MISS_SKIP_NEXT, GRT_MISS_STOP };

/* From which instant the relative deadline counts. */
enum grt_deadline_from {
    GRT_DEADLINE_FROM_ARRIVAL, /* the nominal arrival, before jitter; after predecessors: their latest arrival */
    GRT_DEADLINE_FROM_RELEASE, /* the moment the job becomes ready */
};

struct grt_task {
    const char *name;
    int64_t arrival;         /* enum grt_arrival_kind */
    grt_time period;         /* see the kinds; 0 for times and after */
    grt_time offset, jitter; /* jitter: each release is delayed by a uniform draw from [0, jitter] */
    int64_t clock;           /* enum grt_clock; relative of periodic tasks only */
    struct grt_distribution extra_gap;
    const grt_time *times; /* ascending; of sporadic tasks NULL where the arrivals are drawn */
    size_t time_count;
    /* how much later than its arrival each job of `times` is released, in the same order as they arrive; NULL: by draws from [0, jitter] */
    const grt_time *delays;
    const uint32_t *after; /* indices of predecessors */
    size_t after_count;

    grt_time deadline;       /* relative, above zero */
    int64_t deadline_from;   /* enum grt_deadline_from */
    int64_t on_miss;         /* enum grt_on_miss */
    grt_time separation;     /* wanted between the ends of consecutive jobs: throughput-oriented; 0: none */
    int64_t priority;        /* larger is more urgent; distinct ranks where the file gave none */
    int64_t cpu;             /* the core of its thread; -1: a core of its own */
    const char *stream;      /* policies that keep the user's streams: its name; NULL: one of its own; "null":
                                 the NULL stream */
    int64_t stream_priority; /* 0 lowest, negative is more urgent, clamped to the device's levels */
    int64_t gpu;             /* index of the GPU its segments run on */
    /* what every piece costs into which a policy cuts its GPU segments, besides the device's own launch time: delta of GPU-TDMh */
    grt_time split_overhead;
    int64_t process;             /* index of its process; 0 where the scenario has no processes */
    struct grt_number_list tpcs; /* the TPCs that its kernels may use; none: all */

    const struct grt_segment *segments; /* one or more */
    size_t segment_count;
};

/* Whether a periodic task's arrivals are not known beforehand. They keep their least gap all the same: no arrival is less than a period
 * behind the release before it, and that not before its own arrival. */
static inline bool grt_task_drifts(const struct grt_task *task) {
    return task->clock == GRT_CLOCK_RELATIVE && task->jitter > 0;
}

/* Whether a task computes on a core at all. */
static inline bool grt_task_uses_cpu(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_CPU || grt_segment_has_host_parts(&task->segments[i])) {
            return true;
        }
    }
    return false;
}

/* Whether a task has GPU segments. */
static inline bool grt_task_uses_gpu(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_GPU) {
            return true;
        }
    }
    return false;
}

enum grt_tie_rule {
    GRT_TIES_TASK,    /* lower task index first */
    GRT_TIES_ARRIVAL, /* earlier release first, then task index */
    GRT_TIES_SHUFFLE, /* a random key of the job, then task index */
};

enum grt_horizon_kind {
    GRT_HORIZON_FIXED,       /* `horizon` */
    GRT_HORIZON_HYPERPERIOD, /* largest offset + least common multiple of the periods */
    GRT_HORIZON_AUTO,        /* until the state repeats */
};

/* How often a process has its turn among the others (rule T6r). */
enum grt_interleave { GRT_INTERLEAVE_LOW, GRT_INTERLEAVE_MEDIUM, GRT_INTERLEAVE_HIGH };

/* How a process shares a GPU: its turns, or under MPS how much of the SMs it may use. */
struct grt_process_spec {
    grt_time time_slice;              /* ns; 0: the device's */
    int64_t interleave;               /* enum grt_interleave */
    int64_t priority;                 /* larger is more urgent; counts where processes differ in it (T9r) */
    int64_t active_thread_percentage; /* 0: as 100, no limit; counts under MPS only */
};

/* A process of the host: its tasks share a context on every GPU. */
struct grt_process {
    const char *name;
    struct grt_process_spec spec;
};

struct grt_networks;

/* Everything a world is built from. Strings and lists belong to whoever filled the struct. */
struct grt_scenario {
    const char *name;
    uint64_t seed;
    int64_t horizon_kind; /* enum grt_horizon_kind */
    grt_time horizon;     /* ns; the computed one for GRT_HORIZON_HYPERPERIOD */
    int64_t ties;         /* enum grt_tie_rule */
    int64_t core_count;   /* 0: every task has a core of its own */
    grt_time context_switch,
        wake_up; /* costs on the cores, ns: see struct grt_cpu_options (models/world/cpu.h) */
    const struct grt_device *gpus;
    size_t gpu_count;
    const struct grt_process *processes; /* none: all tasks are one process */
    size_t process_count;
    const struct grt_task *tasks;
    size_t task_count;
    /* trained performance models of the kernels (models/learning/network.h); NULL: none */
    const struct grt_networks *networks;
    /* the policy that has changed it (models/adapt.h); NULL: it is as the user wrote it */
    const void *adapted_for;
};

/* The process of a task, with what it may use on a GPU. */
static inline const struct grt_process *grt_process_of(const struct grt_scenario *scenario,
                                                       const struct grt_task *task) {
    static const struct grt_process only = {"main", {0, 0, 0, 0}}; /* without names: C++ */
    return scenario->process_count > 0 ? &scenario->processes[task->process] : &only;
}

#endif
