/* A validation for people and for programs. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_REPORT_H
#define GRT_CALIB_PROGRAM_VALIDATE_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "calib/program/validate/validation.h"
#include "cli/terminal/options.h"

/* One trace that was held beside the simulation. */
struct grt_validated_trace {
    const char *path;
    const struct grt_validation *validation;
};

/* Tables: what was paired, errors by kind, by kernel and by task, and the worst. */
void grt_validation_print(const struct grt_validated_trace *trace, const struct grt_style *style, FILE *out);

/* The same as an object, with all numbers whole; owned by the caller. */
cJSON *grt_validation_json(const struct grt_validated_trace *trace);

#endif
