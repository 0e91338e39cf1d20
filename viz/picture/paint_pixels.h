/* Filling and blending in a frame buffer. No cairo here: most of a frame is opaque rectangles a pixel or two wide, for which
 * a general painter costs several times as much (docs/decisions/0016-pictures.md). Integers only, so that the pixels are equal
 * on every machine. */
#ifndef GRT_VIZ_PICTURE_PAINT_PIXELS_H
#define GRT_VIZ_PICTURE_PAINT_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "viz/picture/picture.h"

/* Rows of 0xffRRGGBB; always opaque. */
struct grt_pixels {
    uint32_t *memory;
    int width, height;
    size_t stride; /* pixels from one row to the next */
};

/* Pixels left <= x < right, top <= y < bottom. */
struct grt_pixel_box {
    int left, top, right, bottom;
};

/* An 8-bit coverage per pixel, rows one after the other. */
struct grt_mask {
    const uint8_t *coverage;
    int width, height;
};

/* The pixel edge nearest to a coordinate, from `low` >= 0 to `high` where it lies beyond; halves up. */
static inline int grt_pixel_edge(float value, int low, int high) {
    float kept = value > (float)low ? value : (float)low;
    return kept < (float)high ? (int)(kept + 0.5f) : high;
}

struct grt_pixel_box grt_pixel_overlap(struct grt_pixel_box a, struct grt_pixel_box b);

/* Each of these paints what lies in the box, which the caller has cut to the frame; a translucent colour is blended. */
void grt_pixels_fill(const struct grt_pixels *pixels, struct grt_pixel_box box, grt_colour colour);
void grt_pixels_hatch(const struct grt_pixels *pixels, struct grt_pixel_box box, enum grt_hatch direction,
                      int pitch, double width, grt_colour colour);

/* Paints the colour through a mask whose upper left pixel is at x, y. */
void grt_pixels_stamp(const struct grt_pixels *pixels, struct grt_pixel_box box, int x, int y,
                      const struct grt_mask *mask, grt_colour colour);

#endif
