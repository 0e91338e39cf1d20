/* labels: soak */
/* A pretended device is measured through its driver without noise, once; then every visit of a cell is off by a noise of its own, and every sample by another one. Intervals hold the truth in 95 of
 * 100 cases: that of the device, or what is found without noise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_randist.h>

#include "calib/fit/fit.h"
#include "sim/random_gsl.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

static struct grt_arena arena, drawn_arena;

/* Columns that are off, each by itself. */
static const char *const noisy_columns[] = {"elapsed_ns", "first_ns", "second_ns", "together_ns",
                                            "span_ns",    "wait_ns",  "cycles"};
enum { NOISY_COLUMNS = sizeof noisy_columns / sizeof noisy_columns[0] };

/* Deviations, ns; and whether blocks begin one after the other, or wait for others' ends. */
struct noise {
    double visit, sample;
    bool begins_late;
};

static void spec_of(struct grt_pretend_spec *spec) {
    grt_measured_spec(4, spec);
    spec->device.copy_latency = 6000;
    spec->device.h2d_bytes_per_second = 2000000000;
    spec->device.d2h_bytes_per_second = 1500000000;
    spec->device.memory_bytes_per_second = INT64_C(8000000000);
    spec->device.pageable_percent = 50;
    spec->device.early_return_bytes = 65536;
    spec->sync_return = 5000;
    spec->copy_call = 2000;
}

