#include <stdlib.h>

#include "calib/program/import/nsys.h"

void grt_nsys_free(struct grt_nsys *profile) {
    free(profile->operations);
    free(profile->ranges);
    free(profile->priorities);
    free(profile->gpus);
    grt_arena_clear(&profile->arena);
    *profile = (struct grt_nsys){0};
}
