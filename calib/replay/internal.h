/* What the files of a replay share: what is executed and how (imitate.c, residency.c), when events were (events.c), what was called and is not complete (run.c), and the
 * trace that comes of it (trace.c). Device times are ns of the device's timer. */
#ifndef GRT_CALIB_REPLAY_INTERNAL_H
#define GRT_CALIB_REPLAY_INTERNAL_H

#include "calib/replay/replay.h"
#include "models/gpu.h"
#include "models/world.h"

#define NO_EVENT UINT32_MAX
#define NO_INSTANT INT64_MIN

/* How a kernel of the scenario is executed. */
struct imitation {
    bool real; /* as a measuring kernel, with `amount` */
    enum grt_kernel_id id;
    uint64_t amount;
    uint32_t threads, shared_bytes; /* dynamic; 0 threads: the kernel's own */
};

/* A kernel of the scenario whose blocks are imitated by spinning ones. Kernels of a stream are never on the device together. */
struct resident {
    const struct grt_kernel *kernel;
    struct imitation *imitation;
    uint32_t stream;
};

/* A command that was called. */
struct replay_item {
    uint8_t kind; /* enum grt_command_kind */
    bool last, waits;
    uint16_t task;
    uint32_t job, place, owner;
    uint32_t stream;                     /* of the world */
    uint32_t records, blocks;            /* kernels: where its records are, and how many */
    uint32_t before, after;              /* events around it, until they have been read; NO_EVENT: none */
    int64_t before_device, after_device; /* when these were; NO_INSTANT: not known */
    grt_time called;                     /* host, since the start of the scenario */
};

/* The device's clock against the host's: a line through two exchanges. */
struct replay_clock {
    struct grt_bench_exchange first, last;
};

struct replay_stream {
    uint32_t number, row; /* of the bench, of the trace */
};

/* An event of known time, by which others are timed: they must be near, since elapsed times lose their last digits when they are long. */
struct replay_mark {
    uint32_t event;
    int64_t device; /* NO_INSTANT: it was recorded, but is not done */
};

enum { REPLAY_MARKS = 4 };

struct replay_events {
    uint32_t *free; /* stack */
    uint32_t free_count;
    uint32_t stream;                        /* of the bench: nothing else is in it */
    struct replay_mark marks[REPLAY_MARKS]; /* the newest first */
    uint32_t mark_count;
    grt_time next_mark; /* host: when the next one is due */
    grt_time marked;    /* host: when the newest was */
    grt_time latest;    /* it was so long until a mark was known, at most */
};

struct replay_run {
    const struct grt_replay_options *options;
    const struct grt_replay_needs *needs;
    struct grt_bench *bench;
    struct grt_replay *out;
    struct grt_errors *errors;
    struct grt_arena arena;         /* of the run itself */
    struct imitation ***imitations; /* by task, segment, command */
    struct resident *residents;
    uint32_t resident_count;
    struct replay_stream streams[GRT_REPLAY_STREAMS];
    uint32_t stream_count;
    bool is_stuck; /* something was called beyond what was planned: an error was added */
    struct replay_item *items;
    uint32_t item_count, record_count, table_count;
    uint32_t *open; /* items whose end somebody waits for, in the order in which they were called */
    uint32_t open_count;
    grt_time *block_times; /* of one kernel */
    uint64_t *table;
    struct replay_events events;
    struct replay_clock clock;
    grt_time origin; /* host: the start of the scenario */
};

/* --- imitate.c */

/* Decides how each kernel is executed; false after adding errors for those that the device cannot launch. Notes what is not the same. */
bool replay_imitate(struct replay_run *run);

/* Adds a sentence to the notes, once. */
void replay_note(struct grt_replay *replay, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- residency.c */

/* Makes spinning blocks, which have threads and shared memory but few registers, larger until the same ones fit on an SM together as of the scenario; notes what is
 * not the same. */
void replay_suit_residency(struct replay_run *run);

/* --- state.c */

/* Warms up and looks at the device's state, if that is asked for; then what it is when the run is over. Notes what slowed the device. */
void replay_look_before(struct replay_run *run);
void replay_look_after(struct replay_run *run);

/* --- clock.c */

/* The closest of some exchanges. */
struct grt_bench_exchange replay_exchange(struct grt_bench *bench);

/* The host's time at an instant of the device's timer. */
grt_time replay_host_time(const struct replay_clock *clock, int64_t device);

/* Half the longest exchange, and the drift. */
grt_time replay_clock_error(const struct replay_clock *clock);
double replay_clock_drift(const struct replay_clock *clock);

/* --- events.c */

/* Makes the stream of marks: before all others, and as urgent as can be, so that it shares a hardware queue with none of them as long as there are enough. */
void replay_events_stream(struct replay_run *run);

/* Makes the events free and finds out when the first mark was; before the start. */
void replay_events_start(struct replay_run *run);
uint32_t replay_event_take(struct replay_run *run);
void replay_event_give(struct replay_run *run, uint32_t event);

/* Sees to it that there is a new mark now and then, and reads those that are done. */
void replay_events_mark(struct replay_run *run);

/* Notes marks that were late, since what is timed by them is not as exact. */
void replay_events_note(struct replay_run *run);

/* When a done event was, by the device's timer; NO_INSTANT where events are not timed. */
int64_t replay_event_time(const struct replay_run *run, uint32_t event);

/* --- trace.c */

/* Fetches the records and makes the trace of them and of the world's own one, which ends at `horizon`. */
void replay_make_trace(struct replay_run *run, const struct grt_trace_memory *world, grt_time horizon);

#endif
