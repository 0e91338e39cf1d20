/* Charts of a few lines as SVG, for documents: small, the same bytes everywhere. */
#ifndef GRT_TESTS_SUPPORT_LINE_CHART_H
#define GRT_TESTS_SUPPORT_LINE_CHART_H

#include <stddef.h>

enum { GRT_CHART_SERIES = 6, GRT_CHART_POINTS = 128, GRT_CHART_SIZE = 1 << 15 };

struct grt_line_chart {
    const char *x_title, *y_title;
    double x_last, y_last; /* where the axes end; they begin at 0 */
    double x_step, y_step; /* between labels */
    int point_count;
    double x[GRT_CHART_POINTS];
    int series_count;
    struct {
        const char *name;
        double y[GRT_CHART_POINTS];
    } series[GRT_CHART_SERIES];
};

/* Writes the picture, text that ends with a zero. */
void grt_line_chart_write(const struct grt_line_chart *chart, char text[GRT_CHART_SIZE]);

#endif
