/* How wide a text is, without asking a font: the advance widths of DejaVu Sans, DejaVu Sans Bold and DejaVu Sans Mono are
 * in a table (viz/picture/text_advances.c), unhinted, in 1/2048 of the size. Layouts are therefore the same on every machine, with
 * and without cairo and whatever fonts are installed; the painters advance by these widths too. There is no kerning. */
#ifndef GRT_VIZ_PICTURE_TEXT_WIDTH_H
#define GRT_VIZ_PICTURE_TEXT_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "viz/picture/picture.h"

enum { GRT_TEXT_EM = 2048 };

/* The advance of one character in 1/2048 of the size; of one that the table lacks that of the font's empty box, which is
 * what is painted for it; 0 for combining marks. */
int grt_text_advance(enum grt_font font, uint32_t point);

/* Width in pixels of a line of UTF-8 at `size` pixels per em. A byte that is no UTF-8 counts as U+FFFD. */
double grt_text_width(enum grt_font font, double size, const char *text, size_t bytes);

/* Where the baseline is so that capitals stand in the middle between two edges. */
double grt_text_baseline(double top, double bottom, double size);

enum grt_text_cut {
    GRT_TEXT_CUT_END,    /* "detector_fro…" */
    GRT_TEXT_CUT_MIDDLE, /* "detect…front", where names differ at their ends */
};

/* Writes the text to `out`, shortened with an ellipsis to at most `width` pixels where it is wider or longer than
 * GRT_PICTURE_TEXT bytes; never cuts a character or takes a mark from its letter. Returns the bytes written (there is no
 * final zero): none where not even one letter and the ellipsis fit. */
size_t grt_text_shorten(enum grt_font font, double size, const char *text, size_t bytes, double width,
                        enum grt_text_cut cut, char out[GRT_PICTURE_TEXT]);

/* The table: code points GRT_TEXT_RANGES[r].first to .last follow each other in grt_text_advances[PLAIN or BOLD]. */
enum { GRT_TEXT_RANGES = 4, GRT_TEXT_ADVANCES = 2769, GRT_TEXT_MISSING = 1229, GRT_TEXT_MONO = 1233 };
extern const struct grt_text_range { uint32_t first, last; } grt_text_ranges[GRT_TEXT_RANGES];
extern const uint16_t grt_text_advances[2][GRT_TEXT_ADVANCES];

#endif
