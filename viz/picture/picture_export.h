/* What the exports to vector formats (SVG, PDF) share: many rectangles as one path, and hatches as lines. */
#ifndef GRT_VIZ_PICTURE_PICTURE_EXPORT_H
#define GRT_VIZ_PICTURE_PICTURE_EXPORT_H

#include <stdbool.h>

#include "viz/picture/picture.h"

/* Consecutive rectangles of one colour that can be one path. Start it as {0}. */
struct grt_rect_run {
    grt_colour colour;
    uint32_t count;
    float left, top, right, bottom; /* around all of them */
};

/* Adds a rectangle to the run if filling them all at once looks the same as one after the other: the same colour, and, where
 * it is translucent, clear of those before. Otherwise returns false: the caller ends the run and begins a new one. */
bool grt_rect_run_takes(struct grt_rect_run *run, const struct grt_shape *rect);

/* Cuts a rectangle to the picture and some pixels around it; false if nothing is left. */
bool grt_shape_cut(const struct grt_picture *picture, struct grt_shape *rect);

/* The lines of a hatch one by one. Start it as {.shape = hatch}. */
struct grt_hatch_lines {
    const struct grt_shape *shape;
    int pass; /* 0: up, 1: down */
    bool begun;
    double next; /* x + y or x - y of the next line */
};

/* Stores the ends of the next line, cut to the rectangle; false at the end. */
bool grt_hatch_line(struct grt_hatch_lines *lines, struct grt_point *from, struct grt_point *to);

#endif
