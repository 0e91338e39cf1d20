/* A validation for people and for programs. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_REPORT_H
#define GRT_CALIB_PROGRAM_VALIDATE_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "calib/program/validate/origin.h"
#include "calib/program/validate/validation.h"
#include "cli/terminal/options.h"

/* One trace that was held beside the simulation. */
struct grt_validated_trace {
    const char *path;
    const struct grt_validation *validation;
    struct grt_origin origin;
    const char *fingerprint; /* grt_scenario_fingerprint of the scenario that was simulated */
    uint64_t seed;           /* of the simulation */
    bool draws;              /* grt_scenario_draws of it: the seed matters */
};

/* Why errors are not those of the simulation: the trace is of a scenario with other contents, or of another seed that matters. A sentence's end, in the arena; NULL: it is not so, or the trace does not
 * say what it is of. */
const char *grt_validation_mismatch(const struct grt_validated_trace *trace, struct grt_arena *arena);

/* Tables: what was paired, errors by kind, by kernel and by task, and the worst. */
void grt_validation_print(const struct grt_validated_trace *trace, const struct grt_style *style, FILE *out);

/* The same as an object, with all numbers whole; owned by the caller. */
cJSON *grt_validation_json(const struct grt_validated_trace *trace);

#endif
