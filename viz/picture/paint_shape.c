#include "viz/picture/paint_shape.h"

#include "viz/picture/paint_canvas.h"

void grt_cairo_colour(cairo_t *cairo, grt_colour colour) {
    cairo_set_source_rgba(cairo, (colour >> 24) / 255.0, (colour >> 16 & 0xff) / 255.0,
                          (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
}

static void stroke(cairo_t *cairo, const struct grt_shape *shape, grt_colour colour, double width,
                   double scale) {
    double dashes[2] = {shape->dash * scale, shape->gap * scale};
    grt_cairo_colour(cairo, colour);
    cairo_set_line_width(cairo, width);
    cairo_set_dash(cairo, dashes, shape->dash > 0 ? 2 : 0, 0);
    cairo_stroke(cairo);
}

static void trace_points(cairo_t *cairo, const struct grt_shape *shape, double scale, int snapped_width) {
    for (uint32_t i = 0; i < shape->point_count; i++) {
        float x = shape->points[2 * i].number, y = shape->points[2 * i + 1].number;
        double half = snapped_width / 2.0;
        cairo_line_to(cairo,
                      snapped_width > 0 ? grt_line_snapped_edge(x, snapped_width, scale) + half : x * scale,
                      snapped_width > 0 ? grt_line_snapped_edge(y, snapped_width, scale) + half : y * scale);
    }
}

static void paint_line(cairo_t *cairo, const struct grt_shape *line, double scale, bool snap) {
    bool along = grt_line_is_along_axes(line);
    int snapped = snap && along ? grt_line_snapped_width(line, scale) : 0;
    trace_points(cairo, line, scale, snapped);
    cairo_set_line_join(cairo, along ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
    stroke(cairo, line, line->colour, snapped > 0 ? snapped : line->width * scale, scale);
}

static void paint_polygon(cairo_t *cairo, const struct grt_shape *polygon, double scale) {
    trace_points(cairo, polygon, scale, 0);
    cairo_close_path(cairo);
    if ((polygon->colour & 0xff) != 0) {
        grt_cairo_colour(cairo, polygon->colour);
        cairo_fill_preserve(cairo);
    }
    if (polygon->outline != 0) {
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
        stroke(cairo, polygon, polygon->outline, polygon->width * scale, scale);
    }
    cairo_new_path(cairo);
}

static void paint_curve(cairo_t *cairo, const struct grt_shape *curve, double scale) {
    double at[8];
    for (int i = 0; i < 8; i++) {
        at[i] = curve->points[i].number * scale;
    }
    cairo_move_to(cairo, at[0], at[1]);
    cairo_curve_to(cairo, at[2], at[3], at[4], at[5], at[6], at[7]);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    stroke(cairo, curve, curve->colour, curve->width * scale, scale);
}

void grt_cairo_shape(cairo_t *cairo, const struct grt_shape *shape, double scale, bool snap) {
    cairo_new_path(cairo);
    if (shape->kind == GRT_SHAPE_LINE) {
        paint_line(cairo, shape, scale, snap);
    } else if (shape->kind == GRT_SHAPE_POLYGON) {
        paint_polygon(cairo, shape, scale);
    } else {
        paint_curve(cairo, shape, scale);
    }
}
