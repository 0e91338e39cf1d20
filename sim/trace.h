/* What happened, as a stream of 32-byte records in the order of their time. The byte format of files and the
 * meaning of every field are in docs/trace-format.md; this header is the same in C. */
#ifndef GRT_SIM_TRACE_H
#define GRT_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/time.h"

/* Slices are written when they end, so that time never goes back in a trace. "row" is the number of a core, stream,
 * copy engine or SM within its kind; the header of a trace names each. */
enum grt_trace_kind {
    GRT_TRACE_RELEASE = 1, /* instant: a job became ready. other = absolute deadline (GRT_TIME_NEVER: none) */
    GRT_TRACE_FINISH,      /* slice: arrival to finish of a job. other = arrival; flags: LATE */
    GRT_TRACE_ABORT,       /* slice: arrival to abort of a job. other = arrival */
    GRT_TRACE_SKIP,        /* instant: a job was not released, because an earlier one of its task was late or
                              its predecessor's job was lost. other = its arrival */
    GRT_TRACE_MISS, /* instant: the deadline of a job that has not finished. other = the deadline. Written
                              only where the run handles deadlines (on_miss other than continue) */
    GRT_TRACE_CPU, /* slice: a job computed on a core. other = start; row = core; detail = segment, a GPU segment
                              where it is a host part of that; flags: PREEMPTED if it was cut off, ABORTED, SPIN, OVERHEAD */
    GRT_TRACE_GPU_REQUEST, /* instant: a job reached a GPU segment and asks. detail = segment */
    GRT_TRACE_GPU_SEGMENT, /* slice: request to completion of a GPU segment. other = request; detail = segment;
                              row = stream or GRT_TRACE_NO_ROW; flags: ABORTED, OPEN, HELD */
    GRT_TRACE_KERNEL, /* slice: first block's start to last block's end, or that of all it launched; without blocks begin to end.
                              other = start; row = stream and grid (grt_trace_grid_row); detail = grt_trace_place; flags: ABORTED if cut short */
    GRT_TRACE_BLOCK, /* slice: one block. other = start; row = SM and grid; detail = block index; flags: PREEMPTED
                              if it was thrown away and runs again later, OPEN. Of a pinned kernel one item of a block's
                              work: GOES_ON if the block takes another, or EXITED: it did not work */
    GRT_TRACE_COPY, /* slice: other = start; row = copy engine; detail = grt_trace_place; flags: D2H, ABORTED,
                              PREEMPTED if it was stopped and goes on later */
    GRT_TRACE_UNFINISHED, /* slice: arrival to the end of the run of a job that is still alive. other = arrival;
                              flags: LATE if its deadline has passed */
    GRT_TRACE_BLOCKED, /* slice: a GPU segment waited because of a less urgent one. other = request; row = the task
                              that blocked it to the end; detail = segment */
    GRT_TRACE_ROW_SLICE, /* slice on a row of the policy's own. other = start; row; detail = label; task, job as the
                              policy says, or GRT_TRACE_NO_TASK */
    GRT_TRACE_ROW_MARK, /* instant on such a row. other = 0; row, detail, task, job as above */
    GRT_TRACE_CONTEXT, /* slice: a process had the SMs. other = start; row = GPU; detail = context. Written where
                           processes take turns on a GPU */
    GRT_TRACE_LAUNCH_FAILED, /* instant: a block's launch of a kernel failed. other = 0; row as that of the launching
                                kernel; detail = grt_trace_place of what was to be launched */
    GRT_TRACE_CALL, /* slice: a call that no engine executes (an event's record or wait, a host function, ...), from
                       when it is the head of its stream to its completion; a host function from its begin. other =
                       start; row = stream; detail = grt_trace_place; flags: ABORTED, OPEN */
    GRT_TRACE_THREAD, /* slice: a thread of the policy's own computed on a core. other = start; row = core; detail =
                         label << 16 | thread; task, job: whom for, or GRT_TRACE_NO_TASK; flags as of GRT_TRACE_CPU */
    GRT_TRACE_PRIORITY, /* instant: the priority of a job's thread changed. other = the new one; detail = segment;
                           flags: BOOSTED while it is not its task's */
    GRT_TRACE_LOST_ITEMS, /* instant: a pinned kernel ended with items of work that no block took. other = how many; row as
                             that of its kernel; detail = grt_trace_place */
    GRT_TRACE_SHARE, /* instant: the share of a stream changed, on a GPU that is simulated by shares. other = the new one, 0 to 100
                        vprocessors; row = stream; task = GRT_TRACE_NO_TASK. A stream without such a record has 100 */
    GRT_TRACE_KINDS
};

