/* The timeline of a run: its trace, sorted into rows. A row is what a reader sees as one line of the picture: a task, a core, a
 * stream, a copy engine, an SM, a process on a GPU, or a row of the policy's own. It has tracks of slices, each with the
 * part that it plays in the picture; whoever draws a row needs to know no more, so that new rows cost no new drawing. */
#ifndef GRT_VIZ_TIMELINE_TIMELINE_H
#define GRT_VIZ_TIMELINE_TIMELINE_H

#include "sim/error.h"
#include "sim/memory.h"
#include "sim/trace.h"
#include "viz/timeline/row_kind.h"
#include "viz/timeline/track.h"

/* What the slices of a track are in the picture. */
enum grt_track_part {
    GRT_PART_WINDOW, /* from a job's release to its deadline: arrows up and down; flags: enum grt_window_flag */
    GRT_PART_JOB, /* from a job's arrival to its end; flags: LATE, ABORTED, OPEN; detail: the kind of its end */
    GRT_PART_SUSPENDED, /* a GPU segment from request to completion; detail: segment */
    GRT_PART_BLOCKED,   /* detail: the task that blocked to the end */
    GRT_PART_CPU,       /* detail: segment */
    GRT_PART_HOST,      /* a host part of a GPU segment, executed by the job's own thread; detail: segment */
    GRT_PART_SPIN,      /* a thread busy-waited for the GPU; detail: segment */
    GRT_PART_OVERHEAD, /* a context switch or wake-up; detail: segment, or as of THREAD; flags: enum grt_overhead_flag, too */
    GRT_PART_THREAD, /* a thread of the policy's own computed; detail: grt_trace_label_of, grt_trace_thread_of */
    GRT_PART_BOOSTED, /* a job's thread had another priority than its task's; detail: index in `priorities` */
    GRT_PART_COPY,    /* detail: grt_trace_place */
    GRT_PART_KERNEL,  /* detail: grt_trace_place */
    GRT_PART_CALL,    /* detail: grt_trace_place */
    GRT_PART_SHARE, /* the share of a stream, from one change to the next; detail: 0 to 100 vprocessors; see viz/timeline/shares.h */
    GRT_PART_BLOCK, /* detail: number of the block; weight: its share of the SM's threads */
    GRT_PART_TURN,  /* of a process on the SMs; detail: GPU */
    GRT_PART_OWN,   /* of the policy; detail: label */
    GRT_PART_OWN_MARK, /* an instant of the policy; detail: label */
    GRT_PART_MISS,     /* an instant: the deadline of a job that missed it; detail: index in `misses` */
    GRT_PART_SIGN, /* an instant: a skipped job, a launch that failed, lost work; detail: enum grt_trace_kind */
    GRT_PARTS
};

/* Flags of windows. */
enum grt_window_flag {
    GRT_WINDOW_ENDLESS = 1,  /* there is no deadline: both ends are the release */
    GRT_WINDOW_REVERSED = 2, /* the deadline is before the release: it is the start */
};

/* Flags of overhead, among those of its record. */
enum grt_overhead_flag {
    GRT_OVERHEAD_OF_THREAD = GRT_TRACE_D2H, /* of a thread of the policy's own */
};

/* Flags of blocks, among those of their records. */
enum grt_block_flag {
    GRT_EXIT_OF_BLOCK = GRT_TRACE_D2H,  /* of a pinned kernel: it did not work */
    GRT_BLOCK_GOES_ON = GRT_TRACE_LATE, /* it did an item of the kernel's work, and takes another */
};

enum { GRT_ROW_TRACKS = 13 };

struct grt_row {
    enum grt_row_kind kind;
    uint32_t index; /* within its kind */
    const char *name;
    uint32_t capacity; /* of an SM: the lanes that fill it, one per warp where it has at most 64; else 1 */
    uint32_t unit;     /* of an SM: threads to a lane */
    uint32_t track_count;
    struct {
        struct grt_track *track;
        enum grt_track_part part;
    } tracks[GRT_ROW_TRACKS];
};

/* A job that did not meet its deadline. */
struct grt_miss {
    grt_time deadline, end; /* end: of the job, or of the run if it was not finished */
    uint32_t job;
    uint16_t task;
    uint8_t kind; /* of its end: GRT_TRACE_FINISH, ABORT or UNFINISHED; 0 if the trace does not have it */
};

struct grt_timeline {
    struct grt_arena arena;
    struct grt_track *tracks; /* of all rows */
    uint32_t track_count;
    struct grt_row *rows; /* tasks first, in the order of the scenario, then by kind */
    uint32_t row_count;
    /* the rows of a kind: from its own up to but without the next one's */
    uint32_t first_rows[GRT_ROW_KINDS + 1];
    struct grt_miss *misses; /* in the order of their deadlines */
    uint32_t miss_count, miss_capacity;
    const char *run;     /* the scenario's name */
    bool has_host_parts; /* of GPU segments, which its cores execute */
    const char **labels;
    uint32_t label_count;
    const char **threads; /* of the policy's own */
    uint32_t thread_count;
    int64_t *priorities; /* of the slices of GRT_PART_BOOSTED */
    uint32_t priority_count, priority_capacity;
    struct grt_timeline_hosts *hosts; /* of each task, while the timeline is made: see viz/timeline/hosts.h */
    struct grt_timeline_shares *shares;  /* of each stream, likewise: see viz/timeline/shares.h */
    struct grt_timeline_kernel *kernels; /* what the trace names, by task, segment and command */
    uint32_t kernel_count;
    struct grt_kernel_key *kernel_keys; /* of all kernels that ran, by task, job and grid */
    size_t kernel_key_count;
    grt_time begin, end; /* of everything; begin is 0 unless something is earlier */
    uint64_t record_count;
    uint64_t left_out; /* records that belong to no row */
    uint64_t beyond;   /* records whose times no run can have, which are left out too */
};

/* A sink that builds a timeline, started as {0}, from any trace that obeys docs/trace-format.md; it is ready when the trace
 * has ended. Free it with grt_timeline_free. */
extern const struct grt_trace_sink grt_timeline_sink;
void grt_timeline_free(struct grt_timeline *timeline);

/* Whether pictures of it can be made: false after adding an error, as of times that no scenario can have, which are the
 * trace's fault. */
bool grt_timeline_is_drawable(const struct grt_timeline *timeline, struct grt_errors *errors);

/* The track of a row that plays a part; NULL if it has none. */
struct grt_track *grt_row_track(const struct grt_row *row, enum grt_track_part part);

/* The row of a kind by its index; NULL if there is none. */
struct grt_row *grt_timeline_row(const struct grt_timeline *timeline, enum grt_row_kind kind, uint32_t index);

/* What the trace calls a kernel or a call, by grt_trace_place; NULL if it does not name it. */
const char *grt_timeline_command(const struct grt_timeline *timeline, uint16_t task, uint32_t place);

/* The kernels and calls that the trace names, by their number, 0 to kernel_count - 1, ascending by task and place: writes which
 * it is and returns its name. */
const char *grt_timeline_named(const struct grt_timeline *timeline, uint32_t number, uint32_t *task,
                               uint32_t *place);

/* The number of a kernel or call among all that the trace names; UINT32_MAX if it does not name it. */
uint32_t grt_timeline_command_number(const struct grt_timeline *timeline, uint16_t task, uint32_t place);

/* The number of the kernel, in its task's track of kernels, to which a block belongs; GRT_NO_SLICE if the trace ends before. */
uint32_t grt_timeline_kernel_of(const struct grt_timeline *timeline, const struct grt_slice *block);

#endif
