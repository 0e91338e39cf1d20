/* The smallest pieces of an SVG file: numbers, colours, escaped text. */
#ifndef GRT_VIZ_PICTURE_SVG_TEXT_H
#define GRT_VIZ_PICTURE_SVG_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/output.h"
#include "viz/picture/picture.h"

/* Hundredths of a pixel, rounded: what coordinates are written in. */
int64_t grt_svg_hundredths(double value);

/* Writes a text as it is. */
void grt_svg_put(struct grt_output *out, const char *text);

/* Writes a number of hundredths: "3", "-0.5", "12.25". */
void grt_svg_put_number(struct grt_output *out, int64_t hundredths);

/* Writes ` name="number"`. */
void grt_svg_put_attribute(struct grt_output *out, const char *name, double value);

/* Writes ` name="#rrggbb"`, and ` name-opacity="..."` for a translucent one; "none" for alpha 0. */
void grt_svg_put_colour(struct grt_output *out, const char *name, grt_colour colour);

/* Writes text in which & < > and " are escaped and what XML forbids is U+FFFD. */
void grt_svg_put_escaped(struct grt_output *out, const char *text, size_t bytes);

#endif
