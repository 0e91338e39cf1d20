/* The paths with which messages begin (sim/error.h), for those who know more of a value than who refused it. */
#ifndef GRT_SIM_ERROR_PATH_H
#define GRT_SIM_ERROR_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a message is about the value at a path, "platform.cpus", or about a part of it; `path` has `length` bytes, and need not end there. */
bool grt_error_is_about(const char *message, const char *path, size_t length);

/* How long the first key of a message's path is: 5 for "tasks[2].period: must be > 0". The message has a path. */
size_t grt_error_first_key(const char *message);

#endif
