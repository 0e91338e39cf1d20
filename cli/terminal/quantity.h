/* Numbers for people: four digits are enough. */
#ifndef GRT_CLI_TERMINAL_QUANTITY_H
#define GRT_CLI_TERMINAL_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/time.h"

#define GRT_QUANTITY_TEXT_SIZE 48

/* How to write the times of one column: the unit, and the digits behind the point. */
struct grt_time_scale {
    const char *unit;
    int64_t size; /* ns */
    int decimals;
};

/* The scale in which the column's largest time has four digits, and its smallest above 0 has three, but with no more
 * than three behind the point; in milliseconds rather than seconds where that keeps digits of the smallest, and the largest is below 1000 s. */
struct grt_time_scale grt_time_scale_for(grt_time largest, grt_time smallest);

/* A time in that scale, without the unit: "33.00"; exactly nothing is "0". Returns `text`. */
char *grt_time_scale_text(const struct grt_time_scale *scale, grt_time time,
                          char text[GRT_QUANTITY_TEXT_SIZE]);

/* One time with its own unit, in up to four digits: "4.2ms". Returns `text`. */
char *grt_time_short_text(grt_time time, char text[GRT_QUANTITY_TEXT_SIZE]);

#endif
