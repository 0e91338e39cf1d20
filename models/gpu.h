/* A GPU at the granularity of thread blocks: streams, execution-engine queues, copy engines, block placement. It takes
 * commands and executes them by the published rules of the device (named G1, X1, ... in docs/gpu-model.md); it knows
 * no task and no deadline. Once all events of an instant have been told, grt_gpu_decide moves stream heads into the
 * queues, starts copies and places blocks. */
#ifndef GRT_MODELS_GPU_H
#define GRT_MODELS_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device.h"
#include "models/device/memory_bus.h"
#include "models/elsewhere.h"
#include "models/result.h"
#include "models/task.h"
#include "sim/loop.h"
#include "sim/memory.h"
#include "sim/trace.h"

struct grt_gpu;

/* A kernel made ready for one device: its costs on an SM, computed once. Plain; owned by the caller, who keeps it
 * while commands use it. Two launches of one kernel should share it: the placement is then faster. */
struct grt_gpu_kernel {
    grt_time launch;                         /* how long its launch takes (G1, D5) */
    uint32_t blocks;                         /* of the grid, or of a piece of it */
    uint32_t first_block;                    /* of the piece, within the grid */
    uint32_t threads;                        /* of one block, for the thread-time statistics */
    int32_t warps, registers, shared_memory; /* charges of one block on an SM */
    int64_t state_bytes;                     /* of one block: its registers and shared memory */
    bool same_time;                          /* all blocks of a launch take the same time */
    bool together; /* and all that find room at an instant are one cohort: none of them waits inside */
    bool waits;    /* its blocks wait for what they launch */
    uint32_t launch_count;
    const struct grt_gpu_launch *launches; /* what its blocks launch, by the time; NULL: nothing */
    struct grt_distribution block_time;
    uint64_t demand;        /* bytes per second of device memory that one block draws at full speed (B1) */
    uint32_t issue_threads; /* what one block adds to its SM's load, in threads (B3) */
    uint32_t class_number;  /* in the device's table of slowdowns; GRT_NO_CLASS: not in it */
    /* from which state on the times of a piece's blocks are drawn; NULL: from the launch's key. Read by grt_gpu_submit only */
    const struct grt_random *times_from;
    /* the places in the device's order of SMs that its blocks may use, a bit each; NULL: all */
    const uint64_t *places;
    uint32_t items;                /* W8: of work, for all blocks of a launch; 0: it is not pinned */
    const uint64_t *pinned_to;     /* W8: the places at which its blocks work, a bit each */
    grt_time exit_time;            /* W8: of a block that does not work; block_time is that of an item */
    const struct grt_usage *usage; /* granularity shares: see share.c */
    uint32_t wave;                 /* the same: how many of its blocks fit on the whole GPU */
};

/* A kernel that blocks of another one launch (rules D1 to D5). */
struct grt_gpu_launch {
    struct grt_gpu_kernel kernel;
    grt_time at;           /* since the block's start; GRT_TIME_NEVER: at its end, which is also the latest */
    bool first_block_only; /* else every block launches it */
    bool wait;             /* then the block waits for all that it has launched (D4) */
    uint8_t stream;        /* enum grt_launch_stream */
    bool random;           /* its block times are drawn */
    uint32_t place;        /* grt_trace_place */
    const char *name;
};

/* Computes the charges. Returns NULL, or a sentence that says why the kernel can never run on the device. */
const char *grt_gpu_kernel_prepare(const struct grt_device *device, const struct grt_kernel *kernel,
                                   struct grt_gpu_kernel *prepared);

/* Sets the usage of a prepared kernel on a GPU of granularity shares. */
void grt_gpu_kernel_share(const struct grt_device *device, const struct grt_kernel *kernel,
                          struct grt_arena *arena, struct grt_gpu_kernel *prepared);

/* Keeps a prepared kernel to some TPCs of the device (rule W1). Returns NULL, or a sentence that says why not. */
const char *grt_gpu_kernel_restrict(const struct grt_device *device, const struct grt_number_list *tpcs,
                                    struct grt_arena *arena, struct grt_gpu_kernel *prepared);

