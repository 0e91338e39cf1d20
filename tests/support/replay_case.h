/* A scenario that is executed by a pretended device, beside its simulation. */
#ifndef GRT_TESTS_SUPPORT_REPLAY_CASE_H
#define GRT_TESTS_SUPPORT_REPLAY_CASE_H

#include "calib/pretend/pretend.h"
#include "calib/program/validate/validation.h"
#include "calib/replay/replay.h"
#include "tests/support/world_builder.h"

struct replay_case {
    struct grt_pretend_spec spec; /* of the scenario's device; to be changed before it is run */
    const struct grt_engine_ops *engine;
    const char *policy;
    const void *parameters; /* of the policy; NULL: the defaults */
    struct grt_replay_real real[2];
    size_t real_count;
    bool (*is_interrupted)(void *state); /* with `state`; NULL: it is not */
    void *state;
    grt_time warm_up;
    const struct grt_nvml *nvml; /* the management library beside the device; NULL: there is none */
    /* What comes out. */
    struct grt_errors errors;
    struct grt_replay_needs needs;
    struct grt_replay replay;
    struct grt_trace_memory measured;
    struct grt_built_run simulated;
    struct grt_arena arena;
    struct grt_validation *validation;
};

/* For a scenario on its own device, whose spinning blocks take exactly what they are told; under policy `hardware`, by the model. */
void replay_case_start(struct replay_case *it, const struct grt_scenario *scenario);

/* Executes it; false where something was refused or failed, with errors. */
bool replay_case_execute(struct replay_case *it, const struct grt_scenario *scenario);

/* Simulates it, and compares. */
void replay_case_compare(struct replay_case *it, const struct grt_scenario *scenario);

void replay_case_end(struct replay_case *it);

#endif
