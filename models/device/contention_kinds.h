/* Inside of contention*.c: the kernels that contend, and what each kind of contention makes of their speeds. */
#ifndef GRT_MODELS_DEVICE_CONTENTION_KINDS_H
#define GRT_MODELS_DEVICE_CONTENTION_KINDS_H

#include "models/device/contention.h"

/* A kernel that is not standing still. */
struct contender {
    const struct grt_usage *usage;
    uint32_t number;       /* among those that were asked for */
    uint32_t class_number; /* in the table of slowdowns */
    double factor; /* by how much longer it takes alone with its vprocessors than with all, 1 or more */
    double speed;  /* in: 1 / factor; out: beside the others */
};

/* Speeds rise together until a resource is full. */
void grt_contention_max_min(struct contender *contenders, uint32_t count);

/* What the fixed point needs besides, for a kernel. Scratch. */
struct saturated {
    const struct contender *contender;
    double waiting;             /* f - h: the part of its time that contention makes longer */
    double speed, time;         /* v, T */
    double use[GRT_RESOURCES];  /* v d */
    double rise[GRT_RESOURCES]; /* by how much log T rises with a load */
    /* of the matrix' diagonal: 1 less what of this is its own use, since nobody is foreign to himself */
    double own;
    double step; /* of log v */
};

/* Resources with too much asked of them slow everybody who depends on them, and others' use makes them slower; a fixed point. `scratch` has
 * room for as many. */
void grt_contention_saturate(const struct grt_device *device, struct contender *contenders, uint32_t count,
                             struct saturated *scratch);

/* The same without Newton's method: what the former falls back on. For tests. */
void grt_contention_iterate(const struct grt_device *device, struct contender *contenders, uint32_t count,
                            struct saturated *scratch);

#endif
