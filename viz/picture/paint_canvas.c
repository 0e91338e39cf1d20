#include "viz/picture/paint_canvas.h"

#include <math.h>

void grt_canvas_begin(struct grt_canvas *canvas, const struct grt_pixels *pixels, double scale) {
    *canvas = (struct grt_canvas){.pixels = *pixels,
                                  .scale = scale > 0.1 ? (scale < 8 ? scale : 8) : 0.1, /* NaN: 0.1 */
                                  .clips = {{0, 0, pixels->width, pixels->height}}};
}

/* The pixels of a box of the picture inside the clip. */
static struct grt_pixel_box pixels_of(const struct grt_canvas *canvas, const struct grt_shape *shape) {
    const struct grt_pixel_box *clip = &canvas->clips[canvas->depth];
    float scale = (float)canvas->scale;
    return (struct grt_pixel_box){grt_pixel_edge(shape->left * scale, clip->left, clip->right),
                                  grt_pixel_edge(shape->top * scale, clip->top, clip->bottom),
                                  grt_pixel_edge(shape->right * scale, clip->left, clip->right),
                                  grt_pixel_edge(shape->bottom * scale, clip->top, clip->bottom)};
}

static void paint_hatch(struct grt_canvas *canvas, const struct grt_shape *hatch) {
    int pitch = (int)(hatch->pitch * canvas->scale + 0.5);
    grt_pixels_hatch(&canvas->pixels, pixels_of(canvas, hatch), hatch->direction, pitch,
                     hatch->width * canvas->scale, hatch->colour);
}

bool grt_line_is_along_axes(const struct grt_shape *line) {
    for (uint32_t i = 1; i < line->point_count; i++) {
        const union grt_picture_word *from = line->points + 2 * (i - 1), *to = from + 2;
        if (from[0].number != to[0].number && from[1].number != to[1].number) {
            return false;
        }
    }
    return true;
}

int grt_line_snapped_width(const struct grt_shape *line, double scale) {
    double width = floor(line->width * scale + 0.5);
    return width > 1 ? (int)width : 1;
}

double grt_line_snapped_edge(float middle, int width, double scale) {
    return floor(middle * scale - width / 2.0 + 0.5);
}

/* A line of two points as a rectangle of whole pixels, in pixels. */
static struct grt_shape rect_of_line(const struct grt_canvas *canvas, const struct grt_shape *line) {
    float x0 = line->points[0].number, y0 = line->points[1].number;
    float x1 = line->points[2].number, y1 = line->points[3].number;
    int width = grt_line_snapped_width(line, canvas->scale);
    float edge = (float)grt_line_snapped_edge(x0 == x1 ? x0 : y0, width, canvas->scale);
    float scale = (float)canvas->scale, end = edge + (float)width;
    if (x0 == x1) {
        return (struct grt_shape){
            .left = edge, .right = end, .top = fminf(y0, y1) * scale, .bottom = fmaxf(y0, y1) * scale};
    }
    return (struct grt_shape){
        .left = fminf(x0, x1) * scale, .right = fmaxf(x0, x1) * scale, .top = edge, .bottom = end};
}

static void paint_line(struct grt_canvas *canvas, const struct grt_shape *line) {
    struct grt_shape rect = rect_of_line(canvas, line);
    double scale = canvas->scale;
    canvas->scale = 1;
    struct grt_pixel_box box = pixels_of(canvas, &rect);
    canvas->scale = scale;
    grt_pixels_fill(&canvas->pixels, box, line->colour);
}

bool grt_canvas_paint(struct grt_canvas *canvas, const struct grt_shape *shape) {
    switch (shape->kind) {
    case GRT_SHAPE_RECT:
        grt_pixels_fill(&canvas->pixels, pixels_of(canvas, shape), shape->colour);
        return true;
    case GRT_SHAPE_HATCH:
        paint_hatch(canvas, shape);
        return true;
    case GRT_SHAPE_LINE:
        if (shape->point_count != 2 || shape->dash > 0 || !grt_line_is_along_axes(shape)) {
            return false;
        }
        paint_line(canvas, shape);
        return true;
    case GRT_SHAPE_CLIP: {
        struct grt_pixel_box inner = pixels_of(canvas, shape);
        canvas->clips[++canvas->depth] = inner;
        return true;
    }
    case GRT_SHAPE_UNCLIP:
        canvas->depth--;
        return true;
    case GRT_SHAPE_GROUP:
    case GRT_SHAPE_UNGROUP:
        return true;
    default:
        return false;
    }
}
