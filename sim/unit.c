#include "sim/unit.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/time.h"
#include "sim/wide.h"

struct unit {
    const char *name;
    int64_t size;
    bool only_read; /* what is written stays as older versions read it */
};

/* Smallest first: grt_unit_text looks for the last that divides. */
static const struct unit time_units[] = {
    {"ns", 1, false},         {"us", 1000, false},         {"ms", 1000000, false},
    {"s", 1000000000, false}, {"min", 60000000000, false}, {"h", 3600000000000, false},
    {NULL, 0, false}};
static const struct unit size_units[] = {{"B", 1, false},
                                         {"kB", 1000, false},
                                         {"KiB", 1024, false},
                                         {"MB", 1000000, false},
                                         {"MiB", 1048576, false},
                                         {"GB", 1000000000, false},
                                         {"GiB", 1073741824, false},
                                         {"TB", 1000000000000, true},
                                         {"TiB", 1099511627776, true},
                                         {NULL, 0, false}};
static const struct unit rate_units[] = {{"B/s", 1, false},
                                         {"kB/s", 1000, false},
                                         {"KiB/s", 1024, false},
                                         {"MB/s", 1000000, false},
                                         {"MiB/s", 1048576, false},
                                         {"GB/s", 1000000000, false},
                                         {"GiB/s", 1073741824, false},
                                         {"TB/s", 1000000000000, true},
                                         {"TiB/s", 1099511627776, true},
                                         {NULL, 0, false}};
static const struct unit frequency_units[] = {{"Hz", 1, false},
                                              {"kHz", 1000, false},
                                              {"MHz", 1000000, false},
                                              {"GHz", 1000000000, false},
                                              {NULL, 0, false}};

/* GRT_TIME_LIMIT, in the largest decimal unit. */
#define LIMITS(text) "must be at most " text, "must be at least -" text

static const struct {
    const struct unit *units;
    const char *names;
    const char *not_a_number, *no_unit, *not_whole;
    const char *above, *below; /* the limits */
} quantities[] = {
    [GRT_QUANTITY_TIME] = {time_units, "ns, us, ms, s, min, h", "must be a duration such as \"250us\"",
                           "must end in a unit of time (ns, us, ms, s, min, h)",
                           "must be a whole number of nanoseconds", LIMITS("1000000000s")},
    [GRT_QUANTITY_SIZE] = {size_units, "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
                           "must be a size such as \"4MiB\"",
                           "must end in a unit of size (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)",
                           "must be a whole number of bytes", LIMITS("1000000000GB")},
    [GRT_QUANTITY_RATE] =
        {rate_units, "B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s",
         "must be a rate such as \"20GB/s\"",
         "must end in a unit of rate (B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s)",
         "must be a whole number of bytes per second", LIMITS("1000000000GB/s")},
    [GRT_QUANTITY_FREQUENCY] = {frequency_units, "Hz, kHz, MHz, GHz",
                                "must be a frequency such as \"1300MHz\"",
                                "must end in a unit of frequency (Hz, kHz, MHz, GHz)",
                                "must be a whole number of hertz", LIMITS("1000000000GHz")},
};

static const struct unit *find_unit(const struct unit *units, const char *name) {
    for (; units->name != NULL; units++) {
        if (strcmp(units->name, name) == 0) {
            return units;
        }
    }
    return NULL;
}

/* 128 bits hold no more decimal places. A byte is 2^-30 GiB, which has 30 of them; of a TiB it would have 40. */
enum { MOST_PLACES = 30 };

struct decimal {
    grt_wide whole;    /* before the point; stays just above the limit once it is above */
    grt_wide fraction; /* the digits behind the point up to the last that is not 0 */
    int places;        /* how many these are; above MOST_PLACES: too many */
};

static const char *read_whole(const char *text, struct decimal *number) {
    for (; isdigit((unsigned char)*text); text++) {
        number->whole = number->whole * (grt_wide)10u + (grt_wide)(unsigned)(*text - '0');
        number->whole =
            number->whole > (grt_wide)GRT_TIME_LIMIT ? (grt_wide)GRT_TIME_LIMIT + 1 : number->whole;
    }
    return text;
}

