/* What it costs to launch a kernel in parts: delta, the gap between a part and the next one. It is taken from the gaps themselves: the time of all parts also grows by waiting for the last block of each,
 * which a simulation of the parts adds by itself. */
#include <math.h>
#include <stdlib.h>

#include "calib/fit/build.h"

static const char experiment[] = "split";

/* Numbers of parts that are looked at. */
enum { MOST_NUMBERS = 64 };

/* One number of parts, two or more. */
struct split {
    double parts;
    const struct grt_raw_cell *cell;
    struct grt_ranged gap;    /* between two parts, ns */
    bool varied;              /* of one sample and another */
    struct grt_ranged period; /* from a part's begin to the next one's */
    double length;            /* of a part, ns: a typical one */
    double spread;            /* of the gaps of single samples: between their quartiles */
    const char *how;
};

struct splits {
    struct split all[MOST_NUMBERS]; /* ascending in parts: parts become shorter */
    size_t count, samples;
    double whole; /* what the blocks alone take, ns */
};

static int by_parts(const void *a, const void *b) {
    const struct split *one = a, *other = b;
    return (one->parts > other->parts) - (one->parts < other->parts);
}

/* ---- reading ---- */

/* Parts of whole waves: there splitting makes no further waves. */
static bool counts(const struct grt_raw_cell *cell, const char *workload) {
    return grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) && cell->count > 0 &&
           grt_raw_number(cell, "whole_waves", 0) == 1 && grt_raw_number(cell, "parts", 0) >= 1 &&
           grt_raw_values(cell, "span_ns") != NULL && grt_raw_values(cell, "gap_ns") != NULL;
}

/* A typical value of (a span + b gap) of each sample. */
static struct grt_fit_center center_of(struct grt_fit_build *build, const struct grt_raw_cell *cell, double a,
                                       double b) {
    const int64_t *spans = grt_raw_values(cell, "span_ns"), *gaps = grt_raw_values(cell, "gap_ns");
    double *values = grt_arena_array(build->arena, cell->count, sizeof *values);
    for (size_t i = 0; i < cell->count; i++) {
        values[i] = a * (double)spans[i] + b * (double)gaps[i];
    }
    const struct grt_fit_series series = {.values = values, .visits = cell->visits, .count = cell->count};
    return grt_fit_center(build, &series, build->timer_step);
}

static struct split split_of(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    double parts = (double)grt_raw_number(cell, "parts", 0);
    double *gaps = grt_fit_sorted(build, cell, "gap_ns");
    struct grt_fit_center gap = center_of(build, cell, 0, 1 / (parts - 1));
    struct grt_ranged length = center_of(build, cell, 1 / parts, -1 / parts).value;
    return (struct split){.parts = parts,
                          .cell = cell,
                          .gap = gap.value,
                          .varied = gap.varied,
                          .period = center_of(build, cell, 1 / parts, 1 / (parts - 1) - 1 / parts).value,
                          .length = length.value,
                          .spread = (grt_sorted_quantile(gaps, cell->count, 0.75) -
                                     grt_sorted_quantile(gaps, cell->count, 0.25)) /
                                    (parts - 1),
                          .how = gap.how};
}

static struct splits read_splits(struct grt_fit_build *build, const char *workload) {
    struct splits splits = {.whole = NAN};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        if (!counts(cell, workload)) {
            continue;
        }
        splits.samples += cell->count;
        if (grt_raw_number(cell, "parts", 0) == 1) {
            splits.whole = center_of(build, cell, 1, 0).value.value;
        } else if (splits.count < MOST_NUMBERS) {
            splits.all[splits.count++] = split_of(build, cell);
        }
    }
    qsort(splits.all, splits.count, sizeof splits.all[0], by_parts);
    return splits;
}

/* ---- do gaps agree ---- */

/* Whether two values may be the same: not even intervals twice as wide would be apart (which they are by chance in one of 8,000 noisy fits: tests/property/test_fit_exact.c), or no user would mind: less than a tenth, or than samples
 * differ among themselves. What has no interval is trusted less. */
