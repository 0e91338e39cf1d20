/* Files by which a calibration is known again, and whether they are what fits write. */
#ifndef GRT_CALIB_PROGRAM_REPORT_FINGERPRINT_H
#define GRT_CALIB_PROGRAM_REPORT_FINGERPRINT_H

#include "calib/fit/fit.h"
#include "cli/terminal/sha256.h"
#include "sim/error.h"

/* Bytes of a file, in the arena; NULL after adding an error. A zero follows them. */
char *grt_file_bytes(const char *path, size_t *size, struct grt_arena *arena, struct grt_errors *errors);

/* "what `fit` writes of this raw file", or what else: for a device file, kernel file or findings of `fit`; "" for other files. */
const char *grt_file_verdict(const struct grt_fit *fit, const char *text);

#endif
