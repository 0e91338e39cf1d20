/* Copies: what each takes beyond its bytes, the bandwidth of each direction, pageable memory, and when calls return. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "calib/fit/copy_series.h"
#include "calib/fit/quantum.h"

static const char experiment[] = "copy";

struct copies {
    struct grt_copy_series h2d, d2h, pageable_h2d, pageable_d2h;
};

static const char *name_of(struct grt_fit_build *build, const struct grt_copy_series *series,
                           const char *what) {
    return grt_fit_text(build, "%s %s: %s", series->direction, series->memory, what);
}

static void add_curve(struct grt_fit_build *build, const struct grt_copy_series *series) {
    struct grt_curve *curve = grt_fit_curve(build,
                                            (struct grt_curve){.name = name_of(build, series, "copy time"),
                                                               .experiment = experiment,
                                                               .x_label = "bytes",
                                                               .y_label = "time, ns",
                                                               .model_label = "latency + bytes / bandwidth",
                                                               .x_log = true,
                                                               .y_log = true},
                                            series->count);
    for (size_t i = 0; i < series->count; i++) {
        const struct grt_copy_size *size = &series->sizes[i];
        double model = series->latency.value + series->ns_per_byte.value * size->bytes;
        curve->points[curve->count++] =
            grt_fit_point(size->bytes, size->sorted, size->samples, series->known ? model : NAN);
    }
}

static void add_series(struct grt_fit_build *build, const struct grt_copy_series *series) {
    const char *latency = name_of(build, series, "latency"), *rate = name_of(build, series, "bandwidth");
    if (series->count > 0) {
        add_curve(build, series);
    }
    if (!series->known) {
        if (series->count > 0) {
            grt_fit_refuse(build, experiment, rate, NULL, series->why);
        }
        return;
    }
    struct grt_finding finding =
        grt_fit_measured(experiment, latency, GRT_UNIT_NS, series->latency, series->samples);
    finding.how = grt_copy_series_how(build, series);
    finding.residual = series->residual;
    grt_fit_add_span(build, finding);
    finding = grt_fit_measured(experiment, rate, GRT_UNIT_BYTES_PER_SECOND, grt_copy_series_rate(series),
                               series->samples);
    finding.how = grt_copy_series_how(build, series);
    finding.residual = series->residual;
    grt_fit_add(build, finding);
    if (series->bend > 0) {
        grt_fit_warn(
            build,
            grt_fit_text(build,
                         "copy: %s %s: from %.0f bytes on another line would be much nearer; the device "
                         "file has one for all sizes",
                         series->direction, series->memory, series->bend));
    }
}

/* ---- the device's fields ---- */

static void add_field(struct grt_fit_build *build, const char *field, enum grt_finding_unit unit,
                      struct grt_ranged value, const struct grt_copy_series *of, const char *how) {
    struct grt_finding finding = grt_fit_measured(experiment, field, unit, value, of->samples);
    finding.field = field;
    finding.how = how;
    finding.residual = of->residual;
    if (unit == GRT_UNIT_NS) {
        grt_fit_add_span(build, finding);
    } else {
        grt_fit_add(build, finding);
    }
}

/* What both directions agree on: the device has one latency. */
static struct grt_ranged common_latency(const struct grt_copy_series *one,
                                        const struct grt_copy_series *other, bool agree, int64_t event_step) {
    double low = fmax(one->latency.low, other->latency.low),
           high = fmin(one->latency.high, other->latency.high);
    if (agree && one->exact && other->exact) {
        return (struct grt_ranged){grt_roundest(low, high), low, high};
    }
    if (agree && one->exact != other->exact) { /* nothing is surer than what agrees with every sample */
        return one->exact ? one->latency : other->latency;
    }
    if (agree && one->straight && other->straight) {
        return grt_copy_series_common(one, other, event_step, GRT_COPY_HOST_ROUNDING);
    }
    double value = (one->latency.value + other->latency.value) / 2;
    return (struct grt_ranged){value, fmin(one->latency.low, other->latency.low),
                               fmax(one->latency.high, other->latency.high)};
}

