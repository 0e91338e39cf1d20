/* How fast kernels go that run on a GPU at the same time, each with a share of it: the contention models of devices with
 * `granularity` shares. Pure functions; nothing here knows of time or of events. */
#ifndef GRT_MODELS_DEVICE_CONTENTION_H
#define GRT_MODELS_DEVICE_CONTENTION_H

#include <stdint.h>

#include "models/device.h"
#include "models/usage.h"
#include "sim/memory.h"

/* A kernel that is running. */
struct grt_sharer {
    const struct grt_usage *usage;
    uint32_t class_number; /* in the device's table of slowdowns (grt_device_class); GRT_NO_CLASS: in none */
    int64_t share; /* vprocessors that it may use, 0 to 100; 0: it stands still, and is in nobody's way */
};

/* A device's model, ready to use. */
struct grt_contention;

/* Makes it; `device` must stay. It lives as long as the arena. */
struct grt_contention *grt_contention_create(const struct grt_device *device, struct grt_arena *arena);

/* The speeds of `count` kernels, the one that began first first, each as a fraction of its speed alone with the whole GPU: 0 where its share
 * is 0 or, under left-over, those before it leave nothing; else above 0 and at most 1. The same whatever was asked before. One alone goes at 1 / grt_usage_share_factor. */
void grt_contention_speeds(struct grt_contention *contention, const struct grt_sharer *sharers,
                           uint32_t count, double *speeds);

#endif
