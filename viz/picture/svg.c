#include "viz/picture/svg.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "viz/picture/paint_canvas.h"
#include "viz/picture/picture_export.h"
#include "viz/picture/svg_text.h"

/* Neighbours are to touch without a seam and grid lines to be sharp, so edges are not smoothed unless a shape says so. */
static const char smooth[] = " shape-rendering=\"auto\"";

/* A file in the making. */
struct writer {
    struct grt_output *out;
    const struct grt_picture *picture;
    struct grt_rect_run run; /* rectangles of the <path> that is being written */
    int64_t run_x, run_y;    /* where its pen is, in hundredths */
    unsigned clips;          /* so far: their names are c1, c2, ... */
};

static void put_point(struct grt_output *out, char command, int64_t x, int64_t y) {
    char text[1] = {command};
    grt_output_write(out, text, 1);
    grt_svg_put_number(out, x);
    if (y >= 0) { /* else the minus separates */
        grt_output_write(out, " ", 1);
    }
    grt_svg_put_number(out, y);
}

static void put_step(struct grt_output *out, char command, int64_t distance) {
    char text[1] = {command};
    grt_output_write(out, text, 1);
    grt_svg_put_number(out, distance);
}

/* ---- rectangles ---- */

static void end_run(struct writer *writer) {
    if (writer->run.count > 0) {
        grt_svg_put(writer->out, "\"/>\n");
        writer->run.count = 0;
    }
}

static void begin_run(struct writer *writer, grt_colour colour) {
    grt_svg_put(writer->out, "<path");
    grt_svg_put_colour(writer->out, "fill", colour);
    grt_svg_put(writer->out, " d=\"");
    writer->run_x = 0; /* "m" at the start of a path is absolute */
    writer->run_y = 0;
}

static void put_rect(struct writer *writer, const struct grt_shape *shape) {
    struct grt_shape rect = *shape;
    if ((rect.colour & 0xff) == 0 || !grt_shape_cut(writer->picture, &rect)) {
        return;
    }
    int64_t left = grt_svg_hundredths(rect.left), right = grt_svg_hundredths(rect.right);
    int64_t top = grt_svg_hundredths(rect.top), bottom = grt_svg_hundredths(rect.bottom);
    if (right == left || bottom == top) {
        return;
    }
    if (!grt_rect_run_takes(&writer->run, &rect)) {
        end_run(writer);
        grt_rect_run_takes(&writer->run, &rect);
    }
    if (writer->run.count == 1) {
        begin_run(writer, rect.colour);
    }
    put_point(writer->out, 'm', left - writer->run_x, top - writer->run_y);
    put_step(writer->out, 'h', right - left);
    put_step(writer->out, 'v', bottom - top);
    put_step(writer->out, 'h', left - right);
    grt_svg_put(writer->out, "z");
    writer->run_x = left; /* where "z" leads back to */
    writer->run_y = top;
}

/* ---- lines ---- */

static void put_pen(struct grt_output *out, grt_colour colour, const struct grt_shape *shape) {
    grt_svg_put_colour(out, "stroke", colour);
    grt_svg_put_attribute(out, "stroke-width", shape->width);
    if (shape->dash > 0) {
        grt_svg_put(out, " stroke-dasharray=\"");
        grt_svg_put_number(out, grt_svg_hundredths(shape->dash));
        grt_svg_put(out, " ");
        grt_svg_put_number(out, grt_svg_hundredths(shape->gap));
        grt_svg_put(out, "\"");
    }
}

static void put_hatch(struct writer *writer, const struct grt_shape *shape) {
    struct grt_shape hatch = *shape;
    struct grt_hatch_lines lines = {.shape = &hatch};
    struct grt_point from, to;
    if ((hatch.colour & 0xff) == 0 || !grt_shape_cut(writer->picture, &hatch) ||
        !grt_hatch_line(&lines, &from, &to)) {
        return;
    }
    struct grt_output *out = writer->out;
    grt_svg_put(out, "<path fill=\"none\"");
    grt_svg_put(out, smooth);
    put_pen(out, hatch.colour, &hatch);
    grt_svg_put(out, " d=\"");
    do {
        int64_t x = grt_svg_hundredths(from.x), y = grt_svg_hundredths(from.y);
        put_point(out, 'M', x, y);
        put_point(out, 'l', grt_svg_hundredths(to.x) - x, grt_svg_hundredths(to.y) - y);
    } while (grt_hatch_line(&lines, &from, &to));
    grt_svg_put(out, "\"/>\n");
}

