/* A driver that pretends: the same interface as the CUDA driver's, answered by an engine (engine.h). There can be one at a time in a process, since the CUDA driver's interface
 * has no place for an owner. */
#ifndef GRT_CALIB_PRETEND_PRETEND_H
#define GRT_CALIB_PRETEND_PRETEND_H

#include "calib/pretend/engine.h"

/* Makes it; `spec` stays. False after adding errors. Close with driver->close. */
bool grt_pretend_open(const struct grt_pretend_spec *spec, const struct grt_engine_ops *engine,
                      struct grt_driver *driver, struct grt_errors *errors);

#endif
