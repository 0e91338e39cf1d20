/* Writes pictures as SVG 1.1. An own writer, because cairo's turns text into glyph shapes (neither searchable nor editable)
 * and takes ten times the bytes; it needs no cairo. Same picture, same bytes.
 *
 * Consecutive rectangles of one colour are one <path>; a text is a <text>, whose fonts are DejaVu, else what is like it; a
 * group is a <g> with its <title>, which browsers show as a tooltip. Numbers have at most two decimals. */
#ifndef GRT_VIZ_PICTURE_SVG_H
#define GRT_VIZ_PICTURE_SVG_H

#include <stdbool.h>

#include "sim/error.h"
#include "viz/picture/picture.h"

struct grt_svg {
    double width_mm;       /* printed width, 1 to 5000; 0: as many CSS pixels as the picture has */
    const char *title;     /* NULL: none */
    grt_colour background; /* 0: none */
};

/* Writes the picture to a file beside its target and renames it (sim/output.h); "-" is standard output. False after adding
 * an error. */
bool grt_svg_write(const struct grt_picture *picture, const char *path, const struct grt_svg *svg,
                   struct grt_errors *errors);

#endif
