/* The real driver, opened at run time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calib/driver/driver.h"
#include "calib/driver/library.h"
#include "calib/driver/nvml.h"
#include "sim/memory.h"

enum { OLDEST = 11000, NAMES_SIZE = 512, MOST_CONNECTIONS = 32, USUAL_CONNECTIONS = 8 };

/* Where the loader finds it as a rule, then where containers, NixOS, and Windows' Linux put it, whose folders the loader may not know. */
static const char *const places[] = {
    "libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/local/nvidia/lib/libcuda.so.1",
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/run/opengl-driver/lib/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
};

struct real_driver {
    void *library;
    struct grt_nvml *nvml;
    char *path;
};

/* --- The host's clock. */

static grt_time now(void *state) {
    struct timespec time;
    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (grt_time)time.tv_sec * GRT_SECOND + time.tv_nsec;
}

/* Sleeps until shortly before, since waking takes its time. */
static void wait_until(void *state, grt_time instant) {
    const grt_time early = 200 * GRT_MICROSECOND;
    while (instant - now(state) > early) {
        grt_time wake = instant - early;
        struct timespec time = {.tv_sec = (time_t)(wake / GRT_SECOND), .tv_nsec = (long)(wake % GRT_SECOND)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    }
    while (now(state) < instant) { /* the rest is not slept */
    }
}

static void idle(void *state, grt_time instant) {
    (void)state;
    (void)instant;
}

/* --- The library. */

static void *open_library(const char *path, const char **opened, char *why, size_t size) {
    void *library = NULL;
    size_t count = path ? 1 : sizeof places / sizeof places[0];
    for (size_t i = 0; i < count && !library; i++) {
        *opened = path ? path : places[i];
        library = dlopen(*opened, RTLD_NOW | RTLD_LOCAL);
        const char *reason = library ? "" : dlerror();
        if (i == 0) {
            snprintf(why, size, "%s", reason ? reason : "no reason was given");
        }
    }
    return library;
}

/* Adds the name to a list where it is missing. */
static void require(bool found, const char *name, char names[NAMES_SIZE]) {
    size_t length = strlen(names);
    if (!found) {
        snprintf(names + length, NAMES_SIZE - length, "%s%s", length > 0 ? ", " : "", name);
    }
}

static bool find_functions(void *library, struct grt_cuda *cuda, const char *path,
                           struct grt_errors *errors) {
    char missing[NAMES_SIZE] = "";
#define FIND(name, parameters) grt_library_find(library, #name, &cuda->name, sizeof cuda->name);
#define REQUIRE(name, parameters) require(cuda->name != NULL, #name, missing);
    GRT_CUDA_REQUIRED(FIND)
    GRT_CUDA_OPTIONAL(FIND)
    GRT_CUDA_REQUIRED(REQUIRE)
#undef FIND
#undef REQUIRE
    if (missing[0] != '\0') {
        grt_error_add(errors, NULL,
                      "%s: not a CUDA driver, or one older than CUDA 11.0, which is needed: it lacks %s",
                      path, missing);
    }
    return missing[0] == '\0';
}

/* --- Opening. */

/* Before the driver reads them: enough hardware queues that streams do not wait for each other, kernels loaded at once, and launches that return: a held stream would
 * wait for itself if they did not. */
static void set_environment(void) {
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    unsetenv("CUDA_LAUNCH_BLOCKING");
}

/* What the driver makes of the environment: from 1 to 32, by default 8 (CUDA C++ Programming Guide, environment variables). */
static int connections(void) {
    const char *text = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    char *end = NULL;
    long count = text ? strtol(text, &end, 10) : 0;
    return text && end != text && *end == '\0' && count >= 1 && count <= MOST_CONNECTIONS ? (int)count
                                                                                          : USUAL_CONNECTIONS;
}

static enum grt_driver_status initialise(const struct grt_driver *driver, struct grt_errors *errors) {
    int version = 0, count = 0;
    grt_cuda_result result = driver->cuda.cuDriverGetVersion(&version);
    if (result == GRT_CUDA_SUCCESS && version < OLDEST) {
        grt_error_add(errors, NULL,
                      "%s: the driver is of CUDA %d.%d, and 11.0 is needed: install a newer one",
                      driver->path, version / 1000, version % 1000 / 10);
        return GRT_DRIVER_UNUSABLE;
    }
    result = driver->cuda.cuInit(0);
    const char *what = "cuInit";
    if (result == GRT_CUDA_SUCCESS) {
        result = driver->cuda.cuDeviceGetCount(&count);
        what = "cuDeviceGetCount";
    }
    if (result == GRT_CUDA_SUCCESS && count == 0) {
        result = GRT_CUDA_NO_DEVICE;
    }
    if (result == GRT_CUDA_SUCCESS) {
        return GRT_DRIVER_OPEN;
    }
    char step[NAMES_SIZE];
    snprintf(step, sizeof step, "%s: %s", driver->path, what);
    grt_driver_error(driver, result, step, errors);
    return result == GRT_CUDA_NO_DEVICE || result == GRT_CUDA_STUB_LIBRARY ? GRT_DRIVER_ABSENT
                                                                           : GRT_DRIVER_UNUSABLE;
}

/* The library stays: once initialised it has threads of its own. */
static void close_driver(struct grt_driver *driver) {
    struct real_driver *real = driver->state;
    grt_nvml_close(real->nvml);
    free(real->path);
    free(real);
    *driver = (struct grt_driver){.name = NULL};
}

enum grt_driver_status grt_driver_open(const char *path, struct grt_driver *driver,
                                       struct grt_errors *errors) {
    char why[NAMES_SIZE];
    const char *opened = NULL;
    const char *wanted = path && path[0] ? path : getenv("GPURT_LIBCUDA");
    wanted = wanted && wanted[0] ? wanted : NULL;
    *driver = (struct grt_driver){.name = "cuda"};
    set_environment();
    driver->connections = connections();
    void *library = open_library(wanted, &opened, why, sizeof why);
    if (!library) {
        grt_error_add(
            errors, NULL,
            "there is no CUDA driver: %s. It comes with NVIDIA's kernel module; GPURT_LIBCUDA names "
            "a library elsewhere",
            why);
        return GRT_DRIVER_ABSENT;
    }
    struct real_driver *real = grt_allocate(sizeof *real);
    *real = (struct real_driver){.library = library, .path = grt_allocate(strlen(opened) + 1)};
    memcpy(real->path, opened, strlen(opened) + 1);
    driver->path = real->path;
    driver->clock = (struct grt_host_clock){.now = now, .wait_until = wait_until, .idle = idle};
    driver->state = real;
    driver->close = close_driver;
    enum grt_driver_status status = GRT_DRIVER_UNUSABLE;
    if (find_functions(library, &driver->cuda, opened, errors)) {
        status = initialise(driver, errors);
    }
    if (status == GRT_DRIVER_OPEN) {
        driver->nvml = real->nvml = grt_nvml_open(NULL);
    } else {
        close_driver(driver);
    }
    return status;
}
