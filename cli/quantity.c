#include "cli/quantity.h"

#include <stdio.h>
#include <string.h>

struct grt_time_scale grt_time_scale_for(grt_time largest) {
    static const struct {
        const char *name;
        int64_t size;
    } units[] = {{"s", GRT_SECOND}, {"ms", GRT_MILLISECOND}, {"us", GRT_MICROSECOND}, {"ns", GRT_NANOSECOND}};
    size_t unit = 0;
    while (unit < 3 && largest < units[unit].size) {
        unit++;
    }
    if (largest == 0) {
        unit = 1; /* a column of zeroes is in milliseconds, as most others are */
    }
    int decimals = unit == 3 ? 0 : 3;
    for (int64_t whole = largest / units[unit].size; whole >= 10 && decimals > 0; whole /= 10) {
        decimals--;
    }
    return (struct grt_time_scale){.unit = units[unit].name, .size = units[unit].size, .decimals = decimals};
}

char *grt_time_scale_text(const struct grt_time_scale *scale, grt_time time,
                          char text[GRT_QUANTITY_TEXT_SIZE]) {
    snprintf(text, GRT_QUANTITY_TEXT_SIZE, "%.*f", time == 0 ? 0 : scale->decimals,
             (double)time / (double)scale->size);
    return text;
}

char *grt_time_short_text(grt_time time, char text[GRT_QUANTITY_TEXT_SIZE]) {
    struct grt_time_scale scale = grt_time_scale_for(time < 0 ? -time : time);
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
