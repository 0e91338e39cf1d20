/* The three fonts as cairo has them. They are DejaVu; where it is not installed fontconfig (or, without any font, cairo)
 * chooses another, letters stand at DejaVu's widths all the same, and grt_fonts_notice says so. */
#ifndef GRT_VIZ_PICTURE_PAINT_FONT_H
#define GRT_VIZ_PICTURE_PAINT_FONT_H

#include <cairo.h>

#include "viz/picture/picture.h"

struct grt_fonts {
    cairo_font_face_t *faces[GRT_FONTS];
    cairo_font_options_t *on_screen; /* vertical hinting: sharp in a frame buffer; widths stay unhinted */
    cairo_font_options_t *on_paper;  /* none */
};

void grt_fonts_open(struct grt_fonts *fonts);
void grt_fonts_close(struct grt_fonts *fonts);

/* A sentence if a font is not DejaVu, else NULL. */
const char *grt_fonts_notice(const struct grt_fonts *fonts);

/* The font at `size` pixels, on_screen or on_paper; the caller destroys it. */
cairo_scaled_font_t *grt_fonts_at_size(const struct grt_fonts *fonts, enum grt_font font, double size,
                                       const cairo_font_options_t *how);

/* The advance width in pixels that the font itself has for a character: what viz/picture/text_advances.c is held against. */
double grt_font_advance(cairo_scaled_font_t *scaled, uint32_t point);

/* The index of a character's glyph in the font; 0, the empty box, where the font lacks it. */
unsigned long grt_font_glyph(cairo_scaled_font_t *scaled, uint32_t point);

#endif
