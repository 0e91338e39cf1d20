/* The command line of gpurt-calib measure. */
#ifndef GRT_CALIB_PROGRAM_MEASURE_OPTIONS_H
#define GRT_CALIB_PROGRAM_MEASURE_OPTIONS_H

#include <stdbool.h>

#include "calib/kernels/user.h"
#include "calib/measure/plan.h"
#include "calib/program/backend.h"

struct grt_measure_command {
    struct grt_backend_options backend;
    struct grt_plan plan;
    const char *output;
    bool replace, quiet, quick;
    const char *kernel_file, *kernel_name; /* of the user's own kernel, both or none */
    char *line;                            /* the command line, to be freed */
    uint64_t given;
};

/* Reads it; ends the program where it is wrong. */
void grt_measure_options_parse(int argc, char **argv, struct grt_measure_command *command);

/* Reads the user's kernel for the device that was chosen. False after adding errors. */
bool grt_measure_read_kernel(const struct grt_measure_command *command, const struct grt_driver *driver,
                             struct grt_user_kernel *kernel, struct grt_errors *errors);

#endif
