#include <cairo-pdf.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/output.h"
#include "viz/picture/paint.h"
#include "viz/picture/paint_font.h"
#include "viz/picture/paint_shape.h"
#include "viz/picture/picture_export.h"
#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

static cairo_status_t write_to_output(void *output, const unsigned char *data, unsigned bytes) {
    return grt_output_write(output, data, bytes) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Ends a file: a failure of the output is told by it, any other of cairo here. */
static bool finish(struct grt_output *output, const char *path, cairo_status_t status,
                   struct grt_errors *errors) {
    grt_output_flush(output);
    if (grt_output_error(output) == EPIPE) { /* a reader of a pipe that left early is no news */
        grt_output_discard(output);
        return false;
    }
    if (status == CAIRO_STATUS_SUCCESS || grt_output_error(output) != 0) {
        return grt_output_close(output, errors);
    }
    grt_error_add(errors, NULL, "%s: cannot write: %s", path, cairo_status_to_string(status));
    grt_output_discard(output);
    return false;
}

/* ---- PNG ---- */

bool grt_paint_frame_png(const struct grt_frame *frame, const char *path, struct grt_errors *errors) {
    struct grt_output *output = grt_output_open(path, errors);
    if (output == NULL) {
        return false;
    }
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)frame->pixels, CAIRO_FORMAT_RGB24, frame->width,
                                            frame->height, (int)frame->stride_bytes);
    cairo_status_t status = cairo_surface_write_to_png_stream(surface, write_to_output, output);
    cairo_surface_destroy(surface);
    return finish(output, path, status, errors);
}

bool grt_paint_png(const struct grt_picture *picture, const char *path, double scale, grt_colour background,
                   struct grt_errors *errors) {
    double width = floor(picture->width * scale + 0.5), height = floor(picture->height * scale + 0.5);
    bool possible = width >= 1 && height >= 1 && width <= GRT_PNG_SIDE && height <= GRT_PNG_SIDE &&
                    width * height <= GRT_PNG_PIXELS && scale >= 0.1 && scale <= 8;
    if (!possible) {
        grt_error_add(
            errors, NULL,
            "%s: cannot write: a picture of %.0f x %.0f pixels at scale %g is not possible; 1 to %d "
            "pixels a side, %d in all, scale 0.1 to 8",
            path, picture->width, picture->height, scale, GRT_PNG_SIDE, GRT_PNG_PIXELS);
        return false;
    }
    struct grt_frame frame = {.width = (int)width, .height = (int)height, .scale = scale};
    frame.stride_bytes = 4 * (size_t)frame.width;
    frame.pixels = grt_allocate(frame.stride_bytes * (size_t)frame.height);
    struct grt_painter *painter = grt_painter_create();
    grt_painter_paint(painter, &frame, background, picture);
    grt_painter_free(painter);
    bool done = grt_paint_frame_png(&frame, path, errors);
    free(frame.pixels);
    return done;
}

/* ---- PDF ---- */

/* A page in the making; cairo's unit is the pixel of the picture. */
struct page {
    cairo_t *cairo;
    const struct grt_picture *picture;
    struct grt_fonts fonts;
    struct grt_rect_run run; /* rectangles in cairo's path that are not yet filled */
};

static void end_run(struct page *page) {
    if (page->run.count > 0) {
        grt_cairo_colour(page->cairo, page->run.colour);
        cairo_fill(page->cairo);
        page->run.count = 0;
    }
}

static void put_rect(struct page *page, const struct grt_shape *rect) {
    struct grt_shape kept = *rect;
    if (!grt_shape_cut(page->picture, &kept)) {
        return;
    }
    if (!grt_rect_run_takes(&page->run, &kept)) {
        end_run(page);
        grt_rect_run_takes(&page->run, &kept);
    }
    cairo_rectangle(page->cairo, kept.left, kept.top, (double)kept.right - kept.left,
                    (double)kept.bottom - kept.top);
}

