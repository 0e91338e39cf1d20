/* Paints pictures: into a frame buffer (which the window shows), to PNG files and to PDF files. Same picture, same pixels and
 * bytes, run after run. cairo does curves, slanted lines and glyphs; docs/decisions/0016-pictures.md says who does what.
 *
 * Built without cairo (grt_paint_is_built_in says it) the files are refused with a message and frames get their background,
 * rectangles and hatches only. */
#ifndef GRT_VIZ_PICTURE_PAINT_H
#define GRT_VIZ_PICTURE_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "viz/picture/picture.h"

bool grt_paint_is_built_in(void);

/* ---- frames ---- */

/* Pixels 0xffRRGGBB in memory order of the machine (SDL's ARGB8888, cairo's ARGB32), row after row. */
struct grt_frame {
    uint32_t *pixels;  /* the caller's */
    int width, height; /* 0 or less: nothing is painted; above 32767 only rectangles, hatches and text are */
    size_t stride_bytes; /* from one row to the next: at least 4 * width, a multiple of 4 */
    double scale;        /* pixels of the frame per pixel of the picture, 0.1 to 8 (kept within) */
};

/* Keeps glyphs from frame to frame; one per thread. */
struct grt_painter;

struct grt_painter *grt_painter_create(void);
void grt_painter_free(struct grt_painter *painter); /* NULL is allowed */

/* Fills the frame with the background, whose alpha is ignored, and paints the picture from its upper left corner. A line or
 * outline along an axis is snapped to whole pixels and at least one wide. */
void grt_painter_paint(struct grt_painter *painter, const struct grt_frame *frame, grt_colour background,
                       const struct grt_picture *picture);

/* The same on top of what the frame holds. */
void grt_painter_paint_over(struct grt_painter *painter, const struct grt_frame *frame,
                            const struct grt_picture *picture);

/* A sentence for the user where the right fonts are not installed and others stand in, else NULL. */
const char *grt_painter_notice(const struct grt_painter *painter);

/* ---- files: written beside their target and renamed (sim/output.h); "-" is standard output ---- */

/* Most pixels of a side of a PNG file, and in all (1 GiB of memory). */
enum { GRT_PNG_SIDE = 32767, GRT_PNG_PIXELS = 1 << 28 };

/* Writes a PNG file of picture size times `scale` (0.1 to 8). False after adding an error. */
bool grt_paint_png(const struct grt_picture *picture, const char *path, double scale, grt_colour background,
                   struct grt_errors *errors);

/* Writes a PNG file of a frame as it is. False after adding an error. */
bool grt_paint_frame_png(const struct grt_frame *frame, const char *path, struct grt_errors *errors);

struct grt_pdf {
    double width_mm;       /* of the page, 1 to 5000; the height follows from the picture's */
    const char *title;     /* NULL: none */
    grt_colour background; /* 0: none */
};

/* Writes a PDF file of one page: vectors, with the fonts embedded. False after adding an error. */
bool grt_paint_pdf(const struct grt_picture *picture, const char *path, const struct grt_pdf *pdf,
                   struct grt_errors *errors);

#endif
