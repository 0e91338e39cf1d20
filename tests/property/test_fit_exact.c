/* labels: soak */
/* A device without noise is found again: every parameter exactly, or to its clock's step; one with noise inside of its intervals, in 95 of 100 runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/suite.h"
#include "tests/support/synthetic_device.h"

static struct raw_samples samples;

struct truth {
    const char *name;
    double value;
};

enum { TRUTHS = 18 };

static void truths_of(const struct synthetic_device *device, struct truth truths[TRUTHS]) {
    const struct truth all[TRUTHS] = {
        {"kernel_launch", (double)device->launch},
        {"launch_call", (double)device->launch_call},
        {"launch_gap", (double)device->gap},
        {"sync_return", (double)device->sync_return},
        {"copy_latency", (double)device->copy_latency},
        {"h2d_bandwidth", (double)device->h2d},
        {"d2h_bandwidth", (double)device->d2h},
        {"memory_bandwidth", (double)device->memory},
        {"pageable_percent", (double)device->pageable_percent},
        {"early_return", (double)device->early_return},
        {"copy_engines", (double)device->copy_engines},
        {"priority_levels", (double)device->priority_levels},
        {"sm_frequency", (double)device->cycles_per_second},
        {"clock_offset", (double)device->clock_offset},
        {"fma: split_overhead", (double)device->split_overhead},
        {"fma beside triad on %d and %d SMs: slowdown", device->slowdown},
        {"triad beside fma on %d and %d SMs: slowdown", 1},
        {"fma: block_time", 0},
    };
    memcpy(truths, all, sizeof all);
    double threads = (double)device->per_sm * 256;
    truths[TRUTHS - 1].value =
        round((double)device->block_time * (threads > device->capacity ? threads / device->capacity : 1));
}

static const struct grt_finding *find(const struct grt_fit *fit, const char *name) {
    char text[200];
    int half = fit->raw->device.sm_count / 2;
    if (strchr(name, '%') != NULL) {
        const char *other = strstr(name, "triad beside") != NULL ? "triad beside fma" : "fma beside triad";
        snprintf(text, sizeof text, "%s on %d and %d SMs: slowdown", other, half, half);
        name = text;
    }
    return grt_fit_find(fit, name);
}

static const struct grt_fit *measure(const struct synthetic_device *device, struct grt_random *random) {
    synthetic_measure(device, &samples, random);
    return grt_fit_all(&samples.raw, &samples.arena);
}

static bool is_near(double value, double truth, double step) {
    return fabs(value - truth) <= step + 1e-9 * fabs(truth);
}

/* Steps of clocks hide a little of times; bandwidths and counts come back all the same. */
static void check_exact(const struct synthetic_device *device, const struct grt_fit *fit) {
    struct truth truths[TRUTHS];
    truths_of(device, truths);
    double steps =
        (double)(device->timer_step > device->event_step ? device->timer_step : device->event_step) - 1;
    for (int i = 0; i < TRUTHS; i++) {
        const struct grt_finding *finding = find(fit, truths[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
        if (finding->status > GRT_FINDING_TOLD) {
            printf("\n%s: %s", finding->name, finding->why);
        }
        CU_ASSERT_FATAL(finding->status <= GRT_FINDING_TOLD);
        bool rounded_up =
            strcmp(truths[i].name, "copy_latency") == 0; /* to a ns, together with the bytes' time */
        double step = finding->unit == GRT_UNIT_NS ? 2 * steps + rounded_up : truths[i].value * steps * 4e-5;
        if (!is_near(finding->value, truths[i].value, step) ||
            finding->low > truths[i].value + 1e-9 * fabs(truths[i].value) + 1e-6 ||
            finding->high < truths[i].value - 1e-9 * fabs(truths[i].value) - 1e-6) {
            printf("\n%s: %.12g in %.12g to %.12g, not %.12g", finding->name, finding->value, finding->low,
                   finding->high, truths[i].value);
            CU_FAIL("a parameter did not come back");
        }
    }
}

static const char *word_of(const struct grt_fit *fit, const char *name) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    return finding != NULL && finding->word != NULL ? finding->word : "";
}

static void check_words(const struct synthetic_device *device, const struct grt_fit *fit) {
    static const char *const orders[] = {"ascending", "tpc_first"};
    static const char *const rules[] = {"most_room", "round_robin", "first_fit"};
    if (device->placement.placement == GRT_PLACEMENT_FIRST_FIT && device->per_sm == 1) {
        return; /* every rule is the same then */
    }
    CU_ASSERT_STRING_EQUAL(word_of(fit, "sm_order"), orders[device->placement.sm_order]);
    const char *word = word_of(fit, "placement"), *rule = rules[device->placement.placement];
    const char *how = grt_fit_find(fit, "placement")->how;
    CU_ASSERT(strcmp(word, rule) == 0 || strstr(how, rule) != NULL); /* or it agrees as well */
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "placement")->residual, 0, 0);
}

