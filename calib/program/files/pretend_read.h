/* Files that describe pretended devices: docs/pretended-devices.md. */
#ifndef GRT_CALIB_PROGRAM_FILES_PRETEND_READ_H
#define GRT_CALIB_PROGRAM_FILES_PRETEND_READ_H

#include "calib/pretend/spec.h"
#include "sim/error.h"
#include "sim/memory.h"

/* Reads what a back end is to pretend: `name` is a device's, which is pretended as grt_pretend_default has it, that of a device file, or of a file with "gpurt_pretend"; files' names end
 * in ".json". What `spec` points to is in the arena. False after adding errors. */
bool grt_pretend_read(const char *name, struct grt_arena *arena, struct grt_pretend_spec *spec,
                      struct grt_errors *errors);

/* The same of a text with "gpurt_pretend"; devices' files are relative to `folder`. */
bool grt_pretend_read_text(const char *text, size_t size, const char *folder, struct grt_arena *arena,
                           struct grt_pretend_spec *spec, struct grt_errors *errors);

#endif