/* Significant digits of a whole number. */
static int digits_of(double value) {
    int64_t whole = llround(value);
    int digits = 0;
    while (whole != 0 && whole % 10 == 0) {
        whole /= 10;
    }
    for (; whole != 0; whole /= 10) {
        digits++;
    }
    return digits;
}

/* Latencies that agree with both directions leave different bandwidths: the one with which all three have fewest digits. */
static double settle_exactly(const struct grt_copy_series *one, const struct grt_copy_series *other,
                             const struct grt_ranged *latency, int64_t event_step) {
    enum { MOST_TRIED = 100 };
    double best = latency->value;
    int fewest = INT32_MAX;
    for (double tried = latency->low; tried <= latency->high && latency->high - latency->low < MOST_TRIED;
         tried++) {
        struct grt_copy_series first = *one, second = *other;
        bool possible = grt_copy_series_settle(&first, tried, event_step, GRT_COPY_HOST_ROUNDING) &&
                        grt_copy_series_settle(&second, tried, event_step, GRT_COPY_HOST_ROUNDING);
        int digits = digits_of(tried) + digits_of(1e9 / first.ns_per_byte.value) +
                     digits_of(1e9 / second.ns_per_byte.value);
        if (possible && digits < fewest) {
            fewest = digits;
            best = tried;
        }
    }
    return best;
}

static struct grt_ranged latency_of(struct grt_fit_build *build, struct copies *copies, const char **how) {
    struct grt_copy_series *one = &copies->h2d, *other = &copies->d2h;
    struct grt_ranged latency = one->known ? one->latency : other->latency;
    *how = grt_copy_series_how(build, one->known ? one : other);
    if (one->known && other->known) {
        bool agree = one->latency.low <= other->latency.high && other->latency.low <= one->latency.high;
        latency = common_latency(one, other, agree, build->event_step);
        if (agree && one->exact && other->exact) {
            latency.value = settle_exactly(one, other, &latency, build->event_step);
            grt_copy_series_settle(one, latency.value, build->event_step, GRT_COPY_HOST_ROUNDING);
            grt_copy_series_settle(other, latency.value, build->event_step, GRT_COPY_HOST_ROUNDING);
        }
        *how = grt_fit_text(build, "%s; %s", *how,
                            agree ? "both directions agree" : "the middle of both directions, which differ");
    }
    return latency;
}

static void add_latency(struct grt_fit_build *build, struct copies *copies) {
    struct grt_copy_series *one = &copies->h2d, *other = &copies->d2h;
    if (!one->known && !other->known) {
        grt_fit_refuse(build, experiment, "copy_latency", "copy_latency", one->why);
        return;
    }
    const char *how;
    struct grt_ranged latency = latency_of(build, copies, &how);
    add_field(build, "copy_latency", GRT_UNIT_NS, latency, one->known ? one : other, how);
}

static void add_rate(struct grt_fit_build *build, const char *field, const struct grt_copy_series *series) {
    if (!series->known) {
        grt_fit_refuse(build, experiment, field, field, series->why);
    } else {
        add_field(build, field, GRT_UNIT_BYTES_PER_SECOND, grt_copy_series_rate(series), series,
                  grt_copy_series_how(build, series));
    }
}

/* Between which the quotient of bandwidths is: with one latency for both, where that agrees with every sample. */
static struct grt_ranged quotient_of(const struct grt_copy_series *pageable,
                                     const struct grt_copy_series *pinned) {
    if (pageable->slowest > 0 && pinned->slowest > 0) {
        double low = pageable->slowest / pinned->fastest, high = pageable->fastest / pinned->slowest;
        return (struct grt_ranged){(low + high) / 2, low, high};
    }
    return grt_ranged_quotient(grt_copy_series_rate(pageable), grt_copy_series_rate(pinned));
}

/* Not known where one of them is not. */
static struct grt_ranged percent_of(struct grt_fit_build *build, struct grt_copy_series *pageable,
                                    const struct grt_copy_series *pinned) {
    if (!pinned->known || !pageable->known) {
        return grt_ranged_unknown();
    }
    if (pinned->exact && pageable->exact) {
        grt_copy_series_settle(pageable, pinned->latency.value, build->event_step, GRT_COPY_HOST_ROUNDING);
    }
    struct grt_ranged ratio = quotient_of(pageable, pinned);
    return (struct grt_ranged){100 * ratio.value, 100 * ratio.low, 100 * ratio.high};
}

