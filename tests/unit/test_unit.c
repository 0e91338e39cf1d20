/* Quantities with units: exact values, exact limits, sentences for what is wrong, texts that come back the same. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/unit.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define T GRT_QUANTITY_TIME
#define S GRT_QUANTITY_SIZE
#define R GRT_QUANTITY_RATE
#define F GRT_QUANTITY_FREQUENCY

static const int64_t limit = INT64_C(1000000000000000000), untouched = -77;

/* Every unit; typed from the header and the prefixes of SI and IEC, not from the code. */
static const struct {
    enum grt_quantity quantity;
    const char *name;
    int64_t size;
} units[] = {
    {T, "ns", 1},
    {T, "us", 1000},
    {T, "ms", 1000000},
    {T, "s", 1000000000},
    {T, "min", INT64_C(60) * 1000000000},
    {T, "h", INT64_C(3600) * 1000000000},
    {S, "B", 1},
    {S, "kB", 1000},
    {S, "MB", 1000000},
    {S, "GB", 1000000000},
    {S, "KiB", 1024},
    {S, "MiB", 1024 * 1024},
    {S, "GiB", 1024 * 1024 * 1024},
    {S, "TB", INT64_C(1000) * 1000000000},
    {S, "TiB", INT64_C(1024) * 1024 * 1024 * 1024},
    {R, "B/s", 1},
    {R, "kB/s", 1000},
    {R, "MB/s", 1000000},
    {R, "GB/s", 1000000000},
    {R, "KiB/s", 1024},
    {R, "MiB/s", 1024 * 1024},
    {R, "GiB/s", 1024 * 1024 * 1024},
    {R, "TB/s", INT64_C(1000) * 1000000000},
    {R, "TiB/s", INT64_C(1024) * 1024 * 1024 * 1024},
    {F, "Hz", 1},
    {F, "kHz", 1000},
    {F, "MHz", 1000000},
    {F, "GHz", 1000000000},
};

static void expect_value(enum grt_quantity quantity, const char *text, int64_t expected) {
    int64_t value = untouched;
    const char *wrong = grt_unit_parse(quantity, text, &value);
    if (wrong != NULL || value != expected) {
        fprintf(stderr, "%.60s: %s, %lld, not %lld\n", text, wrong != NULL ? wrong : "parsed",
                (long long)value, (long long)expected);
    }
    CU_ASSERT(wrong == NULL && value == expected);
}

/* What is left in the value of a refused text: what is beyond the limits is so close to them that a caller can compare it. */
static int64_t left_by(const char *text, const char *words) {
    bool beyond = words != NULL && (strncmp(words, "must be at ", 11) == 0);
    return !beyond ? untouched : text[0] == '-' ? -limit - 1 : limit + 1;
}

/* Refused in these words, or in any if `words` is NULL. */
static void expect_refusal(enum grt_quantity quantity, const char *text, const char *words) {
    int64_t value = untouched, left = left_by(text, words);
    const char *wrong = grt_unit_parse(quantity, text, &value);
    if (wrong == NULL || value != left || (words != NULL && strcmp(wrong, words) != 0)) {
        fprintf(stderr, "%.60s: %s, %lld\n", text, wrong != NULL ? wrong : "parsed", (long long)value);
    }
    CU_ASSERT(wrong != NULL && value == left);
    CU_ASSERT(words == NULL || wrong == NULL || strcmp(wrong, words) == 0);
}

static void parses_every_unit(void) {
    for (size_t i = 0; i < COUNT(units); i++) {
        char text[64];
        for (int64_t factor = -3; factor <= 300; factor += 101) {
            snprintf(text, sizeof text, "%lld%s", (long long)factor, units[i].name);
            expect_value(units[i].quantity, text, factor * units[i].size);
            snprintf(text, sizeof text, "%lld   %s", (long long)factor, units[i].name);
            expect_value(units[i].quantity, text, factor * units[i].size);
        }
        for (enum grt_quantity other = T; other <= F; other++) {
            snprintf(text, sizeof text, "1%s", units[i].name);
            if (other != units[i].quantity) {
                expect_refusal(other, text, NULL);
            }
        }
    }
}

