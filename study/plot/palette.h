/* How the lines of a figure differ: by colour, by dashes and by marks, so that nobody needs the colours to tell them apart. */
#ifndef GRT_STUDY_PLOT_PALETTE_H
#define GRT_STUDY_PLOT_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Colours of lines on white, from M. Okabe and K. Ito, Color Universal Design, 2008, without their yellow, which is too light for
 * a thin line. */
enum { GRT_PLOT_COLOURS = 7, GRT_PLOT_MARKS = 15, GRT_PLOT_DASHES = 6 };

struct grt_plot_pen {
    uint32_t colour;  /* 0xRRGGBB */
    const char *dash; /* as gnuplot's dashtype has it */
    int mark;         /* gnuplot's pointtype */
    double mark_size; /* 1: usual */
};

/* The pen of a series. Where there are no styles (style_count 0 or 1) all three go by the series: the first GRT_PLOT_COLOURS * GRT_PLOT_MARKS are all
 * different, and of any GRT_PLOT_MARKS neighbours so are the marks. With styles, colour and shape of the mark go by the series, dashes and
 * whether the mark is filled, of the third and fourth style in small, by the style. `grey`: shades of grey for colours. */
struct grt_plot_pen grt_plot_pen(size_t series, size_t style, size_t style_count, bool grey);

#endif