static void put_hatch(struct page *page, const struct grt_shape *hatch) {
    struct grt_shape kept = *hatch;
    if (!grt_shape_cut(page->picture, &kept)) {
        return;
    }
    cairo_t *cairo = page->cairo;
    cairo_save(cairo);
    cairo_rectangle(cairo, kept.left, kept.top, kept.right - kept.left, kept.bottom - kept.top);
    cairo_clip(cairo);
    struct grt_hatch_lines lines = {.shape = &kept};
    struct grt_point from, to;
    while (grt_hatch_line(&lines, &from, &to)) {
        cairo_move_to(cairo, from.x, from.y);
        cairo_line_to(cairo, to.x, to.y);
    }
    grt_cairo_colour(cairo, kept.colour);
    cairo_set_line_width(cairo, kept.width);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_SQUARE); /* reaches the rectangle's edges; the clip cuts it */
    cairo_set_dash(cairo, NULL, 0, 0);
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void put_text(struct page *page, const struct grt_shape *text) {
    cairo_t *cairo = page->cairo;
    cairo_set_font_face(cairo, page->fonts.faces[text->font]);
    cairo_set_font_options(cairo, page->fonts.on_paper);
    cairo_set_font_size(cairo, text->size);
    cairo_glyph_t *glyphs = NULL;
    cairo_text_cluster_t *clusters = NULL;
    int count = 0, cluster_count = 0;
    cairo_text_cluster_flags_t flags;
    cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo), 0, 0, text->text, (int)text->bytes,
                                     &glyphs, &count, &clusters, &cluster_count, &flags);
    double width = grt_text_width(text->font, text->size, text->text, text->bytes);
    double shift = text->anchor == GRT_ANCHOR_START ? 0 : text->anchor == GRT_ANCHOR_END ? 1 : 0.5;
    int64_t units = 0;
    size_t at = 0;
    for (int i = 0; i < count && at < text->bytes; i++) { /* a glyph a character */
        uint32_t point = grt_text_next(text->text, text->bytes, &at);
        bool steps_back = text->font == GRT_FONT_MONO && grt_text_is_mark(point);
        int64_t place = steps_back ? units - GRT_TEXT_MONO : units;
        glyphs[i].x = text->x - shift * width + (double)place * text->size / GRT_TEXT_EM;
        glyphs[i].y = text->y;
        units += grt_text_advance(text->font, point);
    }
    grt_cairo_colour(cairo, text->colour);
    cairo_show_text_glyphs(cairo, text->text, (int)text->bytes, glyphs, count, clusters, cluster_count,
                           flags);
    cairo_glyph_free(glyphs);
    cairo_text_cluster_free(clusters);
}

static void put_shape(struct page *page, const struct grt_shape *shape) {
    if (shape->kind == GRT_SHAPE_RECT) {
        put_rect(page, shape);
        return;
    }
    end_run(page);
    switch (shape->kind) {
    case GRT_SHAPE_RECT:
        break;
    case GRT_SHAPE_HATCH:
        put_hatch(page, shape);
        break;
    case GRT_SHAPE_LINE:
    case GRT_SHAPE_POLYGON:
    case GRT_SHAPE_CURVE:
        grt_cairo_shape(page->cairo, shape, 1, false);
        break;
    case GRT_SHAPE_TEXT:
        put_text(page, shape);
        break;
    case GRT_SHAPE_CLIP:
        cairo_save(page->cairo);
        cairo_rectangle(page->cairo, shape->left, shape->top, shape->right - shape->left,
                        shape->bottom - shape->top);
        cairo_clip(page->cairo);
        break;
    case GRT_SHAPE_UNCLIP:
        cairo_restore(page->cairo);
        break;
    case GRT_SHAPE_GROUP:
    case GRT_SHAPE_UNGROUP:
        break;
    }
}

static void put_picture(cairo_surface_t *surface, const struct grt_picture *picture, double scale,
                        grt_colour background) {
    struct page page = {.cairo = cairo_create(surface), .picture = picture};
    grt_fonts_open(&page.fonts);
    cairo_scale(page.cairo, scale, scale);
    if (background != 0) {
        grt_cairo_colour(page.cairo, background);
        cairo_paint(page.cairo);
    }
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        put_shape(&page, &shape);
    }
    end_run(&page);
    cairo_destroy(page.cairo);
    grt_fonts_close(&page.fonts);
}

static void put_title(cairo_surface_t *surface, const char *title) {
    if (title != NULL) {
        char shown[GRT_PICTURE_TEXT + 1];
        shown[grt_text_copy_shown(shown, GRT_PICTURE_TEXT, title, strlen(title))] = '\0';
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, shown);
    }
}

bool grt_paint_pdf(const struct grt_picture *picture, const char *path, const struct grt_pdf *pdf,
                   struct grt_errors *errors) {
    const double point_mm = 25.4 / 72;
    bool possible =
        picture->width >= 1 && picture->height >= 1 && pdf->width_mm >= 1 && pdf->width_mm <= 5000 &&
        pdf->width_mm * picture->height / picture->width <= 5000; /* a page of PDF: 14400 points */
    if (!possible) {
        grt_error_add(
            errors, NULL,
            "%s: cannot write: a page %g mm wide for a picture of %.0f x %.0f pixels is not possible; 1 "
            "to 5000 mm a side",
            path, pdf->width_mm, picture->width, picture->height);
        return false;
    }
    struct grt_output *output = grt_output_open(path, errors);
    if (output == NULL) {
        return false;
    }
    double scale = pdf->width_mm / point_mm / picture->width;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        write_to_output, output, picture->width * scale, picture->height * scale);
    /* What submission systems take: nothing newer than what is needed, which is translucency. */
    cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);
    /* Equal pictures are equal bytes, so the file does not tell when it was made. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "gpurt " GRT_VERSION);
    put_title(surface, pdf->title);
    put_picture(surface, picture, scale, pdf->background);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return finish(output, path, status, errors);
}
