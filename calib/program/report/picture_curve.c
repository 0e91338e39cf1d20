#include <math.h>

#include "calib/program/report/picture.h"

enum { LINES = 2, STEPS = 2 };

static struct grt_picture_line measured_line(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, curve->count + 1, sizeof *points);
    for (size_t i = 0; i < curve->count; i++) {
        const struct grt_curve_point *point = &curve->points[i];
        points[i] = (struct grt_figure_point){point->x, point->measured, point->low, point->high};
    }
    return (struct grt_picture_line){"measured", GRT_FIGURE_MARKS, points, curve->count};
}

/* The model; of steps each holds until the next point. */
static struct grt_picture_line model_line(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_figure_point *points = grt_arena_array(arena, curve->count * STEPS + 1, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < curve->count; i++) {
        double y = curve->points[i].model;
        if (curve->is_steps && count > 0 && points[count - 1].y != y) {
            points[count] = points[count - 1];
            points[count++].x = curve->points[i].x;
        }
        points[count++] = (struct grt_figure_point){curve->points[i].x, y, NAN, NAN};
    }
    return (struct grt_picture_line){curve->model_label != NULL ? curve->model_label : "model",
                                     GRT_FIGURE_LINE, points, count};
}

static bool has_model(const struct grt_curve *curve) {
    bool any = false;
    for (size_t i = 0; i < curve->count; i++) {
        any = any || isfinite(curve->points[i].model);
    }
    return any;
}

struct grt_picture grt_picture_of_curve(const struct grt_curve *curve, struct grt_arena *arena) {
    struct grt_picture_line *lines = grt_arena_array(arena, LINES, sizeof *lines);
    lines[0] = measured_line(curve, arena);
    lines[1] = model_line(curve, arena);
    return (struct grt_picture){.title = curve->name,
                                .x_label = curve->x_label,
                                .y_label = curve->y_label,
                                .x_log = curve->x_log,
                                .y_log = curve->y_log,
                                .lines = lines,
                                .line_count = has_model(curve) ? LINES : 1};
}
