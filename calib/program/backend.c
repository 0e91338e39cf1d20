#include "calib/program/backend.h"

#include <errno.h>
#include <string.h>

#include "calib/pretend/pretend.h"
#include "calib/program/files/pretend_read.h"
#include "cli/terminal/command_line.h"

static const char *const backend_names[] = {"cuda", "sim", "host"};
enum { BACKENDS = sizeof backend_names / sizeof backend_names[0], MOST_DEVICES = 1024 };

enum { KEY_BACKEND = 0x400, KEY_DEVICE, KEY_LIBRARY, KEY_PRETEND };

static const struct argp_option backend_options[] = {
    {0, 0, NULL, 0, "Which device:", 5},
    {"backend", KEY_BACKEND, "cuda|sim|host", 0,
     "cuda: the CUDA driver of this machine (default); sim: a device that gpurt's own model pretends to "
     "be, on a clock of its own; host: one that "
     "threads pretend to be, in real time",
     0},
    {"device", KEY_DEVICE, "NUMBER", 0, "cuda: which of its devices (default: 0; of gpurt-calib list all)",
     0},
    {"libcuda", KEY_LIBRARY, "FILE", 0,
     "cuda: the driver's library (default: $GPURT_LIBCUDA, else the system's)", 0},
    {"pretend", KEY_PRETEND, "DEVICE", 0,
     "sim, host: a preset's name (gpurt devices), or a file that describes the pretended device", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_backend_options *backend = state->input;
    switch (key) {
    case KEY_BACKEND:
        for (backend->kind = 0; backend->kind < BACKENDS; backend->kind++) {
            if (strcmp(argument, backend_names[backend->kind]) == 0) {
                return 0;
            }
        }
        grt_argp_error(state, "--backend must be cuda, sim or host (got '%s')", argument);
        return EINVAL;
    case KEY_DEVICE:
        backend->device = (int)grt_option_whole("--device", argument, 0, MOST_DEVICES, state);
        backend->has_device = true;
        return 0;
    case KEY_LIBRARY:
        backend->library = grt_option_text("--libcuda", argument, state);
        return 0;
    case KEY_PRETEND:
        backend->pretend = grt_option_text("--pretend", argument, state);
        return 0;
    case ARGP_KEY_END:
        if (backend->kind != GRT_BACKEND_CUDA && (backend->library != NULL || backend->has_device)) {
            grt_argp_error(state, "--device and --libcuda belong to --backend=cuda");
        }
        if (backend->kind == GRT_BACKEND_CUDA && backend->pretend != NULL) {
            grt_argp_error(state, "--pretend belongs to --backend=sim and --backend=host");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_backend_argp = {.options = backend_options, .parser = parse_option};

const char *grt_backend_name(const struct grt_backend_options *options) {
    return backend_names[options->kind];
}

static enum grt_exit open_pretended(const struct grt_backend_options *options, struct grt_backend *backend,
                                    struct grt_errors *errors) {
    bool sim = options->kind == GRT_BACKEND_SIM;
    const char *name = options->pretend != NULL ? options->pretend : "h200";
    backend->spec = grt_arena_array(&backend->arena, 1, sizeof *backend->spec);
    if (!sim && options->pretend == NULL) {
        grt_pretend_small(backend->spec);
    } else if (!grt_pretend_read(name, &backend->arena, backend->spec, errors)) {
        return GRT_EXIT_INPUT;
    }
    backend->is_open = grt_pretend_open(backend->spec, sim ? &grt_engine_model : &grt_engine_threads,
                                        &backend->driver, errors);
    grt_cuda_result result = backend->is_open ? backend->driver.cuda.cuInit(0) : GRT_CUDA_SUCCESS;
    if (result != GRT_CUDA_SUCCESS) {
        grt_driver_error(&backend->driver, result, "starting the driver", errors);
        return GRT_EXIT_NO_DEVICE;
    }
    return backend->is_open ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* What does not answer is found out, and said, by whoever asks more. */
static bool has_device(const struct grt_backend_options *options, const struct grt_driver *driver,
                       struct grt_errors *errors) {
    int count = 0;
    if (driver->cuda.cuDeviceGetCount(&count) != GRT_CUDA_SUCCESS || options->device < count) {
        return true;
    }
    grt_error_add(errors, NULL, "--device: there is no device %d: the driver has %d, from 0", options->device,
                  count);
    return false;
}

enum grt_exit grt_backend_open(const struct grt_backend_options *options, struct grt_backend *backend,
                               struct grt_errors *errors) {
    if (options->kind != GRT_BACKEND_CUDA) {
        return open_pretended(options, backend, errors);
    }
    enum grt_driver_status status = grt_driver_open(options->library, &backend->driver, errors);
    backend->is_open = status == GRT_DRIVER_OPEN;
    if (backend->is_open && !has_device(options, &backend->driver, errors)) {
        return GRT_EXIT_INPUT;
    }
    return backend->is_open              ? GRT_EXIT_DONE
           : status == GRT_DRIVER_ABSENT ? GRT_EXIT_NO_DEVICE
                                         : GRT_EXIT_FAILED;
}

void grt_backend_close(struct grt_backend *backend) {
    if (backend->is_open) {
        backend->driver.close(&backend->driver);
    }
    backend->is_open = false;
    grt_arena_clear(&backend->arena);
}
