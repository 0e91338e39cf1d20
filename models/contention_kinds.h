/* Inside of models/contention*.c: the kernels that contend, and what each kind of contention makes of their speeds. */
#ifndef GRT_MODELS_CONTENTION_KINDS_H
#define GRT_MODELS_CONTENTION_KINDS_H

#include "models/contention.h"

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

/* Resources with too much asked of them slow everybody who depends on them, and others' use makes them slower; a fixed point. */
void grt_contention_saturate(const struct grt_device *device, struct contender *contenders, uint32_t count);

#endif
