#include "models/device/progress.h"

/* Later than every horizon, but not "never". */
#define FAR (2 * GRT_TIME_LIMIT)

/* At less than full speed. Most spans fit a division of 64 bits, which is several times faster. */
static grt_time slow_span(const struct grt_progress *progress, grt_time left) {
    if (left <= INT32_MAX) {
        uint64_t work = ((uint64_t)left << 32) - progress->fraction;
        return (grt_time)((work - 1) / progress->speed) + 1;
    }
    grt_wide work = ((grt_wide)(uint64_t)left << 32) - progress->fraction;
    grt_wide span = (work - 1) / progress->speed + 1;
    return span > (grt_wide)FAR ? FAR : (grt_time)span;
}

grt_time grt_progress_end(const struct grt_progress *progress, grt_time target) {
    grt_time left = target - progress->done;
    if (left <= 0) {
        return progress->since;
    }
    return progress->since + (progress->speed == GRT_FULL_SPEED ? left : slow_span(progress, left));
}
