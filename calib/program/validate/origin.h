/* Who made a trace, and of what: lines that gpurt-calib trace puts into it (calib/replay/replay.h), and validate reads. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_ORIGIN_H
#define GRT_CALIB_PROGRAM_VALIDATE_ORIGIN_H

#include "sim/memory.h"
#include "sim/trace.h"

enum grt_origin_key {
    GRT_ORIGIN_MADE_BY,
    GRT_ORIGIN_DATE,
    GRT_ORIGIN_BACKEND,
    GRT_ORIGIN_DEVICE,
    GRT_ORIGIN_DRIVER,
    GRT_ORIGIN_SCENARIO, /* grt_scenario_fingerprint */
    GRT_ORIGIN_SEED,
    GRT_ORIGIN_REAL, /* a kernel that was no spinning one: of several the last */
    GRT_ORIGIN_KEYS
};

/* "made by", and so on. */
extern const char *const grt_origin_keys[GRT_ORIGIN_KEYS];

struct grt_origin {
    const char *values[GRT_ORIGIN_KEYS]; /* the trace's; NULL: it does not say */
    bool cut; /* the trace is one that says how the device was after the run, and that is not there */
};

struct grt_origin grt_origin_of(const struct grt_trace_memory *trace);

#endif