static void parses_fractions_exactly(void) {
    expect_value(T, "0.1us", 100);
    expect_value(T, "1.5ms", 1500000);
    expect_value(T, "-0.001us", -1);
    expect_value(T, "0.000000001s", 1);
    expect_value(T, "8.999999999s", INT64_C(8999999999));
    expect_value(T, "0.5min", INT64_C(30000000000));
    expect_value(T, "0.0000000000025h", 9); /* 2.5e-12 * 3600e9 */
    expect_value(T, "1.0ns", 1);
    expect_value(T, "00012.500us", 12500);
    expect_value(S, "0.5KiB", 512);
    expect_value(S, "0.0009765625KiB", 1);
    expect_value(S, "0.000000000931322574615478515625GiB", 1); /* 2^-30 */
    expect_value(S, "931322573.999999999068677425384521484375GiB", INT64_C(931322574) * 1073741824 - 1);
    expect_value(R, "15.75GB/s", INT64_C(15750000000));
    expect_value(R, "4.8TB/s", INT64_C(4800000000000));
    expect_value(S, "0.5TiB", INT64_C(549755813888));
    expect_value(S, "0.000000000931322574615478515625TiB", 1024); /* 2^-30 */
    expect_value(F, "1.3775GHz", 1377500000);
    expect_value(T, "0s", 0);
    expect_value(T, "-0.0s", 0);
    expect_value(T, "1000000000000000.000000000ns", INT64_C(1000000000000000));
}

static void refuses_what_is_not_whole(void) {
    const char *words = "must be a whole number of nanoseconds";
    expect_refusal(T, "0.1ns", words);
    expect_refusal(T, "1.0000001us", words);
    expect_refusal(T, "-0.0000000005s", words);
    expect_refusal(T, "0.00000000000125h", words); /* 4.5 ns */
    expect_refusal(T, "0.0000000000000000000000000000000000001h", words);
    expect_refusal(S, "0.1KiB", "must be a whole number of bytes");
    expect_refusal(S, "0.0000000004656612873077392578125GiB", "must be a whole number of bytes"); /* 2^-31 */
    expect_refusal(S, "0.0000000000001TB", "must be a whole number of bytes");
    expect_refusal(R, "1.5B/s", "must be a whole number of bytes per second");
    expect_refusal(F, "1.5Hz", "must be a whole number of hertz");
}

static void keeps_to_the_limits(void) {
    const char *words = "must be at most 1000000000s", *below = "must be at least -1000000000s";
    expect_value(T, "1000000000000000000ns", limit);
    expect_value(T, "-1000000000000000000ns", -limit);
    expect_value(T, "1000000000s", limit);
    expect_value(T, "999999999.999999999s", limit - 1);
    expect_value(T, "277777.7775h", INT64_C(999999999000000000));
    expect_value(S, "1000000000GB", limit);
    expect_value(S, "931322574GiB", INT64_C(931322574) * 1073741824); /* below 10^18, one more is above */
    expect_refusal(T, "1000000000000000001ns", words);
    expect_refusal(T, "-1000000000000000001ns", below);
    expect_refusal(T, "1000000000.000000001s", words);
    expect_refusal(T, "277778h", words);
    expect_refusal(S, "931322575GiB", "must be at most 1000000000GB");
    expect_refusal(R, "-1000000001GB/s", "must be at least -1000000000GB/s");
    expect_refusal(F, "1000000001GHz", "must be at most 1000000000GHz");
    expect_refusal(T, "9223372036854775807ns", words);
    expect_refusal(T, "18446744073709551616ns", words);                    /* 2^64 */
    expect_refusal(T, "340282366920938463463374607431768211456ns", words); /* 2^128 */
    expect_refusal(T, "340282366920938463463374607431768211457s", words);
    expect_refusal(T, "94522879700260684295381836h", words); /* 2^128 / 3.6e12, rounded up */
}

