/* A measured device as a device file: the preset that is nearest to it, with what was measured in the place of what was assumed, and for each field where it comes from. */
#ifndef GRT_CALIB_PROGRAM_FILES_DEVICE_WRITE_H
#define GRT_CALIB_PROGRAM_FILES_DEVICE_WRITE_H

#include "calib/fit/fit.h"
#include "models/device.h"
#include "sim/error.h"

/* The preset that a device is described on: one of its name, else of its compute capability, else of the nearest one. NULL: there is none. `is_same`: it is of its name. */
const char *grt_device_base(const struct grt_bench_device *device, bool *is_same);

/* A name for files: the device's in lower case with dashes, "nvidia-h200"; in the arena. */
const char *grt_device_file_name(const struct grt_bench_device *device, struct grt_arena *arena);

/* The file's text, to be freed; NULL after adding errors: what was measured makes no device that gpurt accepts. `name`: of the device; NULL: grt_device_file_name. */
char *grt_device_file_text(const struct grt_fit *fit, const char *name, struct grt_errors *errors);

/* Reads a device file's text as strictly as scenarios do. `device` stays as long as the arena. */
bool grt_device_file_read(const char *text, size_t size, struct grt_arena *arena, struct grt_device *device,
                          struct grt_errors *errors);

#endif