static bool alike(struct grt_ranged one, struct grt_ranged other, double spread) {
    static const double sure = 2, little = 0.1;
    enum { UNSURE = 3 };
    struct grt_ranged less = one.value < other.value ? one : other;
    struct grt_ranged more = one.value < other.value ? other : one;
    double apart = more.value - less.value, reach = (less.high - less.value) + (more.value - more.low);
    double allowed = isnan(reach) ? UNSURE * spread : fmax(sure * reach, spread);
    return apart <= fmax(allowed, little * more.value);
}

static double wider(const struct split *one, const struct split *other) {
    return fmax(one->spread, other->spread);
}

static bool gaps_agree(const struct splits *splits, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        for (size_t k = i + 1; k < last; k++) {
            const struct split *one = &splits->all[i], *other = &splits->all[k];
            if (!alike(one->gap, other->gap, wider(one, other))) {
                return false;
            }
        }
    }
    return true;
}

/* Whether these, of shorter parts than the others, wait for their launches: one begins as long after the other, however short it is. */
static bool launches_pace(const struct splits *splits, size_t first) {
    const struct split *shortest = &splits->all[splits->count - 1];
    for (size_t i = 0; i < splits->count; i++) {
        const struct split *split = &splits->all[i];
        bool same = alike(split->period, shortest->period, wider(split, shortest));
        bool longer = split->period.value > shortest->period.value; /* longer parts have no need to wait */
        bool waits = first == 0 || split->gap.value > splits->all[first - 1].gap.value;
        if (i < first ? !same && !longer : !same || !waits) {
            return false;
        }
    }
    return true;
}

/* How many numbers of parts have the gap of parts that are long enough: 0 where all wait for their launches, SIZE_MAX where neither one gap nor the pace of launches explains
 * them. */
static size_t count_free(const struct splits *splits) {
    if (gaps_agree(splits, 0, splits->count)) {
        return splits->count;
    }
    if (launches_pace(splits, 0)) {
        return 0;
    }
    for (size_t free = splits->count - 1; free > 0; free--) {
        if (gaps_agree(splits, 0, free) && launches_pace(splits, free)) {
            return free;
        }
    }
    return SIZE_MAX;
}

/* ---- what is said ---- */

static void add_curve(struct grt_fit_build *build, const char *workload, const struct splits *splits,
                      size_t free) {
    struct grt_curve *curve =
        grt_fit_curve(build,
                      (struct grt_curve){.name = grt_fit_text(build, "%s: in parts", workload),
                                         .experiment = experiment,
                                         .x_label = "parts",
                                         .y_label = "time of all, ns",
                                         .model_label = "whole, and a gap before each further part"},
                      splits->count);
    for (size_t i = 0; i < splits->count; i++) {
        const struct split *split = &splits->all[i];
        double *sorted = grt_fit_sorted(build, split->cell, "span_ns");
        bool paced = free != SIZE_MAX && i >= free;
        double gap = paced ? splits->all[splits->count - 1].period.value - split->length
                           : splits->all[free == SIZE_MAX ? i : free - 1].gap.value;
        double model = free == SIZE_MAX ? NAN : splits->whole + gap * (split->parts - 1);
        curve->points[curve->count++] = grt_fit_point(split->parts, sorted, split->cell->count, model);
    }
}

/* The gap of each number of parts from `first` on: what contradicts a single number. */
static const char *list_of(struct grt_fit_build *build, const struct splits *splits, size_t first,
                           size_t end) {
    const char *text = "";
    for (size_t i = first; i < end; i++) {
        text = grt_fit_text(build, "%s%s%.0f ns between %.0f parts of %.0f ns", text, i > first ? ", " : "",
                            splits->all[i].gap.value, splits->all[i].parts, splits->all[i].length);
    }
    return text;
}

