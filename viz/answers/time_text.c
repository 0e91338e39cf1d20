#include "viz/answers/time_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/check.h"

enum { MOST_BEFORE_POINT = 100000, UNITS = 4, SECONDS = 0, NANOSECONDS = 3, DECIMALS = 3 };

static const struct {
    uint64_t size; /* ns */
    const char *name;
} units[UNITS] = {{GRT_SECOND, "s"}, {GRT_MILLISECOND, "ms"}, {GRT_MICROSECOND, "us"}, {1, "ns"}};

static uint64_t size_of(grt_time time) {
    return time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
}

/* In thousandths of a unit other than nanoseconds, rounded. */
static uint64_t thousandths(grt_time time, int unit) {
    uint64_t part = units[unit].size / 1000;
    GRT_ASSERT(part > 0, "print nanoseconds whole");
    return (size_of(time) + part / 2) / part;
}

static int decimals_of(grt_time time, int unit) {
    uint64_t value = unit == NANOSECONDS ? 0 : thousandths(time, unit);
    return value % 10 != 0 ? 3 : value % 100 != 0 ? 2 : value % 1000 != 0 ? 1 : 0;
}

/* Returns the length. */
static int write_number(grt_time time, int unit, int decimals, char *text, size_t size) {
    if (unit == NANOSECONDS) {
        return snprintf(text, size, "%" PRId64, time);
    }
    uint64_t value = thousandths(time, unit);
    const char *sign = time < 0 && value != 0 ? "-" : "";
    if (decimals == 0) {
        return snprintf(text, size, "%s%" PRIu64, sign, value / 1000);
    }
    uint64_t rest = value % 1000;
    for (int i = decimals; i < DECIMALS; i++) {
        rest /= 10;
    }
    return snprintf(text, size, "%s%" PRIu64 ".%0*" PRIu64, sign, value / 1000, decimals, rest);
}

static char *write_one(grt_time time, int unit, char text[GRT_TIME_WORDS]) {
    int length = write_number(time, unit, decimals_of(time, unit), text, GRT_TIME_WORDS);
    snprintf(text + length, GRT_TIME_WORDS - (size_t)length, " %s", units[unit].name);
    return text;
}

/* Nothing is in milliseconds, as most times are; what is rounded to 1000 has the next unit. */
static int unit_of(grt_time span) {
    int unit = 0;
    if (span == 0) {
        return 1;
    }
    while (size_of(span) < units[unit].size) {
        unit++;
    }
    return unit > 0 && unit < NANOSECONDS && thousandths(span, unit) >= 1000 * 1000 ? unit - 1 : unit;
}

char *grt_time_words(grt_time span, char text[GRT_TIME_WORDS]) {
    return write_one(span, unit_of(span), text);
}

char *grt_instant_words(grt_time instant, char text[GRT_TIME_WORDS]) {
    int unit = unit_of(instant);
    bool rough = unit == SECONDS && instant % GRT_MILLISECOND != 0;
    return write_one(instant, rough ? SECONDS + 1 : unit, text);
}

/* The largest unit of which the span is at least a tenth, and the later instant at least one. */
static int unit_of_span(grt_time from, grt_time to) {
    uint64_t most = size_of(to) > size_of(from) ? size_of(to) : size_of(from);
    int unit = 0;
    while (unit < NANOSECONDS && ((uint64_t)(to - from) < units[unit].size / 10 || most < units[unit].size)) {
        unit++;
    }
    return unit;
}

char *grt_span_words(grt_time from, grt_time to, char text[GRT_TIME_WORDS]) {
    int unit = unit_of_span(from, to);
    if (from == to || size_of(to) / MOST_BEFORE_POINT >= units[unit].size) {
        char instant[GRT_TIME_WORDS];
        snprintf(text, GRT_TIME_WORDS, "at %.*s", GRT_TIME_WORDS - 4, grt_instant_words(from, instant));
        return text;
    }
    int first = decimals_of(from, unit), second = decimals_of(to, unit);
    int decimals = first > second ? first : second;
    int length = write_number(from, unit, decimals, text, GRT_TIME_WORDS);
    length += snprintf(text + length, GRT_TIME_WORDS - (size_t)length, " to ");
    length += write_number(to, unit, decimals, text + length, GRT_TIME_WORDS - (size_t)length);
    snprintf(text + length, GRT_TIME_WORDS - (size_t)length, " %s", units[unit].name);
    return text;
}
