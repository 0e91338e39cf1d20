/* Text in a frame buffer: each glyph is drawn once by cairo, at one of four places within a pixel, and kept as an 8-bit mask.
 * cairo's own text would round every letter to a whole pixel (before 1.18) and takes several times as long. */
#ifndef GRT_VIZ_PICTURE_PAINT_GLYPH_H
#define GRT_VIZ_PICTURE_PAINT_GLYPH_H

#include "viz/picture/paint_font.h"
#include "viz/picture/paint_pixels.h"

struct grt_glyph_cache;

struct grt_glyph_cache *grt_glyph_cache_create(const struct grt_fonts *fonts);
void grt_glyph_cache_free(struct grt_glyph_cache *cache);

/* Paints a text shape, scaled, inside the box. */
void grt_glyph_cache_paint(struct grt_glyph_cache *cache, const struct grt_pixels *pixels,
                           struct grt_pixel_box box, const struct grt_shape *text, double scale);

#endif
