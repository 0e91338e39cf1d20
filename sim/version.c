#include "sim/version.h"

const char *grt_version(void) {
    return GRT_VERSION;
}
