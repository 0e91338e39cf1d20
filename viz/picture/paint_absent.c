/* viz/picture/paint.h where cairo is not there: rectangles and hatches in frames, no text, no files. */
#include <stdlib.h>

#include "sim/check.h"
#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/picture/paint_canvas.h"

struct grt_painter {
    char unused;
};

static const char why[] = "this gpurt was built without cairo (Debian and Ubuntu: libcairo2-dev)";

bool grt_paint_is_built_in(void) {
    return false;
}

struct grt_painter *grt_painter_create(void) {
    return grt_allocate(sizeof(struct grt_painter));
}

void grt_painter_free(struct grt_painter *painter) {
    free(painter);
}

const char *grt_painter_notice(const struct grt_painter *painter) {
    (void)painter;
    return why;
}

void grt_painter_paint(struct grt_painter *painter, const struct grt_frame *frame, grt_colour background,
                       const struct grt_picture *picture) {
    if (frame->width > 0 && frame->height > 0) {
        struct grt_pixels pixels = {frame->pixels, frame->width, frame->height, frame->stride_bytes / 4};
        grt_pixels_fill(&pixels, (struct grt_pixel_box){0, 0, pixels.width, pixels.height},
                        background | 0xff);
        grt_painter_paint_over(painter, frame, picture);
    }
}

void grt_painter_paint_over(struct grt_painter *painter, const struct grt_frame *frame,
                            const struct grt_picture *picture) {
    (void)painter;
    if (frame->width <= 0 || frame->height <= 0) {
        return;
    }
    GRT_REQUIRE(frame->stride_bytes >= 4 * (size_t)frame->width && frame->stride_bytes % 4 == 0,
                "give the frame's stride in bytes");
    struct grt_pixels pixels = {frame->pixels, frame->width, frame->height, frame->stride_bytes / 4};
    struct grt_canvas canvas;
    grt_canvas_begin(&canvas, &pixels, frame->scale);
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        grt_canvas_paint(&canvas, &shape);
    }
}

bool grt_paint_frame_png(const struct grt_frame *frame, const char *path, struct grt_errors *errors) {
    (void)frame;
    grt_error_add(errors, NULL, "%s: cannot write PNG: %s", path, why);
    return false;
}

bool grt_paint_png(const struct grt_picture *picture, const char *path, double scale, grt_colour background,
                   struct grt_errors *errors) {
    (void)picture;
    (void)scale;
    (void)background;
    grt_error_add(errors, NULL, "%s: cannot write PNG: %s", path, why);
    return false;
}

bool grt_paint_pdf(const struct grt_picture *picture, const char *path, const struct grt_pdf *pdf,
                   struct grt_errors *errors) {
    (void)picture;
    (void)pdf;
    grt_error_add(errors, NULL, "%s: cannot write PDF: %s", path, why);
    return false;
}