/* Pins a prepared kernel, whose TPCs are set, to the SMs that its description names (rule W8). Returns NULL, or a sentence that
 * says why not. */
const char *grt_gpu_kernel_pin(const struct grt_device *device, const struct grt_kernel *kernel,
                               struct grt_arena *arena, struct grt_gpu_kernel *prepared);

/* Who hears of the commands' progress: `owner` is the number given with the command. */
struct grt_gpu_listener {
    void *state;
    void (*begun)(void *state, uint32_t owner, grt_time now);     /* the command marked `begins` began */
    void (*completed)(void *state, uint32_t owner, grt_time now); /* the last one completed */
    void (*returned)(void *state, uint32_t owner, grt_time now); /* the host need no longer wait for a command
                                                                     that it `waits` for and that is not the last */
    /* A block of the command begins on an SM; of a pinned kernel (W8) with which item of its work, counted from 0 in the order in which
     * they are taken, which happens once per item, or with GRT_GPU_NO_ITEM where it exits. NULL: nobody wants to know; else the GPU
     * needs a trace. */
    void (*block_begins)(void *state, uint32_t owner, uint32_t block, uint32_t item, uint32_t sm);
};

/* What a block of a pinned kernel takes that exits. */
#define GRT_GPU_NO_ITEM UINT32_MAX

/* What a query asks for that is for its whole stream. */
#define GRT_GPU_NO_EVENT UINT32_MAX

/* One command to submit. */
struct grt_gpu_command {
    enum grt_command_kind kind;
    const struct grt_gpu_kernel *kernel; /* kernels */
    int64_t bytes;                       /* copies, memset, d2d */
    bool pageable;                       /* copies */
    uint32_t event; /* record, wait, query: a number from grt_gpu_event; query: or GRT_GPU_NO_EVENT */
    const struct grt_distribution *time; /* callback */
    grt_time extra; /* copies, memset, d2d: that it takes longer than the device's figures say */
    /* kernels: of each block, or each item of a pinned one, in order, instead of the kernel's; until it has completed. NULL: the kernel's */
    const grt_time *block_times;
    uint32_t owner;    /* for the listener */
    bool begins, last; /* when to tell the listener: it begins; it, the last one, completed */
    bool waits;        /* the host makes its next call when this has completed (see grt_gpu_host_waits) */
    bool random;       /* times are drawn, or those of what they launch */
    uint16_t task;     /* labels for the trace, passed through */
    uint32_t place;    /* grt_trace_place */
};

struct grt_gpu_options {
    const struct grt_elsewhere *elsewhere; /* who executes the commands in its place; NULL: nobody */
    struct grt_loop *loop;
    struct grt_arena *arena; /* must outlive the GPU */
    struct grt_trace *trace; /* or NULL */
    struct grt_gpu_listener listener;
    bool *changed;   /* set whenever grt_gpu_decide has something to decide */
    bool no_cohorts; /* every block is an event of its own */
    uint64_t seed;   /* of the run, and which of its GPUs this is: for random placement */
    uint32_t index;
    uint32_t first_engine_row, first_sm_row; /* in the trace */
    /* of the device's memory; required where grt_device_is_contended, else NULL */
    struct grt_memory_bus *bus;
};

/* Makes a GPU; before the loop's first event. `device` must stay. */
struct grt_gpu *grt_gpu_create(const struct grt_device *device, const struct grt_gpu_options *options);

/* Makes a process on the GPU: 0, 1, 2, ... in the order of the calls. It has a context of its own, or under MPS the one of
 * the first. `label`: the context's number in the trace. A GPU needs a process. Before the loop's first event. */
uint32_t grt_gpu_process_create(struct grt_gpu *gpu, const struct grt_process_spec *spec, uint32_t label);

/* Makes a stream of a process: 0, 1, 2, ... in the order of the calls. priority <= 0, clamped to the device's levels.
 * `is_null`: the NULL stream, ordered against all others of the process by rules N1 and N2. `row`: its number in the
 * trace. Before the loop's first event. */
uint32_t grt_gpu_stream_create(struct grt_gpu *gpu, uint32_t process, int64_t priority, bool is_null,
                               uint32_t row);

