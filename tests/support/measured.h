/* A pretended device, measured into a file, and the file read again. */
#ifndef GRT_TESTS_SUPPORT_MEASURED_H
#define GRT_TESTS_SUPPORT_MEASURED_H

#include "calib/measure/measure.h"
#include "calib/pretend/pretend.h"
#include "calib/raw/cells.h"
#include "sim/memory.h"

/* Few samples, little warm-up, no pinning; everything is measured. */
struct grt_plan grt_measured_plan(void);

/* A device with so many SMs, two copy engines, five priorities, and green contexts. */
void grt_measured_spec(int sms, struct grt_pretend_spec *spec);

struct grt_measured_run {
    const struct grt_pretend_spec *spec;
    const struct grt_engine_ops *engine;
    const struct grt_plan *plan;
    const char *path;                           /* of the file */
    size_t buffer_bytes;                        /* 0: 256 KiB */
    uint32_t record_count;                      /* 0: as a bench has as a rule */
    const struct grt_user_kernel *user;         /* NULL: none */
    void (*prepare)(struct grt_driver *driver); /* before the bench is opened; NULL: nothing to do */
};

/* Measures it; what is read is in the arena, or NULL where the device could not be opened, or the file not be written or read (which is printed). `result` may be
 * NULL. */
struct grt_raw *grt_measured(const struct grt_measured_run *run, struct grt_arena *arena,
                             enum grt_measure_result *result);

#endif
