/* Work becomes time, rounded up; spans as texts. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/time.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

__extension__ typedef unsigned __int128 wide;

static void the_limit_is_safe(void) {
    CU_ASSERT_EQUAL(GRT_TIME_LIMIT, INT64_C(1000000000000000000));
    CU_ASSERT(GRT_TIME_NEVER == INT64_MAX && GRT_TIME_NEVER / GRT_TIME_LIMIT >= 9);
}

/* --- Work. */

static void converts_known_work(void) {
    static const struct {
        int64_t work, rate;
        grt_time span;
    } cases[] = {
        {0, 1, 0},
        {0, INT64_MAX, 0},
        {1, 1, GRT_SECOND},
        {1, 3, 333333334},
        {2, 3, 666666667},
        {3, 3, GRT_SECOND},
        {1, GRT_SECOND, 1},
        {1, GRT_SECOND + 1, 1},
        {1, INT64_MAX, 1},
        {GRT_SECOND + 1, GRT_SECOND, GRT_SECOND + 1},
        {4 * 1048576, 20 * GRT_SECOND, 209716}, /* 4 MiB at 20 GB/s: 209715.2 ns */
        {INT64_MAX, INT64_MAX, GRT_SECOND},
        {INT64_MAX, INT64_MAX - 1, GRT_SECOND + 1},
        {GRT_SECOND, 1, GRT_TIME_LIMIT},
        {GRT_SECOND - 1, 1, GRT_TIME_LIMIT - GRT_SECOND},
        {GRT_SECOND + 1, 1, GRT_TIME_LIMIT},
        {INT64_MAX, 1, GRT_TIME_LIMIT},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CU_ASSERT_EQUAL(grt_time_of_work(cases[i].work, cases[i].rate), cases[i].span);
    }
}

/* The contract as an inequality: `span` is enough for the work and one nanosecond less is not. */
static bool is_least_span(int64_t work, int64_t rate, grt_time span) {
    wide needed = (wide)(uint64_t)work * 1000000000u;
    bool enough = (wide)(uint64_t)span * (wide)(uint64_t)rate >= needed;
    bool least = span == 0 || (wide)(uint64_t)(span - 1) * (wide)(uint64_t)rate < needed;
    return least && (enough || span == GRT_TIME_LIMIT);
}

static int64_t random_magnitude(struct grt_random *random) {
    return (int64_t)(grt_random_bits(random) >> (1 + grt_random_below(random, 63)));
}

static void converts_random_work(void) {
    struct grt_random random = grt_random_stream(1, "test time", 0, 0);
    unsigned wrong = 0, below_limit = 0;
    for (int i = 0; i < 200000; i++) {
        int64_t work = random_magnitude(&random), rate = random_magnitude(&random) | 1;
        grt_time span = grt_time_of_work(work, rate);
        wrong += !is_least_span(work, rate, span);
        below_limit += span > 0 && span < GRT_TIME_LIMIT;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(below_limit > 50000);
}

static void converts_doubles(void) {
    CU_ASSERT_EQUAL(grt_time_of_double(0), 0);
    CU_ASSERT_EQUAL(grt_time_of_double(-0.0), 0);
    CU_ASSERT_EQUAL(grt_time_of_double(-0.5), 0);
    CU_ASSERT_EQUAL(grt_time_of_double(-1e300), 0);
    CU_ASSERT_EQUAL(grt_time_of_double((double)-INFINITY), 0);
    CU_ASSERT_EQUAL(grt_time_of_double((double)NAN), 0);
    CU_ASSERT_EQUAL(grt_time_of_double(0x1p-1074), 1);
    CU_ASSERT_EQUAL(grt_time_of_double(1), 1);
    CU_ASSERT_EQUAL(grt_time_of_double(1.0000000001), 2);
    CU_ASSERT_EQUAL(grt_time_of_double(2.5), 3);
    CU_ASSERT_EQUAL(grt_time_of_double(0x1p53), INT64_C(1) << 53);
    CU_ASSERT_EQUAL(grt_time_of_double(0x1.fffffffffffffp51), INT64_C(1) << 52);
    CU_ASSERT_EQUAL(grt_time_of_double(1e18), GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(grt_time_of_double(nextafter(1e18, 0)), GRT_TIME_LIMIT - 128);
    CU_ASSERT_EQUAL(grt_time_of_double(1.1e18), GRT_TIME_LIMIT);
    CU_ASSERT_EQUAL(grt_time_of_double((double)INFINITY), GRT_TIME_LIMIT);
}

/* --- Texts. */

static void writes_known_spans(void) {
    static const struct {
        grt_time span;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {1, "1ns"},
        {-1, "-1ns"},
        {999, "999ns"},
        {1000, "1us"},
        {1001, "1.001us"},
        {1010, "1.01us"},
        {250000, "250us"},
        {999999, "999.999us"},
        {1000000, "1ms"},
        {1500000, "1.5ms"},
        {-33333333, "-33.333333ms"},
        {999999999, "999.999999ms"},
        {1000000000, "1s"},
        {1000000001, "1.000000001s"},
        {-1200000000, "-1.2s"},
        {60000000000, "60s"},
        {3600000000000, "3600s"},
        {GRT_TIME_LIMIT, "1000000000s"},
        {-GRT_TIME_LIMIT, "-1000000000s"},
        {GRT_TIME_LIMIT - 1, "999999999.999999999s"},
        {INT64_MAX, "9223372036.854775807s"},
        {INT64_MIN, "-9223372036.854775808s"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[GRT_TIME_TEXT_SIZE];
        CU_ASSERT_PTR_EQUAL(grt_time_text(cases[i].span, text), text);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
    }
}

/* The text of a positive span, made in another way: all digits of a unit, then zeros and the point are taken away. */
static void write_plainly(grt_time span, char *text) {
    const char *unit = span < 1000 ? "ns" : span < 1000000 ? "us" : span < 1000000000 ? "ms" : "s";
    int places = span < 1000 ? 0 : span < 1000000 ? 3 : span < 1000000000 ? 6 : 9;
    char digits[32];
    int count = snprintf(digits, sizeof digits, "%lld", (long long)span);
    int used = sprintf(text, "%.*s.%s", count - places, digits, digits + count - places);
    while (text[used - 1] == '0') {
        used--;
    }
    used -= text[used - 1] == '.';
    strcpy(text + used, unit);
}

static void writes_random_spans(void) {
    struct grt_random random = grt_random_stream(1, "test time", 1, 0);
    unsigned wrong = 0;
    for (int i = 0; i < 30000; i++) {
        char text[GRT_TIME_TEXT_SIZE], expected[64] = "-";
        grt_time span = random_magnitude(&random), round = 1;
        for (uint64_t zeros = grt_random_below(&random, 10); zeros > 0; zeros--) {
            round *= 10;
        }
        span -= span > round ? span % round : 0;
        if (span == 0) {
            continue;
        }
        write_plainly(span, expected + 1);
        wrong += strcmp(grt_time_text(span, text), expected + 1) != 0;
        wrong += strcmp(grt_time_text(-span, text), expected) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the limit is safe", the_limit_is_safe},
        {"converts known work", converts_known_work},
        {"converts random work", converts_random_work},
        {"converts doubles", converts_doubles},
        {"writes known spans", writes_known_spans},
        {"writes random spans", writes_random_spans},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("time", tests);
}
