#include "study/plot/palette.h"

/* Neighbours differ in lightness, too. */
static const uint32_t colours[GRT_PLOT_COLOURS] = {
    0x0072b2,           /* blue */
    0xd55e00,           /* vermilion */
    0x000000, 0x56b4e9, /* sky blue */
    0x009e73,           /* bluish green */
    0xe69f00,           /* orange */
    0xcc79a7,           /* reddish purple */
};

enum { GREYS = 3, SHAPES = 6 };
static const uint32_t greys[GREYS] = {0x000000, 0x8a8a8a, 0x505050};

/* Filled and hollow ones in turn, then those without an inside. */
static const int marks[GRT_PLOT_MARKS] = {7, 4, 9, 12, 11, 6, 5, 8, 13, 10, 15, 14, 2, 1, 3};

/* The same shape, filled and hollow. */
static const int shapes[SHAPES][2] = {{7, 6}, {5, 4}, {9, 8}, {13, 12}, {11, 10}, {15, 14}};

/* In widths of the line: drawn, not drawn, ... */
static const char *const dashes[GRT_PLOT_DASHES] = {"solid",      "(10,4)", "(3,3)",
                                                    "(12,3,3,3)", "(20,5)", "(9,3,3,3,3,3)"};

struct grt_plot_pen grt_plot_pen(size_t series, size_t style, size_t style_count, bool grey) {
    struct grt_plot_pen pen = {.colour = grey ? greys[series % GREYS] : colours[series % GRT_PLOT_COLOURS],
                               .mark_size = 1};
    if (style_count > 1) {
        pen.dash = dashes[style % GRT_PLOT_DASHES];
        pen.mark = shapes[series % SHAPES][style % 2];
        pen.mark_size = style / 2 % 2 == 0 ? 1 : 0.6;
    } else {
        pen.dash = dashes[series % GRT_PLOT_DASHES];
        pen.mark = marks[series % GRT_PLOT_MARKS];
    }
    return pen;
}