/* The task of a record that belongs to none. */
#define GRT_TRACE_NO_TASK UINT16_MAX

/* The row of a GPU segment that was never submitted to a stream. */
#define GRT_TRACE_NO_ROW UINT32_MAX

enum grt_trace_flag {
    GRT_TRACE_LATE = 1,
    GRT_TRACE_PREEMPTED = 2,
    GRT_TRACE_ABORTED = 4,
    GRT_TRACE_D2H = 8,
    GRT_TRACE_OPEN = 16,     /* the slice was still going on when the run ended */
    GRT_TRACE_SPIN = 32,     /* the thread busy-waited for the GPU */
    GRT_TRACE_OVERHEAD = 64, /* the core switched to the thread, or woke it up */
    GRT_TRACE_BOOSTED = 128,
    /* of GPU segments */
    GRT_TRACE_HELD =
        32, /* its policy promises to submit segments as they ask, and did not: a part of it, or all */
    /* of blocks */
    GRT_TRACE_GOES_ON = 32, /* the slice is an item of a pinned kernel's work, and its block takes another */
    GRT_TRACE_EXITED = 64,  /* the block of a pinned kernel found itself on another SM, or no item left */
};

/* The rows of kernels and blocks: the stream or SM, and above it the number of the grid, 0 where the host launched it.
 * No two grids that are on a GPU at a time have the same number, but 0. */
static inline uint32_t grt_trace_grid_row(uint32_t row, uint32_t grid) {
    return grid << 16 | row;
}

static inline uint32_t grt_trace_row(uint32_t row) {
    return row & 0xffff;
}

static inline uint32_t grt_trace_grid(uint32_t row) {
    return row >> 16;
}

/* Which command of a job a kernel or copy is: the segment, and the number within the segment. Kernels that are launched
 * by blocks are numbered behind the segment's commands, in the order of the scenario. */
static inline uint32_t grt_trace_place(uint32_t segment, uint32_t command) {
    return segment << 16 | command;
}

static inline uint16_t grt_trace_segment(uint32_t place) {
    return (uint16_t)(place >> 16);
}

static inline uint16_t grt_trace_command(uint32_t place) {
    return (uint16_t)place;
}

/* What a thread of the policy's own did (GRT_NAME_LABEL), and which it is (GRT_NAME_THREAD), of the `detail` of GRT_TRACE_THREAD. */
static inline uint32_t grt_trace_label_of(uint32_t detail) {
    return detail >> 16;
}

static inline uint32_t grt_trace_thread_of(uint32_t detail) {
    return detail & 0xffff;
}

struct grt_trace_record {
    grt_time time;   /* ns; when the record was made: a slice's end */
    grt_time other;  /* ns; see the kinds */
    uint32_t job;    /* number within its task, modulo 2^32 */
    uint32_t detail; /* see the kinds */
    uint32_t row;    /* see the kinds; GPU g's rows of a kind follow those of GPU g - 1 */
    uint16_t task;   /* index */
    uint8_t kind;    /* enum grt_trace_kind */
    uint8_t flags;   /* enum grt_trace_flag, or'ed */
};

/* What a trace names. */
enum grt_trace_name_kind {
    GRT_NAME_TASK,
    GRT_NAME_CORE,
    GRT_NAME_STREAM,
    GRT_NAME_ENGINE,
    GRT_NAME_SM,
    GRT_NAME_KERNEL,  /* index = task, with segment and command */
    GRT_NAME_RUN,     /* one: the scenario's name */
    GRT_NAME_ROW,     /* rows of the policy's own: "server", "slots" */
    GRT_NAME_LABEL,   /* what happens on them: "overrun", "slot of map" */
    GRT_NAME_CONTEXT, /* processes on GPUs, where they take turns */
    GRT_NAME_CALL,    /* what a call is, "wait ready"; like GRT_NAME_KERNEL, with weight 0 */
    GRT_NAME_THREAD,  /* threads of the policy's own: "server" */
    GRT_NAME_KINDS
};

