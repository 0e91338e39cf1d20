/* Pictures of a report: lines and marks of numbers over numbers, by gnuplot. */
#ifndef GRT_CALIB_PROGRAM_REPORT_CHART_H
#define GRT_CALIB_PROGRAM_REPORT_CHART_H

#include "calib/evt/pwcet.h"
#include "calib/fit/fit.h"
#include "sim/error.h"
#include "study/plot/script.h"

/* What is drawn; plain, with texts and points of its owner. */
struct grt_chart_line {
    const char *label;
    enum grt_figure_look look;
    const struct grt_figure_point *points;
    size_t count;
};

struct grt_chart {
    const char *title, *x_label, *y_label;
    bool x_log, y_log;
    bool has_legend; /* even of a single line */
    bool y_whole;    /* y counts: no tics between whole numbers */
    const struct grt_chart_line *lines;
    size_t line_count;
    const size_t *pens; /* of each line, the same in all charts; NULL: by its place */
};

/* What times are shown in. */
struct grt_time_unit {
    double ns;
    const char *name;
};

/* The unit in which times up to this one are best read. */
struct grt_time_unit grt_chart_unit(double largest_ns);

/* The samples of a curve, with their spread, and the model beside them. In the arena. */
struct grt_chart grt_chart_of_curve(const struct grt_curve *curve, struct grt_arena *arena);

/* Of worst-case times, in ns: the fits' quantiles over those of the sample they are of (QQ); and the time over the number of runs of which one is longer,
 * measured and by every method (return levels). `name`: of the kernel, for the title. In the arena. */
struct grt_chart grt_chart_of_quantiles(const struct grt_pwcet *pwcet, const char *name,
                                        struct grt_arena *arena);
struct grt_chart grt_chart_of_returns(const struct grt_pwcet *pwcet, const char *name,
                                      struct grt_arena *arena);

/* Bytes of a picture, to be freed with free, *size of them; NULL after adding an error: gnuplot is not there, or there is nothing to draw. */
char *grt_chart_draw(const struct grt_chart *chart, enum grt_plot_format format, size_t *size,
                     struct grt_errors *errors);

#endif