static void refuses_what_is_no_quantity(void) {
    static const char *const texts[] = {
        "",           "ns",     "-",   "-ns",   ".",   ".5s",  "5.s",  "-.5s", "--5s",
        "- 5s",       " 5s",    "5s ", "5",     "5.0", "1e3s", "0x1s", "1,5s", "1.5.s",
        "1.2.3s",     "5S",     "5MS", "5 m s", "5ss", "5s5",  "inf",  "nan",  "\xc2\xb5s",
        "5\xc2\xb5s", "1 000s", "5 ",  "5s\n",  "5m",  "5sec", "5GHz", "5/s",  "1_000s",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        expect_refusal(T, texts[i], NULL);
    }
    const char *micro = "must be written with \"us\" for microseconds, without a micro sign";
    expect_refusal(T, "20\xc2\xb5s", micro);  /* U+00B5 */
    expect_refusal(T, "20 \xce\xbcs", micro); /* U+03BC */
    expect_refusal(S, "20\xc2\xb5s", "must end in a unit of size (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)");
    expect_refusal(T, "1e30s", "must be written without an exponent");
    expect_refusal(R, "2.5E-3 GB/s", "must be written without an exponent");
    expect_refusal(T, "1es", "must end in a unit of time (ns, us, ms, s, min, h)");
    expect_refusal(S, "5kb", NULL);
    expect_refusal(S, "5KB", NULL);
    expect_refusal(S, "5mib", NULL);
    expect_refusal(S, "5b", NULL);
    expect_refusal(R, "5GB", NULL);
    expect_refusal(R, "5GB /s", NULL);
    expect_refusal(F, "5hz", NULL);
    expect_refusal(T, "fast", "must be a duration such as \"250us\"");
    expect_refusal(T, "5", "must end in a unit of time (ns, us, ms, s, min, h)");
    expect_refusal(S, "big", "must be a size such as \"4MiB\"");
    expect_refusal(R, "5GB",
                   "must end in a unit of rate (B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s)");
    expect_refusal(F, "", "must be a frequency such as \"1300MHz\"");
}

/* `first`, 10,000 times `middle`, `last`. */
static char *long_text(const char *first, char middle, const char *last) {
    enum { LENGTH = 10000 };
    char *text = malloc(LENGTH + 64), *end = text + sprintf(text, "%s", first);
    memset(end, middle, LENGTH);
    strcpy(end + LENGTH, last);
    return text;
}