static struct grt_raw *measure(const struct grt_pretend_spec *spec, uint32_t samples) {
    struct grt_plan plan = grt_measured_plan();
    plan.experiments = UINT32_C(1) << GRT_EXPERIMENT_COPY | UINT32_C(1) << GRT_EXPERIMENT_ENGINES |
                       UINT32_C(1) << GRT_EXPERIMENT_DISPATCH | UINT32_C(1) << GRT_EXPERIMENT_CLOCK |
                       UINT32_C(1) << GRT_EXPERIMENT_PARTITION | UINT32_C(1) << GRT_EXPERIMENT_PRIORITY;
    plan.least_samples = plan.most_samples = samples;
    plan.workloads[0] = "fma";
    plan.workload_count = 1;
    char path[] = GRT_SCRATCH_DIR "/raw-XXXXXX";
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    const struct grt_measured_run run = {
        .spec = spec, .engine = &grt_engine_model, .plan = &plan, .path = path};
    grt_arena_clear(&arena);
    struct grt_raw *raw = grt_measured(&run, &arena, NULL);
    remove(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

/* ---- noise ---- */

/* How far each sample of a cell is off. Blocks of a launch, which follow one another in the cell, are off together. */
static double *draw_offs(const struct grt_raw_cell *cell, const struct noise *noise, size_t launch,
                         struct grt_random *random) {
    gsl_rng rng = grt_random_gsl(random);
    double *offs = grt_arena_array(&drawn_arena, cell->count, sizeof *offs);
    double visit = 0, own = 0;
    for (size_t i = 0; i < cell->count; i++) {
        if (i == 0 || (cell->visits != NULL && cell->visits[i] != cell->visits[i - 1])) {
            visit = gsl_ran_gaussian(&rng, noise->visit);
        }
        own = i % launch == 0 ? gsl_ran_gaussian(&rng, noise->sample) : own;
        offs[i] = visit + own;
    }
    return offs;
}

static bool is_noisy(const char *name) {
    for (size_t i = 0; i < NOISY_COLUMNS; i++) {
        if (strcmp(name, noisy_columns[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Blocks behind the first wave begin and end so much later, or each block so much later than the one before; and by what the launch is off. */
#define GAP_NS 2000.0
#define INTERVAL_NS 50.0

static double later(const int64_t *start, const int64_t *order, size_t block, int64_t first_end, double off,
                    const struct noise *noise) {
    static const double part = 0.01; /* of the noise of a kernel, for each block */
    if (noise->begins_late) {
        return (double)order[block] * (INTERVAL_NS + part * off);
    }
    int64_t wave = start[block] / first_end;
    return (double)wave * (GAP_NS + off);
}

static int64_t *column_of(struct grt_raw_cell *cell, const char *name) {
    for (size_t c = 0; c < cell->column_count; c++) {
        if (strcmp(cell->columns[c].name, name) == 0) {
            int64_t *copy = grt_arena_array(&drawn_arena, cell->count, sizeof *copy);
            memcpy(copy, cell->columns[c].values, cell->count * sizeof *copy);
            cell->columns[c].values = copy;
            return copy;
        }
    }
    CU_FAIL_FATAL("a column is missing");
    return NULL;
}

static void delay_blocks(struct grt_raw_cell *cell, const double *offs, const struct noise *noise) {
    size_t blocks = (size_t)grt_raw_number(cell, "blocks", 1);
    int64_t *start = column_of(cell, "start_ns"), *end = column_of(cell, "end_ns");
    const int64_t *order = column_of(cell, "order");
    for (size_t first = 0; first + blocks <= cell->count; first += blocks) {
        int64_t first_end = INT64_MAX;
        for (size_t i = first; i < first + blocks; i++) {
            first_end = end[i] < first_end ? end[i] : first_end;
        }
        for (size_t i = first; i < first + blocks; i++) {
            int64_t delay = llround(later(start, order, i, first_end, offs[first], noise));
            start[i] += delay;
            end[i] += delay;
        }
    }
}

/* All copies take so much longer: noise makes no time of one negative. */
#define LONGER_NS 3000.0

static void disturb(struct grt_raw_cell *cell, const struct noise *noise, struct grt_random *random) {
    const char *what = grt_raw_text(cell, "what");
    if (strcmp(cell->experiment, "dispatch") == 0) {
        size_t launch = (size_t)grt_raw_number(cell, "blocks", 1);
        delay_blocks(cell, draw_offs(cell, noise, launch, random), noise);
    } else if (what == NULL || strcmp(what, "frequency") == 0) {
        for (size_t c = 0; c < cell->column_count; c++) {
            if (is_noisy(cell->columns[c].name)) {
                const double *offs = draw_offs(cell, noise, 1, random);
                double longer = strcmp(cell->experiment, "copy") == 0 ? LONGER_NS : 0;
                int64_t *values = column_of(cell, cell->columns[c].name);
                for (size_t i = 0; i < cell->count; i++) {
                    values[i] += llround(longer + offs[i]);
                }
            }
        }
    }
}

static const struct grt_fit *fit_with_noise(const struct grt_raw *raw, const struct noise *noise,
                                            struct grt_random *random) {
    grt_arena_clear(&drawn_arena);
    struct grt_raw *noisy = grt_arena_new(&drawn_arena, struct grt_raw);
    struct grt_raw_cell *cells = grt_arena_array(&drawn_arena, raw->cell_count, sizeof *cells);
    *noisy = *raw;
    noisy->cells = cells;
    for (size_t i = 0; i < raw->cell_count; i++) {
        cells[i] = raw->cells[i];
        disturb(&cells[i], noise, random);
    }
    return grt_fit_all(noisy, &drawn_arena);
}

/* ---- what is inside ---- */

static const struct {
    const char *name;
    double truth; /* not a number: what is found without noise */
    enum { ALWAYS, GAPS, INTERVALS } when;
} truths[] = {
    {"copy_latency", 6000 + LONGER_NS, ALWAYS},
    {"h2d_bandwidth", 2e9, ALWAYS},
    {"d2h_bandwidth", 1.5e9, ALWAYS},
    {"memory_bandwidth", 8e9, ALWAYS},
    {"pageable_percent", 50, ALWAYS},
    {"h2d pinned: slowdown beside opposite", 1, ALWAYS},
    {"d2h pinned: slowdown beside kernel", 1, ALWAYS},
    {"h2d and d2h: overlap", NAN, ALWAYS},
    {"sm_frequency", NAN, ALWAYS},
    {"priority_wait", NAN, ALWAYS},
    {"fma: partition", NAN, ALWAYS},
    {"refill_gap", GAP_NS, GAPS},
    {"dispatch_interval", INTERVAL_NS, INTERVALS},
};
enum { TRUTHS = sizeof truths / sizeof truths[0], VISIT = 5 /* samples */ };

static const struct grt_finding *find(const struct grt_fit *fit, const char *name) {
    const struct grt_finding *finding = grt_fit_find(fit, name);
    if (finding == NULL || finding->status != GRT_FINDING_MEASURED) {
        printf("\n%s: %s", name, finding != NULL ? finding->why : "no finding");
    }
    CU_ASSERT_FATAL(finding != NULL && finding->status == GRT_FINDING_MEASURED);
    return finding;
}

static bool is_asked(int number, const struct noise *noise) {
    return truths[number].when != (noise->begins_late ? GAPS : INTERVALS);
}

static void expect_inside(const struct noise *noise, uint32_t samples, uint64_t seed, int few, int many) {
    struct grt_pretend_spec spec;
    spec_of(&spec);
    const struct grt_raw *raw = measure(&spec, samples);
    const struct grt_fit *quiet = grt_fit_all(raw, &arena);
    int inside[TRUTHS] = {0}, said[TRUTHS] = {0}, cases = grt_suite_cases(few, many);
    for (int i = 0; i < cases; i++) {
        struct grt_random random = grt_random_stream(seed, "visit noise", (uint64_t)i, samples);
        const struct grt_fit *fit = fit_with_noise(raw, noise, &random);
        for (int k = 0; k < TRUTHS; k++) {
            const struct grt_finding *finding = find(fit, truths[k].name);
            double truth = isnan(truths[k].truth) ? find(quiet, truths[k].name)->value : truths[k].truth;
            bool none =
                isnan(finding->low) && isnan(finding->high); /* one visit of one cell allows no interval */
            CU_ASSERT(!none || samples == VISIT);
            said[k] += !none;
            inside[k] += finding->low <= truth && truth <= finding->high;
        }
    }
    printf("\n  visits %.0f ns, samples %.0f ns, %u samples", noise->visit, noise->sample, (unsigned)samples);
    for (int k = 0; k < TRUTHS; k++) {
        if (is_asked(k, noise) && said[k] > 0) {
            double part = (double)inside[k] / said[k];
            printf("\n    %-40s %.1f %% of %d", truths[k].name, 100 * part, said[k]);
            CU_ASSERT(part >= 0.95 - 3.5 * sqrt(0.95 * 0.05 / said[k]));
        } else if (is_asked(k, noise)) {
            printf("\n    %-40s no interval", truths[k].name);
        }
    }
}

static void visits_are_off_together(void) {
    const struct noise noise = {500, 100, false}, late = {500, 100, true};
    expect_inside(&noise, 30, 1, 10, 300);
    expect_inside(&late, 60, 2, 6, 300);
}

static void samples_are_off_by_themselves(void) {
    const struct noise noise = {0, 300, false};
    expect_inside(&noise, 30, 3, 10, 300);
}

static void a_few_visits(void) {
    const struct noise noise = {300, 300, false};
    expect_inside(&noise, 15, 4, 10, 300);
}

static void one_visit(void) {
    const struct noise noise = {300, 100, false};
    expect_inside(&noise, VISIT, 5, 10, 300);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"visits are off together", visits_are_off_together},
        {"samples are off by themselves", samples_are_off_by_themselves},
        {"a few visits", a_few_visits},
        {"one visit", one_visit},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("fits of visits with noise", tests);
    grt_arena_clear(&arena);
    grt_arena_clear(&drawn_arena);
    return result;
}
