/* How much longer a kernel takes with a part of the SMs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/build.h"
#include "models/device.h"

static const char experiment[] = "partition";

struct row {
    double sms;
    struct grt_ranged span;
    const double *sorted;
    size_t samples;
};

struct table {
    struct row rows[GRT_DEVICE_MAX_SMS];
    double time[GRT_DEVICE_MAX_SMS]; /* never more with more SMs */
    size_t count, samples;
};

static int by_sms(const void *a, const void *b) {
    const struct row *one = a, *other = b;
    return (one->sms > other->sms) - (one->sms < other->sms);
}

/* Cells of a workload and a way of dividing. All SMs without dividing count as all of them divided, where that was not measured. */
static void gather(struct grt_fit_build *build, const char *workload, const char *how, struct table *table) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL && table->count < GRT_DEVICE_MAX_SMS) {
        int64_t sms = grt_raw_number(cell, "sms", 0);
        bool wanted = grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) &&
                      grt_fit_is_text(grt_raw_text(cell, "how"), how) && sms >= 1 &&
                      sms <= build->raw->device.sm_count;
        double *sorted = wanted ? grt_fit_sorted(build, cell, "span_ns") : NULL;
        if (sorted != NULL && sorted[0] > 0) {
            struct grt_ranged span = grt_fit_median(build, cell, "span_ns", build->timer_step).value;
            table->rows[table->count++] = (struct row){(double)sms, span, sorted, cell->count};
            table->samples += cell->count;
        }
    }
    qsort(table->rows, table->count, sizeof table->rows[0], by_sms);
}

static bool has_all(const struct grt_fit_build *build, const struct table *table) {
    return table->count > 0 && table->rows[table->count - 1].sms >= build->raw->device.sm_count;
}

static void make_monotone(struct table *table) {
    double reversed[GRT_DEVICE_MAX_SMS], weights[GRT_DEVICE_MAX_SMS], fitted[GRT_DEVICE_MAX_SMS];
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[table->count - 1 - i];
        reversed[i] = row->span.value;
        weights[i] = (double)row->samples;
    }
    grt_isotonic(reversed, weights, table->count, fitted);
    for (size_t i = 0; i < table->count; i++) {
        table->time[i] = fitted[table->count - 1 - i];
    }
}

/* The time with so many SMs: linear in 1 / SMs between those that were measured, as grt_usage_share_factor has it. */
static double time_at(const struct table *table, double sms) {
    size_t i = 0;
    while (i + 2 < table->count && table->rows[i + 1].sms < sms) {
        i++;
    }
    if (table->count == 1) {
        return table->time[0];
    }
    double left = 1 / table->rows[i].sms, right = 1 / table->rows[i + 1].sms;
    double part = (1 / sms - left) / (right - left);
    return part <= 0 ? table->time[i] : table->time[i] + part * (table->time[i + 1] - table->time[i]);
}

/* Shares are whole percents of the SMs: each measured partition gives the nearest one that lies between those that were measured. */
static void keep_factors(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                         const struct table *table) {
    double all = build->raw->device.sm_count, full = table->time[table->count - 1];
    struct grt_share_factor *factors = grt_arena_array(build->arena, table->count, sizeof *factors);
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        double percent = fmin(round(100 * table->rows[i].sms / all), GRT_FULL_SHARE);
        percent += percent * all / 100 < table->rows[0].sms; /* below the smallest: nothing is known */
        if (percent < 1 || (count > 0 && factors[count - 1].share >= (int64_t)percent)) {
            continue;
        }
        double factor = fmax(time_at(table, percent * all / 100) / full, 1);
        factors[count++] = (struct grt_share_factor){(int64_t)percent, factor};
    }
    workload->share_factors = factors;
    workload->share_factor_count = count;
}

static void add_curve(struct grt_fit_build *build, const char *workload, const struct table *table) {
    struct grt_curve *curve =
        grt_fit_curve(build,
                      (struct grt_curve){.name = grt_fit_text(build, "%s: time by SMs", workload),
                                         .experiment = experiment,
                                         .x_label = "SMs",
                                         .y_label = "time, ns",
                                         .model_label = "never longer with more SMs"},
                      table->count);
    for (size_t i = 0; i < table->count; i++) {
        curve->points[curve->count++] =
            grt_fit_point(table->rows[i].sms, table->rows[i].sorted, table->rows[i].samples, table->time[i]);
    }
}

