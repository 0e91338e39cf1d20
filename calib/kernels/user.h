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

/* Reads `path`, a file.cu or file.ptx, with the kernel `name`; compute_capability: 10 * major + minor of the device that it is for. `nvrtc`: the library; NULL: the
 * environment's GPURT_LIBNVRTC, else the system's. False after adding errors, which have the compiler's log. Free it either way. */
bool grt_user_kernel_read(const char *path, const char *name, uint32_t threads, int compute_capability,
                          const char *nvrtc, struct grt_user_kernel *kernel, struct grt_errors *errors);
void grt_user_kernel_free(struct grt_user_kernel *kernel);

#endif