static void put_points(struct grt_output *out, const struct grt_shape *shape) {
    int64_t x = 0, y = 0;
    for (uint32_t i = 0; i < shape->point_count; i++) {
        int64_t to_x = grt_svg_hundredths(shape->points[2 * i].number);
        int64_t to_y = grt_svg_hundredths(shape->points[2 * i + 1].number);
        if (i > 0 && to_x == x) {
            put_step(out, 'v', to_y - y);
        } else if (i > 0 && to_y == y) {
            put_step(out, 'h', to_x - x);
        } else {
            put_point(out, i == 0 ? 'M' : 'l', to_x - x, to_y - y);
        }
        x = to_x;
        y = to_y;
    }
}

static void put_line(struct grt_output *out, const struct grt_shape *line) {
    grt_svg_put(out, "<path fill=\"none\"");
    if (!grt_line_is_along_axes(line)) {
        grt_svg_put(out, " stroke-linejoin=\"round\"");
        grt_svg_put(out, smooth);
    }
    put_pen(out, line->colour, line);
    grt_svg_put(out, " d=\"");
    put_points(out, line);
    grt_svg_put(out, "\"/>\n");
}

static void put_polygon(struct grt_output *out, const struct grt_shape *polygon) {
    grt_svg_put(out, "<path");
    grt_svg_put(out, smooth);
    grt_svg_put_colour(out, "fill", polygon->colour);
    if (polygon->outline != 0) {
        put_pen(out, polygon->outline, polygon);
    }
    grt_svg_put(out, " d=\"");
    put_points(out, polygon);
    grt_svg_put(out, "z\"/>\n");
}

static void put_curve(struct grt_output *out, const struct grt_shape *curve) {
    grt_svg_put(out, "<path fill=\"none\"");
    grt_svg_put(out, smooth);
    put_pen(out, curve->colour, curve);
    grt_svg_put(out, " d=\"");
    for (int i = 0; i < 4; i++) {
        put_point(out, "MC  "[i], grt_svg_hundredths(curve->points[2 * i].number),
                  grt_svg_hundredths(curve->points[2 * i + 1].number));
    }
    grt_svg_put(out, "\"/>\n");
}

/* ---- text, clips, groups ---- */

/* Whether blanks would be lost that XML does not keep by itself. */
static bool has_blanks(const struct grt_shape *text) {
    if (text->bytes == 0 || text->text[0] == ' ' || text->text[text->bytes - 1] == ' ') {
        return true;
    }
    for (uint32_t i = 1; i < text->bytes; i++) {
        if (text->text[i] == ' ' && text->text[i - 1] == ' ') {
            return true;
        }
    }
    return false;
}

static void put_text(struct grt_output *out, const struct grt_shape *text) {
    static const char *const fonts[GRT_FONTS] = {
        "", " font-weight=\"bold\"", " font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\""};
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    grt_svg_put(out, "<text");
    grt_svg_put_attribute(out, "x", text->x);
    grt_svg_put_attribute(out, "y", text->y);
    grt_svg_put_attribute(out, "font-size", text->size);
    grt_svg_put_colour(out, "fill", text->colour);
    grt_svg_put(out, fonts[text->font]);
    grt_svg_put(out, anchors[text->anchor]);
    grt_svg_put(out, has_blanks(text) ? " xml:space=\"preserve\">" : ">");
    grt_svg_put_escaped(out, text->text, text->bytes);
    grt_svg_put(out, "</text>\n");
}

static void put_clip(struct writer *writer, const struct grt_shape *clip) {
    struct grt_shape box = *clip;
    struct grt_output *out = writer->out;
    int64_t name = 100 * (int64_t)++writer->clips;
    if (!grt_shape_cut(writer->picture, &box)) {
        box.left = box.right = box.top = box.bottom = 0;
    }
    grt_svg_put(out, "<clipPath id=\"c");
    grt_svg_put_number(out, name);
    grt_svg_put(out, "\"><rect");
    grt_svg_put_attribute(out, "x", box.left);
    grt_svg_put_attribute(out, "y", box.top);
    grt_svg_put_attribute(out, "width", (double)box.right - box.left);
    grt_svg_put_attribute(out, "height", (double)box.bottom - box.top);
    grt_svg_put(out, "/></clipPath>\n<g clip-path=\"url(#c");
    grt_svg_put_number(out, name);
    grt_svg_put(out, ")\">\n");
}

