/* Lines, polygons and curves as paths of cairo, the same for frames and PDF. */
#ifndef GRT_VIZ_PICTURE_PAINT_SHAPE_H
#define GRT_VIZ_PICTURE_PAINT_SHAPE_H

#include <cairo.h>
#include <stdbool.h>

#include "viz/picture/picture.h"

void grt_cairo_colour(cairo_t *cairo, grt_colour colour);

/* Paints a LINE, POLYGON or CURVE. Coordinates and widths are multiplied by `scale`; with `snap`, a line whose parts all go
 * along an axis gets whole pixels. */
void grt_cairo_shape(cairo_t *cairo, const struct grt_shape *shape, double scale, bool snap);

#endif
