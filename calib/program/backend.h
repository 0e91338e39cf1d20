/* Which device a command works on: options --backend, --device, --libcuda, --pretend, and the driver that they stand for. */
#ifndef GRT_CALIB_PROGRAM_BACKEND_H
#define GRT_CALIB_PROGRAM_BACKEND_H

#include <argp.h>
#include <stdint.h>

#include "calib/driver/driver.h"
#include "cli/terminal/program.h"
#include "sim/error.h"

/* The parent sets it, zeroed, as its child input. */
struct grt_backend_options {
    int kind;            /* enum grt_backend */
    int device;          /* its number */
    const char *library; /* --libcuda; NULL: as driver.h says */
    const char *
        pretend; /* a file that describes a pretended device, or a preset's name; NULL: by default h200 for sim, a small one for host */
};

enum grt_backend { GRT_BACKEND_CUDA, GRT_BACKEND_SIM, GRT_BACKEND_HOST };

extern const struct argp grt_backend_argp;

/* Opens it. Anything but GRT_EXIT_DONE, after adding errors, is what the program ends with: GRT_EXIT_NO_DEVICE where there is none. */
enum grt_exit grt_backend_start(const struct grt_backend_options *options, struct grt_driver *driver,
                                struct grt_errors *errors);

#endif
