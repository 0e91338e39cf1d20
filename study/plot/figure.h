/* A figure as plain data, made from a table of results: which columns are drawn, in which panels and lines, and the texts around. */
#ifndef GRT_STUDY_PLOT_FIGURE_H
#define GRT_STUDY_PLOT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/experiment/experiment.h"
#include "sim/error.h"
#include "sim/memory.h"
#include "study/results/results.h"

enum {
    GRT_PLOT_PANELS = 24, /* at most */
    GRT_PLOT_LINES = 96,  /* of a panel, at most: as many as can be told apart, and no more */
    GRT_PLOT_CONDITIONS = 64,
};

/* Only rows with this value in this column; of several of one column, any of the values. */
struct grt_plot_condition {
    const char *column, *value;
};

/* What is wanted. All zero: chosen by the table, and by the experiment where there is one. */
struct grt_plot_options {
    const char *x, *y, *series, *panel, *style; /* columns; y also "ratio" */
    const struct grt_plot_condition *where;
    size_t where_count;
    const char *title, *x_label, *y_label;
    bool x_log, y_log;
    double y_from, y_to;        /* equal: by the data */
    double width_mm, height_mm; /* of the whole; 0: as what is in it needs */
    bool no_band, grey;
};

struct grt_figure_point {
    double x, y;      /* y not a number: a gap */
    double low, high; /* of the interval; not a number: there is none */
};

struct grt_figure_line {
    const struct grt_figure_point *points; /* in the order of x */
    size_t count;
};

struct grt_figure_panel {
    const char *label;                   /* above it; "" for the only one */
    const struct grt_figure_line *lines; /* line_count, some of them without points */
};

/* What is drawn of a line whose x has an order. */
enum grt_figure_look { GRT_FIGURE_LINE_AND_MARKS, GRT_FIGURE_MARKS, GRT_FIGURE_LINE };

/* What the lines of all panels have in common: their entry in the legend. */
struct grt_figure_key {
    const char *label;
    size_t series, style;
    enum grt_figure_look look;
};

struct grt_figure_tic {
    double at;
    const char *text;
};

/* All texts are clean (study/plot/text.h). */
struct grt_figure {
    struct grt_arena arena;
    const char *title, *x_label, *y_label;
    const struct grt_figure_panel *panels;
    size_t panel_count;
    const struct grt_figure_key *keys;
    size_t line_count, style_count;
    bool legend;  /* there is something to tell apart */
    bool x_names; /* x has names instead of numbers, at 0, 1, ... */
    bool joined;  /* x has an order: points are joined by lines, else there are only marks */
    bool bands, grey, x_log, y_log;
    double x_from, x_to, y_from, y_to;
    const struct grt_figure_tic *x_tics, *y_tics; /* none: gnuplot's choice */
    size_t x_tic_count, y_tic_count;
    double width_mm, height_mm; /* 0: as needed */
    size_t left_out;            /* points that a logarithmic axis cannot show */
};

/* Makes the figure. `experiment` may be NULL; else its wish says what the options do not, and labels are its. False after adding errors, which
 * call options as the command line does; then *figure is empty. Free it with grt_figure_free. */
bool grt_figure_make(const struct grt_result_table *table, const struct grt_experiment *experiment,
                     const struct grt_plot_options *options, struct grt_figure *figure,
                     struct grt_errors *errors);
void grt_figure_free(struct grt_figure *figure);

#endif
