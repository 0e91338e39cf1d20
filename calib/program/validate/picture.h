/* The simulated and the measured run below each other. */
#ifndef GRT_CALIB_PROGRAM_VALIDATE_PICTURE_H
#define GRT_CALIB_PROGRAM_VALIDATE_PICTURE_H

#include "sim/error.h"
#include "sim/trace.h"

/* What is drawn, and how wide. */
struct grt_validation_picture {
    const struct grt_trace_memory *simulated, *measured;
    grt_time from, to; /* GRT_TIME_NEVER: to the end */
    double width;      /* pixels */
    /* of a PNG or PDF by its ending (where gpurt was built with cairo), else of an SVG; "-": standard output */
    const char *path;
};

/* Each row of the measured run, marked A, above the same row of the simulated one, B. False after adding an error. */
bool grt_validation_draw(const struct grt_validation_picture *picture, struct grt_errors *errors);

#endif