/* The model's copies of pageable memory are never quicker than those of pinned memory; a device's may be, as where both are the same memory and only one is cached. Such a percentage has no interval:
 * 100 is not in what was measured. */
static struct grt_ranged cut_percent(struct grt_fit_build *build, struct grt_ranged percent,
                                     const char **how) {
    enum { MOST = 100 }; /* of models/device/fields.c */
    if (!(percent.value > MOST || percent.high > MOST)) {
        return percent;
    }
    const char *measured = isnan(percent.low) ? grt_fit_text(build, "%.0f %%", percent.value)
                                              : grt_fit_text(build, "%.0f %% (%.0f to %.0f %%)",
                                                             percent.value, percent.low, percent.high);
    *how = grt_fit_text(build, "%s: %s, where the model has %d at most", *how, measured, MOST);
    if (percent.low <= MOST) {
        return (struct grt_ranged){fmin(percent.value, MOST), percent.low, MOST};
    }
    grt_fit_warn(build, grt_fit_text(build,
                                     "copy: pageable memory has %s of the bandwidth of pinned memory; the "
                                     "device file has %d, the most that the model knows",
                                     measured, MOST));
    return (struct grt_ranged){MOST, NAN, NAN};
}

/* Of both directions the one that is known better. */
static void add_percent(struct grt_fit_build *build, struct copies *copies) {
    const char *field = "pageable_percent";
    struct grt_ranged percent = percent_of(build, &copies->pageable_h2d, &copies->h2d);
    struct grt_ranged other = percent_of(build, &copies->pageable_d2h, &copies->d2h);
    bool backwards = isnan(percent.value) || other.high - other.low < percent.high - percent.low;
    percent = backwards ? other : percent;
    if (isnan(percent.value)) {
        grt_fit_refuse(build, experiment, field, field,
                       "copies of pinned and of pageable memory have to be known both");
        return;
    }
    const char *how =
        grt_fit_text(build, "bandwidth of %s copies of pageable memory over that of pinned memory",
                     backwards ? "d2h" : "h2d");
    percent = (struct grt_ranged){fmax(round(percent.value), 1), floor(percent.low), ceil(percent.high)};
    percent = cut_percent(build, percent, &how);
    add_field(build, field, GRT_UNIT_NONE, percent, backwards ? &copies->pageable_d2h : &copies->pageable_h2d,
              how);
}

/* ---- calls that return before the copy is complete (rule E7) ---- */

static double median_call(struct grt_fit_build *build, const struct grt_raw_cell *cell) {
    double *sorted = grt_fit_sorted(build, cell, "call_ns");
    return sorted != NULL ? grt_sorted_quantile(sorted, cell->count, 0.5) : NAN;
}

static double pinned_call(struct grt_fit_build *build, const struct copies *copies, double bytes) {
    for (size_t i = 0; i < copies->h2d.count; i++) {
        if (copies->h2d.sizes[i].bytes >= bytes && copies->h2d.sizes[i].bytes <= bytes) {
            return median_call(build, copies->h2d.sizes[i].cell);
        }
    }
    return 0;
}

/* Whether the call returned early: a copy of pinned memory never holds it up, so that what it takes longer than that is what it waits. */
static bool returns_early(struct grt_fit_build *build, const struct copies *copies,
                          const struct grt_copy_size *size) {
    double waits = median_call(build, size->cell) - pinned_call(build, copies, size->bytes);
    return waits < grt_sorted_quantile(size->sorted, size->samples, 0.5) / 2;
}

/* How many sizes there are up to which calls return early, and beyond which they do not: those that agree least with it are fewest. */
static size_t split_early(const bool *early, size_t count, size_t *strays) {
    size_t best = 0;
    *strays = SIZE_MAX;
    for (size_t split = 0; split <= count; split++) {
        size_t wrong = 0;
        for (size_t i = 0; i < count; i++) {
            wrong += early[i] != (i < split);
        }
        best = wrong < *strays ? split : best;
        *strays = wrong < *strays ? wrong : *strays;
    }
    return best;
}

