#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "calib/program/report/chart.h"
#include "cli/terminal/text_table.h"

enum { MOST_POINTS = 400, LINES = 2 + GRT_PWCET_METHODS };
enum { PEN_MEASURED, PEN_METHODS, PEN_MARK = PEN_METHODS + GRT_PWCET_METHODS };

/* Heavy tails that go so far beyond the shortest time would hide the measured ones. */
#define MANY_TIMES 10

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

/* Between what the value of this rank (from 0, ascending) is in 95 percent of samples of the distribution: ranks of uniform values are beta distributed
 * (H. A. David, H. N. Nagaraja, Order Statistics, 2003, chapter 2.1). That the distribution was fitted to this sample makes it differ less. */
struct spread {
    double low, high;
};

/* The beta distribution's quantile, by bisection of its logarithm: gsl_cdf_beta_Pinv ends the program where it does not converge. */
static double beta_quantile(double p, double a, double b) {
    double low = -60, high = 0;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        bool is_less = gsl_cdf_beta_P(exp(middle), a, b) < p;
        low = is_less ? middle : low;
        high = is_less ? high : middle;
    }
    return exp(low);
}

static struct spread spread_of(const struct grt_extreme *extreme, size_t rank, size_t count) {
    double above = (double)(count - rank), below = (double)(rank + 1); /* of the share above the value */
    return (struct spread){grt_extreme_quantile(extreme, beta_quantile(0.975, above, below)),
                           grt_extreme_quantile(extreme, beta_quantile(0.025, above, below))};
}

static const char *state_text(const struct grt_pwcet *pwcet) {
    return pwcet->refusal_count > 0 ? " (refused)" : pwcet->constant != NULL ? " (constant)" : "";
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
    const struct grt_extreme *extreme = &pwcet->fits[method].estimate.likely.extreme;
    struct grt_figure_point *points = grt_arena_array(arena, count, sizeof *points);
    struct grt_figure_point *agreed = grt_arena_array(arena, count, sizeof *agreed);
    for (size_t i = 0; i < count; i = next_of(i, count)) {
        double model = grt_extreme_quantile(extreme, ((double)(count - i) - 0.5) / (double)count) / unit.ns;
        struct spread spread = spread_of(extreme, i, count);
        points[drawn] = (struct grt_figure_point){model, sample[i] / unit.ns, NAN, NAN};
        agreed[drawn++] =
            (struct grt_figure_point){model, model, spread.low / unit.ns, spread.high / unit.ns};
    }
    struct grt_chart_line *lines = grt_arena_array(arena, 2, sizeof *lines);
    lines[0] = (struct grt_chart_line){grt_pwcet_method_names[method], GRT_FIGURE_MARKS, points, drawn};
    lines[1] = (struct grt_chart_line){"fit and sample agree; band: 95 % of samples", GRT_FIGURE_LINE, agreed,
                                       drawn};
    size_t *pens = grt_arena_array(arena, 2, sizeof *pens);
    pens[0] = PEN_MEASURED;
    pens[1] = PEN_METHODS + (size_t)method;
    return (struct grt_chart){.title = grt_format(arena, "%s: quantiles%s", name, state_text(pwcet)),
                              .x_label = grt_format(arena, "Quantile of the fit (%s)", unit.name),
                              .y_label = grt_format(arena, "Measured (%s)", unit.name),
                              .lines = lines,
                              .line_count = 2,
                              .pens = pens};
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

/* A method's times, with the interval at each point where it describes the tail. */
static struct grt_chart_line modelled_returns(const struct grt_pwcet_fit *fit, const char *name,
                                              struct grt_time_unit unit, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, GRT_PWCET_CURVE_POINTS, sizeof *points);
    size_t drawn = 0;
    for (size_t i = 0; i < GRT_PWCET_CURVE_POINTS; i++) {
        const struct grt_pwcet_curve_point *point = &fit->curve[i];
        if (isfinite(point->value)) {
            points[drawn++] = (struct grt_figure_point){1 / point->exceedance, point->value / unit.ns,
                                                        fit->is_good ? point->low / unit.ns : NAN,
                                                        fit->is_good ? point->high / unit.ns : NAN};
        }
    }
    return (struct grt_chart_line){fit->is_good ? name : grt_format(arena, "%s (does not fit)", name),
                                   GRT_FIGURE_LINE, points, drawn};
}

/* Where as many runs were measured: all to the right of it was not seen. */
static struct grt_chart_line end_of_data(const struct grt_pwcet *pwcet, double most,
                                         struct grt_time_unit unit, struct grt_arena *arena) {
    struct grt_figure_point *ends = grt_arena_array(arena, 2, sizeof *ends);
    double runs = (double)pwcet->count;
    ends[0] = (struct grt_figure_point){runs, pwcet->smallest / unit.ns, NAN, NAN};
    ends[1] = (struct grt_figure_point){runs, most, NAN, NAN};
    return (struct grt_chart_line){
        grt_format(arena, "%zu runs measured; to the right: extrapolated", pwcet->count), GRT_FIGURE_LINE,
        ends, 2};
}

struct grt_chart grt_chart_of_returns(const struct grt_pwcet *pwcet, const char *name,
                                      struct grt_arena *arena) {
    struct grt_chart_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    struct grt_time_unit unit = grt_chart_unit(pwcet->largest);
    size_t count = 0;
    double most = pwcet->largest / unit.ns;
    bool has_bands = false;
    size_t *pens = grt_arena_array(arena, LINES, sizeof *pens);
    pens[count] = PEN_MEASURED;
    lines[count++] = measured_returns(pwcet, unit, arena);
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[method];
        if (fit->why_not == NULL) {
            const struct grt_chart_line *line = &lines[count];
            pens[count] = PEN_METHODS + (size_t)method;
            has_bands = has_bands || fit->is_good;
            lines[count++] = modelled_returns(fit, grt_pwcet_method_names[method], unit, arena);
            most = line->count > 0 ? fmax(most, line->points[line->count - 1].y) : most;
        }
    }
    if (count > 1) {
        pens[count] = PEN_MARK;
        lines[count++] = end_of_data(pwcet, most, unit, arena);
    }
    return (struct grt_chart){
        .title = grt_format(arena, "%s: times that are exceeded rarely%s", name, state_text(pwcet)),
        .x_label = "Runs of which one is longer",
        .y_label = grt_format(arena, "Time (%s)%s", unit.name, has_bands ? "; bands: 95 % intervals" : ""),
        .x_log = true,
        .y_log = most * unit.ns > MANY_TIMES * pwcet->smallest && pwcet->smallest > 0,
        .lines = lines,
        .line_count = count,
        .pens = pens};
}