static const char *read_fraction(const char *text, struct decimal *number) {
    int zeros = 0;
    for (; isdigit((unsigned char)*text); text++) {
        zeros += zeros <= MOST_PLACES;
        if (*text == '0' || number->places > MOST_PLACES) {
            continue;
        }
        number->places += zeros;
        for (; zeros > 0; zeros--) {
            number->fraction *= (grt_wide)10u;
        }
        number->fraction += (grt_wide)(unsigned)(*text - '0');
    }
    return text;
}

/* Adds fraction / 10^places units of a size to *value; false if that is no whole number. What the size and 10^places
 * have in common is cancelled, so that everything fits in 128 bits. */
static bool add_fraction(const struct decimal *number, int64_t size, grt_wide *value) {
    if (number->places > MOST_PLACES) {
        return false;
    }
    grt_wide divisor = 1;
    for (int i = 0; i < number->places; i++) {
        divisor *= size % 2 == 0 ? (grt_wide)1u : (grt_wide)2u;
        size /= size % 2 == 0 ? 2 : 1;
        divisor *= size % 5 == 0 ? (grt_wide)1u : (grt_wide)5u;
        size /= size % 5 == 0 ? 5 : 1;
    }
    *value += number->fraction / divisor * (grt_wide)(uint64_t)size;
    return number->fraction % divisor == 0;
}

/* "e30s" of "1e30s". */
static bool is_exponent(const char *rest) {
    if (*rest != 'e' && *rest != 'E') {
        return false;
    }
    rest += rest[1] == '+' || rest[1] == '-' ? 2 : 1;
    return isdigit((unsigned char)*rest);
}

/* With U+00B5, the micro sign, or U+03BC, the Greek letter. */
static bool is_micro_second(const char *unit) {
    return strcmp(unit, "\xC2\xB5s") == 0 || strcmp(unit, "\xCE\xBCs") == 0;
}

const char *grt_unit_parse(enum grt_quantity quantity, const char *text, int64_t *value) {
    int negative = *text == '-';
    struct decimal number = {0, 0, 0};
    const char *digits = text + negative;
    const char *rest = read_whole(digits, &number);
    if (rest > digits && *rest == '.') {
        rest = read_fraction(rest + 1, &number);
    }
    if (rest == digits || rest[-1] == '.') {
        return quantities[quantity].not_a_number;
    }
    if (is_exponent(rest)) {
        return "must be written without an exponent";
    }
    rest += strspn(rest, " ");
    const struct unit *unit = find_unit(quantities[quantity].units, rest);
    if (unit == NULL) {
        return is_micro_second(rest) && quantity == GRT_QUANTITY_TIME
                   ? "must be written with \"us\" for microseconds, without a micro sign"
                   : quantities[quantity].no_unit;
    }
    grt_wide result = number.whole * (grt_wide)(uint64_t)unit->size;
    if (!add_fraction(&number, unit->size, &result)) {
        return quantities[quantity].not_whole;
    }
    bool beyond = result > (grt_wide)GRT_TIME_LIMIT;
    int64_t amount = beyond ? GRT_TIME_LIMIT + 1 : (int64_t)result;
    *value = negative ? -amount : amount;
    return !beyond ? NULL : negative ? quantities[quantity].below : quantities[quantity].above;
}

const char *grt_unit_names(enum grt_quantity quantity) {
    return quantities[quantity].names;
}

char *grt_unit_text(enum grt_quantity quantity, int64_t value, char text[GRT_UNIT_TEXT_SIZE]) {
    const struct unit *units = quantities[quantity].units, *best = units;
    for (const struct unit *unit = units; value != 0 && unit->name != NULL; unit++) {
        best = value % unit->size == 0 && !unit->only_read ? unit : best;
    }
    snprintf(text, GRT_UNIT_TEXT_SIZE, "%lld%s", (long long)(value / best->size), best->name);
    return text;
}