/* Sizes of pageable copies to the device at which the call returns early; `why` not. */
struct early {
    size_t split, strays;
    const char *why;
};

static struct early find_early(struct grt_fit_build *build, const struct copies *copies) {
    const struct grt_copy_series *series = &copies->pageable_h2d;
    struct early found = {0};
    bool early[GRT_MOST_SIZES] = {false};
    for (size_t i = 0; i < series->count; i++) {
        early[i] = returns_early(build, copies, &series->sizes[i]);
    }
    found.split = split_early(early, series->count, &found.strays);
    if (series->count == 0 || isnan(median_call(build, series->sizes[0].cell))) {
        found.why = "not measured";
    } else if (10 * found.strays > series->count) {
        found.why = "there is no size up to which calls return early and beyond which they do not";
    } else if (found.split == series->count) {
        found.why = "calls returned early at all sizes that were measured";
    }
    return found;
}

static void add_early(struct grt_fit_build *build, const struct grt_copy_series *series,
                      const struct early *early) {
    const char *field = "early_return";
    if (early->why != NULL) {
        grt_fit_refuse(build, experiment, field, field, early->why);
        return;
    }
    double low = early->split > 0 ? series->sizes[early->split - 1].bytes : 0;
    struct grt_ranged bytes = {low, low, series->sizes[early->split].bytes - 1};
    add_field(
        build, field, GRT_UNIT_BYTES, bytes, series,
        grt_fit_text(build,
                     "the largest size of copies of pageable memory to the device at which the call does "
                     "not wait; the next size waits%s",
                     early->strays > 0 ? "; not all sizes agree" : ""));
}

/* Where the call waits, the event behind the copy is recorded only after the host knows of its end: another latency than where it does not, but the same bandwidth. The line is that of
 * the sizes of which there are more. */
static struct grt_copy_series on_one_side(const struct grt_copy_series *series, const struct early *early) {
    if (early->why != NULL) {
        return *series;
    }
    bool waiting = series->count - early->split >= early->split;
    double first = series->sizes[early->split].bytes;
    return waiting ? grt_copy_series_between(series, first, INFINITY)
                   : grt_copy_series_between(series, 0, first - 1);
}

void grt_fit_copies(struct grt_fit_build *build) {
    struct copies copies = {.h2d = grt_copy_series_of(build, "h2d", "pinned", "nothing"),
                            .d2h = grt_copy_series_of(build, "d2h", "pinned", "nothing"),
                            .pageable_h2d = grt_copy_series_of(build, "h2d", "pageable", "nothing"),
                            .pageable_d2h = grt_copy_series_of(build, "d2h", "pageable", "nothing")};
    struct early early = find_early(build, &copies);
    struct grt_copy_series pageable = copies.pageable_h2d;
    copies.pageable_h2d = on_one_side(&pageable, &early);
    grt_copy_series_fit(&copies.h2d, build->event_step, GRT_COPY_HOST_ROUNDING);
    grt_copy_series_fit(&copies.d2h, build->event_step, GRT_COPY_HOST_ROUNDING);
    grt_copy_series_fit(&copies.pageable_h2d, build->event_step, GRT_COPY_HOST_ROUNDING);
    grt_copy_series_fit(&copies.pageable_d2h, build->event_step, GRT_COPY_HOST_ROUNDING);
    add_latency(build, &copies);
    add_rate(build, "h2d_bandwidth", &copies.h2d);
    add_rate(build, "d2h_bandwidth", &copies.d2h);
    grt_fit_copies_inside(build);
    add_percent(build, &copies);
    add_early(build, &pageable, &early);
    struct grt_copy_series *all[] = {&copies.h2d, &copies.d2h, &copies.pageable_h2d, &copies.pageable_d2h};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        add_series(build, all[i]);
        grt_copy_series_beside(build, all[i], "opposite");
        grt_copy_series_beside(build, all[i], "kernel");
    }
}
