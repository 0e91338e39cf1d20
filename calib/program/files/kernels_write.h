/* Measured workloads as a kernel file, which scenarios name as their `kernels`. */
#ifndef GRT_CALIB_PROGRAM_FILES_KERNELS_WRITE_H
#define GRT_CALIB_PROGRAM_FILES_KERNELS_WRITE_H

#include "calib/fit/fit.h"
#include "sim/error.h"

/* The file's text, to be freed; NULL after adding errors: neither block times nor times of runs are known, or gpurt would not accept the file. Workloads whose block times are not known are left out. Each condition of
 * experiment worst is a kernel of its own: kernels_write_worst.h. `device`: the
 * name of the device file that belongs to it. */
char *grt_kernel_file_text(const struct grt_fit *fit, const char *device, struct grt_errors *errors);

#endif
