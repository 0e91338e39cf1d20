#include "sim/time.h"

#include <math.h>
#include <stdio.h>

#include "sim/check.h"

grt_time grt_time_of_work(int64_t work, int64_t rate) {
    GRT_REQUIRE(work >= 0 && rate > 0, "give a non-negative amount of work and a positive rate");
    grt_wide span = ((grt_wide)work * GRT_SECOND + (grt_wide)rate - 1) / (grt_wide)rate;
    return span > GRT_TIME_LIMIT ? GRT_TIME_LIMIT : (grt_time)span;
}

grt_time grt_time_of_double(double span_ns) {
    if (!(span_ns > 0)) {
        return 0;
    }
    return span_ns >= (double)GRT_TIME_LIMIT ? GRT_TIME_LIMIT : (grt_time)ceil(span_ns);
}

grt_time grt_time_of_wide(grt_signed_wide sum_ns) {
    const grt_signed_wide most = GRT_TIME_NEVER - 1;
    return (grt_time)(sum_ns > most ? most : sum_ns < -most ? -most : sum_ns);
}

static int digits_without_trailing_zeros(uint64_t *fraction, int digits) {
    while (digits > 0 && *fraction % 10 == 0) {
        *fraction /= 10;
        digits--;
    }
    return digits;
}

char *grt_time_text(grt_time span, char text[GRT_TIME_TEXT_SIZE]) {
    static const struct {
        uint64_t size;
        int digits;
        const char *name;
    } units[] = {{1000000000, 9, "s"}, {1000000, 6, "ms"}, {1000, 3, "us"}, {1, 0, "ns"}};
    const char *sign = span < 0 ? "-" : "";
    uint64_t size = span < 0 ? 0 - (uint64_t)span : (uint64_t)span;
    int unit = 0;
    while (size != 0 && size < units[unit].size) {
        unit++;
    }
    uint64_t fraction = size % units[unit].size;
    int digits = digits_without_trailing_zeros(&fraction, units[unit].digits);
    int used =
        snprintf(text, GRT_TIME_TEXT_SIZE, "%s%llu", sign, (unsigned long long)(size / units[unit].size));
    if (digits > 0) {
        used += snprintf(text + used, (size_t)(GRT_TIME_TEXT_SIZE - used), ".%0*llu", digits,
                         (unsigned long long)fraction);
    }
    snprintf(text + used, (size_t)(GRT_TIME_TEXT_SIZE - used), "%s", units[unit].name);
    return text;
}