static void put_title(struct grt_output *out, const char *title, size_t bytes) {
    if (bytes > 0) {
        grt_svg_put(out, "<title>");
        grt_svg_put_escaped(out, title, bytes);
        grt_svg_put(out, "</title>\n");
    }
}

static void put_shape(struct writer *writer, const struct grt_shape *shape) {
    if (shape->kind == GRT_SHAPE_RECT) {
        put_rect(writer, shape);
        return;
    }
    end_run(writer);
    switch (shape->kind) {
    case GRT_SHAPE_RECT:
        break;
    case GRT_SHAPE_HATCH:
        put_hatch(writer, shape);
        break;
    case GRT_SHAPE_LINE:
        put_line(writer->out, shape);
        break;
    case GRT_SHAPE_POLYGON:
        put_polygon(writer->out, shape);
        break;
    case GRT_SHAPE_CURVE:
        put_curve(writer->out, shape);
        break;
    case GRT_SHAPE_TEXT:
        put_text(writer->out, shape);
        break;
    case GRT_SHAPE_CLIP:
        put_clip(writer, shape);
        break;
    case GRT_SHAPE_GROUP:
        grt_svg_put(writer->out, "<g>\n");
        put_title(writer->out, shape->text, shape->bytes);
        break;
    case GRT_SHAPE_UNCLIP:
    case GRT_SHAPE_UNGROUP:
        grt_svg_put(writer->out, "</g>\n");
        break;
    }
}

/* ---- the file ---- */

static void put_head(struct writer *writer, const struct grt_svg *svg) {
    struct grt_output *out = writer->out;
    double width = writer->picture->width, height = writer->picture->height;
    grt_svg_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    grt_svg_put_number(out, grt_svg_hundredths(svg->width_mm > 0 ? svg->width_mm : width));
    grt_svg_put(out, svg->width_mm > 0 ? "mm\" height=\"" : "\" height=\"");
    grt_svg_put_number(out, grt_svg_hundredths(svg->width_mm > 0 ? svg->width_mm * height / width : height));
    grt_svg_put(out, svg->width_mm > 0 ? "mm\" viewBox=\"0 0 " : "\" viewBox=\"0 0 ");
    grt_svg_put_number(out, grt_svg_hundredths(width));
    grt_svg_put(out, " ");
    grt_svg_put_number(out, grt_svg_hundredths(height));
    grt_svg_put(out, "\" font-family=\"DejaVu Sans,Verdana,sans-serif\" shape-rendering=\"crispEdges\" "
                     "stroke-miterlimit=\"10\">\n");
    if (svg->title != NULL) {
        put_title(out, svg->title, strlen(svg->title));
    }
    if ((svg->background & 0xff) != 0) {
        grt_svg_put(out, "<rect width=\"100%\" height=\"100%\"");
        grt_svg_put_colour(out, "fill", svg->background);
        grt_svg_put(out, "/>\n");
    }
}

bool grt_svg_write(const struct grt_picture *picture, const char *path, const struct grt_svg *svg,
                   struct grt_errors *errors) {
    bool possible = picture->width >= 1 && picture->height >= 1 &&
                    (svg->width_mm == 0 || (svg->width_mm >= 1 && svg->width_mm <= 5000));
    if (!possible) {
        grt_error_add(
            errors, NULL,
            "%s: cannot write: a picture of %.0f x %.0f pixels, %g mm wide, is not possible; at least 1 "
            "pixel a side, 1 to 5000 mm",
            path, picture->width, picture->height, svg->width_mm);
        return false;
    }
    struct writer writer = {.out = grt_output_open(path, errors), .picture = picture};
    if (writer.out == NULL) {
        return false;
    }
    put_head(&writer, svg);
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        put_shape(&writer, &shape);
    }
    end_run(&writer);
    for (uint32_t i = 0; i < picture->depth; i++) { /* what the scene left open */
        grt_svg_put(writer.out, "</g>\n");
    }
    grt_svg_put(writer.out, "</svg>\n");
    grt_output_flush(writer.out);
    if (grt_output_error(writer.out) == EPIPE) { /* a reader of a pipe that left early is no news */
        grt_output_discard(writer.out);
        return false;
    }
    return grt_output_close(writer.out, errors);
}
