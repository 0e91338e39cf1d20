#include <math.h>
#include <stdio.h>

#include "calib/program/report/chart.h"
#include "cli/terminal/text_table.h"

enum { MOST_POINTS = 400, LINES = 1 + GRT_PWCET_METHODS };

/* The tail of a sample is drawn whole, its body thinned out. */
static size_t next_of(size_t i, size_t count) {
    size_t left = count - i, step = left > MOST_POINTS / 2 ? left / (MOST_POINTS / 2) : 1;
    return i + step;
}

/* What a method's fit was made of: maxima, or excesses above its threshold; ascending. */
static const double *sample_of(const struct grt_pwcet *pwcet, enum grt_pwcet_method method, size_t *count) {
    const struct grt_pwcet_fit *fit = &pwcet->fits[method];
    if (method == GRT_PWCET_GUMBEL || method == GRT_PWCET_GEV) {
        *count = pwcet->maximum_count;
        return pwcet->maxima;
    }
    *count = fit->count;
    return pwcet->sorted + (pwcet->count - fit->count);
}

/* The method that is drawn: that of the first answer, else the first one that has a fit; GRT_PWCET_METHODS: none has. */
static enum grt_pwcet_method shown_method(const struct grt_pwcet *pwcet) {
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        if (pwcet->answers[i].verdict == GRT_PWCET_MODEL) {
            return pwcet->answers[i].method;
        }
    }
    int method = GRT_PWCET_METHODS - 1;
    while (method >= 0 && pwcet->fits[method].why_not != NULL) {
        method--;
    }
    return method >= 0 ? (enum grt_pwcet_method)method : GRT_PWCET_METHODS;
}

struct grt_chart grt_chart_of_quantiles(const struct grt_pwcet *pwcet, const char *name,
                                        struct grt_arena *arena) {
    enum grt_pwcet_method method = shown_method(pwcet);
    struct grt_time_unit unit = grt_chart_unit(pwcet->largest);
    if (method == GRT_PWCET_METHODS) {
        return (struct grt_chart){.title = name};
    }
    size_t count = 0, drawn = 0;
    const double *sample = sample_of(pwcet, method, &count);
    struct grt_figure_point *points = grt_arena_array(arena, count, sizeof *points);
    for (size_t i = 0; i < count; i = next_of(i, count)) {
        double above = ((double)(count - i) - 0.5) / (double)count;
        double model = grt_extreme_quantile(&pwcet->fits[method].estimate.likely.extreme, above);
        points[drawn++] = (struct grt_figure_point){model / unit.ns, sample[i] / unit.ns, NAN, NAN};
    }
    struct grt_figure_point *ends = grt_arena_array(arena, 2, sizeof *ends);
    ends[0] = (struct grt_figure_point){points[0].x, points[0].x, NAN, NAN};
    ends[1] = (struct grt_figure_point){points[drawn - 1].x, points[drawn - 1].x, NAN, NAN};
    struct grt_chart_line *lines = grt_arena_array(arena, 2, sizeof *lines);
    lines[0] = (struct grt_chart_line){grt_pwcet_method_names[method], GRT_FIGURE_MARKS, points, drawn};
    lines[1] = (struct grt_chart_line){"fit and sample agree", GRT_FIGURE_LINE, ends, 2};
    return (struct grt_chart){.title = grt_format(arena, "%s: quantiles", name),
                              .x_label = grt_format(arena, "Quantile of the fit (%s)", unit.name),
                              .y_label = grt_format(arena, "Measured (%s)", unit.name),
                              .lines = lines,
                              .line_count = 2};
}

/* Times over the number of runs of which one is longer. */
static struct grt_chart_line measured_returns(const struct grt_pwcet *pwcet, struct grt_time_unit unit,
                                              struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, pwcet->count + 1, sizeof *points);
    size_t drawn = 0;
    for (size_t i = 0; i < pwcet->count; i = next_of(i, pwcet->count)) {
        double runs = (double)pwcet->count / ((double)(pwcet->count - i) - 0.5);
        points[drawn++] = (struct grt_figure_point){runs, pwcet->sorted[i] / unit.ns, NAN, NAN};
    }
    return (struct grt_chart_line){"measured", GRT_FIGURE_MARKS, points, drawn};
}

/* From where the method speaks to past the rarest time that was asked for; intervals at those. */
static struct grt_chart_line modelled_returns(const struct grt_pwcet *pwcet, enum grt_pwcet_method method,
                                              double rarest, struct grt_time_unit unit,
                                              struct grt_arena *arena) {
    enum { POINTS = 60 };
    const struct grt_pwcet_fit *fit = &pwcet->fits[method];
    struct grt_figure_point *points = grt_arena_array(arena, POINTS, sizeof *points);
    double from = fit->block > 1 ? 1 / (double)fit->block : fit->rate / 1.01;
    size_t drawn = 0;
    for (int i = 0; i < POINTS; i++) {
        double p = from * pow(rarest / from, (double)i / (POINTS - 1));
        double value = grt_per_run_quantile(&fit->estimate.likely.extreme, fit->block, fit->rate, p);
        if (isfinite(value)) {
            points[drawn++] = (struct grt_figure_point){1 / p, value / unit.ns, NAN, NAN};
        }
    }
    return (struct grt_chart_line){grt_pwcet_method_names[method], GRT_FIGURE_LINE, points, drawn};
}

struct grt_chart grt_chart_of_returns(const struct grt_pwcet *pwcet, const char *name,
                                      struct grt_arena *arena) {
    struct grt_chart_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    struct grt_time_unit unit = grt_chart_unit(pwcet->largest);
    size_t count = 0;
    double rarest = 1e-3;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        rarest = fmin(rarest, pwcet->answers[i].exceedance);
    }
    lines[count++] = measured_returns(pwcet, unit, arena);
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        if (pwcet->fits[method].why_not == NULL) {
            lines[count++] = modelled_returns(pwcet, (enum grt_pwcet_method)method, rarest, unit, arena);
        }
    }
    return (struct grt_chart){.title = grt_format(arena, "%s: times that are exceeded rarely", name),
                              .x_label = "Runs of which one is longer",
                              .y_label = grt_format(arena, "Time (%s)", unit.name),
                              .x_log = true,
                              .lines = lines,
                              .line_count = count};
}
