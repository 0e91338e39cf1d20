/* Runs a scenario on a device under test and records every block: what `gpurt run --trace` simulates, executed. Arrivals, draws, cores, jobs and the policy are the
 * simulator's own (models/elsewhere.h), so that the device gets exactly the releases and block times that a simulation of the scenario has; CPU segments are waited
 * for. Kernels are replaced by spinning ones of the same grid, whose blocks each take the time that the scenario says, or by measuring kernels.
 *
 * On a pretended device without noise, whose calls take no time, the trace is the simulator's.
 * Order of calls: grt_replay_plan, grt_bench_open with what it needs, grt_replay_run, grt_replay_free. */
#ifndef GRT_CALIB_REPLAY_REPLAY_H
#define GRT_CALIB_REPLAY_REPLAY_H

#include "calib/bench/bench.h"
#include "models/policy.h"
#include "models/task.h"
#include "sim/memory.h"
#include "sim/trace.h"

/* Most blocks of a run: each leaves a record of 32 bytes. */
enum { GRT_REPLAY_RECORDS = 1 << 24, GRT_REPLAY_STREAMS = 48, GRT_REPLAY_STATE_SIZE = 400 };

/* Rows of a trace beside the scenario's: who made it, and how the device was before and after the run. */
#define GRT_REPLAY_PROVENANCE "provenance"
#define GRT_REPLAY_DEVICE "device"

/* Kernels of this name in the scenario are executed as a measuring kernel with this amount, instead of spinning. */
struct grt_replay_real {
    const char *name;
    enum grt_kernel_id kernel;
    uint64_t amount;
};

struct grt_replay_options {
    const struct grt_scenario *scenario;
    const struct grt_policy_ops *policy;
    const void *parameters; /* of the policy; NULL: the defaults */
    const struct grt_replay_real *real;
    size_t real_count;
    bool (*is_interrupted)(
        void *state); /* asked now and then: true ends the run, and its trace, there. NULL: never */
    void *state;
    /* lines "key: value" that the trace keeps: marks at 0 on a row GRT_REPLAY_PROVENANCE */
    const char *const *provenance;
    size_t provenance_count;
    /* the device is kept busy so long before, and its state looked at before and after; 0: neither */
    grt_time warm_up;
};

/* The device's state beside a run. */
struct grt_replay_state {
    double hertz; /* of an SM, by its own cycles; 0: not known */
    struct grt_bench_health health;
};

/* What a bench must have for a scenario: what grt_bench_open is to be given, and more. */
struct grt_replay_needs {
    uint32_t records;     /* blocks that can be launched before the horizon, at most */
    uint32_t table;       /* of these, blocks that each draw a time of their own */
    uint32_t commands;    /* that can be called before the horizon, at most */
    uint32_t events;      /* at a time */
    uint32_t user_events; /* of the scenario: order_events of the bench */
    size_t copy_bytes;    /* of the largest copy: what buffers must have */
    bool times_events;    /* copies or calls have to be timed by events */
};

/* Checks that the scenario can be executed by a device, and counts what that takes. False after adding an error for everything that cannot be had. */
bool grt_replay_plan(const struct grt_replay_options *options, struct grt_replay_needs *needs,
                     struct grt_errors *errors);

/* What was executed. Times of the trace are ns since the start of the scenario, on the host's clock. */
struct grt_replay {
    struct grt_trace_name *names; /* as of a simulation, but the SMs and copy engines are the device's */
    size_t name_count;
    struct grt_trace_record *records; /* in the order of a trace */
    size_t record_count;
    const char **notes; /* what the device could not have of the scenario, each a sentence */
    size_t note_count;
    uint64_t blocks, kernels, copies;
    bool interrupted;
    grt_time end;            /* of the trace: the horizon, or where it was interrupted */
    uint64_t missing_blocks; /* launched, but without a record: 0 unless something is broken */
    grt_time latest;         /* how much later than at its instant the host did something, at most */
    uint64_t late_count;     /* how often that was more than 100 us */
    grt_time clock_error;    /* half of the longest of the two exchanges between the clocks */
    double clock_drift;      /* of the device's clock against the host's: 0 is none */
    bool looked;             /* at the device's state: */
    struct grt_replay_state before, after;
    struct grt_arena arena; /* all of it */
};

/* Executes; takes as long as the scenario's horizon, and a little. `needs` is the plan's. False after adding errors: of the world, of kernels that the device cannot launch, or
 * because the device was lost. Start *replay as {0}; free it in either case. */
bool grt_replay_run(const struct grt_replay_options *options, const struct grt_replay_needs *needs,
                    struct grt_bench *bench, struct grt_replay *replay, struct grt_errors *errors);

/* What is known of a state, in words. Returns `text`. */
const char *grt_replay_state_text(const struct grt_replay_state *state, char text[GRT_REPLAY_STATE_SIZE]);

void grt_replay_free(struct grt_replay *replay);

/* Writes the names and records to a sink, as a trace. False where that failed. */
bool grt_replay_write(const struct grt_replay *replay, const struct grt_trace_sink *sink, void *state);

#endif
