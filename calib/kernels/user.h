/* A kernel of the user's own, from a .cu file that includes gpu_port.h (which says how such a kernel looks): compiled by NVRTC, which is opened at run time
 * where the toolkit is installed, or PTX as it is. It takes in, out and an amount: GRT_PARAMETERS_IN_OUT. */
#ifndef GRT_CALIB_KERNELS_USER_H
#define GRT_CALIB_KERNELS_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/error.h"

struct grt_user_kernel {
    char *name;       /* of its function, in files too */
    char *ptx;        /* text */
    char *made_by;    /* "NVRTC 13.0", or "the user" */
    uint32_t threads; /* of a block */
};

/* What PTX has to suit. A driver takes no PTX of a toolkit that is newer than itself; a device takes none that was made for a newer one. */
struct grt_user_target {
    int compute_capability; /* 10 * major + minor */
    int driver_version; /* 1000 * major + 10 * minor of the newest CUDA that the driver knows; 0: not known */
};

/* Reads `path`, a file.cu or file.ptx, with the kernel `name`. `nvrtc`: libraries with colons between them, of which the first is taken that makes PTX that suits the
 * target; NULL: those of the environment's GPURT_LIBNVRTC, else the system's. False after adding errors, which have the compiler's log, or say which NVRTC would do. Free it
 * either way. */
bool grt_user_kernel_read(const char *path, const char *name, uint32_t threads,
                          const struct grt_user_target *target, const char *nvrtc,
                          struct grt_user_kernel *kernel, struct grt_errors *errors);
void grt_user_kernel_free(struct grt_user_kernel *kernel);

#endif
