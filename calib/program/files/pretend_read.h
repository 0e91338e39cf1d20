/* Pretended devices, by name or from files. */
#ifndef GRT_CALIB_PROGRAM_FILES_PRETEND_READ_H
#define GRT_CALIB_PROGRAM_FILES_PRETEND_READ_H

#include <stdbool.h>

#include "calib/pretend/spec.h"
#include "sim/error.h"
#include "sim/memory.h"

/* `name`: of a device preset or device file, which grt_pretend_default completes. False after adding errors. What it holds belongs to the arena. */
bool grt_pretend_read(const char *name, struct grt_arena *arena, struct grt_pretend_spec *spec,
                      struct grt_errors *errors);

#endif
