#include "calib/program/files/pretend_read.h"

#include "scenarios/scenario.h"

bool grt_pretend_read(const char *name, struct grt_arena *arena, struct grt_pretend_spec *spec,
                      struct grt_errors *errors) {
    struct grt_device device;
    if (!grt_device_find(name, ".", arena, &device, errors, NULL)) {
        return false;
    }
    grt_pretend_default(&device, spec);
    return true;
}
