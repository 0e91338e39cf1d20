/* The shares of streams as counters: a value from an instant on. */
#ifndef GRT_VIZ_EXPORT_SHARES_H
#define GRT_VIZ_EXPORT_SHARES_H

#include "viz/export/rows.h"

struct grt_export_share {
    grt_time time;
    uint32_t row;   /* of the stream */
    uint32_t value; /* vprocessors, 0 to 100 */
};

/* Start it as {0}, free it with grt_export_shares_free. */
struct grt_export_shares {
    struct grt_export_share *items; /* in the order of time */
    uint32_t count, capacity;
};

/* Collects the shares within the options' time of the streams that are shown and whose share was ever set, with the one that holds when that time
 * begins: 100 before the first. */
void grt_export_shares_find(struct grt_export_shares *shares, struct grt_export_rows *rows,
                            const struct grt_export_options *options);
void grt_export_shares_free(struct grt_export_shares *shares);

#endif
