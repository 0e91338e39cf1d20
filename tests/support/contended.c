#include "tests/support/contended.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400 };

/* h, u, and demand and boundness by enum grt_resource. */
static const struct character {
    double host, utilisation, demand[GRT_RESOURCES], bound[GRT_RESOURCES];
} characters[GRT_CONTENDED] = {
    {.05, .90, {.5, .4, .6, .1, .0}, {.3, .1, .4, .0, .0}},
    {.10, .60, {.6, .2, .2, .5, .0}, {.5, .1, .1, .2, .0}},
    {.02, 1.0, {.9, .2, .1, .3, .0}, {.7, .05, .05, .1, .0}},
    {.15, .50, {.3, .5, .7, .0, .1}, {.1, .2, .6, .0, .05}},
    {.03, .80, {.7, .3, .2, .6, .0}, {.4, .1, .1, .3, .0}},
    {.20, .30, {.2, .2, .3, .0, .4}, {.1, .1, .2, .0, .4}},
    {.08, .70, {.4, .6, .5, .2, .0}, {.2, .4, .3, .05, .0}},
    {.30, .20, {.1, .1, .1, .05, .0}, {.3, .1, .2, .0, .0}},
    {.05, .95, {.4, .5, .8, .1, .2}, {.1, .2, .6, .0, .1}},
    {.12, .40, {.3, .3, .4, .1, .3}, {.2, .2, .3, .05, .2}},
};

static const double latency[GRT_RESOURCES] = {.15, .3, .5, .1, .15};

struct grt_usage grt_contended_usage(size_t number) {
    const struct character *character = &characters[number];
    struct grt_usage usage = {.host_fraction = character->host, .sm_utilisation = character->utilisation};
    memcpy(usage.demand, character->demand, sizeof usage.demand);
    memcpy(usage.bound, character->bound, sizeof usage.bound);
    const double *d = usage.demand, part = .5 + .04 * (double)number;
    const double counters[GRT_INDICATORS] = {
        3e10 * d[0],
        5e8 * usage.sm_utilisation,
        4e9 * part * d[1],
        4e9 * (1 - part) * d[1],
        2e9 * part * d[2],
        2e9 * (1 - part) * d[2],
        8e9 * .7 * d[3],
        8e9 * .3 * d[3],
        2e8 * (double)(number % 3) * d[3],
        1e8 * (double)(number % 2) * d[3],
        3e9 * d[4],
    };
    memcpy(usage.counters, counters, sizeof counters);
    return usage;
}

double grt_contended_time(size_t number) {
    return 1e9 * (.3 + .2 * (double)number);
}

static double on_the_sms(const struct character *one, int64_t share) {
    return fmax(1, 100 * one->utilisation / (double)share);
}

/* The speed that follows from the others' speeds. */
static double next_speed(const struct character *one, int64_t share, double speed, const double *load) {
    double slower = 1;
    for (size_t r = 0; r < GRT_RESOURCES; r++) {
        double foreign = load[r] - speed * one->demand[r];
        slower += one->bound[r] * (fmax(1, load[r]) * (1 + latency[r] * foreign) - 1);
    }
    return 1 / (one->host + (1 - one->host) * on_the_sms(one, share) * pow(slower, .9));
}

void grt_contended_speeds(const size_t *numbers, const int64_t *shares, size_t count, double *speeds) {
    for (size_t i = 0; i < count; i++) {
        const struct character *one = &characters[numbers[i]];
        speeds[i] = 1 / (one->host + (1 - one->host) * on_the_sms(one, shares[i]));
    }
    double moved = 1;
    for (int round = 0; round < ROUNDS && moved > 1e-12; round++) {
        double load[GRT_RESOURCES] = {0}, next[GRT_CONTENDED];
        for (size_t i = 0; i < count; i++) {
            for (size_t r = 0; r < GRT_RESOURCES; r++) {
                load[r] += speeds[i] * characters[numbers[i]].demand[r];
            }
        }
        moved = 0;
        for (size_t i = 0; i < count; i++) {
            next[i] = (speeds[i] + next_speed(&characters[numbers[i]], shares[i], speeds[i], load)) / 2;
            moved = fmax(moved, fabs(next[i] - speeds[i]));
        }
        memcpy(speeds, next, count * sizeof *speeds);
    }
}

static int by_value(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Cuts 100 at different random places. */
static void partition(struct grt_random *random, int64_t *shares, size_t parts) {
    int64_t cuts[GRT_CONTENDED + 2] = {0};
    for (size_t i = 1; i < parts;) {
        cuts[i] = 1 + (int64_t)grt_random_below(random, 99);
        bool new = true;
        for (size_t j = 1; j < i; j++) {
            new = new &&cuts[j] != cuts[i];
        }
        i += new ? 1 : 0;
    }
    cuts[parts] = 100;
    qsort(cuts, parts + 1, sizeof *cuts, by_value);
    for (size_t i = 0; i < parts; i++) {
        shares[i] = cuts[i + 1] - cuts[i];
    }
}

static double normal(struct grt_random *random) {
    double radius = sqrt(-2 * log(1 - grt_random_uniform(random)));
    return radius * cos(6.283185307179586 * grt_random_uniform(random));
}

static struct grt_sample sample(struct grt_random *random, size_t number, double noise) {
    size_t numbers[GRT_CONTENDED], count = 1;
    int64_t shares[GRT_CONTENDED + 1];
    double speeds[GRT_CONTENDED];
    struct grt_sample result = {.share = 0};
    numbers[0] = number;
    uint64_t density = grt_random_below(random, 101);
    for (size_t i = 0; i < GRT_CONTENDED; i++) {
        if (i != number && grt_random_below(random, 100) < density) {
            numbers[count++] = i;
        }
    }
    partition(random, shares, count + (size_t)grt_random_below(random, 2));
    grt_contended_speeds(numbers, shares, count, speeds);
    for (size_t i = 1; i < count; i++) {
        struct grt_usage usage = grt_contended_usage(numbers[i]);
        for (size_t k = 0; k < GRT_INDICATORS; k++) {
            result.indicators[k] += speeds[i] * usage.counters[k];
        }
    }
    result.share = shares[0];
    result.time = grt_contended_time(number) / speeds[0] * (1 + noise * normal(random));
    return result;
}

void grt_contended_samples(struct grt_random *random, size_t number, double noise, struct grt_sample *samples,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        samples[i] = sample(random, number, noise);
    }
}