/* Gives a stream without commands another priority; at any time. Where MPS clients have priorities of their own, before the first command only. */
void grt_gpu_stream_set_priority(struct grt_gpu *gpu, uint32_t stream, int64_t priority);

/* Says that a stream begins as if a command of that kind, a kernel or a copy, had been executed in it: where events of it stand that no
 * command comes before (Q1). Before the loop's first event. */
void grt_gpu_stream_begins(struct grt_gpu *gpu, uint32_t stream, enum grt_command_kind kind);

/* Whether processes take turns on the GPU: there are several, and no MPS server brings them together. */
bool grt_gpu_takes_turns(const struct grt_gpu *gpu);

/* Says that kernels that are kept to some TPCs will be submitted. Before the loop's first event. */
void grt_gpu_use_partitions(struct grt_gpu *gpu);

/* Says that kernels that are pinned to some SMs will be submitted. Before the loop's first event. */
void grt_gpu_use_pins(struct grt_gpu *gpu);

/* Says that kernels whose blocks launch kernels will be submitted. Before the loop's first event. */
void grt_gpu_use_launches(struct grt_gpu *gpu);

/* Says that blocks of some of them wait for what they launch. Before the loop's first event. */
void grt_gpu_use_waits(struct grt_gpu *gpu);

/* Says that commands of that kind, a call, will be submitted. Before streams are made. */
void grt_gpu_use_call(struct grt_gpu *gpu, enum grt_command_kind kind);

/* Makes an event (rules V1 to V3): 0, 1, 2, ... At any time. */
uint32_t grt_gpu_event(struct grt_gpu *gpu);

/* Whether every record of the event that was called has completed, as a query from the host would find (V3). */
bool grt_gpu_event_is_complete(const struct grt_gpu *gpu, uint32_t event);

/* Whether the host waits for such a command before it makes its next call (rules E7, S1, S2). */
bool grt_gpu_host_waits(const struct grt_device *device, const struct grt_command_spec *command);

/* Puts a command at the end of a stream (G1); takes effect at the next grt_gpu_decide. `job` is a label for the trace;
 * `random_key` is where random block times start. */
void grt_gpu_submit(struct grt_gpu *gpu, uint32_t stream, const struct grt_gpu_command *command, uint32_t job,
                    uint64_t random_key);

/* How long the blocks of a kernel take that is submitted with these arguments, each on an otherwise idle SM: fills `times`, one for each of
 * kernel->blocks, in their order. */
void grt_gpu_block_times(const struct grt_gpu_kernel *kernel, bool random, uint64_t random_key,
                         grt_time *times);

/* Takes back all commands of an owner in a stream that have not begun; undispatched blocks of a running kernel are
 * dropped. Returns true if nothing of them is left; else the listener hears `completed` when what runs has run out. */
bool grt_gpu_cancel(struct grt_gpu *gpu, uint32_t stream, uint32_t owner);

/* Sets the share of a stream; takes effect at the next grt_gpu_decide. For GPUs of granularity shares, as the next two. */
void grt_gpu_set_share(struct grt_gpu *gpu, uint32_t stream, int64_t share);

/* What the kernels of all other streams do, in events per second: fills GRT_INDICATORS numbers. At the speeds that were last settled. */
void grt_gpu_workload(const struct grt_gpu *gpu, uint32_t stream, double *indicators);

/* Which part of the running kernel of a stream is done; 0 where none runs. */
double grt_gpu_completion(const struct grt_gpu *gpu, uint32_t stream);

/* Decides what begins at this instant. Cheap if nothing has changed. */
void grt_gpu_decide(struct grt_gpu *gpu);

/* A hash of everything that the GPU's future depends on, with instants relative to now: equal states have equal
 * hashes. */
uint64_t grt_gpu_state(const struct grt_gpu *gpu);

/* Closes the statistics at the end of the run, writes the open slices to the trace, and fills the result. The arrays
 * it points to are in the arena. */
void grt_gpu_finish(struct grt_gpu *gpu, struct grt_gpu_result *result);

/* Frees what is not in the arena. */
void grt_gpu_free(struct grt_gpu *gpu);

#endif
