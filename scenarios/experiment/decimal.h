/* Decimal numbers, exactly: steps of an axis. */
#ifndef GRT_SCENARIOS_EXPERIMENT_DECIMAL_H
#define GRT_SCENARIOS_EXPERIMENT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits / 10^scale, in at most 15 digits each. */
struct grt_decimal {
    int64_t digits;
    int scale;
};

/* Reads "0.25", "-3" or "1.5e-06"; false: it is none, or has more than 15 digits before or behind the point. */
bool grt_decimal_parse(const char *text, struct grt_decimal *decimal);

/* Writes it without an exponent and without zeros at the end: "0.25". `text` must hold GRT_DECIMAL_TEXT_SIZE bytes; returns `text`. */
enum { GRT_DECIMAL_TEXT_SIZE = 40 };
char *grt_decimal_text(struct grt_decimal decimal, char text[GRT_DECIMAL_TEXT_SIZE]);

/* Writes both with the same scale; false: one gets too many digits by it. */
bool grt_decimal_align(struct grt_decimal *left, struct grt_decimal *right);

#endif
