#include "scenarios/generate/periods.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/elementary.h"
#include "sim/memory.h"

const char *const grt_period_method_names[] = {"uniform",    "log-uniform",      "divisors",
                                               "automotive", "automotive-equal", NULL};

/* Kramer, Ziegenbein, Hamann: Real world automotive benchmarks for free, WATERS 2015: percent of an engine control's runnables. The 15
 * percent that come with the crankshaft's angle are left out. */
static const struct {
    grt_time period;
    uint64_t percent;
} bins[] = {{1 * GRT_MILLISECOND, 3},    {2 * GRT_MILLISECOND, 2},   {5 * GRT_MILLISECOND, 2},
            {10 * GRT_MILLISECOND, 25},  {20 * GRT_MILLISECOND, 25}, {50 * GRT_MILLISECOND, 3},
            {100 * GRT_MILLISECOND, 20}, {200 * GRT_MILLISECOND, 1}, {1000 * GRT_MILLISECOND, 4}};

enum { BINS = sizeof bins / sizeof bins[0], ALL_PERCENT = 85, LARGEST_PRIME_SOUGHT = 1000000 };

static const struct grt_path root; /* of the specification */

/* ---- Divisors ---- */

static int compare(const void *left, const void *right) {
    const grt_time *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Divisors in the making: `items` has room for `capacity`. */
struct divisors {
    grt_time *items;
    uint32_t count, capacity;
    grt_time most; /* larger ones are left out */
};

/* With the prime's powers up to `exponent`: every divisor so far, times each of them. */
static void multiply(struct divisors *divisors, grt_time prime, unsigned exponent) {
    uint32_t before = divisors->count;
    grt_time power = 1;
    for (unsigned e = 1; e <= exponent && power <= divisors->most / prime; e++) {
        power *= prime;
        for (uint32_t i = 0; i < before; i++) {
            if (divisors->items[i] <= divisors->most / power) {
                if (divisors->count == divisors->capacity) {
                    divisors->items = grt_array_grow(divisors->items, &divisors->capacity,
                                                     divisors->count + 1, sizeof *divisors->items);
                }
                divisors->items[divisors->count++] = divisors->items[i] * power;
            }
        }
    }
}

/* All divisors of a number up to `most`. Returns false where two of its primes may be above LARGEST_PRIME_SOUGHT. */
static bool find_divisors(grt_time number, struct divisors *divisors) {
    divisors->items = grt_array_grow(NULL, &divisors->capacity, 1, sizeof *divisors->items);
    divisors->items[divisors->count++] = 1;
    for (grt_time prime = 2; prime <= LARGEST_PRIME_SOUGHT && prime * prime <= number; prime++) {
        unsigned exponent = 0;
        while (number % prime == 0) {
            number /= prime;
            exponent++;
        }
        if (exponent > 0) {
            multiply(divisors, prime, exponent);
        }
    }
    if (number > 1) {
        multiply(divisors, number, 1);
    }
    return number <= (grt_time)LARGEST_PRIME_SOUGHT * LARGEST_PRIME_SOUGHT;
}

static bool prepare_divisors(const struct grt_period_spec *spec, struct grt_periods *periods,
                             struct grt_errors *errors) {
    char hyperperiod[GRT_TIME_TEXT_SIZE], granularity[GRT_TIME_TEXT_SIZE];
    grt_time_text(spec->hyperperiod, hyperperiod);
    grt_time_text(spec->granularity, granularity);
    const struct grt_path path = {.parent = &root, .key = "periods"};
    if (spec->hyperperiod <= 0 || spec->hyperperiod > GRT_TIME_LIMIT ||
        spec->hyperperiod % spec->granularity != 0) {
        grt_error_add(errors, &path,
                      "the hyperperiod must be a multiple of the granularity, %s, and at most %" PRId64
                      "s (got %s)",
                      granularity, GRT_TIME_LIMIT / GRT_SECOND, hyperperiod);
        return false;
    }
    struct divisors divisors = {.most = periods->last};
    if (!find_divisors(spec->hyperperiod / spec->granularity, &divisors)) {
        grt_error_add(errors, &path, "%s is the product of primes above a million: it has no divisors of use",
                      hyperperiod);
        free(divisors.items);
        return false;
    }
    qsort(divisors.items, divisors.count, sizeof *divisors.items, compare);
    size_t kept = 0;
    for (uint32_t i = 0; i < divisors.count; i++) {
        if (divisors.items[i] >= periods->first) {
            divisors.items[kept++] = divisors.items[i] * spec->granularity;
        }
    }
    periods->choices = divisors.items;
    periods->choice_count = kept;
    if (kept == 0) {
        char least[GRT_TIME_TEXT_SIZE], most[GRT_TIME_TEXT_SIZE];
        grt_error_add(errors, &path, "%s has no divisor from %s to %s that is a multiple of %s", hyperperiod,
                      grt_time_text(spec->least, least), grt_time_text(spec->most, most), granularity);
        free(divisors.items);
    }
    return kept > 0;
}

/* ---- Preparing ---- */

static bool prepare_range(const struct grt_period_spec *spec, struct grt_periods *periods,
                          struct grt_errors *errors) {
    char least[GRT_TIME_TEXT_SIZE], most[GRT_TIME_TEXT_SIZE], granularity[GRT_TIME_TEXT_SIZE];
    grt_time_text(spec->least, least);
    grt_time_text(spec->most, most);
    const struct grt_path path = {.parent = &root, .key = "periods"};
    if (spec->least <= 0 || spec->most > GRT_TIME_LIMIT) {
        grt_error_add(errors, &path, "must be above 0 and at most %" PRId64 "s (got %s to %s)",
                      GRT_TIME_LIMIT / GRT_SECOND, least, most);
        return false;
    }
    if (spec->least > spec->most) {
        grt_error_add(errors, &path, "the shortest, %s, is longer than the longest, %s", least, most);
        return false;
    }
    periods->first = (spec->least - 1) / spec->granularity + 1;
    periods->last = spec->most / spec->granularity;
    if (periods->first > periods->last) {
        grt_error_add(errors, &path, "no multiple of the granularity, %s, is from %s to %s",
                      grt_time_text(spec->granularity, granularity), least, most);
        return false;
    }
    periods->log_ratio =
        grt_elementary_log((double)(periods->last + 1)) - grt_elementary_log((double)periods->first);
    return true;
}

bool grt_periods_prepare(const struct grt_period_spec *spec, struct grt_periods *periods,
                         struct grt_errors *errors) {
    *periods = (struct grt_periods){.method = spec->method, .granularity = spec->granularity};
    char text[GRT_TIME_TEXT_SIZE];
    const struct grt_path path = {.parent = &root, .key = "periods"};
    const struct grt_path granularity = {.parent = &root, .key = "granularity"};
    if (spec->granularity <= 0 || spec->granularity > GRT_TIME_LIMIT) {
        grt_error_add(errors, &granularity, "must be above 0 and at most %" PRId64 "s (got %s)",
                      GRT_TIME_LIMIT / GRT_SECOND, grt_time_text(spec->granularity, text));
        return false;
    }
    switch (spec->method) {
    case GRT_PERIODS_UNIFORM:
    case GRT_PERIODS_LOG_UNIFORM:
        return prepare_range(spec, periods, errors);
    case GRT_PERIODS_DIVISORS:
        return prepare_range(spec, periods, errors) && prepare_divisors(spec, periods, errors);
    case GRT_PERIODS_AUTOMOTIVE:
    case GRT_PERIODS_AUTOMOTIVE_EQUAL:
        return true;
    default:
        grt_error_add(errors, &path, "unknown method %" PRId64, spec->method);
        return false;
    }
}

/* ---- Drawing ---- */

static int64_t draw_log_uniform(const struct grt_periods *periods, struct grt_random *random) {
    double ratio = grt_elementary_exp(grt_random_uniform(random) * periods->log_ratio);
    double multiple = floor((double)periods->first * ratio);
    return multiple < (double)periods->last ? (int64_t)multiple : periods->last;
}

static grt_time draw_automotive(struct grt_random *random) {
    uint64_t percent = grt_random_below(random, ALL_PERCENT);
    size_t bin = 0;
    for (; percent >= bins[bin].percent; bin++) {
        percent -= bins[bin].percent;
    }
    return bins[bin].period;
}

grt_time grt_periods_draw(const struct grt_periods *periods, struct grt_random *random) {
    switch (periods->method) {
    case GRT_PERIODS_UNIFORM: {
        uint64_t multiples = (uint64_t)(periods->last - periods->first) + 1;
        return (periods->first + (int64_t)grt_random_below(random, multiples)) * periods->granularity;
    }
    case GRT_PERIODS_LOG_UNIFORM:
        return draw_log_uniform(periods, random) * periods->granularity;
    case GRT_PERIODS_DIVISORS:
        return periods->choices[grt_random_below(random, periods->choice_count)];
    case GRT_PERIODS_AUTOMOTIVE:
        return draw_automotive(random);
    default:
        return bins[grt_random_below(random, BINS)].period;
    }
}

grt_time grt_periods_least(const struct grt_periods *periods) {
    if (periods->choices != NULL) {
        return periods->choices[0];
    }
    return periods->first > 0 ? periods->first * periods->granularity : bins[0].period;
}

grt_time grt_periods_most(const struct grt_periods *periods) {
    if (periods->choices != NULL) {
        return periods->choices[periods->choice_count - 1];
    }
    return periods->first > 0 ? periods->last * periods->granularity : bins[BINS - 1].period;
}
