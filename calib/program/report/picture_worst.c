#include <math.h>
#include <stdio.h>

#include "calib/program/report/picture.h"
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

static struct grt_picture_line quantile_line(const struct grt_pwcet *pwcet, enum grt_pwcet_method method,
                                             struct grt_arena *arena) {
    size_t count = 0, drawn = 0;
    const double *sample = sample_of(pwcet, method, &count);
    struct grt_figure_point *points = grt_arena_array(arena, count + 1, sizeof *points);
    for (size_t i = 0; i < count; i = next_of(i, count)) {
        double above = ((double)(count - i) - 0.5) / (double)count;
        double model = grt_extreme_quantile(&pwcet->fits[method].estimate.likely.extreme, above);
        points[drawn++] = (struct grt_figure_point){model, sample[i], NAN, NAN};
    }
    return (struct grt_picture_line){grt_pwcet_method_names[method], GRT_FIGURE_MARKS, points, drawn};
}

static struct grt_picture_line diagonal(const struct grt_pwcet *pwcet, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, 2, sizeof *points);
    double from = pwcet->largest;
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        size_t count = 0;
        if (pwcet->fits[method].why_not == NULL) {
            const double *sample = sample_of(pwcet, (enum grt_pwcet_method)method, &count);
            from = count > 0 ? fmin(from, sample[0]) : from;
        }
    }
    points[0] = (struct grt_figure_point){from, from, NAN, NAN};
    points[1] = (struct grt_figure_point){pwcet->largest, pwcet->largest, NAN, NAN};
    return (struct grt_picture_line){"model and sample agree", GRT_FIGURE_LINE, points, 2};
}

struct grt_picture grt_picture_of_quantiles(const struct grt_pwcet *pwcet, const char *name,
                                            struct grt_arena *arena) {
    struct grt_picture_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    size_t count = 0;
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        if (pwcet->fits[method].why_not == NULL) {
            lines[count++] = quantile_line(pwcet, (enum grt_pwcet_method)method, arena);
        }
    }
    if (count > 0) {
        lines[count++] = diagonal(pwcet, arena);
    }
    return (struct grt_picture){.title = grt_format(arena, "%s: quantiles", name),
                                .x_label = "Quantile of the fit (ns)",
                                .y_label = "Measured (ns)",
                                .lines = lines,
                                .line_count = count};
}

/* Times over the number of runs of which one is longer. */
static struct grt_picture_line measured_returns(const struct grt_pwcet *pwcet, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, pwcet->count + 1, sizeof *points);
    size_t drawn = 0;
    for (size_t i = 0; i < pwcet->count; i = next_of(i, pwcet->count)) {
        double runs = (double)pwcet->count / ((double)(pwcet->count - i) - 0.5);
        points[drawn++] = (struct grt_figure_point){runs, pwcet->sorted[i], NAN, NAN};
    }
    return (struct grt_picture_line){"measured", GRT_FIGURE_MARKS, points, drawn};
}

/* From where the method speaks to past the rarest time that was asked for; intervals at those. */
static struct grt_picture_line modelled_returns(const struct grt_pwcet *pwcet, enum grt_pwcet_method method,
                                                double rarest, struct grt_arena *arena) {
    enum { POINTS = 60 };
    const struct grt_pwcet_fit *fit = &pwcet->fits[method];
    struct grt_figure_point *points = grt_arena_array(arena, POINTS, sizeof *points);
    double from = fit->block > 1 ? 1 / (double)fit->block : fit->rate / 1.01;
    size_t drawn = 0;
    for (int i = 0; i < POINTS; i++) {
        double p = from * pow(rarest / from, (double)i / (POINTS - 1));
        double value = grt_per_run_quantile(&fit->estimate.likely.extreme, fit->block, fit->rate, p);
        if (isfinite(value)) {
            points[drawn++] = (struct grt_figure_point){1 / p, value, NAN, NAN};
        }
    }
    return (struct grt_picture_line){grt_pwcet_method_names[method], GRT_FIGURE_LINE, points, drawn};
}

struct grt_picture grt_picture_of_returns(const struct grt_pwcet *pwcet, const char *name,
                                          struct grt_arena *arena) {
    struct grt_picture_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    size_t count = 0;
    double rarest = 1e-3;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        rarest = fmin(rarest, pwcet->answers[i].exceedance);
    }
    lines[count++] = measured_returns(pwcet, arena);
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        if (pwcet->fits[method].why_not == NULL) {
            lines[count++] = modelled_returns(pwcet, (enum grt_pwcet_method)method, rarest, arena);
        }
    }
    return (struct grt_picture){.title = grt_format(arena, "%s: times that are exceeded rarely", name),
                                .x_label = "Runs of which one is longer",
                                .y_label = "Time (ns)",
                                .x_log = true,
                                .lines = lines,
                                .line_count = count};
}
