#include <math.h>
#include <string.h>

#include "calib/program/report/chart.h"
#include "cli/terminal/text_table.h"

/* On logarithmic axes the model is not drawn where it is so many times below all samples: they would have no room. */
enum { LINES = 2, STEPS = 2, FAR_BELOW = 4 };

static bool has_spread(const struct grt_curve *curve) {
    bool any = false;
    for (size_t i = 0; i < curve->count; i++) {
        any = any || curve->points[i].high > curve->points[i].low;
    }
    return any;
}

/* What lies between places in an order means nothing where y is the number of something, such as an SM. */
static bool is_of_numbers(const struct grt_curve *curve) {
    return strcmp(curve->y_label, "SM") == 0;
}

static struct grt_chart_line measured_line(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, curve->count + 1, sizeof *points);
    for (size_t i = 0; i < curve->count; i++) {
        const struct grt_curve_point *point = &curve->points[i];
        points[i] = (struct grt_figure_point){point->x, point->measured, point->low, point->high};
    }
    const char *label = has_spread(curve) ? "measured: median, 5 to 95 %" : "measured";
    return (struct grt_chart_line){label, GRT_FIGURE_MARKS, points, curve->count};
}

static double least_measured(const struct grt_curve *curve) {
    double least = INFINITY;
    for (size_t i = 0; i < curve->count; i++) {
        least = fmin(least, curve->points[i].measured);
    }
    return least;
}

/* The model; of steps each holds until the next point. */
static struct grt_chart_line model_line(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, curve->count * STEPS + 1, sizeof *points);
    size_t count = 0;
    double least = curve->y_log ? least_measured(curve) / FAR_BELOW : -INFINITY;
    for (size_t i = 0; i < curve->count; i++) {
        double y = curve->points[i].model >= least ? curve->points[i].model : NAN;
        if (curve->is_steps && count > 0 && points[count - 1].y != y) {
            points[count] = points[count - 1];
            points[count++].x = curve->points[i].x;
        }
        points[count++] = (struct grt_figure_point){curve->points[i].x, y, NAN, NAN};
    }
    return (struct grt_chart_line){curve->model_label != NULL ? curve->model_label : "model", GRT_FIGURE_LINE,
                                   points, count};
}

/* Where the model says another number; the marks would cover each other elsewhere. */
static struct grt_chart_line differences_line(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, curve->count + 1, sizeof *points);
    size_t count = 0, said = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const struct grt_curve_point *point = &curve->points[i];
        said += isfinite(point->model) ? 1 : 0;
        if (isfinite(point->model) && point->model != point->measured) {
            points[count++] = (struct grt_figure_point){point->x, point->model, NAN, NAN};
        }
    }
    const char *name = curve->model_label != NULL ? curve->model_label : "model";
    const char *label =
        count > 0 ? grt_format(arena, "%s, where it says otherwise", name)
        : said < curve->count
            ? grt_format(arena, "%s: agrees with the %zu of which it says something", name, said)
            : grt_format(arena, "%s: agrees with all", name);
    return (struct grt_chart_line){label, GRT_FIGURE_MARKS, points, count};
}

static bool has_model(const struct grt_curve *curve) {
    bool any = false;
    for (size_t i = 0; i < curve->count; i++) {
        any = any || isfinite(curve->points[i].model);
    }
    return any;
}

struct grt_time_unit grt_chart_unit(double largest_ns) {
    return largest_ns < 1e4   ? (struct grt_time_unit){1, "ns"}
           : largest_ns < 1e7 ? (struct grt_time_unit){1e3, "us"}
                              : (struct grt_time_unit){1e6, "ms"};
}

/* A curve whose y counts ns, in the unit in which its largest value is best read, "Time (us)"; others as they are. */
static struct grt_curve readable(const struct grt_curve *curve, struct grt_arena *arena) {
    static const char ending[] = ", ns";
    struct grt_curve copy = *curve;
    size_t length = strlen(curve->y_label), tail = sizeof ending - 1;
    if (length < tail || strcmp(curve->y_label + length - tail, ending) != 0) {
        return copy;
    }
    double largest = 0;
    for (size_t i = 0; i < curve->count; i++) {
        largest = fmax(largest, curve->points[i].measured);
    }
    struct grt_time_unit unit = grt_chart_unit(largest);
    copy.y_label = grt_format(arena, "%.*s (%s)", (int)(length - tail), curve->y_label, unit.name);
    copy.points = grt_arena_array(arena, curve->count + 1, sizeof *copy.points);
    for (size_t i = 0; i < curve->count; i++) {
        const struct grt_curve_point *point = &curve->points[i];
        copy.points[i] = (struct grt_curve_point){point->x, point->measured / unit.ns, point->low / unit.ns,
                                                  point->high / unit.ns, point->model / unit.ns};
    }
    return copy;
}

struct grt_chart grt_chart_of_curve(const struct grt_curve *given, struct grt_arena *arena) {
    const struct grt_curve shown = readable(given, arena), *curve = &shown;
    struct grt_chart_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    lines[0] = measured_line(curve, arena);
    lines[1] = is_of_numbers(curve) ? differences_line(curve, arena) : model_line(curve, arena);
    return (struct grt_chart){.title = curve->name,
                              .x_label = curve->x_label,
                              .y_label = curve->y_label,
                              .x_log = curve->x_log,
                              .y_log = curve->y_log,
                              .has_legend = has_spread(curve),
                              .y_whole = is_of_numbers(curve),
                              .lines = lines,
                              .line_count = has_model(curve) ? LINES : 1};
}
