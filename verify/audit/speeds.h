/* How fast kernels go beside each other on a GPU of granularity shares, as the auditor computes it: a second reading of rules F2 and F3 of
 * docs/gpu-model.md, plain and slow, which shares no code with the simulator's. */
#ifndef GRT_VERIFY_AUDIT_SPEEDS_H
#define GRT_VERIFY_AUDIT_SPEEDS_H

#include <stdbool.h>

#include "models/task.h"

/* A kernel that runs. */
struct audit_sharer {
    const struct grt_usage *usage;
    const char *class_name; /* in the table of slowdowns; NULL: none */
    int64_t share;          /* of its stream */
};

/* By how much longer a kernel takes alone with so many vprocessors, above 0. */
double audit_share_factor(const struct grt_usage *usage, double share);

/* What a kernel of the scenario uses of a GPU, if it does not say. */
struct grt_usage audit_default_usage(double sm_utilisation);

/* The speeds of `count` kernels, in the order in which they began, as fractions of that alone with the whole GPU. False if they are not known: the
 * iteration that defines them under saturation does not come to rest. */
bool audit_speeds_of(const struct grt_device *device, const struct audit_sharer *sharers, uint32_t count,
                     double *speeds);

/* By how much an exact speed may be off the one computed. */
double audit_speed_error(const struct grt_device *device);

#endif
