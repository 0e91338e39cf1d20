#include "calib/program/import/nsys.h"

bool grt_nsys_is_there(void) {
    return false;
}

bool grt_nsys_read(const char *path, struct grt_nsys *out, struct grt_errors *errors) {
    (void)path;
    *out = (struct grt_nsys){0};
    grt_error_add(errors, NULL,
                  "this gpurt-calib was built without SQLite (libsqlite3-dev), which reads such files");
    return false;
}
