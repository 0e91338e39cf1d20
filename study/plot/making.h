/* A figure in the making: what the parts of its maker share. */
#ifndef GRT_STUDY_PLOT_MAKING_H
#define GRT_STUDY_PLOT_MAKING_H

#include "study/plot/columns.h"
#include "study/plot/scale.h"

struct grt_plot_making {
    const struct grt_experiment *experiment; /* or NULL */
    const struct grt_plot_options *options;
    struct grt_figure *figure;
    struct grt_plot_columns columns;
    struct grt_plot_values series, panels, styles;
    struct grt_plot_scale x, y;
    struct grt_errors *errors;
};

/* The labels that are asked for, on the command line or by the experiment's wish for the same column; NULL: none. */
const char *grt_plot_wished_x_label(const struct grt_plot_making *making);
const char *grt_plot_wished_y_label(const struct grt_plot_making *making);

/* Sets title and labels of the axes. */
void grt_plot_set_texts(struct grt_plot_making *making);

/* Whether a column, which may be NULL, is that of the evaluations, or of their labels or groups. */
bool grt_plot_is_evaluation(const struct grt_column *column);

/* A cell for people: the label of an evaluation, behind its group where another drawn one has the same label; else the text. */
const char *grt_plot_value_label(const struct grt_plot_making *making, const struct grt_column *column,
                                 const char *text);

/* The same where it stands alone, "CPU cores: 4"; clean. */
const char *grt_plot_named_value(const struct grt_plot_making *making, const struct grt_column *column,
                                 const char *text);

/* Sets ranges and tics, once all points are there. False after adding an error: an axis that cannot be logarithmic. */
bool grt_plot_set_axes(struct grt_plot_making *making);

#endif
