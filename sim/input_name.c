#include "sim/input_name.h"

#include <string.h>

const char *grt_input_name(const char *path) {
    if (strcmp(path, "-") == 0) {
        return "standard input";
    }
    return path[0] != '\0' ? path : "\"\"";
}
