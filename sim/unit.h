/* Quantities written with a unit: "250us", "1.5ms", "4MiB", "20GB/s", "1300MHz". Parsed exactly, never through
 * a double: "0.1us" is 100 ns, and "0.1ns" is refused because it is not a whole number of nanoseconds. */
#ifndef GRT_SIM_UNIT_H
#define GRT_SIM_UNIT_H

#include <stdint.h>

enum grt_quantity {
    GRT_QUANTITY_TIME,      /* ns us ms s min h; in nanoseconds */
    GRT_QUANTITY_SIZE,      /* B kB MB GB TB KiB MiB GiB TiB; in bytes */
    GRT_QUANTITY_RATE,      /* a size per second: "20GB/s"; in bytes per second */
    GRT_QUANTITY_FREQUENCY, /* Hz kHz MHz GHz; in hertz */
};

/* Parses the whole of `text` (optional minus, digits, optional fraction, optional blanks, unit). On success
 * stores the value and returns NULL; otherwise returns a static sentence that says what is wrong and leaves
 * *value alone. Values beyond +-10^18 are refused, and *value is the nearest of them, so that the caller can name a narrower
 * bound of its own. */
const char *grt_unit_parse(enum grt_quantity quantity, const char *text, int64_t *value);

/* The units of a quantity for messages and documents: "ns, us, ms, s, min, h". */
const char *grt_unit_names(enum grt_quantity quantity);

/* Writes a value with the largest unit, but for TB and TiB, in which it is a whole number: "64KiB", "20GB/s", "250us". `text` must
 * hold GRT_UNIT_TEXT_SIZE bytes; returns `text`. grt_unit_parse returns the same value from it. */
#define GRT_UNIT_TEXT_SIZE 40
char *grt_unit_text(enum grt_quantity quantity, int64_t value, char text[GRT_UNIT_TEXT_SIZE]);

#endif
