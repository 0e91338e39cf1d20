#include "viz/picture/paint_pixels.h"

#include <math.h>

enum { NARROW = 8, HATCH_PITCH = 1024 };

static int largest(int a, int b) {
    return a > b ? a : b;
}

static int smallest(int a, int b) {
    return a < b ? a : b;
}

struct grt_pixel_box grt_pixel_overlap(struct grt_pixel_box a, struct grt_pixel_box b) {
    return (struct grt_pixel_box){largest(a.left, b.left), largest(a.top, b.top), smallest(a.right, b.right),
                                  smallest(a.bottom, b.bottom)};
}

/* ---- blending: the four bytes of a pixel in the four quarters of one word ---- */

static uint64_t spread(uint32_t pixel) {
    return (pixel | (uint64_t)pixel << 24) & UINT64_C(0x00ff00ff00ff00ff);
}

/* `part` of 256 of the colour, which is spread, the rest of the pixel. */
static uint32_t blend(uint32_t pixel, uint64_t colour, uint32_t part) {
    uint64_t mixed = (spread(pixel) * (256 - part) + colour * part) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    return (uint32_t)(mixed | mixed >> 24);
}

/* An alpha of 0 to 255 as a part of 256: all of it is all. */
static uint32_t part_of(uint32_t alpha) {
    return alpha + (alpha >> 7);
}

static uint32_t opaque_pixel(grt_colour colour) {
    return colour >> 8 | UINT32_C(0xff000000);
}

static uint32_t *row_of(const struct grt_pixels *pixels, int y) {
    return pixels->memory + (size_t)y * pixels->stride;
}

/* ---- rectangles ---- */

static void fill_column(uint32_t *pixel, int height, size_t stride, uint32_t colour) {
    for (int y = 0; y < height; y++, pixel += stride) {
        *pixel = colour;
    }
}

static void fill_narrow(uint32_t *row, int width, int height, size_t stride, uint32_t colour) {
    for (int y = 0; y < height; y++, row += stride) {
        uint32_t *pixel = row;
        switch (width) { /* each case falls into the next: NOLINTNEXTLINE(bugprone-branch-clone) */
        case 7:
            *pixel++ = colour; /* fall through */
        case 6:
            *pixel++ = colour; /* fall through */
        case 5:
            *pixel++ = colour; /* fall through */
        case 4:
            *pixel++ = colour; /* fall through */
        case 3:
            *pixel++ = colour; /* fall through */
        default:
            pixel[0] = pixel[1] = colour;
        }
    }
}

static void fill_wide(uint32_t *row, int width, int height, size_t stride, uint32_t colour) {
    for (int y = 0; y < height; y++, row += stride) {
        for (int x = 0; x < width; x++) {
            row[x] = colour;
        }
    }
}

static void blend_box(uint32_t *row, int width, int height, size_t stride, grt_colour colour) {
    uint64_t wide = spread(opaque_pixel(colour));
    uint32_t part = part_of(colour & 0xff);
    for (int y = 0; y < height; y++, row += stride) {
        for (int x = 0; x < width; x++) {
            row[x] = blend(row[x], wide, part);
        }
    }
}

void grt_pixels_fill(const struct grt_pixels *pixels, struct grt_pixel_box box, grt_colour colour) {
    int width = box.right - box.left, height = box.bottom - box.top;
    if (width <= 0 || height <= 0) {
        return;
    }
    uint32_t *first = row_of(pixels, box.top) + box.left;
    if ((colour & 0xff) != 0xff) {
        blend_box(first, width, height, pixels->stride, colour);
    } else if (width == 1) {
        fill_column(first, height, pixels->stride, opaque_pixel(colour));
    } else if (width < NARROW) {
        fill_narrow(first, width, height, pixels->stride, opaque_pixel(colour));
    } else {
        fill_wide(first, width, height, pixels->stride, opaque_pixel(colour));
    }
}

/* ---- hatches ---- */

/* How much of a pixel is line, as a part of 256, by its place between two lines. The edge of a line fades over one pixel. */
static void hatch_parts(uint16_t *parts, int pitch, double width, uint32_t alpha) {
    for (int place = 0; place < pitch; place++) {
        double distance = smallest(place, pitch - place) * sqrt(0.5);
        double cover = (width + 1) / 2 - distance;
        cover = cover > 1 ? 1 : cover > 0 ? cover : 0;
        parts[place] = (uint16_t)part_of((uint32_t)(cover * alpha + 0.5));
    }
}

void grt_pixels_hatch(const struct grt_pixels *pixels, struct grt_pixel_box box, enum grt_hatch direction,
                      int pitch, double width, grt_colour colour) {
    uint16_t parts[HATCH_PITCH];
    pitch = smallest(largest(pitch, 2), HATCH_PITCH);
    hatch_parts(parts, pitch, width, colour & 0xff);
    uint64_t wide = spread(opaque_pixel(colour));
    int span = ((pixels->height + pitch) / pitch) * pitch; /* keeps left - y + span from being negative */
    for (int y = box.top; y < box.bottom; y++) {
        uint32_t *row = row_of(pixels, y);
        int up = (box.left + y) % pitch, down = (box.left - y + span) % pitch;
        for (int x = box.left; x < box.right; x++) {
            int part_up = direction != GRT_HATCH_DOWN ? parts[up] : 0;
            int part_down = direction != GRT_HATCH_UP ? parts[down] : 0;
            int part = largest(part_up, part_down);
            if (part != 0) {
                row[x] = blend(row[x], wide, (uint32_t)part);
            }
            up = up + 1 == pitch ? 0 : up + 1;
            down = down + 1 == pitch ? 0 : down + 1;
        }
    }
}

/* ---- masks ---- */

static void stamp_row(uint32_t *row, const uint8_t *coverage, int width, uint64_t colour, uint32_t alpha) {
    for (int x = 0; x < width; x++) {
        uint32_t cover = coverage[x];
        if (cover != 0) {
            uint32_t part = part_of(alpha == 255 ? cover : (cover * alpha + 127) / 255);
            row[x] = blend(row[x], colour, part);
        }
    }
}

void grt_pixels_stamp(const struct grt_pixels *pixels, struct grt_pixel_box box, int x, int y,
                      const struct grt_mask *mask, grt_colour colour) {
    struct grt_pixel_box all = {x, y, x + mask->width, y + mask->height};
    box = grt_pixel_overlap(box, all);
    if (box.right <= box.left) {
        return;
    }
    uint64_t wide = spread(opaque_pixel(colour));
    for (int row = box.top; row < box.bottom; row++) {
        const uint8_t *coverage = mask->coverage + (size_t)(row - y) * (size_t)mask->width + (box.left - x);
        stamp_row(row_of(pixels, row) + box.left, coverage, box.right - box.left, wide, colour & 0xff);
    }
}