static const char *why_refused(struct grt_fit_build *build, const struct splits *splits, size_t free) {
    if (splits->count == 0) {
        return "measured with one number of parts only";
    }
    const char *list = list_of(build, splits, 0, splits->count);
    return free == 0
               ? grt_fit_text(build,
                              "parts of all lengths wait for their launches, of which one follows the "
                              "other after %.0f ns: what it costs beyond that is less than the gaps (%s)",
                              splits->all[splits->count - 1].period.value, list)
               : grt_fit_text(build, "no one number: gaps depend on how long parts are (%s)", list);
}

static double residual_of(struct grt_fit_build *build, const struct splits *splits, size_t free, double gap) {
    double *offs = grt_arena_array(build->arena, splits->samples, sizeof *offs);
    size_t count = 0;
    for (size_t i = 0; i < free; i++) {
        const struct split *split = &splits->all[i];
        const int64_t *gaps = grt_raw_values(split->cell, "gap_ns"),
                      *spans = grt_raw_values(split->cell, "span_ns");
        for (size_t k = 0; k < split->cell->count; k++) {
            offs[count++] = fabs((double)gaps[k] - gap * (split->parts - 1)) / fmax((double)spans[k], 1);
        }
    }
    return grt_fit_residual(offs, count);
}

static bool are_apart(struct grt_ranged one, struct grt_ranged other) {
    double low = isnan(one.low) ? one.value : one.low, high = isnan(one.high) ? one.value : one.high;
    return other.low > high || other.high < low;
}

/* The gap of the most parts of those that agree. Others may differ from it by more than both are unsure of, and agree since no user would mind: its interval reaches over these. */
static struct grt_ranged common_gap(const struct splits *splits, size_t free, bool *differ) {
    struct grt_ranged gap = splits->all[free - 1].gap, own = gap;
    *differ = false;
    for (size_t i = 0; i + 1 < free; i++) {
        struct grt_ranged other = splits->all[i].gap;
        if (are_apart(other, own)) {
            gap.low = fmin(gap.low, fmin(other.value, other.low));
            gap.high = fmax(gap.high, fmax(other.value, other.high));
            *differ = true;
        }
    }
    return gap;
}

/* Of those that agree the most parts: their gaps are the most, so that noise is least. */
static void add_overhead(struct grt_fit_build *build, struct grt_fitted_workload *workload, const char *name,
                         const struct splits *splits, size_t free) {
    const struct split *split = &splits->all[free - 1];
    bool differ;
    struct grt_ranged gap = common_gap(splits, free, &differ);
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NS, gap, split->cell->count);
    finding.varied = split->varied || differ;
    finding.residual = residual_of(build, splits, free, split->gap.value);
    finding.how = grt_fit_text(build, "gap between a part and the next one, of %.0f parts of %.0f ns: %s",
                               split->parts, split->length, split->how);
    if (differ) {
        finding.how = grt_fit_text(build, "%s; the interval reaches over others that differ by little: %s",
                                   finding.how, list_of(build, splits, 0, free - 1));
    }
    if (free < splits->count) {
        finding.how = grt_fit_text(
            build,
            "%s; shorter ones wait for their launches besides, of which one follows the other after "
            "%.0f ns: %s",
            finding.how, splits->all[splits->count - 1].period.value,
            list_of(build, splits, free, splits->count));
    }
    grt_fit_add_span(build, finding);
    workload->split_overhead = fmax(split->gap.value, 0);
}

void grt_fit_split(struct grt_fit_build *build) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        const char *workload = build->raw->workloads[i].name;
        struct splits splits = read_splits(build, workload);
        if (splits.samples == 0) {
            continue;
        }
        const char *name = grt_fit_text(build, "%s: split_overhead", workload);
        size_t free = splits.count > 0 ? count_free(&splits) : SIZE_MAX;
        if (free == 0 || free == SIZE_MAX) {
            grt_fit_refuse(build, experiment, name, NULL, why_refused(build, &splits, free));
        } else {
            add_overhead(build, &build->workloads[i], name, &splits, free);
        }
        if (splits.count > 0) {
            add_curve(build, workload, &splits, free);
        }
    }
}
