/* The lanes of one row that are free: the lowest comes first. */
#ifndef GRT_VIZ_EXPORT_LANES_H
#define GRT_VIZ_EXPORT_LANES_H

#include <stdint.h>

/* Start it as {0}, free `items` with free. */
struct grt_free_lanes {
    uint32_t *items; /* a heap */
    uint32_t count, capacity;
    uint32_t opened; /* lanes from 0 up to, but without, this one have been used */
};

/* Takes the lowest lane that is free, a new one if there is none. */
uint32_t grt_free_lanes_take(struct grt_free_lanes *lanes);

/* Gives a lane back. */
void grt_free_lanes_give(struct grt_free_lanes *lanes, uint32_t lane);

#endif
