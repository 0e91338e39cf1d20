#include <stdlib.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/picture/paint_canvas.h"
#include "viz/picture/paint_glyph.h"
#include "viz/picture/paint_shape.h"

struct grt_painter {
    struct grt_fonts fonts;
    struct grt_glyph_cache *glyphs;
};

bool grt_paint_is_built_in(void) {
    return true;
}

struct grt_painter *grt_painter_create(void) {
    struct grt_painter *painter = grt_allocate(sizeof *painter);
    grt_fonts_open(&painter->fonts);
    painter->glyphs = grt_glyph_cache_create(&painter->fonts);
    return painter;
}

void grt_painter_free(struct grt_painter *painter) {
    if (painter != NULL) {
        grt_glyph_cache_free(painter->glyphs);
        grt_fonts_close(&painter->fonts);
        free(painter);
    }
}

const char *grt_painter_notice(const struct grt_painter *painter) {
    return grt_fonts_notice(&painter->fonts);
}

/* A frame, and cairo over the same memory. */
struct frame {
    struct grt_canvas canvas;
    cairo_surface_t *surface;
    cairo_t *cairo;
    bool is_clipped; /* cairo knows the innermost clip */
    bool is_behind;  /* cairo must hear that pixels changed */
};

/* Tells cairo what changed without it, and the clip. */
static cairo_t *cairo_of(struct frame *frame) {
    if (frame->is_behind) {
        cairo_surface_mark_dirty(frame->surface);
        frame->is_behind = false;
    }
    if (!frame->is_clipped) {
        struct grt_pixel_box box = grt_canvas_clip(&frame->canvas);
        cairo_reset_clip(frame->cairo);
        cairo_rectangle(frame->cairo, box.left, box.top, box.right - box.left, box.bottom - box.top);
        cairo_clip(frame->cairo);
        frame->is_clipped = true;
    }
    return frame->cairo;
}

static void paint_shape(struct grt_painter *painter, struct frame *frame, const struct grt_shape *shape) {
    struct grt_canvas *canvas = &frame->canvas;
    if (grt_canvas_paint(canvas, shape)) {
        frame->is_behind = true;
        frame->is_clipped &= shape->kind != GRT_SHAPE_CLIP && shape->kind != GRT_SHAPE_UNCLIP;
    } else if (shape->kind == GRT_SHAPE_TEXT) {
        grt_glyph_cache_paint(painter->glyphs, &canvas->pixels, grt_canvas_clip(canvas), shape,
                              canvas->scale);
        frame->is_behind = true;
    } else {
        grt_cairo_shape(cairo_of(frame), shape, canvas->scale, true);
        cairo_surface_flush(frame->surface);
    }
}

/* The frame's memory; false if it has none. */
static bool pixels_of(const struct grt_frame *frame, struct grt_pixels *pixels) {
    if (frame->width <= 0 || frame->height <= 0) {
        return false;
    }
    GRT_REQUIRE(frame->stride_bytes >= 4 * (size_t)frame->width && frame->stride_bytes % 4 == 0,
                "give the frame's stride in bytes");
    *pixels = (struct grt_pixels){frame->pixels, frame->width, frame->height, frame->stride_bytes / 4};
    return true;
}

void grt_painter_paint(struct grt_painter *painter, const struct grt_frame *frame, grt_colour background,
                       const struct grt_picture *picture) {
    struct grt_pixels pixels;
    if (pixels_of(frame, &pixels)) {
        grt_pixels_fill(&pixels, (struct grt_pixel_box){0, 0, pixels.width, pixels.height},
                        background | 0xff);
        grt_painter_paint_over(painter, frame, picture);
    }
}

void grt_painter_paint_over(struct grt_painter *painter, const struct grt_frame *wanted,
                            const struct grt_picture *picture) {
    struct grt_pixels pixels;
    if (!pixels_of(wanted, &pixels)) {
        return;
    }
    struct frame frame = {.is_behind = true};
    grt_canvas_begin(&frame.canvas, &pixels, wanted->scale);
    frame.surface =
        cairo_image_surface_create_for_data((unsigned char *)wanted->pixels, CAIRO_FORMAT_ARGB32,
                                            wanted->width, wanted->height, (int)wanted->stride_bytes);
    frame.cairo = cairo_create(frame.surface);
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        paint_shape(painter, &frame, &shape);
    }
    cairo_destroy(frame.cairo);
    cairo_surface_destroy(frame.surface);
}
