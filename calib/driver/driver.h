/* A driver and the host's clock beside it: the back ends of gpurt-calib. All speak the CUDA driver's interface, so that what measures is written once: `cuda` is the
 * real one, opened at run time; `sim` pretends, with gpurt's own model of a GPU and a clock of its own; `host` pretends with threads. */
#ifndef GRT_CALIB_DRIVER_DRIVER_H
#define GRT_CALIB_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "calib/driver/cuda.h"
#include "sim/error.h"
#include "sim/time.h"

/* The host's clock, in ns since some instant. `sim` has a clock that only calls move. */
struct grt_host_clock {
    void *state;
    grt_time (*now)(void *state);
    void (*wait_until)(void *state, grt_time instant); /* returns at `instant`, or later */
    /* There is nothing to do before `instant`, or before the device does something: a real clock returns at once, for the caller to look again; that of `sim`
     * goes to the first of both. */
    void (*idle)(void *state, grt_time instant);
};

/* What the management library tells; see nvml.h. */
struct grt_nvml;

struct grt_driver {
    const char *name; /* of the back end */
    const char *path; /* of the library that was opened; "" where there is none */
    struct grt_cuda cuda;
    struct grt_host_clock clock;
    const struct grt_nvml *nvml; /* NULL: not there */
    int connections; /* hardware queues that streams share: of the real driver what it reads in CUDA_DEVICE_MAX_CONNECTIONS; 0: not known, or as many as streams */
    void *state;
    void (*close)(struct grt_driver *driver);
};

/* Why a driver could not be opened: what a program exits with depends on it. */
enum grt_driver_status {
    GRT_DRIVER_OPEN,
    GRT_DRIVER_ABSENT,  /* no library, no device, a stub: nothing to measure here (exit 77) */
    GRT_DRIVER_UNUSABLE /* it is there, but too old or broken */
};

/* Opens the real driver, or the library at `path` in its place (NULL or "": the environment's GPURT_LIBCUDA, else the system's), finds its functions, and initialises it. Sets
 * CUDA_DEVICE_MAX_CONNECTIONS and CUDA_MODULE_LOADING where they are not set, and removes CUDA_LAUNCH_BLOCKING. Adds an error that says what to do.
 * Where it is open, close it with driver->close; else there is nothing to close. */
enum grt_driver_status grt_driver_open(const char *path, struct grt_driver *driver,
                                       struct grt_errors *errors);

/* What a result of the driver means and what to do about it; `what` is the call or the step. */
void grt_driver_error(const struct grt_driver *driver, grt_cuda_result result, const char *what,
                      struct grt_errors *errors);

#endif