static void check_curves(const struct synthetic_device *device, const struct grt_fit *fit) {
    static const char *const errors[] = {"fma: kernel_time_error", "fma: kernel_time_error_closed"};
    for (int i = 0; i < 2; i++) {
        const struct grt_finding *error = grt_fit_find(fit, errors[i]);
        CU_ASSERT(error->value < 100 * (1e-6 + 2 * (double)device->timer_step / (double)device->block_time));
        CU_ASSERT(error->unit == GRT_UNIT_PERCENT && isnan(error->low) && isnan(error->high));
    }
    const struct grt_fitted_workload *fma = &fit->workloads[0];
    CU_ASSERT(fma->block_time_count > 0 && fma->share_factor_count > 0);
    for (size_t i = 0; i < fma->share_factor_count; i++) {
        double share = (double)fma->share_factors[i].share;
        CU_ASSERT(fabs(fma->share_factors[i].factor / (100 / share) - 1) < 0.001);
    }
}

static void default_device_comes_back(void) {
    struct grt_random random = grt_random_stream(1, "fit", 0, 0);
    struct synthetic_device device = synthetic_default();
    const struct grt_fit *fit = measure(&device, &random);
    check_exact(&device, fit);
    check_words(&device, fit);
    check_curves(&device, fit);
    CU_ASSERT_EQUAL(fit->warning_count, 0);
    for (size_t i = 0; i < fit->finding_count; i++) {
        CU_ASSERT_PTR_NOT_NULL(fit->findings[i].status >= GRT_FINDING_REFUSED ? fit->findings[i].why
                                                                              : fit->findings[i].how);
    }
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "timer_step")->value, 1, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "threads_per_core")->value, 8, 0); /* 512 threads, 64 lanes */
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "dispatch_interval")->value, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "refill_gap")->value, 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "priority_wait")->value, 0, 0);
    CU_ASSERT_STRING_EQUAL(grt_fit_find(fit, "priority_wait")->word, "ends of blocks");
}

static void drawn_devices_come_back(void) {
    int cases = grt_suite_cases(25, 2000);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(2, "fit", (uint64_t)i, 0);
        struct synthetic_device device = synthetic_drawn(&random);
        const struct grt_fit *fit = measure(&device, &random);
        check_exact(&device, fit);
        check_words(&device, fit);
        check_curves(&device, fit);
    }
}

/* As on real devices: timers of 32 ns, events of 1.024 us, exchanges that take a while, a clock that drifts. */
static void coarse_clocks_cost_their_step(void) {
    int cases = grt_suite_cases(12, 500);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(3, "fit", (uint64_t)i, 0);
        struct synthetic_device device = synthetic_drawn(&random);
        device.timer_step = 32;
        device.event_step = 1024;
        device.copy_latency += 3000; /* less than a few steps would not be seen */
        device.clock_drift = i % 2 == 0 ? 1e-5 : 0;
        const struct grt_fit *fit = measure(&device, &random);
        CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "timer_step")->value, 32, 0);
        CU_ASSERT_DOUBLE_EQUAL(grt_fit_find(fit, "event_step")->value, 1024, 0.01);
        check_exact(&device, fit);
    }
}

/* ---- noise ---- */

struct covered {
    int inside, runs;
};

