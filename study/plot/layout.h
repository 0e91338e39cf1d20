/* Where everything of a figure stands, in mm from the lower left corner. Nothing is left to gnuplot, which does not know what panels share. */
#ifndef GRT_STUDY_PLOT_LAYOUT_H
#define GRT_STUDY_PLOT_LAYOUT_H

#include "study/plot/figure.h"

enum { GRT_PLOT_TEXT_LINES = 3 }; /* of a label, at most */

/* The size of the text: 8 points, as captions in papers have, in mm. */
#define GRT_PLOT_EM (8 * 25.4 / 72)

struct grt_plot_box {
    double left, right, bottom, top;
};

/* Left: from its place to the right. Upwards: centred, turned by 90 degrees. */
enum grt_plot_direction { GRT_PLOT_LEFT, GRT_PLOT_CENTRE, GRT_PLOT_UPWARDS };

/* A text in the figure. Its place is the middle of its height, and of its width where it is centred. */
struct grt_plot_label {
    double x, y;
    const char *text;
    enum grt_plot_direction how;
};

/* An entry of the legend: from `x` on a sample of the line, then its label. */
struct grt_plot_entry {
    double x, y;
};

struct grt_plot_layout {
    struct grt_arena *arena;
    double width, height;
    const struct grt_plot_box *panels; /* the space between the axes */
    size_t columns;                    /* of panels */
    const struct grt_plot_label *labels;
    size_t label_count;
    const struct grt_plot_entry *entries; /* one for each line, or NULL */
    const struct grt_figure_tic *x_tics;  /* that fit; none: gnuplot's choice */
    size_t x_tic_count;
    bool tics_turned; /* they only fit askew */
};

/* The length of a sample of a line in the legend. */
#define GRT_PLOT_SAMPLE (2.6 * GRT_PLOT_EM)

/* Lays a figure out. False, after adding an error, where its size leaves no room for the axes. What it holds lives in the arena. */
bool grt_plot_lay_out(const struct grt_figure *figure, struct grt_arena *arena,
                      struct grt_plot_layout *layout, struct grt_errors *errors);

#endif
