/* Straight lines y = a + b x through samples: all that are possible where there is no noise, and the likeliest one where there is. */
#ifndef GRT_CALIB_FIT_LINE_H
#define GRT_CALIB_FIT_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "calib/fit/statistics.h"

/* A line has to pass here. */
struct grt_gate {
    double x, low, high;
};

/* All lines that pass through all gates. */
struct grt_lines {
    bool exist;
    double low_at, high_at; /* of y at a certain x */
    double low_slope, high_slope;
};

/* At most so many gates are looked at: every so-manieth. */
#define GRT_MOST_GATES 100

/* The lines, and their y at `at`. Needs gates of two different x; without there is no line. */
struct grt_lines grt_lines_through(const struct grt_gate *gates, size_t count, double at);

/* A point of known standard error. */
struct grt_line_point {
    double x, y, error;
};

struct grt_line {
    struct grt_ranged start, slope; /* y at 0, and b */
    double misfit;                  /* chi-squared per degree of freedom; not a number without any degree */
};

/* The line of least squares of (y - a - b x) / error. Its intervals are Student's, widened where points are farther from the line than their errors say. Unknown below three
 * points. */
struct grt_line grt_line_fit(const struct grt_line_point *points, size_t count);

/* Two lines, one up to `at`, one behind it. */
struct grt_bent_line {
    struct grt_line before, behind;
    size_t split;   /* points before */
    double squares; /* sum over both */
    double single;  /* of one line through all */
};

/* The best place for a single break: the points are ascending in x, and each side has at least three. False below six points. */
bool grt_line_bend(const struct grt_line_point *points, size_t count, struct grt_bent_line *out);

#endif
