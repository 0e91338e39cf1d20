#include "sim/error_path.h"

#include <string.h>

bool grt_error_is_about(const char *message, const char *path, size_t length) {
    return strncmp(message, path, length) == 0 && message[length] != '\0' &&
           strchr(":.[", message[length]) != NULL;
}

size_t grt_error_first_key(const char *message) {
    return strcspn(message, ":.[");
}
