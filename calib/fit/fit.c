#include "calib/fit/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/build.h"
#include "calib/raw/drops.h"

enum { MOST_NAMES = 7 };

/* What an experiment's samples would say, and which field of a device file that is. */
struct promised {
    const char *name, *field;
};

static const struct {
    const char *experiment;
    void (*fit)(struct grt_fit_build *build);
    struct promised promised[MOST_NAMES]; /* said to be missing where there are no samples */
} experiments[] = {
    {"clock",
     grt_fit_clocks,
     {{"timer_step", NULL}, {"event_step", NULL}, {"clock_offset", NULL}, {"sm_frequency", NULL}}},
    {"launch",
     grt_fit_launch,
     {{"kernel_launch", "kernel_launch"},
      {"launch_call", NULL},
      {"launch_gap", NULL},
      {"sync_return", NULL}}},
    {"residency", grt_fit_residency, {{"residency", NULL}}},
    {"dispatch",
     grt_fit_dispatch,
     {{"sm_order", "sm_order"},
      {"placement", "placement"},
      {"dispatch_interval", NULL},
      {"refill_gap", NULL}}},
    {"coresidency", grt_fit_coresidency, {{"block_time", NULL}, {"threads_per_core", "threads_per_core"}}},
    {"waves", grt_fit_waves, {{"kernel_time_error", NULL}}},
    {"split", grt_fit_split, {{"split_overhead", NULL}}},
    {"copy",
     grt_fit_copies,
     {{"copy_latency", "copy_latency"},
      {"h2d_bandwidth", "h2d_bandwidth"},
      {"d2h_bandwidth", "d2h_bandwidth"},
      {"memory_bandwidth", "memory_bandwidth"},
      {"pageable_percent", "pageable_percent"},
      {"early_return", "early_return"}}},
    {"engines", grt_fit_engines, {{"copy_engines", "copy_engines"}}},
    {"priority", grt_fit_priority, {{"priority_levels", "priority_levels"}, {"priority_wait", NULL}}},
    {"partition", grt_fit_partition, {{"partition", NULL}}},
    {"together", grt_fit_together, {{"slowdowns", "slowdowns"}}},
    {"worst", grt_fit_worst, {{"worst", NULL}}},
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static bool is_found(const struct grt_fit_build *build, const char *name) {
    for (uint32_t i = 0; i < build->finding_count; i++) {
        if (strcmp(build->findings[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Names in which numbers are compared as numbers: "2 SMs" is before "10 SMs". */
static int compare_names(const char *a, const char *b) {
    static const char digits[] = "0123456789";
    while (*a != '\0' && *b != '\0') {
        size_t of_a = strspn(a, digits), of_b = strspn(b, digits);
        bool numbers = of_a > 0 && of_b > 0;
        unsigned long one = numbers ? strtoul(a, NULL, 10) : (unsigned char)*a;
        unsigned long other = numbers ? strtoul(b, NULL, 10) : (unsigned char)*b;
        if (one != other) {
            return one < other ? -1 : 1;
        }
        a += numbers ? of_a : 1;
        b += numbers ? of_b : 1;
    }
    return (*a != '\0') - (*b != '\0');
}

static int by_name(const void *a, const void *b) {
    const struct grt_finding *one = a, *other = b;
    return compare_names(one->name, other->name);
}

/* Cells come in the random order of measuring; of experiments with many like ones findings are sorted. */
static void sort_findings(struct grt_fit_build *build, const char *experiment, uint32_t first) {
    static const char *const sorted[] = {"residency", "together", "worst"};
    for (size_t i = 0; i < sizeof sorted / sizeof sorted[0]; i++) {
        if (strcmp(experiment, sorted[i]) == 0 && build->finding_count > first) {
            qsort(build->findings + first, build->finding_count - first, sizeof *build->findings, by_name);
        }
    }
}

static void fit_experiment(struct grt_fit_build *build, size_t number) {
    const char *experiment = experiments[number].experiment;
    if (grt_raw_next(build->raw, experiment, NULL) != NULL) {
        uint32_t first = build->finding_count;
        experiments[number].fit(build);
        sort_findings(build, experiment, first);
        return;
    }
    if (experiments[number].fit == grt_fit_clocks) {
        grt_fit_steps(build); /* by the samples of others */
    }
    const struct promised *promised = experiments[number].promised;
    for (size_t i = 0; i < MOST_NAMES && promised[i].name != NULL; i++) {
        if (!is_found(build, promised[i].name)) { /* the driver may have told it */
            grt_fit_miss(build, experiment, promised[i].name, promised[i].field);
        }
    }
}

/* ---- warnings about the whole ---- */

/* Clocks that moved by more than this, and samples that were thrown away. */
#define MOVED 0.03
#define MANY_DROPPED 0.1

static void warn_of_clocks(struct grt_fit_build *build) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < build->raw->cell_count; i++) {
        const struct grt_raw_cell *cell = &build->raw->cells[i];
        if (cell->sm_mhz_low > 0) {
            low = fmin(low, cell->sm_mhz_low);
            high = fmax(high, cell->sm_mhz_high);
        }
    }
    if (high > low * (1 + MOVED)) {
        grt_fit_warn(build,
                     grt_fit_text(build, "the clock of the SMs moved from %.0f to %.0f MHz while measuring",
                                  low, high));
    }
}

static void warn_of_dropped(struct grt_fit_build *build) {
    for (size_t e = 0; e < EXPERIMENTS; e++) {
        char drops[GRT_RAW_DROPS_TEXT_SIZE];
        struct grt_raw_sums sums = grt_raw_sums_of(build->raw, experiments[e].experiment);
        size_t all = sums.samples + sums.dropped;
        if ((double)sums.dropped > MANY_DROPPED * (double)all) {
            grt_fit_warn(build, grt_fit_text(build, "%s: %zu of %zu samples were thrown away (%s)",
                                             experiments[e].experiment, sums.dropped, all,
                                             grt_raw_drops_text(&sums, drops)));
        }
    }
}

/* Of a real device: it spoils the host's times, as of calls. */
static void warn_of_moves(struct grt_fit_build *build) {
    int64_t low = INT64_MAX, high = -1;
    for (size_t i = 0; i < build->raw->cell_count; i++) {
        const struct grt_raw_cell *cell = &build->raw->cells[i];
        if (cell->cpu_batches > 0) {
            low = cell->cpu_low < low ? cell->cpu_low : low;
            high = cell->cpu_high > high ? cell->cpu_high : high;
        }
    }
    if (high > low && grt_fit_is_text(build->raw->backend, "cuda")) {
        grt_fit_warn(build, grt_fit_text(build,
                                         "the measuring thread moved among processors %" PRId64 " to %" PRId64
                                         " of the host: times of calls and returns have that in them",
                                         low, high));
    }
}

static void warn_of_all(struct grt_fit_build *build) {
    if (build->raw->cut_off) {
        grt_fit_warn(build, "the raw file is cut off: its last line is not whole");
    }
    if (!build->raw->complete) {
        grt_fit_warn(build, build->raw->stopped != NULL
                                ? grt_fit_text(build, "the measurement did not come to its end: %s",
                                               build->raw->stopped)
                                : "the measurement did not come to its end");
    }
    warn_of_clocks(build);
    warn_of_dropped(build);
    warn_of_moves(build);
}

/* ---- all ---- */

static int by_x(const void *a, const void *b) {
    const struct grt_curve_point *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

/* Cells come in the random order of measuring; lines and bands are drawn from point to point. */
static void sort_curves(struct grt_fit_build *build) {
    for (uint32_t i = 0; i < build->curve_count; i++) {
        qsort(build->curves[i].points, build->curves[i].count, sizeof *build->curves[i].points, by_x);
    }
}

static void *into_arena(struct grt_arena *arena, void *grown, size_t count, size_t size) {
    void *kept = grt_arena_array(arena, count > 0 ? count : 1, size);
    if (count > 0) {
        memcpy(kept, grown, count * size);
    }
    free(grown);
    return kept;
}

static struct grt_fit *finished(struct grt_fit_build *build) {
    struct grt_fit *fit = grt_arena_new(build->arena, struct grt_fit);
    *fit = (struct grt_fit){.raw = build->raw,
                            .finding_count = build->finding_count,
                            .curve_count = build->curve_count,
                            .workloads = build->workloads,
                            .workload_count = build->raw->workload_count,
                            .slowdown_count = build->slowdown_count,
                            .worst = build->worst,
                            .worst_count = build->worst_count,
                            .worst_error = build->worst_error,
                            .exceedance = build->exceedance,
                            .warning_count = build->warning_count};
    fit->findings = into_arena(build->arena, build->findings, fit->finding_count, sizeof *fit->findings);
    fit->curves = into_arena(build->arena, build->curves, fit->curve_count, sizeof *fit->curves);
    fit->slowdowns = into_arena(build->arena, build->slowdowns, fit->slowdown_count, sizeof *fit->slowdowns);
    fit->warnings = into_arena(build->arena, build->warnings, fit->warning_count, sizeof *fit->warnings);
    return fit;
}

static struct grt_fit_build started(const struct grt_raw *raw, double exceedance, struct grt_arena *arena) {
    struct grt_fit_build build = {
        .raw = raw, .arena = arena, .timer_step = 1, .event_step = 1, .exceedance = exceedance};
    build.workloads =
        grt_arena_array(arena, raw->workload_count > 0 ? raw->workload_count : 1, sizeof *build.workloads);
    for (size_t i = 0; i < raw->workload_count; i++) {
        build.workloads[i].workload = &raw->workloads[i];
    }
    return build;
}

struct grt_fit *grt_fit_at(const struct grt_raw *raw, double exceedance, struct grt_arena *arena) {
    struct grt_fit_build build = started(raw, exceedance, arena);
    grt_fit_told(&build);
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        fit_experiment(&build, i);
    }
    warn_of_all(&build);
    sort_curves(&build);
    return finished(&build);
}

struct grt_fit *grt_fit_worst_of(const struct grt_raw *raw, const struct grt_pwcet_input *settings,
                                 const char *only, struct grt_arena *arena) {
    struct grt_fit_build build = started(raw, settings->exceedances[0], arena);
    build.worst_settings = settings;
    build.worst_only = only;
    if (grt_raw_next(raw, "clock", NULL) != NULL) {
        grt_fit_clocks(&build);
    } else {
        grt_fit_steps(&build);
    }
    grt_fit_worst(&build);
    return finished(&build);
}

struct grt_fit *grt_fit_all(const struct grt_raw *raw, struct grt_arena *arena) {
    return grt_fit_at(raw, GRT_FIT_EXCEEDANCE, arena);
}

const struct grt_finding *grt_fit_find(const struct grt_fit *fit, const char *name) {
    for (size_t i = 0; i < fit->finding_count; i++) {
        if (strcmp(fit->findings[i].name, name) == 0) {
            return &fit->findings[i];
        }
    }
    return NULL;
}
