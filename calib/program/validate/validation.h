/* How well a simulation says what a device did: errors of the simulation, simulated minus measured, so that above zero the simulation is late, or
 * too long. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_VALIDATION_H
#define GRT_CALIB_PROGRAM_VALIDATE_VALIDATION_H

#include "calib/program/validate/pairs.h"

enum { GRT_VALIDATION_WORST = 10 };

/* Signed errors in ns, and the 95th percentile of their absolute values. All 0 where count is. */
struct grt_error_spread {
    size_t count;
    grt_time least, median, most, p95_absolute, most_absolute;
    double mean_ns;
};

/* Errors of what is of a kind. */
struct grt_validated_kind {
    enum grt_paired_kind kind;
    size_t pairs, only_simulated, only_measured;
    struct grt_error_spread start, end, duration; /* ends and durations of what ended in both */
    size_t other_row; /* blocks: on another SM in the measured trace than in the simulated one */
};

/* A kernel of a task, or a task's response times. */
struct grt_validated_item {
    const char *task, *kernel; /* kernel NULL: response times */
    uint16_t task_number;
    uint32_t place;
    size_t count;
    double simulated_mean_ns, measured_mean_ns;
    grt_time simulated_most, measured_most;
    struct grt_error_spread error; /* of durations, or response times */
};

/* One of those whose start or end is the farthest off. */
struct grt_validated_worst {
    struct grt_pair pair;
    const char *task, *kernel; /* kernel NULL: it is none */
    grt_time error;            /* of its start or its end, whichever is larger */
};

struct grt_validation {
    struct grt_pairing *pairing;
    struct grt_validated_kind kinds[GRT_PAIRED_KINDS];
    struct grt_validated_item *kernels, *responses;
    size_t kernel_count, response_count;
    /* blocks, kernels, copies and jobs; the worst first */
    struct grt_validated_worst worst[GRT_VALIDATION_WORST];
    size_t worst_count;
    size_t unpaired;        /* of all kinds, on either side */
    grt_time most_absolute; /* of all errors of starts and ends */
    /* false; for the caller to set where the simulation was told to end before the trace */
    bool part_is_asked;
};

/* Compares two traces of one scenario, all in the arena; the traces stay. */
struct grt_validation *grt_validate(const struct grt_trace_memory *simulated,
                                    const struct grt_trace_memory *measured, struct grt_arena *arena);

/* Why not all of both runs, or nothing, was compared, a sentence's end with times, in the arena; NULL: all of it was, or as much as was asked for. */
const char *grt_validation_part(const struct grt_validation *validation, struct grt_arena *arena);

/* Whether all was compared that should be, nothing is unpaired, and no error of a start or an end is above the tolerance, in ns; nor what is known of the errors of
 * what was open at the end. */
bool grt_validation_is_within(const struct grt_validation *validation, grt_time tolerance);

#endif
