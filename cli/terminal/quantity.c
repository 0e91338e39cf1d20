#include "cli/terminal/quantity.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_OF_LARGEST = 4, DIGITS_OF_SMALLEST = 3, MOST_DECIMALS = 3 };

/* The digits behind the point with which a time has so many in all; from 0 to 3. */
static int decimals_for(grt_time time, int64_t unit, int digits) {
    int decimals = digits;
    for (int64_t whole = time / unit; whole >= 1 && decimals > 0; whole /= 10) {
        decimals--;
    }
    return decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS;
}

/* 16 ms in a column with 30 s. */
static bool loses_digits_in_seconds(grt_time largest, grt_time smallest) {
    return largest >= GRT_SECOND && largest < 1000 * GRT_SECOND && smallest > 0 && smallest < GRT_SECOND / 10;
}

struct grt_time_scale grt_time_scale_for(grt_time largest, grt_time smallest) {
    static const struct {
        const char *name;
        int64_t size;
    } units[] = {{"s", GRT_SECOND}, {"ms", GRT_MILLISECOND}, {"us", GRT_MICROSECOND}, {"ns", GRT_NANOSECOND}};
    size_t unit = 0;
    while (unit < 3 && largest < units[unit].size) {
        unit++;
    }
    if (largest == 0 || loses_digits_in_seconds(largest, smallest)) {
        unit = 1; /* a column of zeroes is in milliseconds, as most others are */
    }
    int64_t size = units[unit].size;
    int for_largest = decimals_for(largest, size, DIGITS_OF_LARGEST);
    int for_smallest = decimals_for(smallest, size, DIGITS_OF_SMALLEST);
    int decimals = for_largest > for_smallest ? for_largest : for_smallest;
    return (struct grt_time_scale){
        .unit = units[unit].name, .size = size, .decimals = unit == 3 ? 0 : decimals};
}

char *grt_time_scale_text(const struct grt_time_scale *scale, grt_time time,
                          char text[GRT_QUANTITY_TEXT_SIZE]) {
    snprintf(text, GRT_QUANTITY_TEXT_SIZE, "%.*f", time == 0 ? 0 : scale->decimals,
             (double)time / (double)scale->size);
    return text;
}

char *grt_time_short_text(grt_time time, char text[GRT_QUANTITY_TEXT_SIZE]) {
    grt_time size = time < 0 ? -time : time;
    struct grt_time_scale scale = grt_time_scale_for(size, size);
    grt_time_scale_text(&scale, time, text);
    size_t length = strlen(text);
    if (strchr(text, '.') != NULL) {
        while (text[length - 1] == '0') {
            length--;
        }
        length -= text[length - 1] == '.';
    }
    snprintf(text + length, GRT_QUANTITY_TEXT_SIZE - length, "%s", scale.unit);
    return text;
}
