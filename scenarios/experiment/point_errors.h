/* Errors of many points, each different one once. */
#ifndef GRT_SCENARIOS_EXPERIMENT_POINT_ERRORS_H
#define GRT_SCENARIOS_EXPERIMENT_POINT_ERRORS_H

#include <stddef.h>

#include "sim/error.h"

/* A message, the first point that has it and how many do. */
struct grt_point_error {
    char *message;
    size_t first, count;
};

/* Starts as {0}. */
struct grt_point_errors {
    struct grt_point_error items[GRT_ERRORS_KEPT];
    size_t count; /* kept */
    size_t more;  /* not kept */
};

/* Notes the errors of a point. Points come one after the other. */
void grt_point_errors_note(struct grt_point_errors *all, const struct grt_errors *errors, size_t point);

/* Adds all to `errors`: "at u=0.1, cores=4: <message>", or without the point where all of `points` have it; and forgets them. `label` writes the
 * point, into `size` bytes. */
void grt_point_errors_add(struct grt_point_errors *all, size_t points, struct grt_errors *errors,
                          void (*label)(const void *state, size_t point, char *text, size_t size),
                          const void *state);

#endif
