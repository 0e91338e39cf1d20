#include "scenarios/experiment/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 15 };

#define LIMIT INT64_C(1000000000000000) /* 10^MOST_DIGITS */

/* Appends the digits at *text, and moves on; false: they are too many. */
static bool take_digits(const char **text, int64_t *digits, int *count) {
    for (*count = 0; **text >= '0' && **text <= '9'; ++*text, ++*count) {
        *digits = *digits * 10 + (**text - '0');
        if (*digits >= LIMIT) {
            return false;
        }
    }
    return true;
}

static bool multiply(struct grt_decimal *decimal, int powers) {
    for (; powers > 0; powers--) {
        decimal->digits *= 10;
        decimal->scale++;
        if (llabs(decimal->digits) >= LIMIT || decimal->scale > MOST_DIGITS) {
            return false;
        }
    }
    return true;
}

/* Without zeros at the end, and with no scale below 0. */
static bool normalise(struct grt_decimal *decimal) {
    while (decimal->digits % 10 == 0 && decimal->scale > 0) {
        decimal->digits /= 10;
        decimal->scale--;
    }
    return decimal->scale <= MOST_DIGITS && (decimal->scale >= 0 || multiply(decimal, -decimal->scale));
}

bool grt_decimal_parse(const char *text, struct grt_decimal *decimal) {
    bool negative = *text == '-';
    int whole, part = 0, exponent_digits = 0;
    int64_t digits = 0, exponent = 0;
    text += negative;
    if (!take_digits(&text, &digits, &whole) || whole == 0) {
        return false;
    }
    if (*text == '.' && (text++, !take_digits(&text, &digits, &part) || part == 0)) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        bool below = text[1] == '-';
        text += text[1] == '-' || text[1] == '+' ? 2 : 1;
        if (!take_digits(&text, &exponent, &exponent_digits) || exponent_digits == 0 ||
            exponent > 2 * MOST_DIGITS) {
            return false;
        }
        exponent = below ? -exponent : exponent;
    }
    *decimal = (struct grt_decimal){negative ? -digits : digits, part - (int)exponent};
    return *text == '\0' && normalise(decimal);
}

char *grt_decimal_text(struct grt_decimal decimal, char text[GRT_DECIMAL_TEXT_SIZE]) {
    char digits[GRT_DECIMAL_TEXT_SIZE];
    normalise(&decimal);
    int length =
        snprintf(digits, sizeof digits, "%0*" PRId64, decimal.scale + 1, (int64_t)llabs(decimal.digits));
    int whole = length - decimal.scale;
    snprintf(text, GRT_DECIMAL_TEXT_SIZE, "%s%.*s%s%s", decimal.digits < 0 ? "-" : "", whole, digits,
             decimal.scale > 0 ? "." : "", digits + whole);
    return text;
}

bool grt_decimal_align(struct grt_decimal *left, struct grt_decimal *right) {
    return multiply(left, right->scale - left->scale) && multiply(right, left->scale - right->scale);
}