/* What noise leaves of a truth: spans are said by their medians, which it shifts; slopes stay. */
static double shifted(const struct synthetic_device *device, const struct truth *truth) {
    static const char *const spans[] = {"kernel_launch", "launch_call",  "launch_gap",
                                        "sync_return",   "copy_latency", "fma: block_time"};
    double shift = synthetic_shift(device);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        if (strcmp(truth->name, spans[i]) == 0) {
            return truth->value + shift;
        }
    }
    if (strstr(truth->name, "split_overhead") != NULL) {
        return truth->value + synthetic_gap_shift(device);
    }
    if (strstr(truth->name, "slowdown") != NULL) { /* of the quotient of two spans */
        double alone = synthetic_half_span(device);
        return (alone * truth->value + shift) / (alone + shift);
    }
    return truth->value;
}

/* Devices with noise, and whether the truth is inside. */
static void count_inside(const struct synthetic_device *device, struct grt_random *random,
                         struct covered covered[TRUTHS]) {
    const struct grt_fit *fit = measure(device, random);
    struct truth truths[TRUTHS];
    truths_of(device, truths);
    for (int k = 0; k < TRUTHS; k++) {
        const struct grt_finding *finding = find(fit, truths[k].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
        double truth = shifted(device, &truths[k]);
        if (finding->status == GRT_FINDING_MEASURED) {
            covered[k].runs++;
            covered[k].inside += finding->low <= truth && truth <= finding->high;
        }
    }
}

/* So few inside are chance in less than one case of 4,000, if 95 % are. */
static double least_inside(int runs) {
    return 0.95 - 3.5 * sqrt(0.95 * 0.05 / runs);
}

/* Findings that are chosen by votes of samples, not estimated: no interval of theirs is a statistic. */
static bool is_estimate(const char *name) {
    return strcmp(name, "early_return") != 0 && strcmp(name, "copy_engines") != 0 &&
           strcmp(name, "priority_levels") != 0;
}

/* Gaps that differ by chance are no cost of splitting: it is refused then, in about one of 8,000 fits (calib/fit/split.c). */
static int most_refused(const char *name, int cases) {
    return strcmp(name, "fma: split_overhead") == 0 ? cases / 500 : 0;
}

static void noise_of(enum synthetic_noise kind, const char *word, size_t count) {
    struct covered covered[TRUTHS] = {{0}};
    int cases = grt_suite_cases(10, 1000);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(4 + kind, "fit", (uint64_t)i, count);
        struct synthetic_device device = synthetic_drawn(&random);
        device.noise = 200;
        device.noise_kind = kind;
        device.samples = count;
        device.round_trip = 1000;
        device.timer_step = i % 2 == 0 ? 32 : 1;
        device.placement.sm_count = 4; /* quick */
        device.per_sm = 2;
        count_inside(&device, &random, covered);
    }
    struct synthetic_device any = synthetic_default();
    struct truth truths[TRUTHS];
    truths_of(&any, truths);
    printf("\n  %s noise, %zu samples", word, count);
    for (int k = 0; k < TRUTHS; k++) {
        double part = (double)covered[k].inside / covered[k].runs;
        if (is_estimate(truths[k].name)) {
            printf("\n    %-50s %.1f %%, %d not measured", truths[k].name, 100 * part,
                   cases - covered[k].runs);
            CU_ASSERT(cases - covered[k].runs <= most_refused(truths[k].name, cases));
            CU_ASSERT(part >= least_inside(cases));
        }
    }
}

static void noise_stays_inside_intervals(void) {
    static const char *const words[] = {"normal", "uniform", "gamma", "exponential"};
    for (int kind = 0; kind < SYNTHETIC_NOISES; kind++) {
        noise_of((enum synthetic_noise)kind, words[kind], 20);
        noise_of((enum synthetic_noise)kind, words[kind], 30);
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"the default device comes back", default_device_comes_back},
        {"drawn devices come back", drawn_devices_come_back},
        {"coarse clocks cost their step", coarse_clocks_cost_their_step},
        {"noise stays inside intervals", noise_stays_inside_intervals},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("fits of known devices", tests);
}
