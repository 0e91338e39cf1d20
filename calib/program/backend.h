/* Which device a command works on: options --backend, --device, --libcuda, --pretend, and the driver that they stand for. */
#ifndef GRT_CALIB_PROGRAM_BACKEND_H
#define GRT_CALIB_PROGRAM_BACKEND_H

#include <argp.h>
#include <stdbool.h>

#include "calib/driver/driver.h"
#include "cli/terminal/program.h"
#include "sim/error.h"
#include "sim/memory.h"

/* The parent sets it, zeroed, as its child input. */
struct grt_backend_options {
    int kind;            /* enum grt_backend_kind */
    int device;          /* its number */
    bool has_device;     /* somebody said which */
    const char *library; /* --libcuda; NULL: as driver.h says */
    /* a file that describes a pretended device, or a preset's name; NULL: by default h200 for sim, a small one for host */
    const char *pretend;
};

enum grt_backend_kind { GRT_BACKEND_CUDA, GRT_BACKEND_SIM, GRT_BACKEND_HOST };

extern const struct argp grt_backend_argp;

struct grt_pretend_spec;

/* A driver, and what it was made of. Start it as {0}. */
struct grt_backend {
    struct grt_driver driver;
    struct grt_pretend_spec *spec; /* of pretended devices */
    struct grt_arena arena;
    bool is_open;
};

/* Opens it. Anything but GRT_EXIT_DONE, after adding errors, is what the program ends with: GRT_EXIT_NO_DEVICE where there is none. Close it either way. */
enum grt_exit grt_backend_open(const struct grt_backend_options *options, struct grt_backend *backend,
                               struct grt_errors *errors);
void grt_backend_close(struct grt_backend *backend);

/* "cuda", "sim" or "host". */
const char *grt_backend_name(const struct grt_backend_options *options);

#endif
