/* A figure as a script of gnuplot, with its data in it. The same figure gives the same bytes. */
#ifndef GRT_STUDY_PLOT_SCRIPT_H
#define GRT_STUDY_PLOT_SCRIPT_H

#include <stdio.h>

#include "study/plot/figure.h"

/* A kind of picture that gnuplot makes. */
enum grt_plot_format { GRT_PLOT_SVG, GRT_PLOT_PDF, GRT_PLOT_PNG, GRT_PLOT_FORMATS };

/* Writes the script, which has gnuplot write the picture to its standard output. Nothing in the texts of the figure is executed. False, after adding an
 * error, where the figure's size leaves no room. */
bool grt_plot_script(const struct grt_figure *figure, enum grt_plot_format format, FILE *out,
                     struct grt_errors *errors);

#endif
