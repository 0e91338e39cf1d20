/* Work that is done at a speed that may change: how much is done, and when a given amount will be. Work is counted in ns at
 * full speed; a speed is a fraction of full speed in units of 2^-32. Nothing is lost between two changes: what is
 * done is kept to 2^-32 ns. Speeds are rounded up, ends too: where the exact end of a span of up to 4 s is a whole ns, it
 * comes out, and else the next one or, if that is nearer than 2^-32 of the span, the one before. */
#ifndef GRT_MODELS_DEVICE_PROGRESS_H
#define GRT_MODELS_DEVICE_PROGRESS_H

#include <stdint.h>

#include "sim/time.h"
#include "sim/wide.h"

#define GRT_FULL_SPEED (UINT64_C(1) << 32)

struct grt_progress {
    grt_time done;     /* ns of work until `since` */
    uint32_t fraction; /* of a ns beyond, in units of 2^-32 */
    grt_time since;    /* by the clock of whoever does the work */
    uint64_t speed;    /* 1 to GRT_FULL_SPEED; 0: it stands still, and has no end */
};

/* Nothing is done yet; at full speed from now on. */
static inline struct grt_progress grt_progress_start(grt_time now) {
    return (struct grt_progress){.since = now, .speed = GRT_FULL_SPEED};
}

/* Brings `done` up to now, which is not before `since`. */
static inline void grt_progress_advance(struct grt_progress *progress, grt_time now) {
    grt_time passed = now - progress->since;
    progress->since = now;
    if (progress->speed == GRT_FULL_SPEED) {
        progress->done += passed;
        return;
    }
    grt_wide work = (grt_wide)(uint64_t)passed * progress->speed + progress->fraction;
    progress->done += (grt_time)(work >> 32);
    progress->fraction = (uint32_t)work;
}

/* The instant from which on the speed is another. Speeds of 0 are taken as the least there is. */
static inline void grt_progress_change(struct grt_progress *progress, grt_time now, uint64_t speed) {
    grt_progress_advance(progress, now);
    progress->speed = speed > 0 ? speed : 1;
}

/* The product of a speed and a speed or a demand. */
static inline uint64_t grt_speed_product(uint64_t a, uint64_t speed) {
    return (uint64_t)(((grt_wide)a * speed + (GRT_FULL_SPEED - 1)) >> 32);
}

/* The first whole ns at which `target` ns of work are done, if the speed stays; at the earliest `since`. */
grt_time grt_progress_end(const struct grt_progress *progress, grt_time target);

#endif