static void takes_very_long_texts(void) {
    static const struct {
        const char *first;
        char middle;
        const char *last, *words; /* words NULL: parsed as `value` */
        int64_t value;
    } cases[] = {
        {"", '9', "s", "must be at most 1000000000s", 0},
        {"-1", '0', "ns", "must be at least -1000000000s", 0},
        {"", '0', "7ms", NULL, 7000000},
        {"-", '0', "1.5us", NULL, -1500},
        {"2.", '0', "s", NULL, 2000000000},
        {"2.5", '0', "us", NULL, 2500},
        {"0.", '0', "1s", "must be a whole number of nanoseconds", 0},
        {"1.", '3', "h", "must be a whole number of nanoseconds", 0},
        {"5", ' ', "ms", NULL, 5000000},
        {"5", 'm', "s", "must end in a unit of time (ns, us, ms, s, min, h)", 0},
        {"", '.', "s", "must be a duration such as \"250us\"", 0},
        {"", '-', "5s", "must be a duration such as \"250us\"", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = long_text(cases[i].first, cases[i].middle, cases[i].last);
        if (cases[i].words != NULL) {
            expect_refusal(T, text, cases[i].words);
        } else {
            expect_value(T, text, cases[i].value);
        }
        free(text);
    }
}

static int64_t random_value(struct grt_random *random) {
    int64_t value = (int64_t)grt_random_below(random, (uint64_t)limit + 1) >> grt_random_below(random, 60);
    for (uint64_t zeros = grt_random_below(random, 10); zeros > 0 && value <= limit / 10; zeros--) {
        value *= 10;
    }
    return grt_random_below(random, 2) == 0 ? value : -value;
}

static bool is_decimal(int64_t size) {
    return size == 1000 || size == 1000000 || size == 1000000000;
}

/* Writes a value as a number of units: with nine places in a decimal unit, else as a whole number. */
static void write_number(int64_t value, int64_t size, char *text, size_t room) {
    const char *sign = value < 0 ? "-" : "";
    long long amount = llabs((long long)value), units_in_it = amount / size, rest = amount % size;
    if (is_decimal(size)) {
        snprintf(text, room, "%s%lld.%09lld", sign, units_in_it, rest * (1000000000 / size));
    } else {
        snprintf(text, room, "%s%lld", sign, units_in_it);
    }
}

/* Also with 32 more places, the last of which is not 0: then the value is not whole in any unit. */
static void parses_random_decimals(void) {
    struct grt_random random = grt_random_stream(1, "test unit", 0, 0);
    unsigned wrong = 0;
    for (int i = 0; i < 50000; i++) {
        size_t unit = grt_random_below(&random, COUNT(units));
        int64_t wish = random_value(&random), size = units[unit].size, value = untouched;
        wish -= is_decimal(size) ? 0 : wish % size;
        char number[100], text[200];
        write_number(wish, size, number, sizeof number);
        snprintf(text, sizeof text, "%s%s", number, units[unit].name);
        wrong += grt_unit_parse(units[unit].quantity, text, &value) != NULL || value != wish;
        snprintf(text, sizeof text, "%s%s%032d%s", number, strchr(number, '.') != NULL ? "" : ".", 1,
                 units[unit].name);
        wrong += grt_unit_parse(units[unit].quantity, text, &value) == NULL || value != wish;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void writes_known_values(void) {
    static const struct {
        enum grt_quantity quantity;
        int64_t value;
        const char *text;
    } cases[] = {
        {S, 65536, "64KiB"},
        {R, INT64_C(20000000000), "20GB/s"},
        {T, 250000, "250us"},
        {T, 1500000, "1500us"},
        {T, 1, "1ns"},
        {T, -2000000, "-2ms"},
        {T, INT64_C(90000000000), "90s"},
        {T, INT64_C(120000000000), "2min"},
        {T, INT64_C(7200000000000), "2h"},
        {S, 1000, "1kB"},
        {S, 1024, "1KiB"},
        {S, 1000000, "1MB"},
        {S, 1024000, "1000KiB"},
        {S, 1048576, "1MiB"},
        {S, INT64_C(3221225472), "3GiB"},
        {S, 1025, "1025B"},
        {S, INT64_C(2000000000000), "2000GB"},
        {R, INT64_C(1099511627776), "1024GiB/s"},
        {R, 1048576, "1MiB/s"},
        {F, 1300000000, "1300MHz"},
        {F, 1, "1Hz"},
        {F, 1000000000, "1GHz"},
        {T, INT64_C(1000000000000000000), "1000000000s"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[GRT_UNIT_TEXT_SIZE];
        CU_ASSERT_PTR_EQUAL(grt_unit_text(cases[i].quantity, cases[i].value, text), text);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
}

/* True if the text is the value in the largest unit in which it is whole; TB and TiB are only read. */
static bool is_largest_unit(enum grt_quantity quantity, int64_t value, const char *text) {
    int64_t largest = 1, found = 0;
    for (size_t i = 0; i < COUNT(units); i++) {
        bool is_written = units[i].name[0] != 'T';
        if (units[i].quantity == quantity && is_written && value % units[i].size == 0 &&
            units[i].size > largest) {
            largest = units[i].size;
        }
        if (units[i].quantity == quantity && strcmp(text + strspn(text, "-0123456789"), units[i].name) == 0) {
            found = units[i].size;
        }
    }
    return found == largest && strtoll(text, NULL, 10) == value / largest;
}

static void texts_come_back_the_same(void) {
    struct grt_random random = grt_random_stream(1, "test unit", 1, 0);
    unsigned wrong = 0;
    for (int i = 0; i < 50000; i++) {
        enum grt_quantity quantity = (enum grt_quantity)grt_random_below(&random, 4);
        int64_t value = i < 8 ? (i < 4 ? 0 : limit) : random_value(&random), back = untouched;
        value *= llabs(value) < 1000000 ? INT64_C(1) << grt_random_below(&random, 40) : 1;
        char text[GRT_UNIT_TEXT_SIZE];
        grt_unit_text(quantity, value, text);
        wrong += grt_unit_parse(quantity, text, &back) != NULL || back != value;
        wrong += value != 0 && !is_largest_unit(quantity, value, text);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void names_the_units(void) {
    CU_ASSERT_STRING_EQUAL(grt_unit_names(T), "ns, us, ms, s, min, h");
    for (size_t i = 0; i < COUNT(units); i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(grt_unit_names(units[i].quantity), units[i].name));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"parses every unit", parses_every_unit},
        {"parses fractions exactly", parses_fractions_exactly},
        {"refuses what is not whole", refuses_what_is_not_whole},
        {"keeps to the limits", keeps_to_the_limits},
        {"refuses what is no quantity", refuses_what_is_no_quantity},
        {"takes very long texts", takes_very_long_texts},
        {"parses random decimals", parses_random_decimals},
        {"writes known values", writes_known_values},
        {"texts come back the same", texts_come_back_the_same},
        {"names the units", names_the_units},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("unit", tests);
}
