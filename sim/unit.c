#include "sim/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/time.h"

__extension__ typedef unsigned __int128 wide;

struct unit {
    const char *name;
    int64_t size;
};

/* Smallest first: grt_unit_text looks for the last that divides. */
static const struct unit time_units[] = {{"ns", 1},          {"us", 1000},          {"ms", 1000000},
                                         {"s", 1000000000},  {"min", 60000000000},  {"h", 3600000000000},
                                         {NULL, 0}};
static const struct unit size_units[] = {{"B", 1},       {"kB", 1000},         {"KiB", 1024},
                                         {"MB", 1000000}, {"MiB", 1048576},     {"GB", 1000000000},
                                         {"GiB", 1073741824}, {NULL, 0}};
static const struct unit rate_units[] = {{"B/s", 1},           {"kB/s", 1000},         {"KiB/s", 1024},
                                         {"MB/s", 1000000},    {"MiB/s", 1048576},     {"GB/s", 1000000000},
                                         {"GiB/s", 1073741824}, {NULL, 0}};
static const struct unit frequency_units[] = {
    {"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {NULL, 0}};

static const struct {
    const struct unit *units;
    const char *names;
    const char *not_a_number, *no_unit, *not_whole;
} quantities[] = {
    [GRT_QUANTITY_TIME] = {time_units, "ns, us, ms, s, min, h", "must be a duration such as \"250us\"",
                           "must end in a unit of time (ns, us, ms, s, min, h)",
                           "must be a whole number of nanoseconds"},
    [GRT_QUANTITY_SIZE] = {size_units, "B, kB, MB, GB, KiB, MiB, GiB", "must be a size such as \"4MiB\"",
                           "must end in a unit of size (B, kB, MB, GB, KiB, MiB, GiB)",
                           "must be a whole number of bytes"},
    [GRT_QUANTITY_RATE] = {rate_units, "B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s",
                           "must be a rate such as \"20GB/s\"",
                           "must end in a unit of rate (B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s)",
                           "must be a whole number of bytes per second"},
    [GRT_QUANTITY_FREQUENCY] = {frequency_units, "Hz, kHz, MHz, GHz", "must be a frequency such as \"1300MHz\"",
                                "must end in a unit of frequency (Hz, kHz, MHz, GHz)",
                                "must be a whole number of hertz"},
};

static const struct unit *find_unit(const struct unit *units, const char *name) {
    for (; units->name != NULL; units++) {
        if (strcmp(units->name, name) == 0) {
            return units;
        }
    }
    return NULL;
}

struct decimal {
    wide digits;  /* all digits without the point */
    int fraction; /* how many of them stand behind the point */
    int count;
};

/* Reads digits with at most one point; returns the first character after them. More digits than 10^27 are
 * dropped into an overflow, which the caller notices by `count`. */
static const char *read_decimal(const char *text, struct decimal *number) {
    int point = 0;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        number->digits = number->digits * (wide)10u + (wide)(unsigned)(*text - '0');
        number->fraction += point;
        number->count += number->count > 0 || *text != '0' || point;
    }
    return text;
}

const char *grt_unit_parse(enum grt_quantity quantity, const char *text, int64_t *value) {
    int negative = *text == '-';
    struct decimal number = {0, 0, 0};
    const char *digits = text + negative;
    const char *rest = read_decimal(digits, &number);
    if (!isdigit((unsigned char)*digits) || rest[-1] == '.') {
        return quantities[quantity].not_a_number;
    }
    rest += strspn(rest, " ");
    const struct unit *unit = find_unit(quantities[quantity].units, rest);
    if (unit == NULL) {
        return quantities[quantity].no_unit;
    }
    if (number.count > 24) { /* 10^24 units of 3.6e12 still fit in 128 bits */
        return number.fraction > 9 ? quantities[quantity].not_whole : "is too large";
    }
    wide scaled = number.digits * (wide)(uint64_t)unit->size, divisor = 1;
    for (int i = 0; i < number.fraction; i++) {
        divisor *= (wide)10u;
    }
    if (scaled % divisor != 0) {
        return quantities[quantity].not_whole;
    }
    if (scaled / divisor > (wide)GRT_TIME_LIMIT) {
        return "is too large";
    }
    *value = negative ? -(int64_t)(scaled / divisor) : (int64_t)(scaled / divisor);
    return NULL;
}

const char *grt_unit_names(enum grt_quantity quantity) {
    return quantities[quantity].names;
}

char *grt_unit_text(enum grt_quantity quantity, int64_t value, char text[GRT_UNIT_TEXT_SIZE]) {
    const struct unit *units = quantities[quantity].units, *best = units;
    for (const struct unit *unit = units; value != 0 && unit->name != NULL; unit++) {
        best = value % unit->size == 0 ? unit : best;
    }
    snprintf(text, GRT_UNIT_TEXT_SIZE, "%lld%s", (long long)(value / best->size), best->name);
    return text;
}
