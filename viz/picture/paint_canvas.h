/* A frame while it is being painted: its clips, and the shapes that need no cairo. */
#ifndef GRT_VIZ_PICTURE_PAINT_CANVAS_H
#define GRT_VIZ_PICTURE_PAINT_CANVAS_H

#include <stdbool.h>

#include "viz/picture/paint_pixels.h"

struct grt_canvas {
    struct grt_pixels pixels;
    double scale;
    struct grt_pixel_box clips[GRT_PICTURE_DEPTH + 1]; /* each inside the one before */
    int depth;
};

/* Begins on top of what the frame holds: keeps the scale within 0.1 to 8. */
void grt_canvas_begin(struct grt_canvas *canvas, const struct grt_pixels *pixels, double scale);

/* The innermost clip. */
static inline struct grt_pixel_box grt_canvas_clip(const struct grt_canvas *canvas) {
    return canvas->clips[canvas->depth];
}

/* Paints a rectangle, a hatch or a solid straight line along an axis, or begins or ends a clip; does nothing for a group.
 * False for any other shape. */
bool grt_canvas_paint(struct grt_canvas *canvas, const struct grt_shape *shape);

/* True if each part of the line is horizontal or vertical. */
bool grt_line_is_along_axes(const struct grt_shape *line);

/* The whole number of pixels, at least 1, that a snapped line is wide, and the pixel edge at which it begins. */
int grt_line_snapped_width(const struct grt_shape *line, double scale);
double grt_line_snapped_edge(float middle, int width, double scale);

#endif
