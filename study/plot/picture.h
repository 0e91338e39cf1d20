/* From a table of results to the bytes of a picture. */
#ifndef GRT_STUDY_PLOT_PICTURE_H
#define GRT_STUDY_PLOT_PICTURE_H

#include "study/plot/figure.h"

/* Draws a figure: a picture of the format (enum grt_plot_format), or the script that draws one where `format` is -1. Returns bytes to be freed
 * with free, *size of them; NULL after adding an error. */
char *grt_plot_draw(const struct grt_figure *figure, int format, size_t *size, struct grt_errors *errors);

#endif
