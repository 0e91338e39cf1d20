/* Ranges and tics of a figure's axes, by what is drawn. */
#ifndef GRT_STUDY_PLOT_RANGES_H
#define GRT_STUDY_PLOT_RANGES_H

#include "study/plot/figure.h"

/* From the least to the most of all that is drawn; from > to: nothing is. */
struct grt_plot_extent {
    double from, to;
};

void grt_plot_extent_include(struct grt_plot_extent *extent, double value);

/* Those of a figure whose panels are there; intervals do not stretch y beyond reason. */
void grt_plot_extents(const struct grt_figure *figure, struct grt_plot_extent *x, struct grt_plot_extent *y);

/* Sets the range of x, with some room at both ends, where x has numbers. */
void grt_plot_set_x_range(struct grt_figure *figure, const struct grt_plot_extent *x);

/* Sets the tics of y, once it has its range, and those of x where x has few numbers. */
void grt_plot_set_y_tics(struct grt_figure *figure);
void grt_plot_set_x_tics(struct grt_figure *figure);

/* All of the above, for figures that nobody has wishes for: the range of y in whole steps. */
void grt_plot_fit_axes(struct grt_figure *figure);

#endif