/* One name. For kernels `index` is the task, `segment` and `command` say which; else they are 0. */
struct grt_trace_name {
    enum grt_trace_name_kind kind;
    uint32_t index;
    uint16_t segment, command;
    uint32_t weight; /* kernels: threads of a block; SMs: threads it holds; streams: 1 + the process, where
                        processes take turns on the GPU; the run: 1 where cores execute host parts of GPU segments;
                        else 0 */
    const char *text;
};

/* Where records go. `names` is called once, before the first record; `write` gets the records in order, in lots;
 * `end` once after the last. Each returns false on failure, after which no more calls are made. */
struct grt_trace_sink {
    bool (*names)(void *sink, const struct grt_trace_name *names, size_t count);
    bool (*write)(void *sink, const struct grt_trace_record *records, size_t count);
    bool (*end)(void *sink);
};

/* A trace in the making: a buffer in front of up to GRT_TRACE_SINKS sinks, and a digest of all records. */
enum { GRT_TRACE_SINKS = 4, GRT_TRACE_LOT = 8192 };

struct grt_trace {
    struct grt_trace_record *buffer; /* of the next lot; grows until it has room for all of one */
    uint32_t used, capacity;         /* the second: a power of two up to GRT_TRACE_LOT */
    uint32_t sink_count;
    const struct grt_trace_sink *sinks[GRT_TRACE_SINKS];
    void *sink_states[GRT_TRACE_SINKS];
    bool failed[GRT_TRACE_SINKS];
    bool *unheard;     /* becomes true once every sink has failed; NULL: nobody wants to know. Not owned */
    uint64_t lanes[4]; /* of the digest in the making */
    uint64_t digest;   /* of all flushed records: equal traces have equal digests */
    uint64_t record_count;
};

/* A trace without sinks, which computes only the digest. Free it with grt_trace_free. */
struct grt_trace *grt_trace_create(void);
void grt_trace_free(struct grt_trace *trace);

/* Adds a sink; before the first record. */
void grt_trace_add_sink(struct grt_trace *trace, const struct grt_trace_sink *sink, void *state);

/* Whether there were sinks and all of them have failed: nobody hears of what is added. */
bool grt_trace_is_unheard(const struct grt_trace *trace);

/* Passes the names on; called once by the world when it starts. */
void grt_trace_names(struct grt_trace *trace, const struct grt_trace_name *names, size_t count);

/* Empties the buffer into the digest and the sinks. */
void grt_trace_flush(struct grt_trace *trace);

/* Makes room in a full buffer: a larger one, or an empty one after a lot. */
void grt_trace_make_room(struct grt_trace *trace);

/* Flushes and ends all sinks; false if any sink failed at any time. */
bool grt_trace_finish(struct grt_trace *trace);

/* Adds a record: a copy of 32 bytes. */
static inline void grt_trace_add(struct grt_trace *trace, struct grt_trace_record record) {
    trace->buffer[trace->used++] = record;
    if (trace->used == trace->capacity) {
        grt_trace_make_room(trace);
    }
}

/* A sink that keeps everything in memory, for tests, Gantt charts and checks of expectations. Start it as {0}, free
 * it with grt_trace_memory_free. */
struct grt_trace_memory {
    struct grt_trace_record *records;
    size_t record_count, record_capacity;
    struct grt_trace_name *names; /* texts are owned too */
    size_t name_count;
    size_t record_limit; /* 0: none; else later records are dropped and `cut` is set */
    bool cut;
};

extern const struct grt_trace_sink grt_trace_memory_sink;
void grt_trace_memory_free(struct grt_trace_memory *memory);

/* The text of a name in a kept trace, or NULL. */
const char *grt_trace_memory_name(const struct grt_trace_memory *memory, enum grt_trace_name_kind kind,
                                  uint32_t index, uint16_t segment, uint16_t command);

#endif