/* The factor of the smallest partition stands for the table; all are in the workload. */
static void add_factor(struct grt_fit_build *build, const char *name, const struct table *table,
                       const char *how) {
    double distances[GRT_DEVICE_MAX_SMS];
    size_t changed = 0;
    for (size_t i = 0; i < table->count; i++) {
        distances[i] = fabs(table->rows[i].span.value / table->time[i] - 1);
        changed += distances[i] > 1e-9;
    }
    struct grt_ranged factor = grt_ranged_quotient(table->rows[0].span, table->rows[table->count - 1].span);
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NONE, factor, table->samples);
    finding.residual = grt_fit_residual(distances, table->count);
    finding.how = grt_fit_text(
        build,
        "time with %.0f of %.0f SMs over that with all of them (%s); %zu of %zu medians were pooled, to "
        "be never longer with more SMs",
        table->rows[0].sms, table->rows[table->count - 1].sms, how, changed, table->count);
    grt_fit_add(build, finding);
}

/* ---- what the filter costs ---- */

static const struct row *row_of(const struct table *table, double sms) {
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].sms >= sms && table->rows[i].sms <= sms) {
            return &table->rows[i];
        }
    }
    return NULL;
}

/* The geometric mean of quotients of independent medians, its interval from theirs, as grt_ranged_quotient has it. */
struct mean {
    double sum, below, above; /* of logarithms, and of the squares of their distances */
    size_t count;
    const char *text;
};

static void add_quotient(struct grt_fit_build *build, struct mean *mean, double sms,
                         struct grt_ranged quotient) {
    double middle = log(quotient.value);
    mean->sum += middle;
    mean->below += pow(middle - log(quotient.low), 2);
    mean->above += pow(log(quotient.high) - middle, 2);
    mean->text = grt_fit_text(build, "%s%s%.4g with %.0f SMs", mean->text, mean->count > 0 ? ", " : "",
                              quotient.value, sms);
    mean->count++;
}

static struct grt_ranged concluded(const struct mean *mean) {
    double count = (double)mean->count, middle = mean->sum / count;
    return (struct grt_ranged){exp(middle), exp(middle - sqrt(mean->below) / count),
                               exp(middle + sqrt(mean->above) / count)};
}

/* How much longer a workload takes where its blocks leave the SMs that are not theirs, than in a green context of as many; all SMs without either count as one of all. */
static void fit_filter(struct grt_fit_build *build, const char *workload, struct table tables[2]) {
    struct table *green = &tables[0], *filter = &tables[1];
    green->count = green->samples = filter->count = filter->samples = 0;
    gather(build, workload, "green", green);
    if (!has_all(build, green)) {
        gather(build, workload, "none", green);
    }
    gather(build, workload, "filter", filter);
    struct mean mean = {.text = ""};
    for (size_t i = 0; i < filter->count; i++) {
        const struct row *other = row_of(green, filter->rows[i].sms);
        if (other != NULL) {
            add_quotient(build, &mean, other->sms, grt_ranged_quotient(filter->rows[i].span, other->span));
        }
    }
    if (mean.count == 0) {
        return;
    }
    struct grt_ranged slower = concluded(&mean);
    const char *name = grt_fit_text(build, "%s: filter over green context", workload);
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_NONE, slower, filter->samples);
    bool known = slower.low <= slower.high, agree = slower.low <= 1 && slower.high >= 1;
    finding.how = grt_fit_text(build,
                               "time with the filter in the kernel over that in a green context of as many "
                               "SMs: %s; geometric mean%s",
                               mean.text,
                               !known  ? ", of too few samples for an interval"
                               : agree ? "; they agree, as far as the samples tell"
                                       : "; they differ");
    grt_fit_add(build, finding);
}

static void fit_workload(struct grt_fit_build *build, struct grt_fitted_workload *workload,
                         struct table *table) {
    static const char *const ways[] = {"green", "filter"};
    const char *name = workload->workload->name;
    size_t way = 0;
    for (; way < 2; way++) {
        table->count = table->samples = 0;
        gather(build, name, ways[way], table);
        if (table->count > 0) {
            break;
        }
    }
    bool divided = table->count > 0;
    if (!has_all(build, table)) { /* a filter costs something by itself: it is held against itself only */
        if (way == 0 || !divided) {
            gather(build, name, "none", table);
        }
    }
    if (table->count == 0) {
        return;
    }
    const char *finding = grt_fit_text(build, "%s: partition", name);
    if (!divided || !has_all(build, table) || table->count < 2) {
        grt_fit_refuse(build, experiment, finding, NULL,
                       "a part of the SMs and all of them have to be measured in the same way");
        return;
    }
    make_monotone(table);
    keep_factors(build, workload, table);
    add_factor(build, finding, table, way == 0 ? "green contexts" : "filter in the kernel");
    add_curve(build, name, table);
}

void grt_fit_partition(struct grt_fit_build *build) {
    struct table *tables = grt_allocate(2 * sizeof *tables);
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        tables[0].count = tables[0].samples = 0;
        fit_workload(build, &build->workloads[i], &tables[0]);
        fit_filter(build, build->raw->workloads[i].name, tables);
    }
    free(tables);
}
